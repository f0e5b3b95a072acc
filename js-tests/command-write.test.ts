// The verbs that write skills, or hand them on: new, publish, bundle, read-properties, to-prompt.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { type Diagnostic, loadSkills, loadSkillsSync, memoryHost } from "skillshelf";
import { httpHost } from "skillshelf/http";
import { command } from "./support/command.ts";
import { folder, write } from "./support/folder.ts";
import { joined, skillFile, validSkill } from "./support/text.ts";

describe("new", () => {
  test("a skill that is valid, in ./skills or elsewhere", async () => {
    const cwd = folder();
    const { code, out } = await command(["new", "pdf-forms"], { cwd });
    assert.deepEqual(
      [code, out],
      [
        0,
        "Made skills/pdf-forms/SKILL.md. Write it, then check it: skillshelf validate skills/pdf-forms\n",
      ],
    );
    const text = "Fills in forms: all of them. Use it when a form is there.";
    await command(["new", "other", "--root", "more/here", "--description", text], { cwd });
    const [other] = loadSkillsSync(path.join(cwd, "more/here"));
    assert.deepEqual([other?.name, other?.description], ["other", text]);
    for (const root of ["skills", "more/here"]) {
      const { code, out } = await command(["validate", root], { cwd });
      assert.deepEqual([code, out.split("\n").at(-2)?.slice(0, 15)], [0, "✓ 1 skill valid"]);
    }
    // What waits to be written is told, in the description and in the body.
    const { out: json } = await command(["validate", "skills", "more/here", "--json"], { cwd });
    const found: Diagnostic[] = JSON.parse(json).diagnostics;
    assert.deepEqual(
      found.map(({ code, path, line }) => `${code} ${path}:${line}`),
      [
        "template-left more/here/other/SKILL.md:8",
        "template-left skills/pdf-forms/SKILL.md:3",
        "template-left skills/pdf-forms/SKILL.md:8",
      ],
    );
  });
  test("nothing that is there is touched", async () => {
    const cwd = folder({ "skills/a/SKILL.md": "mine", "skills/b/notes.md": "mine" });
    const { code, err } = await command(["new", "a"], { cwd });
    assert.equal(code, 1);
    assert.match(err, /skills\/a\/SKILL\.md is there already/);
    assert.equal(readFileSync(path.join(cwd, "skills/a/SKILL.md"), "utf8"), "mine");
    assert.equal((await command(["new", "b"], { cwd })).code, 0);
  });
  test("a name or description that no specification allows makes nothing", async () => {
    const cwd = folder();
    for (const args of [
      ["Bad"],
      ["a_b"],
      ["-a"],
      ["../up"],
      ["a", "--description", "x".repeat(1025)],
    ]) {
      const { code, err } = await command(["new", ...args], { cwd });
      assert.notEqual(code, 0, args.join(" "));
      assert.match(err, /^skillshelf: /);
    }
    assert.deepEqual(readdirSync(cwd), []);
  });
});

const script = "#!/bin/sh\necho hi\n";

/** A folder of skills of all kinds. */
function shelf(): string {
  return folder({
    "one/SKILL.md": validSkill("one", "Does one. Use it for <b>1</b>."),
    "group/many/SKILL.md": validSkill(
      "many",
      "Does many. Use it.",
      "Run scripts/run.sh, see logo.png",
    ),
    "group/many/scripts/run.sh": script,
    "group/many/logo.png": joined([0x89, 0x50, 0, 0xff]),
    "group/many/.hidden": "never handed on",
    "loose.md": validSkill("loose"),
  });
}

/** Paths of all files in a folder, with what is in them. */
function tree(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: "utf8", withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => path.join(parentPath, name)).sort();
  return Object.fromEntries(
    paths.map((file) => [path.relative(root, file), readFileSync(file).toString("latin1")]),
  );
}

