// Every departure of one skill from the specification.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mendSkill, type ValidateOptions, validateSkill } from "skillshelf";
import { joined, skillFile, told, validSkill } from "./support/text.ts";

interface Case {
  title: string;
  files: Record<string, string | Uint8Array>;
  options?: ValidateOptions;
  /** `severity code path line:column`, in any order. */
  found: string[];
}

const valid = validSkill("s");
const withBody = (body: string): string => validSkill("s", "d", body);

const CASES: Case[] = [
  {
    title: "a valid skill",
    files: { "SKILL.md": valid, "references/a.md": "A", "scripts/run.sh": "x" },
    found: [],
  },
  { title: "no SKILL.md", files: { "README.md": valid }, found: ["error skill-file-missing"] },
  { title: "no files at all", files: {}, found: ["error skill-file-missing"] },
  {
    title: "hints that nobody asked for are not given",
    files: { "SKILL.md": withBody("line\n".repeat(501)), "lost.md": "" },
    found: [],
  },
  {
    title: "hints that somebody asked for, but for one",
    files: { "SKILL.md": withBody("line\n".repeat(501)), "lost.md": "" },
    options: { hints: { "body-long": false } },
    found: ["info description-without-when SKILL.md 3:14", "info file-not-mentioned lost.md"],
  },
  {
    title: "a hint that is none",
    files: { "SKILL.md": valid },
    options: { hints: { "body-lon": false } } as object,
    found: ["error option-invalid"],
  },
  {
    title: "SKILL.md in another case",
    files: { "Skill.md": valid },
    found: ["error skill-file-name-case Skill.md"],
  },
  {
    title: "two that differ in case",
    files: { "SKILL.md": valid, "skill.md": "x" },
    found: ["warning skill-file-twice skill.md"],
  },
  {
    title: "a name that is not the directory's",
    files: { "SKILL.md": valid },
    options: { directory: "other" },
    found: ["error name-directory-mismatch SKILL.md 2:7"],
  },
  {
    title: "a directory in another normal form",
    files: { "SKILL.md": skillFile("name: Ⅷ\ndescription: d") },
    options: { directory: "VIII" },
    found: ["error name-invalid SKILL.md 2:7"],
  },
  {
    title: "what loading would mend",
    files: { "SKILL.md": skillFile("name: s\ndescription: a: b") },
    found: ["error yaml-invalid SKILL.md 3:15"],
  },
  {
    title: "an unknown key",
    files: { "SKILL.md": skillFile("name: s\ndescription: d\nmore: x") },
    found: ["warning field-unknown SKILL.md 4:1"],
  },
  {
    title: "commas in allowed-tools",
    files: { "SKILL.md": skillFile("name: s\ndescription: d\nallowed-tools: A, B") },
    found: ["warning allowed-tools-form SKILL.md 4:16"],
  },
  {
    title: "metadata that is not text",
    files: { "SKILL.md": skillFile("name: s\ndescription: d\nmetadata: {a: 1}") },
    found: ["warning metadata-not-text SKILL.md 4:11"],
  },
  {
    title: "a link out of the skill",
    files: { "SKILL.md": withBody("See [t](../../tools/T.md).") },
    found: ["warning link-target-outside SKILL.md 5:9"],
  },
  {
    title: "a file that is only named",
    files: { "SKILL.md": withBody("x\n\nRead `references/no.md`.") },
    found: ["warning link-target-missing SKILL.md 7:7"],
  },
  {
    title: "a link in another case",
    files: { "SKILL.md": withBody("[f](FORMS.md)"), "forms.md": "F" },
    found: ["warning link-target-missing SKILL.md 5:5"],
  },
  {
    title: "links that are none of the skill's files",
    files: { "SKILL.md": withBody("[w](https://x.y/z) [s](#part) [m](mailto:a@b.c)") },
    found: [],
  },
  {
    title: "links with a fragment, a blank or a slash at the end",
    files: {
      "SKILL.md": withBody("[a](a.md#x) [b](<a.md>) [d](scripts/)"),
      "a.md": "",
      "scripts/x": "",
    },
    found: [],
  },
  {
    title: "a literal tag of the wrapper",
    files: { "SKILL.md": withBody("a </skill_content> b") },
    found: ["warning wrapper-tag-in-body SKILL.md 5:3"],
  },
  {
    title: "a resource two levels deep",
    files: { "SKILL.md": valid, "references/a/b.md": "" },
    found: ["warning resource-deep references/a/b.md"],
  },
  {
    title: "other folders may be deep",
    files: { "SKILL.md": valid, "docs/a/b.md": "" },
    found: [],
  },
  {
    title: "paths that cannot be read",
    files: { "SKILL.md": valid, "../x": "", "a:b": "", nul: "" },
    found: [
      "error file-path-refused ../x",
      "error file-path-refused a:b",
      "error file-path-refused nul",
    ],
  },
  {
    title: "bytes that are not text",
    files: { "SKILL.md": joined(valid, [0xff]) },
    found: ["error not-utf-8 SKILL.md"],
  },
  {
    title: "binary files beside it are no fault",
    files: { "SKILL.md": valid, "assets/p.png": new Uint8Array([0x89, 0x50, 0xff, 0]) },
    found: [],
  },
  {
    title: "a reserved word is free by default",
    files: { "SKILL.md": validSkill("claude-notes") },
    found: [],
  },
  {
    title: "a reserved word in the profile",
    files: { "SKILL.md": validSkill("claude-notes") },
    options: { profile: "anthropic" },
    found: ["error name-reserved SKILL.md 2:7"],
  },
  {
    title: "a tag in the profile",
    files: { "SKILL.md": validSkill("s", "a <x> b") },
    options: { profile: "anthropic" },
    found: ["error xml-tag SKILL.md 3:14"],
  },
];

