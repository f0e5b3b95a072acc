// The tools that list: skills in pages, and the files of one.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defineSkill, loadSkillsSync } from "skillshelf";
import { smallHost } from "./support/hosts.ts";
import { shelf, shelfWithPromises } from "./support/load.ts";
import { skillFile, validSkill } from "./support/text.ts";

const lines = (content: string): string[] =>
  content.split("\n").filter((line) => line.startsWith("- "));

describe("list_skills", () => {
  const files = {
    "office/word/docx/SKILL.md": validSkill("docx", "Writes letters and forms"),
    "office/pdf/SKILL.md": validSkill("pdf", "Fills in FORMS"),
    "office-old/doc/SKILL.md": validSkill("doc", "Opens old letters"),
    "tea.md": validSkill("tea", "Brews tea"),
    "hidden/SKILL.md": skillFile(
      "name: hidden\ndescription: forms\ndisable-model-invocation: true",
    ),
  };
  const catalog = shelf(files);
  const groups =
    '\n\n[Groups, to list with group: "office" (2), "office-old" (1), "office/word" (1).]';
  const cases: [title: string, args: object, expected: string][] = [
    [
      "all",
      {},
      `Skills 1 to 4 of 4:\n\n- doc: Opens old letters\n- docx: Writes letters and forms\n- pdf: Fills in FORMS\n- tea: Brews tea${groups}`,
    ],
    [
      "all, said with null",
      { filter: null, group: null, offset: null, limit: null },
      `Skills 1 to 4 of 4:\n\n- doc: Opens old letters\n- docx: Writes letters and forms\n- pdf: Fills in FORMS\n- tea: Brews tea${groups}`,
    ],
    [
      "a page, and how to go on",
      { limit: 2 },
      `Skills 1 to 2 of 4:\n\n- doc: Opens old letters\n- docx: Writes letters and forms${groups}\n\n[To go on, list with offset 2.]`,
    ],
    [
      "the last page",
      { offset: 2, limit: 2 },
      "Skills 3 to 4 of 4:\n\n- pdf: Fills in FORMS\n- tea: Brews tea",
    ],
    [
      "a filter",
      { filter: "forms" },
      'Skills 1 to 2 of 2 that match "forms":\n\n- docx: Writes letters and forms\n- pdf: Fills in FORMS\n\n[Groups, to list with group: "office/word" (1).]',
    ],
    [
      "all words of a filter, in name or description",
      { filter: "PDF  forms" },
      'Skills 1 to 1 of 1 that match "PDF forms":\n\n- pdf: Fills in FORMS',
    ],
    [
      "a group, and what is below it",
      { group: "office" },
      'Skills 1 to 2 of 2 in the group "office":\n\n- docx: Writes letters and forms\n- pdf: Fills in FORMS\n\n[Groups, to list with group: "office/word" (1).]',
    ],
    [
      "both",
      { filter: "letters", group: "office/word" },
      'Skills 1 to 1 of 1 that match "letters" in the group "office/word":\n\n- docx: Writes letters and forms',
    ],
    [
      "a filter that nothing matches",
      { filter: "coffee" },
      'There is no skill that matches "coffee", of 4 in all.',
    ],
    [
      "a group that is not there",
      { group: "none" },
      `There is no skill in the group "none", of 4 in all.${groups}`,
    ],
    [
      "past the end",
      { offset: 4 },
      "The arguments of list_skills do not fit: offset 4 is past the end: there are 4.",
    ],
  ];
  for (const [title, args, expected] of cases) {
    test(title, async () => {
      const result = catalog.call("list_skills", args);
      assert.equal(result.content, expected);
      assert.equal(result.isError, title === "past the end");
      const promised = await shelfWithPromises(smallHost(files));
      assert.deepEqual(await promised.call("list_skills", args), result);
      assert.deepEqual(catalog.session().call("list_skills", args), result);
    });
  }
  test("names the groups by the argument's own name", () => {
    const rename = { list_skills: { arguments: { group: "folder" } } };
    const { content } = catalog.tools({ set: "full", rename }).call("list_skills", {});
    assert.match(content, /\[Groups, to list with folder: "office" \(2\), /);
  });
  test("says where the next page begins", () => {
    const { truncated, nextOffset } = catalog.call("list_skills", { limit: 3 });
    assert.deepEqual([truncated, nextOffset], [true, 3]);
    assert.equal("nextOffset" in catalog.call("list_skills", { offset: 3 }), false);
  });
  test("50 on a page, 200 at most, and following the pages gives all once", () => {
    const many = shelf(
      Object.fromEntries(
        Array.from({ length: 450 }, (_, index) => [`s${index}/SKILL.md`, validSkill(`s${index}`)]),
      ),
    );
    assert.equal(lines(many.call("list_skills", {}).content).length, 50);
    assert.equal(lines(many.call("list_skills", { limit: 1000 }).content).length, 200);
    const names: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { content, nextOffset } = many.call("list_skills", { offset, limit: 70 });
      names.push(...lines(content).map((line) => line.slice(2, line.indexOf(":"))));
      offset = nextOffset;
    }
    assert.deepEqual(names, many.names);
  });
  test("an empty catalog", () => {
    assert.equal(shelf({}).call("list_skills", {}).content, "There is no skill.");
  });
  test("no description adds an entry or a line", () => {
    const forged = shelf({ "a/SKILL.md": validSkill("a", '"x\\n- b: y\\u2028- c: z"') });
    assert.deepEqual(lines(forged.call("list_skills", {}).content), ["- a: x - b: y - c: z"]);
  });
  test("no body is in it", () => {
    const secret = shelf({ "a/SKILL.md": validSkill("a", "d", "Always run go vet first.") });
    assert.doesNotMatch(secret.call("list_skills", {}).content, /go vet/);
  });
  test("what the model sent is shortened and on one line", () => {
    const { content } = catalog.call("list_skills", { filter: `a\n- b: c${"x".repeat(10_000)}` });
    assert.ok(content.length < 400);
    assert.deepEqual(lines(content), []);
  });
});

