// What each field may hold, and what becomes of a skill whose field holds something else.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type ParseOptions, parseSkill, type Skill } from "skillshelf";
import { skillFile, told } from "./support/text.ts";

interface Outcome {
  skill?: Partial<Skill>;
  /** What was found: `severity code`. */
  found: string[];
}

interface Case {
  title: string;
  front: string;
  /** In the directory `n`, if nothing else is said. */
  path?: string;
  lenient: Outcome;
  /** The same as lenient, where it is left out. */
  strict?: Outcome;
}

function assertOutcome(front: string, options: ParseOptions, { skill, found }: Outcome): void {
  const parsed = parseSkill(skillFile(front), options);
  assert.deepEqual(
    parsed.diagnostics.map(({ severity, code }) => `${severity} ${code}`),
    found,
  );
  assert.equal(parsed.skill !== undefined, !found.some((one) => one.startsWith("error")));
  for (const [key, value] of Object.entries(skill ?? {})) {
    assert.deepEqual(parsed.skill?.[key as keyof Skill], value, key);
  }
}

function table(title: string, cases: readonly Case[], options: ParseOptions = {}): void {
  describe(title, () => {
    for (const { title, front, path = "n/SKILL.md", lenient, strict } of cases) {
      test(`${title}: lenient`, () => assertOutcome(front, { ...options, path }, lenient));
      test(`${title}: strict`, () => {
        assertOutcome(front, { ...options, path, mode: "strict" }, strict ?? lenient);
      });
    }
  });
}

const only = (...found: string[]): Outcome => ({ found });
const fine = (skill: Partial<Skill>): Outcome => ({ skill, found: [] });
/** In the specification an error; when loading a warning. */
const tolerated = (code: string, skill: Partial<Skill> = {}) => ({
  lenient: { skill, found: [`warning ${code}`] },
  strict: only(`error ${code}`),
});
const warned = (code: string, skill: Partial<Skill> = {}) => ({
  lenient: { skill, found: [`warning ${code}`] },
});

table("name", [
  {
    title: "letters, digits and single hyphens",
    front: "name: a-1-b\ndescription: d",
    path: "a-1-b/SKILL.md",
    lenient: fine({ name: "a-1-b" }),
  },
  {
    title: "64 code points",
    front: `name: ${"a".repeat(64)}\ndescription: d`,
    path: `${"a".repeat(64)}/SKILL.md`,
    lenient: fine({ name: "a".repeat(64) }),
  },
  {
    title: "65 code points",
    front: `name: ${"a".repeat(65)}\ndescription: d`,
    path: `${"a".repeat(65)}/SKILL.md`,
    ...tolerated("name-too-long", { name: "a".repeat(65) }),
  },
  {
    title: "it is trimmed, and front matter keeps it exact",
    front: 'name: " n "\ndescription: d',
    lenient: { skill: { name: "n", frontMatter: { name: " n ", description: "d" } }, found: [] },
  },
  ...["Team Tool", "team:tool", "a_b", "a--b", "-a", "a-", "Ünï", "a.b"].map(
    (name): Case => ({
      title: `against the pattern: ${name}`,
      front: `name: "${name}"\ndescription: d`,
      path: `${name}/SKILL.md`,
      ...tolerated("name-invalid", { name }),
    }),
  ),
  {
    title: "not that of its directory",
    front: "name: other\ndescription: d",
    ...tolerated("name-directory-mismatch", { name: "other" }),
  },
  {
    title: "the same name in another normal form",
    front: "name: Ⅷ\ndescription: d",
    path: "VIII/SKILL.md",
    ...tolerated("name-invalid", { name: "Ⅷ" }),
  },
  {
    title: "missing: the directory's stands in",
    front: "description: d",
    ...tolerated("name-missing", { name: "n" }),
  },
  {
    title: "null counts as missing",
    front: "name: ~\ndescription: d",
    ...tolerated("name-missing", { name: "n" }),
  },
  {
    title: "empty counts as missing",
    front: "name: ''\ndescription: d",
    ...tolerated("name-missing", { name: "n" }),
  },
  {
    title: "a list: the directory's stands in",
    front: "name: [n]\ndescription: d",
    ...tolerated("name-not-text", { name: "n" }),
  },
  {
    title: "missing without a directory",
    front: "description: d",
    path: "SKILL.md",
    lenient: only("warning name-missing", "error no-usable-name"),
    strict: only("error name-missing", "error no-usable-name"),
  },
  ...["a/b", "a\\b", "..", "a\tb", "a\u{200b}b", "a\u{2028}b", "a".repeat(257)].map(
    (name): Case => ({
      title: `never used: ${JSON.stringify(name).slice(0, 20)}`,
      front: `name: ${JSON.stringify(name)}\ndescription: d`,
      ...tolerated("name-unusable", { name: "n" }),
    }),
  ),
  {
    title: "256 code points are used",
    front: `name: ${"a".repeat(256)}\ndescription: d`,
    path: `${"a".repeat(256)}/SKILL.md`,
    ...tolerated("name-too-long", { name: "a".repeat(256) }),
  },
  {
    title: "neither it nor the directory's will do",
    front: "name: a/b\ndescription: d",
    path: "x\u{200b}y/SKILL.md",
    lenient: only("warning name-unusable", "error no-usable-name"),
    strict: only("error name-unusable", "error no-usable-name"),
  },
]);

