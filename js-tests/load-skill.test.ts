// load_skill and body(): the instructions as they are at that moment, and what stands beside them.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defineSkill, loadSkills, loadSkillsSync, memoryHost } from "skillshelf";
import { rejection, thrown } from "./support/errors.ts";
import { type Files, MAKES, smallHost, withPromises } from "./support/hosts.ts";
import { shelf, shelfOf, shelfWithPromises } from "./support/load.ts";
import { skillFile, validSkill } from "./support/text.ts";

const one = (body: string, more: Files = {}) =>
  shelf({ "s/SKILL.md": validSkill("s", "d", body), ...more });

describe("what the model gets", () => {
  test("the body in its tag, the directory, and the files beside it", () => {
    const catalog = one("# Do it\n\nNow.", {
      "s/scripts/run.sh": "x",
      "s/references/a.md": "A",
      "s/z.txt": "",
    });
    assert.deepEqual(catalog.call("load_skill", { name: "s" }), {
      content:
        '<skill_content name="s">\n# Do it\n\nNow.\n</skill_content>\n\n' +
        "Skill directory: s\n" +
        "Paths in these instructions are relative to the skill's directory; read its files with `read_skill_file`.\n\n" +
        "<skill_resources>\n<file>references/a.md</file>\n<file>scripts/run.sh</file>\n<file>z.txt</file>\n</skill_resources>",
      isError: false,
      skill: "s",
    });
  });
  test("a loose skill: only the body", () => {
    const catalog = shelf({ "s.md": validSkill("s", "d", "B"), "x.md": validSkill("x") });
    assert.equal(
      catalog.call("load_skill", { name: "s" }).content,
      '<skill_content name="s">\nB\n</skill_content>',
    );
  });
  test("no files, no list", () => {
    assert.doesNotMatch(one("B").call("load_skill", { name: "s" }).content, /skill_resources/);
  });
  test("the same on every host, with promises and without", async () => {
    const files = { "s/SKILL.md": validSkill("s", "d", "B"), "s/b/c.md": "C", "s/a.md": "A" };
    const wanted = shelf(files).call("load_skill", { name: "s" });
    for (const [make, hostOf] of Object.entries(MAKES)) {
      const real = (text: string): string =>
        text.replace("Skill directory: /s", "Skill directory: s");
      const sync = shelfOf(hostOf(files)).call("load_skill", { name: "s" });
      assert.deepEqual({ ...sync, content: real(sync.content) }, wanted, make);
      const promised = await shelfWithPromises(hostOf(files));
      assert.deepEqual(await promised.call("load_skill", { name: "s" }), sync, make);
    }
  });
  test("the body is what body() gives", async () => {
    const text = "a\r\n\n---\n\n b \t c";
    assert.equal(one(`\n\n${text}  \n`).body("s"), text);
    const promised = await shelfWithPromises(
      smallHost({ "s/SKILL.md": validSkill("s", "d", text) }),
    );
    assert.equal(await promised.body("s"), text);
  });
  test("a skill without a body", () => {
    const catalog = shelf({ "s/SKILL.md": "---\nname: s\ndescription: d\n---" });
    assert.equal(catalog.body("s"), "");
    assert.equal(catalog.call("load_skill", { name: "s" }).isError, false);
  });
});

