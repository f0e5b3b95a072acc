/**
 * Every public function, by what it can grow by: `prepare(n)` gives the work at that size, and each
 * run of the work does the same again.
 */
import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import {
  allowedTools,
  defineSkill,
  estimateTokens,
  loadSkills,
  loadSkillsSync,
  memoryHost,
  mendSkill,
  parseSkill,
  stringifySkill,
  validateSkill,
} from "skillshelf";
import * as aiSdk from "skillshelf/ai-sdk";
import * as anthropic from "skillshelf/anthropic";
import { archiveHost } from "skillshelf/archive";
import { fsHost } from "skillshelf/fs";
import { httpHost, memoryCache } from "skillshelf/http";
import { connectSkillServers, createSkillServer } from "skillshelf/mcp";
import { nodeHost, standardSources } from "skillshelf/node";
import { systemPrompt } from "skillshelf/prompt";
import { unstorageHost } from "skillshelf/unstorage";
import { fileListHost } from "skillshelf/web";

import { tarOf } from "../tar.mjs";

const quiet = { onDiagnostic() {} };
const range = (count) => Array.from({ length: count }, (_, index) => index);
const front = (lines, body = "Body.") => `---\n${lines}\n---\n${body}\n`;
const skill = (name, description = `Does ${name}.`, body = `The body of ${name}.`) =>
  front(`name: ${name}\ndescription: ${description}`, body);
const skillNames = (count) => range(count).map((index) => `skill-${index}`);
const folder = (count, text = skill) =>
  Object.fromEntries(skillNames(count).map((name) => [`${name}/SKILL.md`, text(name)]));
const load = (files, options) =>
  loadSkillsSync({ host: memoryHost(files) }, { ...quiet, ...options });
const shelf = (count) => load(folder(count));
const beside = (count) => ({
  "a/SKILL.md": skill("a"),
  ...Object.fromEntries(range(count).map((index) => [`a/f${index}.md`, "x"])),
});
/** A call that ends with this code, or without one. */
const call = (callee, tool, args, code) => {
  const result = callee.call(tool, args);
  if (result.code !== code) throw new Error(`${tool} gave ${result.code}: ${result.content}`);
};
const count = (list, expected) => {
  const found = list.length ?? list.size;
  if (found !== expected) throw new Error(`there are ${found}, not ${expected}`);
};
/** A session that has loaded all of so many skills. */
const conversation = (n, text) => {
  const session = load(folder(n, text)).session();
  for (const name of skillNames(n)) session.load(name);
  count(session.loaded, n);
  return session;
};
/** Skills on the disk, until the process ends. */
const onDisk = (n) => {
  const root = mkdtempSync(path.join(tmpdir(), "growth-"));
  process.once("exit", () => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(folder(n))) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return root;
};
/** Loads from a source that is made anew each time. */
const loading = (size, prepare) => ({
  size,
  prepare: async (n) => {
    const source = await prepare(n);
    return async () => {
      const catalog = await loadSkills(await source(), quiet);
      count(catalog, n);
      catalog.dispose();
    };
  },
});
/** Of a text of that many bytes, one long line or what `piece` says. */
const parsing = (size, piece) => ({
  size,
  prepare: (n) => {
    const text = piece(n);
    return () => parseSkill(text);
  },
});
/** Of a catalog of that many skills. */
const over = (size, use, make = shelf) => ({
  size,
  prepare: (n) => {
    const catalog = make(n);
    return () => use(catalog, n);
  },
});