table("description", [
  {
    title: "it is trimmed, and front matter keeps it exact",
    front: "name: n\ndescription: |\n\n  a\n  b\n\n",
    lenient: { skill: { description: "a\nb" }, found: [] },
  },
  {
    title: "1,024 code points, also of several units each",
    front: `name: n\ndescription: ${"🧬".repeat(1_024)}`,
    lenient: fine({ description: "🧬".repeat(1_024) }),
  },
  {
    title: "measured after folding and trimming",
    front: `name: n\ndescription: >-\n  ${"x".repeat(1_024)}\n\n`,
    lenient: fine({ description: "x".repeat(1_024) }),
  },
  {
    title: "1,025 code points",
    front: `name: n\ndescription: ${"技".repeat(1_025)}`,
    ...tolerated("description-too-long", { description: "技".repeat(1_025) }),
  },
  { title: "missing", front: "name: n", lenient: only("error description-missing") },
  { title: "null", front: "name: n\ndescription:", lenient: only("error description-missing") },
  {
    title: "blank",
    front: "name: n\ndescription: '  '",
    lenient: only("error description-missing"),
  },
  {
    title: "a list",
    front: "name: n\ndescription: [a, b]",
    lenient: only("error description-not-text"),
  },
  {
    title: "a map",
    front: "name: n\ndescription: {a: b}",
    lenient: only("error description-not-text"),
  },
  {
    title: "a word that YAML gives another meaning",
    front: "name: n\ndescription: true",
    lenient: fine({ description: "true" }),
  },
]);

table("allowed-tools", [
  {
    title: "separated by blanks",
    front: "name: n\ndescription: d\nallowed-tools: Read  Grep\tGlob",
    lenient: fine({ allowedTools: ["Read", "Grep", "Glob"] }),
  },
  {
    title: "blanks and commas in parentheses separate nothing",
    front: "name: n\ndescription: d\nallowed-tools: Bash(git add:*, git rm) Read",
    lenient: fine({ allowedTools: ["Bash(git add:*, git rm)", "Read"] }),
  },
  {
    title: "separated by commas",
    front: "name: n\ndescription: d\nallowed-tools: Read, Bash(npm run test *),Grep",
    ...warned("allowed-tools-form", { allowedTools: ["Read", "Bash(npm run test *)", "Grep"] }),
  },
  {
    title: "a list",
    front: "name: n\ndescription: d\nallowed-tools:\n  - Read\n  - Bash(git diff)",
    ...warned("allowed-tools-form", { allowedTools: ["Read", "Bash(git diff)"] }),
  },
  {
    title: "present but empty",
    front: "name: n\ndescription: d\nallowed-tools:",
    lenient: fine({ allowedTools: [] }),
  },
  {
    title: "an empty text",
    front: "name: n\ndescription: d\nallowed-tools: ''",
    lenient: fine({ allowedTools: [] }),
  },
  { title: "absent", front: "name: n\ndescription: d", lenient: { skill: {}, found: [] } },
  {
    title: "a map allows nothing",
    front: "name: n\ndescription: d\nallowed-tools: {a: b}",
    ...tolerated("allowed-tools-not-text", { allowedTools: [] }),
  },
]);