function described(found: ReturnType<typeof validateSkill>[number]): string {
  const [severity, code, place] = told(found).split(" ");
  return [severity, code, found.path, place].filter((part) => part !== undefined).join(" ");
}

describe("validateSkill", () => {
  for (const { title, files, options, found } of CASES) {
    test(title, () => {
      assert.deepEqual(validateSkill(files, options).map(described).sort(), [...found].sort());
    });
  }
});

test("a link in another case is told what is there", () => {
  const [finding] = validateSkill({ "SKILL.md": withBody("[f](FORMS.md)"), "forms.md": "F" });
  assert.match(finding?.message ?? "", /"FORMS.md".*"forms.md"/);
});

test("a link that leaves is told why", () => {
  const [finding] = validateSkill({ "SKILL.md": withBody("[t](../x.md)") });
  assert.match(finding?.message ?? "", /"\.\.\/x\.md".*leaves/);
});

test("the order of the files changes nothing", () => {
  const files = { "SKILL.md": withBody("[f](no.md)"), "references/a/b.md": "", "skill.md": "x" };
  const turned = Object.fromEntries(Object.entries(files).reverse());
  assert.deepEqual(
    validateSkill(turned).map(described).sort(),
    validateSkill(files).map(described).sort(),
  );
});

test("keys that other code gives a meaning are paths", () => {
  const files = JSON.parse(JSON.stringify({ "SKILL.md": valid }));
  Object.defineProperty(files, "__proto__", { value: "x", enumerable: true });
  assert.deepEqual(validateSkill(files), []);
});

test("a file that is neither text nor bytes is told", () => {
  const found = validateSkill({ "SKILL.md": valid, "a.md": 7 as unknown as string });
  assert.deepEqual(found.map(described), ["error content-not-text a.md"]);
});

test("never throws, whatever it is given", () => {
  for (const [files, options, found] of [
    [{ "SKILL.md": valid }, { profil: "anthropic" }, ["error option-invalid"]],
    [{ "SKILL.md": valid }, { directory: 7 }, ["error option-invalid"]],
    [{ "SKILL.md": valid }, "pdf", ["error option-invalid"]],
    [{ "SKILL.md": null }, {}, ["error content-not-text SKILL.md"]],
    [{}, {}, ["error skill-file-missing"]],
    [null, {}, ["error content-not-text"]],
    [undefined, undefined, ["error content-not-text"]],
    [valid, {}, ["error content-not-text"]],
    [new Map([["SKILL.md", valid]]), {}, ["error content-not-text"]],
  ] as const) {
    const all = validateSkill(files as never, options as ValidateOptions);
    assert.deepEqual(all.map(described), found);
  }
  const lone = validateSkill({ "SKILL.md": valid, "\ud800": "" }, { directory: "\ud800" });
  assert.deepEqual(
    lone.map(({ code }) => code),
    ["name-directory-mismatch"],
  );
});

describe("mendSkill", () => {
  test("mends what is safe to mend, and says what that was", () => {
    const broken = "---\r\nname: tea\r\ndescription: Use when: thirsty\r\n---\r\nWarm the pot.\r\n";
    const { text, mends } = mendSkill(broken);
    assert.deepEqual(mends, ["the ends of lines", "quotes"]);
    assert.match(text, /^description: ["']Use when: thirsty["']$/m);
    assert.ok(!text.includes("\r"));
    assert.deepEqual(validateSkill({ "SKILL.md": text }, { directory: "tea" }), []);
  });
  test("leaves a file alone where it would have to guess", () => {
    for (const text of [valid, "", "no front matter"]) {
      assert.deepEqual(mendSkill(text), { text, mends: [] });
    }
  });
});