export const GROWTH = {
  "parseSkill: bytes of the body": parsing(400_000, (n) => skill("a", "d", "word ".repeat(n / 5))),
  "parseSkill: wrapper tags in the body": parsing(50_000, (n) =>
    skill("a", "d", "<skill_content>".repeat(n / 15)),
  ),
  "parseSkill: hidden characters": parsing(40_000, (n) => skill("a", "d", "a\u200b".repeat(n))),
  "parseSkill: keys": parsing(1_000, (n) =>
    front(
      `name: a\ndescription: d\n${range(n)
        .map((i) => `k${i}: v`)
        .join("\n")}`,
    ),
  ),
  "parseSkill: keys with a repair": parsing(1_000, (n) =>
    front(
      `name: a\ndescription: d\n${range(n)
        .map((i) => `k${i}: a: b`)
        .join("\n")}`,
    ),
  ),
  "parseSkill: one key many times": parsing(1_000, (n) =>
    front(
      `name: a\ndescription: d\n${range(n)
        .map(() => "k: v")
        .join("\n")}`,
    ),
  ),
  "parseSkill: items of a flow list": parsing(1_500, (n) =>
    front(`name: a\ndescription: d\nk: [${"item, ".repeat(n)}]`),
  ),
  "parseSkill: open brackets": parsing(10_000, (n) =>
    front(`name: a\ndescription: d\nk: ${"[".repeat(n)}`),
  ),
  "parseSkill: quotes that do not close": parsing(5_000, (n) =>
    front(`name: a\ndescription: d\n${'k: "a\n'.repeat(n / 2)}`),
  ),
  "parseSkill: indented lines": parsing(4_000, (n) =>
    front(`name: a\ndescription: >\n${"  word\n".repeat(n)}`),
  ),
  "parseSkill: a scalar of words": parsing(20_000, (n) => skill("a", "word ".repeat(n / 5))),
  "parseSkill: dashes": parsing(20_000, (n) =>
    front(`name: a\ndescription: d\nk: ${"-".repeat(n)}`),
  ),
  "parseSkill: without a closing fence": parsing(200_000, (n) => `---\n${"a: b\n".repeat(n / 5)}`),
  "parseSkill: allowed-tools": parsing(5_000, (n) =>
    front(`name: a\ndescription: d\nallowed-tools: ${"A(b c) ".repeat(n / 2)}`),
  ),
  "stringifySkill: metadata": {
    size: 1_000,
    prepare: (n) => {
      const metadata = Object.fromEntries(range(n).map((i) => [`k${i}`, "v: w"]));
      const spec = { name: "a", description: "d", content: "c", metadata };
      return () => stringifySkill(spec);
    },
  },
  "defineSkill: files": {
    size: 2_000,
    prepare: (n) => {
      const files = Object.fromEntries(range(n).map((i) => [`d/f${i}`, "x"]));
      return () => defineSkill({ name: "a", description: "d", content: "c", files });
    },
  },
  "validateSkill: files": {
    size: 1_000,
    prepare: (n) => {
      const files = Object.fromEntries(range(n).map((i) => [`references/f${i}.md`, "x"]));
      const all = { "SKILL.md": skill("a"), ...files };
      return () => validateSkill(all);
    },
  },
  "validateSkill: paths in the body": {
    size: 2_000,
    prepare: (n) => {
      const text = skill(
        "a",
        "d",
        range(n)
          .map((i) => `[x](references/f${i}.md)`)
          .join("\n"),
      );
      return () => validateSkill({ "SKILL.md": text });
    },
  },
  "loadSkillsSync: skills": {
    size: 1_000,
    prepare: (n) => {
      const host = memoryHost(folder(n));
      return () => loadSkillsSync({ host }, quiet).dispose();
    },
  },
  "loadSkills: skills": {
    size: 1_000,
    prepare: (n) => {
      const host = memoryHost(folder(n));
      return async () => (await loadSkills({ host }, quiet)).dispose();
    },
  },
  "loadSkillsSync: skills of one name": {
    size: 1_000,
    prepare: (n) => {
      const host = memoryHost(folder(n, () => skill("same")));
      return () => loadSkillsSync({ host }, quiet).dispose();
    },
  },
  "loadSkillsSync: skills that fail": {
    size: 1_000,
    prepare: (n) => {
      const host = memoryHost(folder(n, () => "---\nname: a\n"));
      return () => loadSkillsSync({ host }, quiet).dispose();
    },
  },
  "loadSkillsSync: names that look alike": {
    size: 1_000,
    prepare: (n) => {
      const name = (i) => i.toString(2).replaceAll("1", "l").replaceAll("0", "o");
      const files = range(n).map((i) => [`${name(i)}/SKILL.md`, skill(name(i))]);
      const host = memoryHost(Object.fromEntries(files));
      return () => loadSkillsSync({ host }, quiet).dispose();
    },
  },
  "loadSkillsSync: sources": {
    size: 200,
    prepare: (n) => {
      const sources = skillNames(n).map((name) => ({
        host: memoryHost({ [`${name}/SKILL.md`]: skill(name) }),
      }));
      return () => loadSkillsSync(sources, quiet).dispose();
    },
  },
  "loadSkillsSync: skills as sources": {
    size: 500,
    prepare: (n) => {
      const skills = [...shelf(n)];
      return () => loadSkillsSync(skills, quiet).dispose();
    },
  },
  "loadSkillsSync: nested skills": {
    size: 1_000,
    prepare: (n) => {
      const files = { "SKILL.md": skill("top"), ...folder(n) };
      const host = memoryHost(files);
      return () => loadSkillsSync({ host }, { ...quiet, nested: true }).dispose();
    },
  },
  "only: patterns": over(1_000, (catalog, n) => catalog.only(skillNames(n)).dispose()),
  "only: patterns with stars": over(300, (catalog, n) => {
    const view = catalog.only(skillNames(n).map((name) => `*${name}`));
    count(view.names, n);
    view.dispose();
  }),
  "names, iteration, diagnostics": over(1_000, (catalog) => [
    catalog.names,
    [...catalog],
    catalog.diagnostics,
  ]),
  "get, each": over(1_000, (catalog, n) => skillNames(n).map((name) => catalog.get(name))),
  "refresh: skills": over(1_000, (catalog) => catalog.refresh()),
  "refresh: one file among skills": over(1_000, (catalog) =>
    catalog.refresh({ files: ["skill-7/SKILL.md"] }),
  ),
  "prompt: skills": over(2_000, (catalog) => catalog.prompt()),
  "prompt: skills, with a budget": over(1_000, (catalog, n) =>
    catalog.prompt({ budget: { characters: n * 20 } }),
  ),
  "prompt: skills, with tokens counted": over(1_000, (catalog, n) =>
    catalog.prompt({ budget: { tokens: n * 4, count: (text) => text.length / 4 } }),
  ),
  "prompt: groups": over(1_000, (catalog) =>
    catalog.prompt({ group: ({ name }) => name, budget: { characters: 3_000 } }),
  ),
  "systemPrompt: skills": over(1_000, (catalog) => systemPrompt({ catalog, tools: [] })),
  "tools: skills": over(1_000, (catalog) => catalog.tools({ set: "full" })),
  "load_skill: bytes of the body": over(
    100_000,
    (catalog) => call(catalog, "load_skill", { name: "a" }),
    (n) => load({ "a/SKILL.md": skill("a", "d", "word <skill_content> ".repeat(n / 21)) }),
  ),
  "load_skill: files beside it": over(
    500,
    (catalog) => call(catalog, "load_skill", { name: "a" }),
    (n) => load(beside(n)),
  ),
  "load_skill: an unknown name": over(1_000, (catalog) =>
    call(catalog, "load_skill", { name: "skil-1x" }, "SKILL_NOT_FOUND"),
  ),
  "load_skill: the length of a name": over(
    50_000,
    (catalog, n) => call(catalog, "load_skill", { name: "s".repeat(n) }, "SKILL_NOT_FOUND"),
    () => shelf(10),
  ),
  "read_skill_file: segments of a path": over(
    400,
    (catalog, n) => {
      const given = { skill: "a", path: `${"b/../".repeat(n)}x` };
      call(catalog, "read_skill_file", given, "FILE_NOT_FOUND");
    },
    () => load(beside(10)),
  ),
  "read_skill_file: a file that is not there": over(
    500,
    (catalog) => call(catalog, "read_skill_file", { skill: "a", path: "f1x.md" }, "FILE_NOT_FOUND"),
    (n) => load(beside(n)),
  ),
  "read_skill_file: bytes": over(
    100_000,
    (catalog) => call(catalog, "read_skill_file", { skill: "a", path: "t" }),
    (n) => load({ "a/SKILL.md": skill("a"), "a/t": "é".repeat(n / 2) }),
  ),
  list_skills: over(1_000, (catalog) => call(catalog, "list_skills", { limit: 100 })),
  list_skill_resources: over(
    500,
    (catalog) => call(catalog, "list_skill_resources", { skill: "a" }),
    (n) => load(beside(n)),
  ),
  "search: skills": over(1_000, (catalog) => catalog.search("does skill-7", { bodies: true })),
  "search: words of the query": over(
    10_000,
    (catalog, n) => catalog.search("word does ".repeat(n / 10)),
    () => shelf(100),
  ),
  "expand: the text behind": over(
    100_000,
    (catalog, n) => catalog.expand(`/skill-1 ${"x ".repeat(n)}`),
    () => shelf(10),
  ),
  "expand: arguments in a body": over(
    5_000,
    (catalog) => catalog.expand("/a one two", { arguments: true }),
    (n) => load({ "a/SKILL.md": skill("a", "d", "$1 $ARGUMENTS ".repeat(n)) }),
  ),
  complete: over(1_000, (catalog) => catalog.complete("/sk")),
  "session, load, compact, forget, toJSON: skills": {
    size: 200,
    prepare: (n) => {
      const catalog = shelf(n);
      return () => {
        const session = catalog.session();
        for (const name of skillNames(n)) session.load(name);
        session.compact({ budget: { characters: n * 10 } });
        session.forget(skillNames(n));
        catalog.session({ state: session.toJSON() });
      };
    },
  },
  allowedTools: {
    size: 300,
    prepare: (n) => {
      const session = conversation(n, (name) =>
        front(`name: ${name}\ndescription: d\nallowed-tools: ${name}`),
      );
      return () => count(allowedTools(session), n);
    },
  },
  mendSkill: {
    size: 100_000,
    prepare: (n) => {
      const text = skill("a", "d", "word \r\n".repeat(n / 7));
      return () => mendSkill(text);
    },
  },
  estimateTokens: {
    size: 400_000,
    prepare: (n) => {
      const text = "wörd ".repeat(n / 5);
      return () => estimateTokens(text);
    },
  },
  memoryHost: {
    size: 2_000,
    prepare: (n) => {
      const files = folder(n);
      return () => memoryHost(files).list("");
    },
  },
  "index: skills": over(1_000, (catalog) => catalog.index({ budget: { characters: 5_000 } })),
  "body: bytes": over(
    100_000,
    (catalog) => catalog.body("a"),
    (n) => load({ "a/SKILL.md": skill("a", "d", "word ".repeat(n / 5)) }),
  ),
  files: over(
    400,
    (catalog, n) => count(catalog.files("a").files, n),
    (n) => load(beside(n)),
  ),
  "call, load_skill_resource, unload_skill, unload: texts of a conversation": {
    size: 200,
    prepare: (n) => {
      const catalog = load(
        Object.fromEntries(
          skillNames(n).flatMap((name) => [
            [`${name}/SKILL.md`, skill(name)],
            [`${name}/a.md`, "x"],
          ]),
        ),
      );
      return () => {
        const session = catalog.session({ tools: { set: "full" } });
        for (const name of skillNames(n)) session.call("load_skill", { name });
        for (const skill of skillNames(n))
          call(session, "load_skill_resource", { skill, path: "a.md" });
        for (const name of skillNames(n).slice(n / 2)) call(session, "unload_skill", { name });
        for (const name of skillNames(n / 2)) session.unload(name);
        count(session.loaded, 0);
      };
    },
  },
  "check: what is loaded": over(200, (session) => count(session.check(), 0), conversation),
  "complete, prompt, tools: of a session": over(
    300,
    (session) => [session.complete("/sk"), session.prompt(), session.tools({ set: "full" })],
    conversation,
  ),
  "expand: in a session": over(
    300,
    (session, n) => skillNames(n).map((name) => session.expand(`/${name} x`)),
    conversation,
  ),
  search_skills: over(1_000, (catalog) =>
    catalog.tools({ set: "full" }).call("search_skills", { query: "does skill-7" }),
  ),
  "loadSkillsSync: catalogs as sources": {
    size: 200,
    prepare: (n) => {
      const sources = skillNames(n).map((name) => load({ [`${name}/SKILL.md`]: skill(name) }));
      return () => loadSkillsSync(sources, quiet).dispose();
    },
  },
  archiveHost: loading(500, (n) => {
    const files = Object.entries(folder(n)).map(([path, text]) => ({
      path,
      bytes: Buffer.from(text),
    }));
    const bytes = tarOf(files);
    return () => ({ host: archiveHost(bytes) });
  }),
  httpHost: loading(300, (n) => {
    const names = skillNames(n);
    const text = (name) => new Response(skill(name));
    const fetch = async (url) => text(new URL(url).pathname.split("/").at(-2));
    return () => ({ host: httpHost("https://skills.invalid", { fetch, skills: names }) });
  }),
  memoryCache: {
    size: 2_000,
    prepare: (n) => () => {
      const cache = memoryCache({ bytes: n });
      for (const name of skillNames(n * 2)) cache.write(name, new Uint8Array(1));
    },
  },
  fsHost: loading(300, (n) => {
    const root = onDisk(n);
    return () => ({ host: fsHost(fs, root) });
  }),
  nodeHost: loading(1_000, (n) => {
    const root = onDisk(n);
    return () => ({ host: nodeHost(root) });
  }),
  unstorageHost: loading(500, (n) => {
    const files = new Map(
      Object.entries(folder(n)).map(([file, text]) => [file.replaceAll("/", ":"), text]),
    );
    const store = {
      getKeys: async () => [...files.keys()],
      getItemRaw: async (key) => files.get(key) ?? null,
    };
    return () => ({ host: unstorageHost(store) });
  }),
  fileListHost: loading(500, (n) => {
    const files = Object.entries(folder(n)).map(([file, text]) =>
      Object.defineProperty(new File([text], "SKILL.md"), "webkitRelativePath", { value: file }),
    );
    return () => ({ host: fileListHost(files) });
  }),
  "standardSources: directories above": {
    size: 40,
    prepare: (n) => {
      const root = mkdtempSync(path.join(tmpdir(), "growth-"));
      process.once("exit", () => rmSync(root, { recursive: true }));
      mkdirSync(path.join(root, ".git"));
      const cwd = path.join(root, ...range(n).map((index) => `d${index}`));
      mkdirSync(cwd, { recursive: true });
      return () => standardSources({ cwd, home: root });
    },
  },
  createSkillServer: over(500, async (catalog) => {
    const server = await createSkillServer(catalog);
    await server.close();
  }),
  "connectSkillServers: servers that are not approved": {
    // 16 of a skill are connected at most.
    size: 8,
    prepare: async (n) => {
      const servers = skillNames(n).map((name) => [name, { command: name }]);
      const config = JSON.stringify({ mcpServers: Object.fromEntries(servers) });
      const files = { "a/SKILL.md": skill("a"), "a/mcp.json": config };
      const catalog = await loadSkills({ host: memoryHost(files) }, quiet);
      return async () => {
        const session = catalog.session();
        let asked = 0;
        const approve = () => {
          asked += 1;
          return false;
        };
        const connected = await connectSkillServers(session, { approve });
        await session.load("a");
        await connected.close();
        count({ length: asked }, n);
      };
    },
  },
  "skillTools: skills": over(500, (catalog) => [
    aiSdk.skillTools(catalog),
    anthropic.skillTools(catalog),
  ]),
  "answerToolCalls: calls": over(
    200,
    async (catalog, n) => {
      const content = skillNames(n).map((name) => {
        return { type: "tool_use", id: name, name: "load_skill", input: { name } };
      });
      const answers = await anthropic.answerToolCalls(anthropic.skillTools(catalog), { content });
      if (JSON.stringify(answers).includes('is_error":true')) throw new Error("a call failed");
    },
    shelf,
  ),
};

/** What grows faster, each with the reason. */
export const MORE_THAN_LINEAR = {
  "only: patterns with stars": "each pattern is compared with each name",
};

/** Public functions that are not here, each with the reason. */
export const NOT_MEASURED = {
  SkillError: "a class of errors",
  dispose: "part of the others",
  directoryHandleHost: "the tree of fileListHost",
  droppedFilesHost: "the tree of fileListHost",
  watch: "it waits for the system, and what it does then is refresh",
  hostConformance: "for tests",
  requestText: "for tests",
  runAgent: "for tests",
  scriptedModel: "for tests",
};