test("absent allowed-tools are no property", () => {
  assert.equal(
    "allowedTools" in (parseSkill(skillFile("name: n\ndescription: d")).skill ?? {}),
    false,
  );
});

table("metadata", [
  {
    title: "text to text",
    front: 'name: n\ndescription: d\nmetadata: {a: "1", b: x}',
    lenient: fine({ metadata: { a: "1", b: "x" } }),
  },
  {
    title: "other values are kept",
    front:
      'name: n\ndescription: d\nmetadata: {"p": {"bins": ["node"]}, "n": 1, "ok": true, "z": null}',
    ...warned("metadata-not-text", {
      metadata: { p: { bins: ["node"] }, n: 1, ok: true, z: null },
    }),
  },
  {
    title: "null is none",
    front: "name: n\ndescription: d\nmetadata:",
    lenient: fine({ metadata: {} }),
  },
  {
    title: "a list",
    front: "name: n\ndescription: d\nmetadata: []",
    ...tolerated("metadata-not-a-map", { metadata: {} }),
  },
  {
    title: "text",
    front: "name: n\ndescription: d\nmetadata: words",
    ...tolerated("metadata-not-a-map", { metadata: {} }),
  },
]);

table("version, license and compatibility", [
  {
    title: "version in metadata",
    front: 'name: n\ndescription: d\nmetadata: {version: "1.10"}',
    lenient: fine({ version: "1.10" }),
  },
  {
    title: "version at the top comes first",
    front: 'name: n\ndescription: d\nversion: 2.0\nmetadata: {version: "1"}',
    lenient: { skill: { version: "2.0" }, found: ["info field-extension"] },
    strict: { skill: { version: "2.0" }, found: ["warning field-extension"] },
  },
  {
    title: "a license is kept",
    front: "name: n\ndescription: d\nlicense: Apache-2.0",
    lenient: fine({ license: "Apache-2.0" }),
  },
  {
    title: "a license that is a map",
    front: "name: n\ndescription: d\nlicense: {a: b}",
    ...tolerated("field-not-text"),
  },
  {
    title: "compatibility of 500 code points",
    front: `name: n\ndescription: d\ncompatibility: ${"é".repeat(500)}`,
    lenient: fine({ compatibility: "é".repeat(500) }),
  },
  {
    title: "compatibility of 501",
    front: `name: n\ndescription: d\ncompatibility: ${"é".repeat(501)}`,
    ...tolerated("compatibility-length", { compatibility: "é".repeat(501) }),
  },
  {
    title: "empty compatibility counts as missing",
    front: "name: n\ndescription: d\ncompatibility: ''",
    lenient: fine({}),
  },
]);

table("flags count only as booleans", [
  {
    title: "disabled for the model",
    front: "name: n\ndescription: d\ndisable-model-invocation: true",
    lenient: {
      skill: { modelInvocable: false, userInvocable: true },
      found: ["info field-extension"],
    },
    strict: only("warning field-extension"),
  },
  {
    title: "not for the user",
    front: "name: n\ndescription: d\nuser-invocable: false",
    lenient: {
      skill: { modelInvocable: true, userInvocable: false },
      found: ["info field-extension"],
    },
    strict: only("warning field-extension"),
  },
  {
    title: "quoted",
    front: 'name: n\ndescription: d\ndisable-model-invocation: "true"',
    lenient: {
      skill: { modelInvocable: true },
      found: ["info field-extension", "warning flag-not-boolean"],
    },
    strict: only("warning field-extension", "warning flag-not-boolean"),
  },
  {
    title: "yes is text in YAML 1.2",
    front: "name: n\ndescription: d\nuser-invocable: no",
    lenient: {
      skill: { userInvocable: true },
      found: ["info field-extension", "warning flag-not-boolean"],
    },
    strict: only("warning field-extension", "warning flag-not-boolean"),
  },
  {
    title: "null is absent",
    front: "name: n\ndescription: d\nuser-invocable:",
    lenient: { skill: { userInvocable: true }, found: ["info field-extension"] },
    strict: only("warning field-extension"),
  },
]);