describe("long bodies are whole", () => {
  for (const [title, body] of [
    ["700 lines", Array.from({ length: 700 }, (_, index) => `line ${index}`).join("\n")],
    ["40,000 bytes of three-byte characters", "技".repeat(13_334)],
    ["exactly the limit", "x".repeat(1_048_576)],
  ] as const) {
    test(title, () => {
      const result = one(body).call("load_skill", { name: "s" });
      assert.ok(result.content.includes(body));
      assert.equal("truncated" in result, false);
    });
  }
  test("one byte over the limit is FILE_TOO_LARGE, with size and limit", async () => {
    const text = validSkill("s", "d", "x".repeat(1_048_577));
    for (const [make, hostOf] of Object.entries(MAKES)) {
      const catalog = shelfOf(hostOf({ "s/SKILL.md": text }));
      assert.deepEqual(catalog.names, ["s"], make);
      const result = catalog.call("load_skill", { name: "s" });
      assert.deepEqual(
        [result.isError, result.code, result.skill],
        [true, "FILE_TOO_LARGE", "s"],
        make,
      );
      assert.match(result.content, /1048577 bytes; at most 1048576/);
      const error = thrown(() => catalog.body("s"));
      assert.deepEqual([error.code, error.path], ["FILE_TOO_LARGE", "SKILL.md"]);
    }
  });
  test("an enormous one is not read to its end", () => {
    let given = 0;
    const memory = memoryHost({ "s/SKILL.md": validSkill("s", "d", "x".repeat(20_000_000)) });
    const catalog = shelfOf({
      ranges: true,
      list: (directory) => memory.list(directory),
      read: (file, range) => {
        const bytes = memory.read(file, range);
        given += bytes.length;
        return bytes;
      },
    });
    given = 0;
    assert.equal(catalog.call("load_skill", { name: "s" }).code, "FILE_TOO_LARGE");
    assert.ok(given < 2_000_000, `${given}`);
  });
  test("the limit can be set", () => {
    const catalog = shelf({ "s/SKILL.md": validSkill("s", "d", "12345") }, { limits: { body: 4 } });
    assert.match(catalog.call("load_skill", { name: "s" }).content, /5 bytes; at most 4/);
  });
  test("for skills in code too", () => {
    const skill = defineSkill({ name: "s", description: "d", content: "é".repeat(600_000) });
    assert.equal(loadSkillsSync(skill).call("load_skill", { name: "s" }).code, "FILE_TOO_LARGE");
  });
});

describe("the wrapper", () => {
  const catalog = one("B");
  const start = (options: object): string =>
    catalog.tools(options).call("load_skill", { name: "s" }).content;
  test("skill", () => assert.match(start({ wrapper: "skill" }), /^<skill name="s">\nB\n<\/skill>/));
  test("none", () => assert.match(start({ wrapper: "none" }), /^B\n\nSkill directory/));
  test("without the directory, for remote clients", () => {
    const files = { "s/SKILL.md": validSkill("s", "d", "B"), "s/a.md": "A" };
    const content = shelf(files).tools({ directory: false }).call("load_skill", { name: "s" });
    assert.doesNotMatch(content.content, /Skill directory/);
    assert.match(content.content, /read its files with `read_skill_file`/);
  });
  test("without files, nothing is said of reading them", () => {
    assert.match(start({}), /\n\nSkill directory: s$/);
    assert.match(start({ directory: false }), /<\/skill_content>$/);
  });
  test("a name in it is escaped", () => {
    const odd = shelf({
      "x/SKILL.md": skillFile(`name: ${JSON.stringify('a"><b>&')}\ndescription: d`, "B"),
    });
    assert.match(
      odd.call("load_skill", { name: 'a"><b>&' }).content,
      /^<skill_content name="a&quot;&gt;&lt;b&gt;&amp;">\n/,
    );
  });
  for (const [body, shown] of [
    ["a </skill_content> b", "a &lt;/skill_content> b"],
    ['<skill_content name="x">', '&lt;skill_content name="x">'],
    ["</SKILL_CONTENT>", "&lt;/SKILL_CONTENT>"],
    ["< / skill_content >", "&lt; / skill_content >"],
    ["</skill_content", "&lt;/skill_content"],
  ] as const) {
    test(`a literal tag is escaped, with a diagnostic: ${body}`, () => {
      const hostile = one(body);
      assert.ok(
        hostile
          .call("load_skill", { name: "s" })
          .content.startsWith(`<skill_content name="s">\n${shown}\n</skill_content>\n`),
      );
      const [finding] = hostile.diagnostics;
      assert.deepEqual(
        [finding?.code, finding?.severity, finding?.path, finding?.skill],
        ["wrapper-tag-in-body", "warning", "s/SKILL.md", "s"],
      );
      hostile.call("load_skill", { name: "s" });
      assert.equal(hostile.diagnostics.length, 1, "told once");
      assert.equal(hostile.body("s"), body);
    });
  }
  for (const body of [
    "<skill>",
    "<skill_contents>",
    "<b> & </b> &lt;skill_content>",
    "<skill_resources>",
  ]) {
    test(`all else is verbatim: ${body}`, () => {
      assert.ok(
        one(body).call("load_skill", { name: "s" }).content.includes(`\n${body}\n</skill_content>`),
      );
    });
  }
});

