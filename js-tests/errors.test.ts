// Every diagnostic that can arise, and every error: code, place, message and remedy.

import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  type Diagnostic,
  defineSkill,
  type ErrorCode,
  loadSkills,
  loadSkillsSync,
  memoryHost,
  parseSkill,
  SkillError,
  type SkillSpec,
  type SyncCatalog,
  validateSkill,
} from "skillshelf";
import { archiveHost } from "skillshelf/archive";
import { type HttpHostOptions, httpHost } from "skillshelf/http";
import { createSkillServer } from "skillshelf/mcp";
import { systemPrompt } from "skillshelf/prompt";
import { type TarEntry, tarOf } from "./support/archives.ts";
import { command } from "./support/command.ts";
import { rejection, thrown } from "./support/errors.ts";
import { folder, link } from "./support/folder.ts";
import { type Files, smallHost } from "./support/hosts.ts";
import { digest, entry, index } from "./support/http.ts";
import { shelf, shelfOf } from "./support/load.ts";
import { connected, program, skillWith } from "./support/mcp.ts";
import { joined, skillFile, validSkill } from "./support/text.ts";

interface Case {
  found: () => readonly Diagnostic[] | Promise<readonly Diagnostic[]>;
  severity: Diagnostic["severity"];
  path?: string;
  skill?: string;
  place?: [line: number, column: number];
  message: RegExp;
  hint?: RegExp;
}

/** A front matter, read from `n/SKILL.md`. */
const front = (text: string, mode: "lenient" | "strict" = "lenient"): (() => Diagnostic[]) =>
  whole(skillFile(text), mode);
const whole =
  (text: string | Uint8Array, mode: "lenient" | "strict" = "lenient") =>
  (): Diagnostic[] =>
    parseSkill(text, { path: "n/SKILL.md", mode }).diagnostics;
const loaded =
  (files: Files, options = {}) =>
  (): readonly Diagnostic[] =>
    shelf(files, options).diagnostics;
const defined = (spec: object) => (): Diagnostic[] =>
  thrown(() => defineSkill(spec as SkillSpec)).diagnostics;
/** What is found when a client of a server lists the skills. */
async function listed(files: Files): Promise<readonly Diagnostic[]> {
  const catalog = shelf(files);
  await using server = await createSkillServer(catalog);
  const ask = async (method: string, params: object, session?: string): Promise<Response> => {
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(session !== undefined && { "mcp-session-id": session }),
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return server.fetch(new Request("http://localhost/", { method: "POST", headers, body }));
  };
  const { headers } = await ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  const answer = await ask("skills/list", {}, headers.get("mcp-session-id") ?? "");
  assert.match(await answer.text(), /"skills":\[\]/);
  return catalog.diagnostics;
}
/** Files of the plugins `a`, `b` and so on. */
const prompted =
  (...files: Files[]) =>
  (): Diagnostic[] => {
    const found: Diagnostic[] = [];
    systemPrompt({
      plugins: files.map((files, index) => ({ namespace: "abc".charAt(index), files })),
      onDiagnostic: (diagnostic) => found.push(diagnostic),
    });
    return found;
  };
/** What `validateSkill` finds in an `mcp.json`. */
const configured = (config: string) => (): Diagnostic[] =>
  validateSkill({ "SKILL.md": validSkill("n"), "mcp.json": config }, { directory: "n" });
/** What hints say of a skill `n`. */
const hinted = (files: Files) => (): Diagnostic[] =>
  validateSkill(files, { directory: "n", hints: true });
/** What is found of an archive with one entry. */
const archived = (entry: TarEntry) => async (): Promise<readonly Diagnostic[]> => {
  const host = archiveHost(tarOf([entry]));
  await host.list("");
  return host.diagnostics ?? [];
};
/** What is found of the servers of a skill that is loaded; paths are relative to the source. */
const served =
  (root: () => string, approve = true) =>
  async (): Promise<Diagnostic[]> => {
    const from = root();
    const { session, servers } = await connected(from, { approve: () => approve });
    await session.load("s");
    const found = [...servers.diagnostics];
    await servers.close();
    return found.map((one) => ({ ...one, path: path.relative(from, one.path ?? "") }));
  };
/** What a host finds in a site that answers with an index once, and then with a status. */
const fetched =
  (text: string, options: HttpHostOptions = {}, calls = 1, later = 500) =>
  async (): Promise<readonly Diagnostic[]> => {
    let left = 1;
    const fetch = async (): Promise<Response> =>
      new Response(text, { status: left-- > 0 ? 200 : later });
    const host = httpHost("https://a.example/index.json", { fetch, ...options });
    for (let call = 0; call < calls; call += 1) await host.list("");
    return host.diagnostics ?? [];
  };
const listing = { path: "https://a.example/index.json" };
const head = "name: n\ndescription: d";
const spec: SkillSpec = { name: "n", description: "d", content: "c" };
const n = { path: "n/SKILL.md", skill: "n" };
const nowhere = { path: "n/SKILL.md" };

/** Loads a folder in which a link was made. */
const linked =
  (files: Files, name: string, target: string, options = {}) =>
  (): Diagnostic[] => {
    const root = folder(files);
    link(root, name, target);
    const from = path.join(root, "s");
    return loadSkillsSync(from, { onDiagnostic: () => {}, ...options }).diagnostics.map(
      ({ path: file, ...found }) => ({
        ...found,
        ...(file === undefined ? {} : { path: path.relative(from, file) }),
      }),
    );
  };