table("other keys", [
  {
    title: "unknown",
    front: "name: n\ndescription: d\nskill_type: framework",
    ...warned("field-unknown", {
      frontMatter: { name: "n", description: "d", skill_type: "framework" },
    }),
  },
  {
    title: "known to clients",
    front: "name: n\ndescription: d\nwhen_to_use: now\ntrigger: a, b",
    lenient: {
      skill: { trigger: "a, b" },
      found: ["info field-extension", "info field-extension"],
    },
    strict: only("warning field-extension", "warning field-extension"),
  },
  ...["model: opus", "effort: high", "context: fork", "agent: Explore", "paths: [src]"].map(
    (line) => ({
      title: `known to clients: ${line}`,
      front: `name: n\ndescription: d\n${line}`,
      lenient: { skill: { name: "n" }, found: ["info field-extension"] },
      strict: only("warning field-extension"),
    }),
  ),
  {
    title: "an empty one keeps its key",
    front: "name: n\ndescription: d\nlicense:",
    lenient: { skill: { frontMatter: { name: "n", description: "d", license: null } }, found: [] },
  },
]);

table(
  "profile anthropic",
  [
    {
      title: "a reserved word",
      front: "name: my-claude-notes\ndescription: d",
      path: "my-claude-notes/SKILL.md",
      ...tolerated("name-reserved", { name: "my-claude-notes" }),
    },
    {
      title: "a tag in the description",
      front: "name: n\ndescription: Uses <b>bold</b> text",
      ...tolerated("xml-tag", { description: "Uses <b>bold</b> text" }),
    },
    {
      title: "a sign is no tag",
      front: "name: n\ndescription: a < b and c > d",
      lenient: fine({ description: "a < b and c > d" }),
    },
  ],
  { profile: "anthropic" },
);

table("without the profile", [
  {
    title: "words and tags are free",
    front: "name: claude\ndescription: <b>x</b>",
    path: "claude/SKILL.md",
    lenient: fine({ name: "claude" }),
  },
]);

table("hidden characters in the description", [
  {
    title: "a zero-width space",
    front: "name: n\ndescription: a\u{200b}b",
    ...warned("hidden-characters", { description: "a\u{200b}b" }),
  },
  {
    title: "text in tags",
    front: "name: n\ndescription: a\u{e0061}\u{e0062}",
    ...warned("hidden-characters"),
  },
  {
    title: "an override of direction",
    front: "name: n\ndescription: a\u{202e}b",
    ...warned("hidden-characters"),
  },
  {
    title: "an emoji sequence is none",
    front:
      "name: n\ndescription: 👩\u{200d}🚀 and 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    lenient: fine({}),
  },
  {
    title: "a joiner between letters that join is none",
    front: "name: n\ndescription: می\u{200c}خواهم",
    lenient: fine({}),
  },
]);

test("a hidden character is named with its offset in code points", () => {
  const { diagnostics } = parseSkill(skillFile("name: n\ndescription: 🧬a\u{200b}b"));
  assert.match(diagnostics[0]?.message ?? "", /U\+200B at offset 2/);
});

test("a hidden character in the body is found too", () => {
  const { diagnostics, body } = parseSkill(skillFile("name: n\ndescription: d", "a\u{2066}b"));
  assert.deepEqual(diagnostics.map(told), ["warning hidden-characters"]);
  assert.match(diagnostics[0]?.message ?? "", /body .*U\+2066 at offset 1/);
  assert.equal(body, "a\u{2066}b");
});

test("a finding about a value points at the value, one about a key at the key", () => {
  const { diagnostics } = parseSkill(skillFile("name:   Bad Name\ndescription: d\nskill_type: x"));
  assert.deepEqual(diagnostics.map(told), [
    "warning name-invalid 2:9",
    "warning field-unknown 4:1",
  ]);
});

test("columns count code points", () => {
  const { diagnostics } = parseSkill(
    skillFile("name: n\ndescription: d\nmetadata: {🧬é: x, a: 1, a: 2}"),
  );
  const duplicate = diagnostics.find(({ code }) => code === "yaml-duplicate-key");
  assert.deepEqual([duplicate?.line, duplicate?.column], [4, 25]);
});

test("findings name the file and the skill", () => {
  const { diagnostics } = parseSkill(skillFile("name: Bad Name\ndescription: d"), {
    path: "Bad Name/SKILL.md",
  });
  assert.deepEqual(
    diagnostics.map(({ path, skill }) => [path, skill]),
    [["Bad Name/SKILL.md", "Bad Name"]],
  );
});