describe("the files beside it", () => {
  const listed = (content: string): string[] =>
    [...content.matchAll(/<file>(.*)<\/file>/g)].map(([, name]) => name ?? "");
  const many = (count: number): Files =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`s/r/${String(index).padStart(4, "0")}.md`, ""]),
    );
  test("sorted, whatever order they come in", () => {
    const files = { "s/b.md": "", "s/a/z.md": "", "s/a.md": "", "s/B.md": "" };
    const { content } = one("B", files).call("load_skill", { name: "s" });
    assert.deepEqual(listed(content), ["B.md", "a.md", "a/z.md", "b.md"]);
  });
  test("50 of them, and how many more", () => {
    const { content } = one("B", many(60)).call("load_skill", { name: "s" });
    assert.equal(listed(content).length, 50);
    assert.match(content, /And 10 more files\.$/);
  });
  test("exactly 50 need no more", () => {
    assert.doesNotMatch(one("B", many(50)).call("load_skill", { name: "s" }).content, /more files/);
  });
  test("counted to 1,000", () => {
    assert.match(
      one("B", many(1_000)).call("load_skill", { name: "s" }).content,
      /And 950 more files\.$/,
    );
    assert.match(
      one("B", many(1_001)).call("load_skill", { name: "s" }).content,
      /And at least 950 more files\.$/,
    );
  });
  test("the number can be set", () => {
    const catalog = shelf(
      { "s/SKILL.md": validSkill("s"), ...many(5) },
      { limits: { listedFiles: 2 } },
    );
    const { content } = catalog.call("load_skill", { name: "s" });
    assert.equal(listed(content).length, 2);
    assert.match(content, /And 3 more files\.$/);
  });
  test("not hidden ones, nor node_modules, nor SKILL.md", () => {
    const { content } = one("B", {
      "s/.env": "",
      "s/.git/config": "",
      "s/node_modules/x.js": "",
      "s/ok.md": "",
    }).call("load_skill", { name: "s" });
    assert.deepEqual(listed(content), ["ok.md"]);
  });
  test("a name cannot close the list", () => {
    const { content } = one("B", { "s/a<b>&.md": "" }).call("load_skill", { name: "s" });
    assert.match(content, /<file>a&lt;b&gt;&amp;\.md<\/file>/);
  });
  test("a directory that cannot be listed does not keep the body away", () => {
    const memory = smallHost({ "s/SKILL.md": validSkill("s", "d", "B") });
    const catalog = shelfOf({
      ...memory,
      list: (directory) => {
        if (directory === "s") throw new Error("no");
        return memory.list(directory);
      },
    });
    const result = catalog.call("load_skill", { name: "s" });
    assert.equal(result.isError, false);
    assert.match(result.content, /\nB\n/);
  });
});