const CASES: Record<string, Case[]> = {
  "archive-link": [
    {
      found: archived({ name: "n/a.md", type: "2", link: "/etc/passwd" }),
      severity: "warning",
      path: "n/a.md",
      message: /"n\/a\.md" is left out: it is a link to "\/etc\/passwd"/,
      hint: /put what it leads to/,
    },
  ],
  "archive-path": [
    {
      found: archived({ name: "../a.md" }),
      severity: "warning",
      path: "../a.md",
      message: /"\.\.\/a\.md" is left out: its name is no path in here, it has "\.\."/,
      hint: /relative path/,
    },
  ],
  "archive-special": [
    {
      found: archived({ name: "n/pipe", type: "6" }),
      severity: "warning",
      path: "n/pipe",
      message: /"n\/pipe" is left out: it is neither an ordinary file/,
      hint: /put an ordinary file/,
    },
  ],
  "index-entry-invalid": [
    {
      found: fetched(index({ ...entry("n"), digest: 7 })),
      severity: "error",
      ...listing,
      skill: "n",
      message: /skills\[0\] \("n"\) has a digest that must be text; it is 7; it is skipped/,
      hint: /mended where it is published/,
    },
    {
      found: fetched(index({ ...entry("n"), url: "https://b.example/" })),
      severity: "error",
      ...listing,
      skill: "n",
      message: /nothing is fetched from https:\/\/b\.example/,
      hint: /origins/,
    },
  ],
  "index-entry-type-unknown": [
    {
      found: fetched(index({ ...entry("n"), type: "later" })),
      severity: "error",
      ...listing,
      skill: "n",
      message: /type that is not known here, "later"/,
      hint: /"skill-md" and "archive"/,
    },
  ],
  "index-schema-unknown": [
    {
      found: fetched('{ "$schema": "later" }'),
      severity: "error",
      ...listing,
      message: /another schema than is known here, "later"/,
      hint: /0\.2\.0/,
    },
  ],
  "index-skills-limit": [
    {
      found: fetched(index(entry("a"), entry("b")), { limits: { skills: 1 } }),
      severity: "warning",
      ...listing,
      message: /lists 2 skills; only the first 1 are looked at/,
      hint: /limits\.skills/,
    },
  ],
  "index-withdrawn": [
    {
      found: fetched(index(entry("n")), {}, 2, 404),
      severity: "error",
      ...listing,
      message: /no index any more, so none of its skills is offered: .* has no index of skills$/,
      hint: /publish it again/,
    },
  ],
  "content-stale": [
    {
      found: fetched(index(), { retries: 0 }, 2),
      severity: "warning",
      ...listing,
      message: /fetched earlier is used.*status 500/,
      hint: /refresh/,
    },
  ],
  "cache-unusable": [
    {
      found: fetched(index(), {
        cache: {
          read: () => undefined,
          write: (path) => {
            if (path.startsWith("content/")) throw new Error("full");
          },
        },
      }),
      severity: "warning",
      path: `content/${digest(index()).replace("sha256:", "")}`,
      message: /cache could not be used.*full/,
      hint: /store/,
    },
  ],
  "file-empty": [
    {
      found: whole(""),
      severity: "error",
      ...nowhere,
      message: /file is empty/,
      hint: /front matter/,
    },
  ],
  "front-matter-missing": [
    {
      found: whole("# T\n"),
      severity: "error",
      ...nowhere,
      place: [1, 1],
      message: /no front matter/,
      hint: /begin the file with `---`/,
    },
  ],
  "front-matter-not-closed": [
    {
      found: whole("---\nname: n\n"),
      severity: "error",
      ...nowhere,
      place: [1, 1],
      message: /not closed/,
      hint: /exactly three dashes/,
    },
  ],
  "front-matter-in-code-block": [
    {
      found: whole("```\n---\nname: n\n---\n```\n"),
      severity: "error",
      ...nowhere,
      place: [1, 1],
      message: /wrapped in a code block/,
      hint: /remove the code fences/,
    },
  ],
  "front-matter-without-fence": [
    {
      found: whole("name: n\n\nBody\n"),
      severity: "error",
      ...nowhere,
      place: [1, 1],
      message: /without a fence/,
      hint: /`---` above/,
    },
  ],
  "front-matter-language": [
    {
      found: whole("---toml\n---\n"),
      severity: "error",
      ...nowhere,
      place: [1, 4],
      message: /follows the opening fence/,
      hint: /always YAML/,
    },
  ],
  "front-matter-conflict": [
    {
      found: whole("---\n<<<<<<< HEAD\n---\n"),
      severity: "error",
      ...nowhere,
      place: [2, 1],
      message: /merge conflict/,
      hint: /markers/,
    },
  ],
  "front-matter-too-large": [
    {
      found: whole(`---\n${"x".repeat(70_000)}`),
      severity: "error",
      ...nowhere,
      place: [1, 1],
      message: /within 65536 bytes, the limit `frontMatter`/,
      hint: /three dashes/,
    },
  ],
  "front-matter-after-blank-line": [
    {
      found: whole("\n\n---\n---\n"),
      severity: "error",
      ...nowhere,
      place: [3, 1],
      message: /starts at line 3, after a blank line/,
      hint: /first line/,
    },
  ],
  "front-matter-after-comment": [
    {
      found: whole("<!-- x -->\n---\n---\n"),
      severity: "error",
      ...nowhere,
      place: [2, 1],
      message: /starts at line 2, after a comment/,
      hint: /first line/,
    },
  ],
  "not-utf-8": [
    {
      found: whole(joined("---\nname: ", [0xe9], "\n---\n")),
      severity: "error",
      ...nowhere,
      message: /invalid UTF-8 at byte 10/,
      hint: /UTF-8/,
    },
    {
      found: whole(joined(skillFile(head), [0xff])),
      severity: "error",
      ...nowhere,
      message: /invalid UTF-8 at byte 36/,
      hint: /UTF-8/,
    },
  ],
  "yaml-invalid": [
    {
      found: front("name: n\ndescription: a: b", "strict"),
      severity: "error",
      ...nowhere,
      place: [3, 15],
      message: /"description".*mapping values|mapping values/,
      hint: /quotes.*colon/,
    },
  ],
  "yaml-not-a-map": [
    {
      found: front("- a"),
      severity: "error",
      ...nowhere,
      place: [2, 1],
      message: /is a list, not keys and values/,
      hint: /name: value/,
    },
  ],
  "yaml-many-documents": [
    {
      found: front(`${head}\n...\na: b`),
      severity: "error",
      ...nowhere,
      place: [5, 1],
      message: /second YAML document/,
      hint: /one document/,
    },
  ],
  "yaml-too-deep": [
    {
      found: front(`${head}\nx: ${"[".repeat(65)}${"]".repeat(65)}`),
      severity: "error",
      ...nowhere,
      place: [4, 68],
      message: /more than 64 levels deep, the limit `yamlDepth`/,
      hint: /flatter/,
    },
  ],
  "yaml-too-many-values": [
    {
      found: front(`${head}\nx: [${"a,".repeat(4096)}]`),
      severity: "error",
      ...nowhere,
      place: [4, 8183],
      message: /more than 4096 keys and values/,
      hint: /beside the skill file/,
    },
  ],
  "yaml-repaired": [
    {
      found: front("name: n\ndescription: a: b"),
      severity: "warning",
      ...n,
      place: [3, 14],
      message: /taken as text/,
      hint: /quotes/,
    },
  ],
  "yaml-duplicate-key": [
    {
      found: front(`${head}\nname: m`),
      severity: "warning",
      ...n,
      place: [4, 1],
      message: /"name" is there twice; the first one counts/,
      hint: /remove one/,
    },
    {
      found: front(`${head}\nname: m`, "strict"),
      severity: "error",
      ...n,
      place: [4, 1],
      message: /twice/,
    },
  ],
  "yaml-alias": [
    {
      found: front(`${head}\nmetadata: {a: &x y}\nlicense: *x`),
      severity: "warning",
      ...n,
      place: [5, 10],
      message: /"\*x" was kept as text/,
      hint: /value itself/,
    },
    {
      found: front(`${head}\nmetadata: {a: &x y}\nlicense: *x`, "strict"),
      severity: "error",
      ...n,
      place: [5, 10],
      message: /alias/,
    },
  ],
  "yaml-anchor": [
    {
      found: front(`${head}\nlicense: &x y`),
      severity: "warning",
      ...n,
      place: [4, 10],
      message: /anchor.*no effect/,
      hint: /quote/,
    },
  ],
  "yaml-tag": [
    {
      found: front(`${head}\nlicense: !x y`),
      severity: "warning",
      ...n,
      place: [4, 10],
      message: /tag.*no effect/,
      hint: /quote/,
    },
  ],
  "yaml-unprintable": [
    {
      found: front(`${head}\nlicense: a\u001bb`),
      severity: "warning",
      ...n,
      place: [4, 11],
      message: /YAML refuses, U\+001B/,
      hint: /escape/,
    },
  ],
  "yaml-merge-key": [
    {
      found: front(`${head}\nmetadata:\n  <<: y`),
      severity: "warning",
      ...n,
      place: [5, 3],
      message: /merge key/,
      hint: /values themselves/,
    },
  ],
  "yaml-complex-key": [
    {
      found: front(`${head}\nmetadata:\n  [a]: y`),
      severity: "warning",
      ...n,
      place: [5, 3],
      message: /"\[a\]" is not text/,
      hint: /quotes/,
    },
  ],
  "yaml-indentation": [
    {
      found: front(`${head}\nmetadata:\n\tauthor: me`),
      severity: "warning",
      ...n,
      place: [5, 1],
      message: /a tab is no indentation/,
      hint: /blanks instead of tabs/,
    },
    {
      found: front(`${head}\nmetadata: {a: "1",\nb: "2"}`),
      severity: "warning",
      ...n,
      place: [5, 1],
      message: /goes on with a value is not indented/,
      hint: /further than the key/,
    },
  ],
  "yaml-lone-surrogate": [
    {
      found: front(`${head}\nlicense: "\\ud800"`),
      severity: "warning",
      ...n,
      place: [4, 11],
      message: /half of a surrogate pair/,
      hint: /both halves/,
    },
  ],
  "yaml-comment-after-text": [
    {
      found: front("name: n\ndescription: a #b"),
      severity: "warning",
      ...n,
      place: [3, 16],
      message: /"description": the text after # is a comment/,
      hint: /quote/,
    },
  ],
  "more-findings": [
    {
      found: front(`${head}\nx:${"\n  - *a".repeat(200)}`),
      severity: "warning",
      ...n,
      message: /100 more findings/,
    },
  ],
  "name-missing": [
    {
      found: front("description: d"),
      severity: "warning",
      ...n,
      place: [1, 1],
      message: /name is missing; the directory's name, "n", stands in/,
      hint: /name: …/,
    },
    {
      found: front("description: d", "strict"),
      severity: "error",
      ...n,
      place: [1, 1],
      message: /name is missing/,
    },
    {
      found: defined({ description: "d", content: "c" }),
      severity: "error",
      message: /name is missing/,
      hint: /at most 64/,
    },
  ],
  "no-usable-name": [
    {
      found: () => parseSkill(skillFile("description: d")).diagnostics,
      severity: "error",
      place: [1, 1],
      message: /no name that can be used/,
      hint: /name: …/,
    },
    {
      found: () => parseSkill(skillFile("name: a/b\ndescription: d")).diagnostics,
      severity: "error",
      place: [2, 7],
      message: /no name that can be used/,
      hint: /name: …/,
    },
  ],
  "name-not-text": [
    {
      found: front("name: [n]\ndescription: d"),
      severity: "warning",
      ...n,
      place: [2, 7],
      message: /must be text.*"n", stands in/,
    },
  ],
  "name-unusable": [
    {
      found: front('name: "a/b"\ndescription: d'),
      severity: "warning",
      ...n,
      place: [2, 7],
      message: /"a\/b" cannot be used: it has a separator/,
      hint: /lower-case/,
    },
  ],
  "name-invalid": [
    {
      found: () =>
        parseSkill(skillFile("name: A B\ndescription: d"), { path: "A B/SKILL.md", mode: "strict" })
          .diagnostics,
      severity: "error",
      path: "A B/SKILL.md",
      skill: "A B",
      place: [2, 7],
      message: /"A B" has other characters/,
      hint: /lower-case/,
    },
    {
      found: defined({ name: "A B", description: "d", content: "c" }),
      severity: "error",
      skill: "A B",
      message: /does not match/,
      hint: /at most 64/,
    },
  ],
  "name-too-long": [
    {
      found: front(`name: ${"a".repeat(65)}\ndescription: d`),
      severity: "warning",
      path: "n/SKILL.md",
      skill: "a".repeat(65),
      place: [2, 7],
      message: /has 65 characters; at most 64/,
    },
  ],
  "name-directory-mismatch": [
    {
      found: front("name: m\ndescription: d"),
      severity: "warning",
      path: "n/SKILL.md",
      skill: "m",
      place: [2, 7],
      message: /"m" is not that of its directory, "n"/,
      hint: /rename/,
    },
  ],
  "name-reserved": [
    {
      found: () => validateSkill({ "SKILL.md": validSkill("claude") }, { profile: "anthropic" }),
      severity: "error",
      path: "SKILL.md",
      skill: "claude",
      place: [2, 7],
      message: /reserved word claude/,
    },
  ],
  "xml-tag": [
    {
      found: () => validateSkill({ "SKILL.md": validSkill("n", "<b>") }, { profile: "anthropic" }),
      severity: "error",
      path: "SKILL.md",
      skill: "n",
      place: [3, 14],
      message: /description.*tag/i,
    },
  ],
  "description-missing": [
    {
      found: front("name: n"),
      severity: "error",
      ...nowhere,
      place: [1, 1],
      message: /description is missing/,
      hint: /when to use it/,
    },
    {
      found: front("name: n\ndescription: ''"),
      severity: "error",
      ...nowhere,
      place: [3, 14],
      message: /description is empty/,
    },
    {
      found: defined({ name: "n", description: "", content: "c" }),
      severity: "error",
      skill: "n",
      message: /description is empty/,
      hint: /when/,
    },
  ],
  "description-not-text": [
    {
      found: front("name: n\ndescription: [a]"),
      severity: "error",
      ...nowhere,
      place: [3, 14],
      message: /must be text; it is a list/,
    },
  ],
  "description-too-long": [
    {
      found: front(`name: n\ndescription: ${"x".repeat(1_025)}`),
      severity: "warning",
      ...n,
      place: [3, 14],
      message: /1025 characters; at most 1024/,
    },
  ],
  "compatibility-length": [
    {
      found: front(`${head}\ncompatibility: ${"x".repeat(501)}`),
      severity: "warning",
      ...n,
      place: [4, 16],
      message: /501 characters; at most 500/,
    },
  ],
  "field-not-text": [
    {
      found: front(`${head}\nlicense: [a]`),
      severity: "warning",
      ...n,
      place: [4, 10],
      message: /license must be text; it is a list/,
    },
  ],
  "metadata-not-a-map": [
    {
      found: front(`${head}\nmetadata: x`),
      severity: "warning",
      ...n,
      place: [4, 11],
      message: /metadata must be a map; it is text/,
    },
  ],
  "metadata-not-text": [
    {
      found: front(`${head}\nmetadata: {a: 1}`),
      severity: "warning",
      ...n,
      place: [4, 11],
      message: /not text: "a"/,
    },
  ],
  "allowed-tools-not-text": [
    {
      found: front(`${head}\nallowed-tools: {a: b}`),
      severity: "warning",
      ...n,
      place: [4, 16],
      message: /no tool is allowed/,
    },
  ],
  "allowed-tools-form": [
    {
      found: front(`${head}\nallowed-tools: A, B`),
      severity: "warning",
      ...n,
      place: [4, 16],
      message: /commas/,
    },
  ],
  "flag-not-boolean": [
    {
      found: front(`${head}\nuser-invocable: "no"`),
      severity: "warning",
      ...n,
      place: [4, 17],
      message: /user-invocable must be true or false; it is text/,
    },
  ],
  "field-unknown": [
    {
      found: front(`${head}\nmine: x`),
      severity: "warning",
      ...n,
      place: [4, 1],
      message: /"mine" is unknown; it is kept$/,
    },
    {
      found: front(`${head}\ndescripton: x`),
      severity: "warning",
      ...n,
      place: [4, 1],
      message: /"descripton" is unknown: did you mean description\? It is kept$/,
    },
  ],
  "field-extension": [
    {
      found: front(`${head}\nversion: x`),
      severity: "info",
      ...n,
      place: [4, 1],
      message: /version is not a field of the specification/,
    },
  ],
  "hidden-characters": [
    {
      found: front("name: n\ndescription: a\u{200b}"),
      severity: "warning",
      ...n,
      place: [3, 14],
      message: /U\+200B at offset 1/,
      hint: /strip/,
    },
    {
      found: () => {
        const catalog = shelf({
          "n/SKILL.md": validSkill("n"),
          "n/a.md": "x".repeat(9) + "\u202ey",
        });
        for (const offset of [0, 2]) {
          catalog.call("read_skill_file", { skill: "n", path: "a.md", offset });
        }
        return catalog.diagnostics;
      },
      severity: "warning",
      skill: "n",
      path: "n/a.md",
      message: /the file has a hidden character, U\+202E at offset 9/,
      hint: /strip/,
    },
  ],
  "body-too-large": [
    {
      found: whole(skillFile(head, "x".repeat(1_048_577))),
      severity: "error",
      ...nowhere,
      message: /1048577 bytes; at most 1048576/,
      hint: /files beside it/,
    },
  ],
  "option-invalid": [
    {
      found: () => parseSkill(validSkill("n"), { mod: "strict" } as object).diagnostics,
      severity: "error",
      message: /mod is not known; mode is/,
    },
    {
      found: () => validateSkill({ "SKILL.md": validSkill("n") }, { profile: "x" } as object),
      severity: "error",
      message: /profile must be "agentskills" or "anthropic"; it is "x"/,
    },
  ],
  "content-not-text": [
    {
      found: () => parseSkill(7 as never, { path: "n/SKILL.md" }).diagnostics,
      severity: "error",
      ...nowhere,
      message: /neither text nor bytes/,
      hint: /string or a Uint8Array/,
    },
    {
      found: () => validateSkill({ "SKILL.md": validSkill("n"), "a.md": null as never }),
      severity: "error",
      path: "a.md",
      message: /neither text nor bytes/,
    },
  ],
  "content-missing": [
    {
      found: defined({ name: "n", description: "d" }),
      severity: "error",
      skill: "n",
      message: /content is missing/,
      hint: /instructions/,
    },
  ],
  "field-invalid": [
    {
      found: defined({ name: "n", description: "d", content: "c", license: 1 }),
      severity: "error",
      skill: "n",
      message: /license must be text/,
      hint: /leave it out/,
    },
  ],
  "extra-field-taken": [
    {
      found: defined({ name: "n", description: "d", content: "c", extra: { name: "x" } }),
      severity: "error",
      skill: "n",
      message: /"name", which is a field/,
      hint: /field itself/,
    },
  ],
  "skill-file-missing": [
    { found: () => validateSkill({}), severity: "error", message: /no SKILL\.md/, hint: /add one/ },
  ],
  "skill-file-name-case": [
    {
      found: loaded({ "n/skill.md": validSkill("n") }),
      severity: "warning",
      path: "n/skill.md",
      skill: "n",
      message: /named skill\.md, not SKILL\.md/,
      hint: /rename/,
    },
    {
      found: () => validateSkill({ "skill.md": validSkill("n") }),
      severity: "error",
      path: "skill.md",
      message: /not SKILL\.md/,
    },
  ],
  "skill-file-twice": [
    {
      found: () => validateSkill({ "SKILL.md": validSkill("n"), "skill.md": "" }),
      severity: "warning",
      path: "skill.md",
      message: /differs from SKILL\.md in case only/,
    },
  ],
  "file-path-refused": [
    {
      found: () => validateSkill({ "SKILL.md": validSkill("n"), "../x": "" }),
      severity: "error",
      path: "../x",
      message: /leaves/,
    },
  ],
  "resource-deep": [
    {
      found: () => validateSkill({ "SKILL.md": validSkill("n"), "scripts/a/b": "" }),
      severity: "warning",
      path: "scripts/a/b",
      message: /one level deep/,
    },
  ],
  "link-target-missing": [
    {
      found: () => validateSkill({ "SKILL.md": validSkill("n", "d", "[x](y.md)") }),
      severity: "warning",
      path: "SKILL.md",
      place: [5, 5],
      message: /no file "y\.md"/,
    },
  ],
  "template-left": [
    {
      found: hinted({ "SKILL.md": validSkill("n", "What N does. Use it when …") }),
      severity: "info",
      path: "SKILL.md",
      skill: "n",
      place: [3, 27],
      message: /"Use it when …"/,
      hint: /in their place/,
    },
  ],
  "description-without-when": [
    {
      found: hinted({ "SKILL.md": validSkill("n", "Fills forms.") }),
      severity: "info",
      path: "SKILL.md",
      skill: "n",
      place: [3, 14],
      message: /not when to use it/,
      hint: /Use it when/,
    },
  ],
  "body-long": [
    {
      found: hinted({ "SKILL.md": validSkill("n", "Use it.", "line\n".repeat(501)) }),
      severity: "info",
      path: "SKILL.md",
      skill: "n",
      place: [5, 1],
      message: /501 lines/,
      hint: /files beside it/,
    },
  ],
  "line-ends": [
    {
      found: hinted({ "SKILL.md": validSkill("n", "Use it.").replaceAll("\n", "\r\n") }),
      severity: "info",
      path: "SKILL.md",
      skill: "n",
      place: [1, 4],
      message: /all lines end in CR LF/,
      hint: /with LF/,
    },
  ],
  "file-not-mentioned": [
    {
      found: hinted({ "SKILL.md": validSkill("n", "Use it."), "a.md": "" }),
      severity: "info",
      path: "a.md",
      skill: "n",
      message: /nothing in the skill mentions this file/,
      hint: /what it is for/,
    },
  ],
  "description-similar": [
    {
      // The one that is about several skills, which only the command has.
      found: async () => {
        const cwd = folder({
          "m/SKILL.md": validSkill("m", "Use it for forms."),
          "n/SKILL.md": validSkill("n", "Use it, for forms!"),
        });
        const { out } = await command(["validate", ".", "--json"], { cwd });
        return JSON.parse(out).diagnostics;
      },
      severity: "info",
      ...n,
      place: [3, 1],
      message: /nearly the same as that of "m"/,
      hint: /sets them apart/,
    },
  ],
  "wrapper-tag-in-body": [
    {
      found: () => validateSkill({ "SKILL.md": validSkill("n", "d", "<skill_content>") }),
      severity: "warning",
      path: "SKILL.md",
      place: [5, 1],
      message: /escaped when loaded/,
    },
  ],
  "not-published": [
    {
      found: () =>
        listed({ "n/SKILL.md": skillFile("name: n\ndescription: d\nmetadata:\n  a: 1.0") }),
      severity: "warning",
      path: "n/SKILL.md",
      skill: "n",
      message: /MCP clients do not list the skill: its metadata is not a map of text/,
      hint: /in quotes/,
    },
  ],
  "name-duplicate": [
    {
      found: loaded({ "a/SKILL.md": validSkill("b"), "b/SKILL.md": validSkill("b") }),
      severity: "error",
      path: "a/SKILL.md",
      skill: "b",
      message: /"b" is taken: b\/SKILL\.md wins over a\/SKILL\.md/,
      hint: /rename/,
    },
  ],
  "name-duplicate-version": [
    {
      found: loaded({
        "a/SKILL.md": skillFile("name: b\ndescription: d\nversion: 1"),
        "b/SKILL.md": skillFile("name: b\ndescription: d\nversion: 2"),
      }),
      severity: "warning",
      path: "a/SKILL.md",
      skill: "b",
      message: /the latter is there as "b@1"/,
      hint: /rename/,
    },
  ],
  "name-shadowed": [
    {
      found: () =>
        loadSkillsSync(
          [
            { host: smallHost({ "p/n/SKILL.md": validSkill("n") }), path: "p" },
            { host: smallHost({ "q/n/SKILL.md": validSkill("n") }), path: "q" },
          ],
          { onDiagnostic: () => {} },
        ).diagnostics,
      severity: "warning",
      path: "q/n/SKILL.md",
      skill: "n",
      message: /p\/n\/SKILL\.md wins over q\/n\/SKILL\.md/,
      hint: /rename/,
    },
  ],
  "loose-file-passed-over": [
    {
      found: loaded({ "README.md": "# x" }),
      severity: "info",
      path: "README.md",
      message: /without front matter is not a skill/,
    },
  ],
  "file-unreadable": [
    {
      found: () => {
        const host = smallHost({ "n/SKILL.md": "" });
        return shelfOf({
          ...host,
          read: (file) => {
            if (file.startsWith("n")) throw Object.assign(new Error("x"), { code: "EIO" });
            return host.read(file);
          },
        }).diagnostics;
      },
      severity: "error",
      path: "n/SKILL.md",
      message: /could not be read: x \(EIO\)/,
    },
  ],
  "directory-unreadable": [
    {
      found: () =>
        shelfOf({
          ...smallHost({}),
          list: () => {
            throw Object.assign(new Error("x"), { code: "EACCES" });
          },
        }).diagnostics,
      severity: "error",
      path: "host",
      message: /directory could not be read: x \(EACCES\)/,
      hint: /or leave this source out/,
    },
    {
      found: () =>
        shelfOf({
          ...smallHost({}),
          list: (directory: string) => {
            if (directory === "") return [{ name: "a", kind: "directory" }];
            throw Object.assign(new Error("x"), { code: "EACCES" });
          },
        }).diagnostics,
      severity: "error",
      path: "a",
      message: /directory could not be read: x \(EACCES\)/,
      hint: /or name it in ignore/,
    },
  ],
  "source-not-a-directory": [
    {
      found: () => {
        const host = memoryHost({ "n/SKILL.md": validSkill("n") });
        const source = { host, path: "n/SKILL.md" };
        return loadSkillsSync(source, { onDiagnostic: () => {} }).diagnostics;
      },
      severity: "error",
      path: "n/SKILL.md",
      message: /is a file, not a directory/,
      hint: /skill's directory/,
    },
  ],
  "source-path-missing": [
    {
      found: async () => {
        const entries = [
          { name: "tea/n/SKILL.md", content: validSkill("n") },
          { name: "a b/x", content: "" },
          { name: "file", content: "" },
        ];
        const source = { host: archiveHost(tarOf(entries)), path: "skills" };
        return (await loadSkills(source, { onDiagnostic: () => {} })).diagnostics;
      },
      severity: "warning",
      path: "skills",
      message: /at the top of its host there is "a b", tea$/,
      hint: /correct path/,
    },
  ],
  "files-directory-missing": [
    {
      found: () => {
        const host = smallHost({ "a/x.md": "" });
        const skill = defineSkill({ ...spec, directory: "b", host });
        return loadSkillsSync(skill, { onDiagnostic: () => {} }).diagnostics;
      },
      severity: "warning",
      path: "b",
      skill: "n",
      message: /directory of the skill's files is not there/,
      hint: /correct directory/,
    },
  ],
  "kept-last-good": [
    {
      found: () => {
        const files: Record<string, string> = { "n/SKILL.md": validSkill("n") };
        const catalog = shelf(files);
        files["n/SKILL.md"] = "";
        return catalog.refresh().diagnostics;
      },
      severity: "warning",
      path: "n/SKILL.md",
      skill: "n",
      message: /stays as it last was/,
    },
  ],
  "source-untrusted": [
    {
      found: () =>
        loadSkillsSync({ host: smallHost({}), trusted: false, label: "mine" }).diagnostics,
      severity: "info",
      path: "mine",
      message: /not trusted; nothing of it is loaded/,
      hint: /trusted: true/,
    },
  ],
  "depth-limit": [
    {
      found: loaded({ "a/b/c/SKILL.md": validSkill("c") }, { limits: { depth: 1 } }),
      severity: "warning",
      path: "a/b",
      message: /deeper than 1 level are not/,
      hint: /limits\.depth/,
    },
  ],
  "directories-limit": [
    {
      found: loaded({ "a/SKILL.md": validSkill("a") }, { limits: { directories: 1 } }),
      severity: "warning",
      path: "host",
      message: /more directories than 1; the rest/,
      hint: /limits\.directories/,
    },
  ],
  "link-target-outside": [
    {
      found: () => validateSkill({ "SKILL.md": validSkill("n", "d", "[x](../y.md)") }),
      severity: "warning",
      path: "SKILL.md",
      place: [5, 5],
      message: /"\.\.\/y\.md" cannot be followed: it leaves/,
      hint: /skill's directory/,
    },
  ],
  "link-refused": [
    {
      found: linked({ "s/a/SKILL.md": validSkill("a") }, "s/up", ".."),
      severity: "warning",
      path: "up",
      message: /holds the source/,
      hint: /remove/,
    },
    {
      found: linked(
        { "o/SKILL.md": validSkill("o"), "s/a/SKILL.md": validSkill("a") },
        "s/o",
        "../o",
        { links: "never" },
      ),
      severity: "warning",
      path: "o",
      message: /links are not followed here/,
      hint: /in its place/,
    },
  ],
  "link-not-walked": [
    {
      found: linked(
        { "o/p/SKILL.md": validSkill("p"), "s/a/SKILL.md": validSkill("a") },
        "s/o",
        "../o",
      ),
      severity: "info",
      path: "o",
      message: /no SKILL\.md and is not walked/,
      hint: /links: "all"/,
    },
  ],
  "link-dangling": [
    {
      found: linked({ "s/a/SKILL.md": validSkill("a") }, "s/gone", "nowhere"),
      severity: "info",
      path: "gone",
      message: /leads nowhere/,
      hint: /remove/,
    },
  ],
  "skill-file-link-leaves": [
    {
      found: linked(
        { "x.md": validSkill("n"), "s/a/SKILL.md": validSkill("a") },
        "s/n/SKILL.md",
        "../../x.md",
      ),
      severity: "error",
      path: "n/SKILL.md",
      message: /link that leaves the skill's directory/,
      hint: /put a file/,
    },
  ],
  "skill-file-link-refused": [
    {
      found: linked({ "s/a/x.md": validSkill("a") }, "s/a/SKILL.md", "x.md", { links: "never" }),
      severity: "error",
      path: "a/SKILL.md",
      message: /links are not followed here/,
      hint: /put a file/,
    },
  ],
  "skill-file-link-dangling": [
    {
      found: linked({ "s/a/SKILL.md": validSkill("a") }, "s/n/SKILL.md", "nowhere"),
      severity: "error",
      path: "n/SKILL.md",
      message: /leads nowhere/,
      hint: /remove/,
    },
  ],
  "prompt-extends-invalid": [
    {
      found: prompted({ "p.md": "---\nextends: [rules]\n---\nx" }),
      severity: "error",
      path: "a/p.md",
      place: [2, 10],
      message: /extends must name one section; it is a list/,
      hint: /`extends: rules`/,
    },
    {
      found: () => thrown(() => systemPrompt({ base: "---\nextends: rules\n---\nx" })).diagnostics,
      severity: "error",
      path: "base",
      place: [2, 10],
      message: /the base extends "rules"/,
      hint: /file of a plugin/,
    },
  ],
  "prompt-file-empty": [
    {
      found: prompted({ "systemprompt.md": "\n" }),
      severity: "error",
      path: "a/systemprompt.md",
      message: /has no text/,
      hint: /write the text/,
    },
  ],
  "prompt-file-passed-over": [
    {
      found: prompted({ "README.md": "# Read me" }),
      severity: "info",
      path: "a/README.md",
      message: /neither replaces the prompt nor extends a section/,
      hint: /name it systemprompt\.md/,
    },
  ],
  "prompt-replaced-twice": [
    {
      found: prompted({ "systemprompt.md": "A" }, { "systemprompt.md": "B" }),
      severity: "warning",
      path: "b/systemprompt.md",
      message: /replaced by a\/systemprompt\.md already/,
      hint: /the earlier plugin wins/,
    },
  ],
  "prompt-section-unknown": [
    {
      found: prompted({ "p.md": "---\nextends: rulez\n---\nx" }),
      severity: "error",
      path: "a/p.md",
      place: [2, 10],
      message: /no section "rulez" to extend/,
      hint: /extend one of role, rules, tools/,
    },
  ],
  "name-look-alike": [
    {
      found: () => {
        const catalog = shelf({
          "pdf/SKILL.md": validSkill("pdf"),
          "\u0440df/SKILL.md": validSkill("\u0440df"),
        });
        // Nor does a view name one that it leaves out.
        assert.doesNotMatch(JSON.stringify(catalog.only(["!pdf"]).diagnostics), /"pdf/);
        return catalog.diagnostics;
      },
      severity: "warning",
      skill: "\u0440df",
      path: "\u0440df/SKILL.md",
      message: /"\u0440df" \(U\+0440\) looks like "pdf", which is another skill: pdf\/SKILL\.md/,
      hint: /rename one of them/,
    },
    {
      found: () =>
        shelf({ "a1/SKILL.md": validSkill("a1"), "al/SKILL.md": validSkill("al") }).diagnostics,
      severity: "warning",
      skill: "al",
      path: "al/SKILL.md",
      message: /"al" looks like "a1"/,
    },
  ],
  "only-pattern-idle": [
    {
      found: () => shelf({ "n/SKILL.md": validSkill("name") }).only(["!mane"]).diagnostics,
      severity: "warning",
      message: /the pattern "!mane" of only: no skill has such a name/,
      hint: /Did you mean "name"\?/,
    },
    {
      found: () => {
        const catalog = shelf({ "n/SKILL.md": validSkill("name") });
        return catalog.session({ only: ["name", "a-*", "b", "c"] }).diagnostics;
      },
      severity: "warning",
      message: /the pattern "a-\*" and 2 others of only/,
      hint: /correct it, or take it out/,
    },
  ],
  "session-name-unknown": [
    {
      found: () => {
        const session = shelf({ "n/SKILL.md": validSkill("name") }).session();
        session.forget(["mane", "other"]);
        return session.diagnostics;
      },
      severity: "warning",
      message: /forget was given "mane" and 1 more name: nothing of this name/,
      hint: /Did you mean "name"\?/,
    },
  ],
  "session-skill-changed": [
    {
      found: () => {
        const files: Record<string, string> = { "n/SKILL.md": validSkill("n") };
        const session = shelf(files).session();
        session.load("n");
        files["n/SKILL.md"] = validSkill("n", "d", "Other words");
        return session.check();
      },
      severity: "info",
      skill: "n",
      message: /"n" has changed since it was loaded in this session/,
      hint: /load it again/,
    },
  ],
  "mcp-config-invalid": [
    {
      found: configured("{,}"),
      severity: "error",
      path: "mcp.json",
      place: [1, 2],
      message: /mcp\.json is not JSON/,
      hint: /comments and commas/,
    },
    {
      found: configured('{"servers":{}}'),
      severity: "error",
      path: "mcp.json",
      message: /mcp\.json has no "mcpServers", but "servers"/,
      hint: /write \{ "mcpServers"/,
    },
  ],
  "mcp-config-unreadable": [
    {
      found: served(() => {
        const root = folder({ "s/SKILL.md": validSkill("s"), "outside.json": "{}" });
        link(root, "s/mcp.json", "../outside.json");
        return root;
      }),
      severity: "warning",
      path: "s/mcp.json",
      skill: "s",
      message: /"mcp\.json" is refused: it leads out of the skill's directory/,
      hint: /load the skill again/,
    },
  ],
  "mcp-server-invalid": [
    {
      found: configured('{"mcpServers":{"a":{"command":1}}}'),
      severity: "error",
      path: "mcp.json",
      message: /the server "a" must have text in command; it is a number/,
      hint: /double quotes/,
    },
  ],
  "mcp-server-duplicate": [
    {
      found: configured('{"mcpServers":{"a b":{"command":"x"},"a_b":{"command":"y"}}}'),
      severity: "error",
      path: "mcp.json",
      message: /"a_b" has the same name as "a b"/,
      hint: /rename/,
    },
  ],
  "mcp-server-disabled": [
    {
      found: configured('{"mcpServers":{"a":{"command":"x","disabled":true}}}'),
      severity: "info",
      path: "mcp.json",
      message: /the server "a" is disabled/,
      hint: /remove "disabled"/,
    },
  ],
  "mcp-hidden-characters": [
    {
      found: configured('{"mcpServers":{"a":{"command":"x\\u202ey"}}}'),
      severity: "warning",
      path: "mcp.json",
      message: /the server "a" has characters that cannot be seen in command \(U\+202E\)/,
      hint: /remove them/,
    },
  ],
  "mcp-server-refused": [
    {
      found: served(() => skillWith({ a: program("good") }), false),
      severity: "info",
      path: "s/mcp.json",
      skill: "s",
      message: /the server "a" was not approved/,
      hint: /which ask again/,
    },
  ],
  "mcp-servers-not-connected": [
    {
      found: () => {
        const servers = JSON.stringify({ mcpServers: { a: { command: "node" } } });
        const session = shelf({ "s/SKILL.md": validSkill("s"), "s/mcp.json": servers }).session();
        session.load("s");
        return session.diagnostics;
      },
      severity: "info",
      path: "s/mcp.json",
      skill: "s",
      message: /the servers that the skill brings are not connected/,
      hint: /connectSkillServers/,
    },
  ],
  "mcp-server-failed": [
    {
      found: served(() => skillWith({ a: { command: "skillshelf-no-such-program" } })),
      severity: "warning",
      path: "s/mcp.json",
      skill: "s",
      message: /the server "a" could not be started \(ENOENT\)/,
      hint: /there is no program "skillshelf-no-such-program": install it, or mend the command/,
    },
  ],
  "mcp-tool-refused": [
    {
      found: served(() => skillWith({ a: program("hostile") })),
      severity: "warning",
      path: "s/mcp.json",
      skill: "s",
      message: /the server "a" has a tool/,
      hint: /mend the server/,
    },
  ],
  "session-skill-left-out": [
    {
      found: () => {
        const catalog = shelf({ "n/SKILL.md": validSkill("n") });
        const session = catalog.session();
        session.load("n");
        return catalog.session({ state: session.toJSON(), only: ["!n"] }).diagnostics;
      },
      severity: "info",
      message: /this conversation had loaded what is left out by only now/,
      hint: /let it through/,
    },
  ],
  "session-skill-unreadable": [
    {
      found: () => {
        const files: Record<string, string> = { "n/SKILL.md": validSkill("n") };
        const session = shelf(files).session();
        session.load("n");
        files["n/SKILL.md"] = "";
        return session.check();
      },
      severity: "warning",
      skill: "n",
      message: /"n" was loaded in this session and cannot be read now: .*the file is empty/,
      hint: /keeps the text.*unload/,
    },
  ],
  "session-skill-vanished": [
    {
      found: () => {
        const session = shelf({ "n/SKILL.md": validSkill("n") }).session();
        session.load("n");
        return shelf({}).session({ state: session.toJSON() }).diagnostics;
      },
      severity: "warning",
      skill: "n",
      message: /"n" was loaded in this session and is no longer there/,
      hint: /keeps the text.*unload/,
    },
    {
      found: () => {
        const files: Record<string, string> = { "n/SKILL.md": validSkill("n") };
        const session = shelf(files).session();
        session.load("n");
        delete files["n/SKILL.md"];
        return session.check();
      },
      severity: "warning",
      skill: "n",
      message: /"n" was loaded in this session and is no longer there/,
      hint: /keeps the text/,
    },
  ],
  "not-a-file": [
    {
      found: linked({ "s/a/SKILL.md": validSkill("a"), "s/n/x/y": "" }, "s/n/SKILL.md", "x"),
      severity: "error",
      path: "n/SKILL.md",
      message: /not a regular file/,
    },
  ],
};

describe("diagnostics", () => {
  for (const [code, cases] of Object.entries(CASES)) {
    for (const [index, { found, severity, path, skill, place, message, hint }] of cases.entries()) {
      test(cases.length === 1 ? code : `${code}, ${index + 1}`, async () => {
        const all = await found();
        const finding = all.find((one) => one.code === code);
        assert.ok(finding, all.map((one) => `${one.code}: ${one.message}`).join("; "));
        assert.equal(finding.severity, severity);
        assert.equal(finding.path, path);
        if (skill !== undefined) assert.equal(finding.skill, skill);
        assert.deepEqual([finding.line, finding.column], place ?? [undefined, undefined]);
        assert.match(finding.message, message);
        assert.ok(finding.hint, "it says how to mend it");
        if (hint !== undefined) assert.match(finding.hint, hint);
      });
    }
  }
});

test("every code of the core has its case here", (context) => {
  const repository = process.env.SKILLSHELF_REPOSITORY;
  if (repository === undefined) return context.skip("SKILLSHELF_REPOSITORY is not set");
  const sources = path.join(repository, "src");
  const codes = new Set<string>();
  for (const name of readdirSync(sources, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".rs")) continue;
    const text = readFileSync(path.join(sources, name), "utf8");
    for (const [, code] of text.matchAll(
      /(?:Rule::(?:error|tolerated|warning|noted|info)\(|\bcode: )"([a-z0-9-]+)"/g,
    ))
      codes.add(code ?? "");
  }
  assert.ok(codes.size > 50, `${codes.size}`);
  assert.deepEqual(Object.keys(CASES).sort(), [...codes].sort());
});

/**
 * Codes that nothing throws: they are results of calls, or kept free for later versions. And
 * `INTERNAL`, which takes every catalog along: engine.test.ts has it.
 */
type NotHere =
  | "INTERNAL"
  | "TOOL_UNKNOWN"
  | "TOOL_ARGUMENTS_INVALID"
  | "PEER_MISSING"
  | "SERVER_FAILED";

describe("errors", () => {
  const catalog = shelf({ "n/SKILL.md": validSkill("n"), "n/a.md": "A" });
  // Each code has to be here, or it does not compile.
  const cases: Record<
    Exclude<ErrorCode, NotHere>,
    [work: () => unknown, message: RegExp, path?: string]
  > = {
    SKILL_INVALID: [
      () => shelf({ "n/SKILL.md": skillFile("name: n\ndescription: [a]") }, { invalid: "throw" }),
      /^n\/SKILL\.md:3:14: description must be text/,
      "n/SKILL.md",
    ],
    SKILL_NOT_FOUND: [() => catalog.body("m"), /no skill named "m".*Available skills: n/],
    PATH_REFUSED: [() => movedOut().body("n"), /"SKILL\.md" is refused: .*refresh\(\)/, "SKILL.md"],
    FILE_NOT_FOUND: [
      () => gone().body("n"),
      /no file "SKILL\.md" in the skill "n"\. .*refresh\(\)/,
      "SKILL.md",
    ],
    FILE_TOO_LARGE: [
      () => shelf({ "n/SKILL.md": validSkill("n", "d", "abc") }, { limits: { body: 2 } }).body("n"),
      /has 3 bytes; at most 2.*limits\.body/,
      "SKILL.md",
    ],
    DIGEST_MISMATCH: [
      () => {
        const state = JSON.stringify(catalog.session({ state: loadedState() }));
        catalog.session({ state: JSON.parse(state.replace("Body", "Else")) });
      },
      /stored body of the skill n is not what was stored: its digest is sha256:\S+, not sha256:\S+\. Restore it/,
    ],
    TOOL_NAME_TAKEN: [() => catalog.tools({ taken: ["load_skill"] }), /"load_skill".*rename/],
    SOURCE_UNSUPPORTED: [
      () => loadSkillsSync(7 as never),
      /^The source is 7: a source is a directory's path, .* a catalog, or \{ host \}\.$/,
    ],
    ABORTED: [
      () => catalog.call("load_skill", { name: "n" }, { signal: AbortSignal.abort() }),
      /aborted by its signal/,
    ],
    NOT_INITIALIZED: [
      () => {
        const gone = shelf({});
        gone.dispose();
        return gone.names;
      },
      /disposed of: load it again/,
    ],
    ARCHIVE_REFUSED: [
      () => archiveHost(tarOf({ "n/a": "1", "n/A": "2" })).list(""),
      /^The archive is refused: "n\/A" and "n\/a" differ only in case.*Rename one/,
      "n/A",
    ],
    HOST_FAILED: [
      () => failing().body("n"),
      /"SKILL\.md" could not be read: .*EIO.*try again/,
      "SKILL.md",
    ],
  };
  for (const [code, [work, message, path]] of Object.entries(cases)) {
    test(`${code} is thrown with what to do`, async () => {
      const error = await rejection(work);
      assert.equal(error.code, code);
      assert.match(error.message, message);
      assert.equal(error.path, path);
    });
  }
  const results: Partial<Record<ErrorCode, [tool: string, args: unknown, message: RegExp]>> = {
    SKILL_NOT_FOUND: ["load_skill", { name: "m" }, /no skill named "m"/],
    PATH_REFUSED: [
      "read_skill_file",
      { skill: "n", path: "../x" },
      /"\.\.\/x" is refused: it leaves.*relative/,
    ],
    FILE_NOT_FOUND: [
      "read_skill_file",
      { skill: "n", path: "b.md" },
      /no file "b\.md" in the skill "n"\. Did you mean "a\.md"\?/,
    ],
    TOOL_UNKNOWN: ["lod", {}, /no tool named "lod"\. Tools: load_skill, read_skill_file/],
    TOOL_ARGUMENTS_INVALID: ["load_skill", {}, /"name" is missing/],
  };
  test("SKILL_NOT_FOUND is a result for what is not loaded", () => {
    const session = catalog.session({ state: loadedState() });
    const result = session.call("unload_skill", { name: "m" });
    assert.deepEqual([result.isError, result.code], [true, "SKILL_NOT_FOUND"]);
    assert.match(result.content, /"m" is not loaded\. Did you mean "n"\? Loaded: n\./);
  });
  for (const [code, [tool, args, message]] of Object.entries(results)) {
    test(`${code} is a result`, () => {
      const result = catalog.call(tool, args);
      assert.deepEqual([result.isError, result.code], [true, code]);
      assert.match(result.content, message);
    });
  }
  const toldOtherwise: Partial<Record<ErrorCode, [catalog: () => SyncCatalog, message: RegExp]>> = {
    SKILL_INVALID: [() => broken(), /cannot be used until its file is mended: SKILL\.md: /],
    FILE_NOT_FOUND: [() => gone(), /no file "SKILL\.md" in the skill "n"\. .*go on without it/],
    FILE_TOO_LARGE: [
      () => shelf({ "n/SKILL.md": validSkill("n", "d", "abc") }, { limits: { body: 2 } }),
      /has 3 bytes; at most 2 are returned\. .*tell the user/,
    ],
    HOST_FAILED: [() => failing(), /"SKILL\.md" could not be read: .*EIO.*Call again/],
  };
  const withoutAnswer: Partial<Record<ErrorCode, () => SyncCatalog>> = {
    NOT_INITIALIZED: () => {
      const disposed = shelf({});
      disposed.dispose();
      return disposed;
    },
    SOURCE_UNSUPPORTED: () => promisingLater(),
  };
  for (const [code, catalog] of Object.entries(withoutAnswer)) {
    test(`${code} tells a model nothing that only a developer can do`, () => {
      const result = catalog().call("load_skill", { name: "n" });
      assert.deepEqual([result.isError, result.code], [true, code]);
      assert.match(result.content, /calling again will not help: go on without them/);
      assert.doesNotMatch(result.content, /refresh\(\)|loadSkills|dispose|WebAssembly|report/);
    });
  }
  for (const [code, [catalog, message]] of Object.entries(toldOtherwise)) {
    test(`${code} tells a model what is in a model's reach`, () => {
      const result = catalog().call("load_skill", { name: "n" });
      assert.deepEqual([result.isError, result.code], [true, code]);
      assert.match(result.content, message);
      assert.doesNotMatch(result.content, /limits\.|refresh\(\)|raise/);
    });
  }
  test("SKILL_INVALID has the place of its first error", () => {
    const error = thrown(() =>
      shelf(
        { "n/SKILL.md": skillFile("name: N\ndescription: [a]\nlicense: [b]") },
        { invalid: "throw", mode: "strict" },
      ),
    );
    assert.deepEqual([error.path, error.line, error.column], ["n/SKILL.md", 2, 7]);
    assert.ok(error.diagnostics.length >= 3);
    assert.match(error.message, /^n\/SKILL\.md:2:7: .*\(and \d more\)$/);
  });
});

function loadedState() {
  const session = shelf({ "n/SKILL.md": validSkill("n") }).session();
  session.load("n");
  return session.toJSON();
}

function gone() {
  const files: Record<string, string> = { "n/SKILL.md": validSkill("n") };
  const catalog = shelf(files);
  delete files["n/SKILL.md"];
  return catalog;
}

/** Its file leads out of the directory since it was scanned. */
function movedOut() {
  let isOut = false;
  const catalog = shelfOf({
    ...smallHost({ "n/SKILL.md": validSkill("n") }),
    realPath: (path) => (isOut && path.endsWith("SKILL.md") ? "/elsewhere" : `/${path}`),
  });
  isOut = true;
  return catalog;
}

function broken() {
  const files: Record<string, string> = { "n/SKILL.md": validSkill("n") };
  const catalog = shelf(files);
  files["n/SKILL.md"] = "";
  return catalog;
}

/** Its host has begun to answer with promises. */
function promisingLater() {
  const host = smallHost({ "n/SKILL.md": validSkill("n") });
  let isLater = false;
  const catalog = shelfOf({
    ...host,
    read: (file) => (isLater ? (Promise.resolve(host.read(file)) as never) : host.read(file)),
  });
  isLater = true;
  return catalog;
}

function failing() {
  const host = smallHost({ "n/SKILL.md": validSkill("n") });
  let isBroken = false;
  const catalog = shelfOf({
    ...host,
    read: (file) => {
      if (isBroken) throw Object.assign(new Error("x"), { code: "EIO" });
      return host.read(file);
    },
  });
  isBroken = true;
  return catalog;
}

describe("SkillError", () => {
  const error = thrown(() => defineSkill({ name: "", description: "", content: "" }));
  test("is an Error with its name and a stack", () => {
    assert.ok(error instanceof Error && error instanceof SkillError);
    assert.equal(error.name, "SkillError");
    assert.match(error.stack ?? "", /SkillError/);
  });
  test("has no properties that it has no use for", () => {
    for (const key of ["path", "line", "column", "cause"]) assert.equal(key in error, false, key);
  });
  test("is known across copies of the package", async () => {
    const dist = path.dirname(fileURLToPath(import.meta.resolve("skillshelf")));
    const copy = path.join(path.dirname(dist), "..", "skillshelf-copy");
    cpSync(path.dirname(dist), copy, { recursive: true });
    const other = await import(path.join(copy, "dist/index.js"));
    assert.notEqual(other.SkillError, SkillError);
    assert.ok(other.SkillError.isInstance(error));
    assert.ok(SkillError.isInstance(new other.SkillError({ code: "INTERNAL", message: "x" })));
  });
  test("nothing else is one", () => {
    for (const value of [
      undefined,
      null,
      "SkillError",
      7,
      {},
      new Error("x"),
      { name: "SkillError", code: "INTERNAL" },
      () => 1,
    ]) {
      assert.equal(SkillError.isInstance(value), false);
    }
  });
  test("can be logged as JSON", () => {
    assert.deepEqual(JSON.parse(JSON.stringify(error)).code, "SKILL_INVALID");
  });
});