describe("publish", () => {
  let site: string;
  let url: string;
  const server = createServer(({ url = "" }, response) => {
    const file = path.join(site, new URL(url, "http://x").pathname);
    const isThere = existsSync(file);
    response.writeHead(isThere ? 200 : 404).end(isThere ? readFileSync(file) : "");
  });
  before(async () => {
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => server.close());

  test("what is written is loaded by httpHost, whole", async () => {
    site = folder();
    const { code, out } = await command(["publish", shelf(), "--out", site]);
    assert.equal(code, 0);
    assert.match(out, /^ {2}loose {2}skill-md {2}loose\/SKILL\.md {2}\d+ bytes$/m);
    assert.match(out, /3 skills published in .+index\.json\n$/);
    const found: string[] = [];
    const catalog = await loadSkills(
      { host: httpHost(url) },
      { onDiagnostic: ({ code }) => found.push(code) },
    );
    assert.deepEqual([found, catalog.names], [[], ["loose", "many", "one"]]);
    assert.equal(await catalog.body("many"), "Run scripts/run.sh, see logo.png");
    const read = async (file: string) =>
      catalog.call("read_skill_file", { skill: "many", path: file });
    assert.equal((await read("scripts/run.sh")).content, script);
    assert.deepEqual([...((await read("logo.png")).bytes ?? [])], [0x89, 0x50, 0, 0xff]);
    const files = await catalog.call("list_skill_resources", { skill: "many" });
    assert.doesNotMatch(files.content, /hidden/);
  });
  test("the index is that of version 0.2.0, its digests those of the files", async () => {
    site = folder();
    await command(["publish", shelf(), "--out", site]);
    const place = path.join(site, ".well-known/agent-skills");
    const { $schema, skills } = JSON.parse(readFileSync(path.join(place, "index.json"), "utf8"));
    assert.equal($schema, "https://schemas.agentskills.io/discovery/0.2.0/schema.json");
    for (const { url, digest, ...entry } of skills) {
      const bytes = readFileSync(path.join(place, url));
      assert.equal(digest, `sha256:${createHash("sha256").update(bytes).digest("hex")}`);
      assert.deepEqual(Object.keys(entry), ["name", "type", "description"]);
    }
    assert.deepEqual(
      skills.map(({ type, url }: { type: string; url: string }) => `${type} ${url}`),
      ["skill-md loose/SKILL.md", "archive many.tar.gz", "skill-md one/SKILL.md"],
    );
    const tar = gunzipSync(readFileSync(path.join(place, "many.tar.gz"))).toString("latin1");
    assert.match(tar, /^SKILL\.md\0+0000644\0/);
    assert.match(tar, /scripts\/run\.sh\0+0000755\0/);
  });
  test("the same files give the same bytes, whenever and wherever", async () => {
    const [one, other] = [shelf(), shelf()];
    utimesSync(path.join(other, "group/many/logo.png"), 1, 1);
    chmodSync(path.join(other, "group/many/scripts/run.sh"), 0o700);
    const sites = [folder(), folder()] as const;
    await command(["publish", one, "--out", sites[0]]);
    await command(["publish", other, "--out", sites[1]]);
    assert.deepEqual(tree(sites[0]), tree(sites[1]));
    const digests = JSON.parse(
      readFileSync(path.join(sites[0], ".well-known/agent-skills/index.json"), "utf8"),
    ).skills.map(({ digest }: { digest: string }) => digest.slice(0, 20));
    // Of this very text, on every machine.
    assert.deepEqual(digests, DIGESTS);
  });
  test("what is gone is removed, what others put there stays", async () => {
    const [from, site] = [shelf(), folder({ ".well-known/agent-skills/logo.svg": "theirs" })];
    await command(["publish", from, "--out", site]);
    write(from, "one/more.md", "now it is more than one file; see SKILL.md");
    write(from, "one/SKILL.md", validSkill("one", "Use it.", "See more.md"));
    await command(["publish", from, "--out", site]);
    assert.deepEqual(Object.keys(tree(path.join(site, ".well-known/agent-skills"))), [
      "index.json",
      "logo.svg",
      "loose/SKILL.md",
      "many.tar.gz",
      "one.tar.gz",
    ]);
  });
  test("what a template left is told, and handed on all the same", async () => {
    const cwd = folder();
    await command(["new", "tea"], { cwd });
    const { code, err } = await command(["publish", "skills", "--out", "site"], { cwd });
    assert.equal(code, 0, err);
    assert.match(err, /^skills\/tea\/SKILL\.md:3:\d+: hint: .+ \[template-left\]$/m);
    assert.ok(existsSync(path.join(cwd, "site/.well-known/agent-skills/index.json")));
  });
  test("with a skill that has an error nothing is written", async () => {
    const [from, out] = [shelf(), folder()];
    write(from, "bad/SKILL.md", skillFile("name: bad"));
    for (const args of [
      ["publish", from, "--out", out],
      ["bundle", from],
    ]) {
      const { code, out: printed, err } = await command(args);
      assert.deepEqual([code, printed], [1, ""]);
      assert.match(err, /bad\/SKILL\.md:1:1: error: .+ \[description-missing\]/);
      assert.match(err, /Nothing was written: mend 1 error first\.\n$/);
    }
    assert.deepEqual(tree(out), {});
    assert.equal((await command(["publish", from])).code, 2);
    assert.equal((await command(["publish", folder(), "--out", out])).code, 1);
  });
});

/** The beginnings of the digests of `loose`, `many` and `one`. */
const DIGESTS = ["sha256:4fcbc066f00d0", "sha256:c5df710a55d3b", "sha256:9d55ee4262bbd"];

describe("bundle", () => {
  test("a module whose files are a host's", async () => {
    const cwd = folder();
    const from = shelf();
    const { code, out } = await command(["bundle", from, "--out", "lib/skills.mjs"], { cwd });
    assert.deepEqual([code, out], [0, "3 skills bundled in lib/skills.mjs\n"]);
    const { files } = await import(pathToFileURL(path.join(cwd, "lib/skills.mjs")).href);
    assert.deepEqual(Object.keys(files), [
      "group/many/SKILL.md",
      "group/many/logo.png",
      "group/many/scripts/run.sh",
      "loose.md",
      "one/SKILL.md",
    ]);
    const catalog = loadSkillsSync({ host: memoryHost(files) });
    const [disk] = [loadSkillsSync(from)];
    assert.equal(catalog.prompt(), disk.prompt());
    assert.equal(catalog.body("many"), disk.body("many"));
    const { bytes } = catalog.call("read_skill_file", { skill: "many", path: "logo.png" });
    assert.deepEqual([...(bytes ?? [])], [0x89, 0x50, 0, 0xff]);
  });
  test("it needs nothing of Node, and nothing in it ends a page's script", async () => {
    const from = folder({ "a/SKILL.md": validSkill("a", "Use it.", "</script><!--\u2028'`$x`") });
    const { out } = await command(["bundle", from]);
    assert.doesNotMatch(out, /<|import|require|Buffer/);
    const made = new Function(`${out.replace("export const files", "const files")}; return files;`);
    const files = made() as Record<string, string>;
    assert.equal(files["a/SKILL.md"], readFileSync(path.join(from, "a/SKILL.md"), "utf8"));
  });
  test("a folder that is the skill itself", async () => {
    const from = path.join(folder({ "a/SKILL.md": validSkill("a") }), "a");
    const { out } = await command(["bundle", from]);
    assert.match(out, /^ {2}"a\/SKILL\.md": "/m);
  });
});

describe("as skills-ref prints it", () => {
  const cwd = folder({
    "a/SKILL.md": skillFile(
      [
        "name: a",
        "description: Füllt \"<Formulare>\" & 'mehr' 🎉",
        "license: 2.0",
        "compatibility: any",
        "allowed-tools: Read Bash(git:*)",
        "metadata:",
        "  version: 1.10",
        "  on: yes",
        "extra: x",
      ].join("\n"),
    ),
    "b/skill.md": "---\nname: b\ndescription: d\n---\n",
    "c/SKILL.md": "none",
    "d/notes.txt": "",
  });
  test("read-properties", async () => {
    const expected = `{
  "name": "a",
  "description": "F\\u00fcllt \\"<Formulare>\\" & 'mehr' \\ud83c\\udf89",
  "license": "2.0",
  "compatibility": "any",
  "allowed-tools": "Read Bash(git:*)",
  "metadata": {
    "version": "1.10",
    "on": "yes"
  }
}
`;
    for (const given of ["a", "a/SKILL.md"]) {
      const { code, out } = await command(["read-properties", given], { cwd });
      assert.deepEqual([code, out], [0, expected]);
    }
    const { out } = await command(["read-properties", "b"], { cwd });
    assert.equal(out, '{\n  "name": "b",\n  "description": "d"\n}\n');
  });
  test("to-prompt", async () => {
    const { code, out } = await command(["to-prompt", "b", "a/SKILL.md"], { cwd });
    assert.equal(code, 0);
    assert.equal(
      out,
      `<available_skills>
<skill>
<name>
b
</name>
<description>
d
</description>
<location>
${cwd}/b/skill.md
</location>
</skill>
<skill>
<name>
a
</name>
<description>
Füllt &quot;&lt;Formulare&gt;&quot; &amp; &#x27;mehr&#x27; 🎉
</description>
<location>
${cwd}/a/SKILL.md
</location>
</skill>
</available_skills>
`,
    );
  });
  test("what cannot be read fails, what is not there is a misuse", async () => {
    for (const verb of ["read-properties", "to-prompt"]) {
      for (const [given, code] of [
        ["c", 1],
        ["d", 1],
        ["nowhere", 2],
      ] as const) {
        const run = await command([verb, given], { cwd });
        assert.deepEqual([run.code, run.out], [code, ""], given);
        assert.match(run.err, /^skillshelf: /);
      }
      assert.equal((await command([verb], { cwd })).code, 2);
    }
  });
});