describe("the file is read at that moment", () => {
  const before = validSkill("s", "d", "Before");
  const edited = async (after: string | undefined) => {
    const files: Record<string, string> = { "s/SKILL.md": before, "t/SKILL.md": validSkill("t") };
    const sync = loadSkillsSync({ host: smallHost(files) });
    const promised = await loadSkills({ host: withPromises(smallHost(files)) });
    if (after === undefined) delete files["s/SKILL.md"];
    else files["s/SKILL.md"] = after;
    const result = sync.call("load_skill", { name: "s" });
    assert.deepEqual(await promised.call("load_skill", { name: "s" }), result);
    return { sync, promised, result };
  };
  test("an edit shows in the next call, without a refresh", async () => {
    const { sync, promised, result } = await edited(validSkill("s", "d", "After"));
    assert.match(result.content, /\nAfter\n/);
    assert.equal(sync.body("s"), "After");
    assert.equal(await promised.body("s"), "After");
  });
  test("one that has become invalid is an error with its place", async () => {
    const { sync, promised, result } = await edited("---\nname: s\n---\nBody");
    assert.deepEqual([result.isError, result.code, result.skill], [true, "SKILL_INVALID", "s"]);
    assert.match(result.content, /SKILL\.md:1:1: description is missing/);
    const error = thrown(() => sync.body("s"));
    assert.deepEqual(
      [error.code, error.path, error.diagnostics[0]?.code],
      ["SKILL_INVALID", "s/SKILL.md", "description-missing"],
    );
    assert.equal((await rejection(() => promised.body("s"))).code, "SKILL_INVALID");
  });
  test("one that was disabled is unknown to the model, and not to the host", async () => {
    const { sync, result } = await edited(
      skillFile("name: s\ndescription: d\ndisable-model-invocation: true", "Hidden"),
    );
    assert.equal(result.code, "SKILL_NOT_FOUND");
    assert.doesNotMatch(result.content, /Hidden/);
    assert.equal(sync.body("s"), "Hidden");
  });
  test("one that was renamed is served under the name in the index", async () => {
    const { result } = await edited(validSkill("other", "d", "Renamed"));
    assert.deepEqual([result.isError, result.skill], [false, "s"]);
    assert.match(result.content, /^<skill_content name="s">\nRenamed\n/);
  });
  test("one that is gone", async () => {
    const { sync, result } = await edited(undefined);
    assert.deepEqual([result.isError, result.code, result.skill], [true, "FILE_NOT_FOUND", "s"]);
    assert.match(result.content, /no file "SKILL\.md" in the skill "s"/);
    assert.equal(thrown(() => sync.body("s")).code, "FILE_NOT_FOUND");
  });
  test("bytes in the body that are not text", async () => {
    const files: Record<string, Uint8Array> = { "s/SKILL.md": new TextEncoder().encode(before) };
    const catalog = shelfOf(smallHost(files));
    files["s/SKILL.md"] = new Uint8Array([...new TextEncoder().encode(before), 0xff]);
    const result = catalog.call("load_skill", { name: "s" });
    assert.equal(result.code, "SKILL_INVALID");
    assert.match(result.content, /invalid UTF-8 at byte 38/);
  });
});

test("a message to the model names no directory of the machine", () => {
  const files: Record<string, string> = { "home/someone/skills/s/SKILL.md": validSkill("s") };
  const catalog = loadSkillsSync({ host: smallHost(files), path: "home/someone/skills" });
  files["home/someone/skills/s/SKILL.md"] = "";
  const { content } = catalog.call("load_skill", { name: "s" });
  assert.match(content, /mended: SKILL\.md: the file is empty/);
  assert.doesNotMatch(content, /someone/);
});

test("an unknown name rejects body() with near names", async () => {
  const files = { "pdf/SKILL.md": validSkill("pdf") };
  const error = thrown(() => shelf(files).body("pfd"));
  assert.deepEqual(
    [error.code, error.message],
    [
      "SKILL_NOT_FOUND",
      'There is no skill named "pfd". Did you mean "pdf"? Available skills: pdf.',
    ],
  );
  const promised = await shelfWithPromises(smallHost(files));
  assert.equal((await rejection(() => promised.body("pfd"))).code, "SKILL_NOT_FOUND");
});

test("strict: what would be skipped when loading is an error when it is read", () => {
  const files: Record<string, string> = { "s/SKILL.md": validSkill("s") };
  const catalog = loadSkillsSync({ host: smallHost(files) }, { mode: "strict" });
  files["s/SKILL.md"] = validSkill("s", "a: b");
  assert.equal(catalog.call("load_skill", { name: "s" }).code, "SKILL_INVALID");
  const lenient = loadSkillsSync({ host: smallHost(files) }, { onDiagnostic: () => {} });
  assert.equal(lenient.call("load_skill", { name: "s" }).isError, false);
});

test("no skill carries a body that was read", () => {
  const catalog = one("SECRET-BODY");
  catalog.call("load_skill", { name: "s" });
  assert.doesNotMatch(
    JSON.stringify([...catalog, catalog.get("s"), catalog.diagnostics, catalog.index()]),
    /SECRET-BODY/,
  );
});