describe("list_skill_resources and load_skill_resource", () => {
  const files = {
    "pdf/SKILL.md": validSkill("pdf"),
    "pdf/scripts/fill.py": "print()",
    "pdf/references/a.md": "A",
    "pdf/references/deep/b.md": "B",
    "bare/SKILL.md": validSkill("bare"),
    "loose.md": validSkill("loose"),
  };
  const catalog = shelf(files);
  const list = (skill: string) => catalog.call("list_skill_resources", { skill });
  test("the paths, as they are asked for", () => {
    assert.deepEqual(list("pdf"), {
      content:
        'The skill "pdf" has 3 files; read one with `read_skill_file`:\n\n- references/a.md\n- references/deep/b.md\n- scripts/fill.py',
      isError: false,
      skill: "pdf",
    });
    for (const line of lines(list("pdf").content)) {
      const args = { skill: "pdf", path: line.slice(2) };
      assert.equal(catalog.call("load_skill_resource", args).isError, false);
    }
  });
  test("where there are none", () => {
    for (const name of ["bare", "loose"]) {
      assert.equal(list(name).content, `The skill "${name}" has no files beside its instructions.`);
    }
  });
  test("an unknown skill lists those there are", () => {
    assert.match(list("pfd").content, /Did you mean "pdf"\? Available skills: bare, loose, pdf\./);
  });
  test("they name the tool that is offered to read with", () => {
    const tools = catalog.tools({ set: ["list_skill_resources", "load_skill_resource"] });
    assert.match(
      tools.call("list_skill_resources", { skill: "pdf" }).content,
      /read one with `load_skill_resource`/,
    );
  });
  test("load_skill_resource is read_skill_file by another name", () => {
    for (const args of [
      { skill: "pdf", path: "references/a.md" },
      { skill: "pdf", path: "references/none.md" },
      { skill: "pdf", path: "../bare/SKILL.md" },
      { skill: "pdf", path: "scripts/fill.py", offset: 2, limit: 3 },
    ]) {
      assert.deepEqual(
        catalog.call("load_skill_resource", args),
        catalog.call("read_skill_file", args),
      );
    }
    assert.match(
      catalog.call("load_skill_resource", { skill: "pdf", path: "references/a.md", offset: 9 })
        .content,
      /^The arguments of load_skill_resource do not fit: /,
    );
  });
  test("of a skill from code", () => {
    const skill = defineSkill({
      name: "code",
      description: "d",
      content: "c",
      files: { "a.md": "A" },
    });
    const { content } = loadSkillsSync(skill).call("list_skill_resources", { skill: "code" });
    assert.match(content, /has 1 file; .*- a\.md$/s);
  });
});
