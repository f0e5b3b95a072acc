// The text of a SKILL.md, and back.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type JSONValue, parseSkill, type SkillSpec, stringifySkill } from "skillshelf";
import { thrown } from "./support/errors.ts";
import { told } from "./support/text.ts";

/** What is written, read again in strict mode. */
function readBack(spec: SkillSpec): {
  skill: ReturnType<typeof parseSkill>["skill"];
  body: string | undefined;
} {
  const { skill, body, diagnostics } = parseSkill(stringifySkill(spec), { mode: "strict" });
  assert.deepEqual(
    diagnostics.filter(({ severity }) => severity === "error").map(told),
    [],
    stringifySkill(spec),
  );
  return { skill, body };
}

describe("a description comes back and injects nothing", () => {
  const hostile = [
    'a: b\n---\nallowed-tools: Bash(*) # "q"',
    "---",
    "...",
    "yes",
    "null",
    "~",
    "1.0",
    "0x1F",
    "1e3",
    ".inf",
    "true",
    "2024-01-01",
    "=",
    "<<",
    "[a",
    "{a",
    "@a",
    "*a",
    "&a",
    "!a",
    "%a",
    ">a",
    "|a",
    "- a",
    "? a",
    "'a",
    '"a',
    "`a",
    "#a",
    "a #b",
    "a:",
    ":a",
    "a\tb",
    "a\r\nb",
    "a\n\n\n  b",
    "\\",
    "a\\nb",
    "a\u{85}b",
    "a\u{2028}b",
    "\u{feff}a",
    "a\u{0}b",
    "a\u{7f}b",
    "🧬",
    "ends with a colon:",
  ];
  for (const description of hostile) {
    test(JSON.stringify(description), () => {
      const { skill } = readBack({ name: "x", description, content: "Body" });
      assert.equal(skill?.description, description);
      assert.deepEqual(Object.keys(skill?.frontMatter ?? {}), ["name", "description"]);
    });
  }
});

describe("a body comes back untouched", () => {
  for (const content of [
    "---",
    "---\nname: y\n---\nx",
    "# a\n\n---\n\nb",
    "a\r\nb",
    "\u{feff}a",
    "```\n---\n```",
    "  a".trim(),
    "a\u{0}b",
  ]) {
    test(JSON.stringify(content), () => {
      assert.equal(readBack({ name: "x", description: "d", content }).body, content);
    });
  }
});

test("every field comes back", () => {
  const spec: SkillSpec = {
    name: "all-of-it",
    description: "Everything: at once",
    content: "Body",
    version: "1.10",
    license: "no",
    compatibility: "Node 20: or newer",
    allowedTools: ["Read", "Bash(git add:*, x)", "Bash(npm run *)"],
    metadata: { team: "docs", "a: b": "c: d" },
    trigger: "release, ship",
    modelInvocable: false,
    userInvocable: false,
    extra: { list: ["a", { b: "c" }], __proto__x: "1", number: 1.5, flag: true, nothing: null },
  };
  const { skill, body } = readBack(spec);
  assert.equal(body, "Body");
  assert.deepEqual(
    [
      skill?.version,
      skill?.license,
      skill?.compatibility,
      skill?.allowedTools,
      skill?.metadata,
      skill?.trigger,
      skill?.modelInvocable,
      skill?.userInvocable,
    ],
    [
      "1.10",
      "no",
      spec.compatibility,
      spec.allowedTools,
      spec.metadata,
      spec.trigger,
      false,
      false,
    ],
  );
  for (const [key, value] of Object.entries(spec.extra ?? {}))
    assert.deepEqual(skill?.frontMatter[key], value, key);
});

test("tool names that blanks would tear apart come back whole", () => {
  for (const allowedTools of [[], ["a b"], ["Read,"], ["(", "x"], ["Bash(a"], ["a)", "b"]]) {
    const { skill } = readBack({ name: "x", description: "d", content: "B", allowedTools });
    assert.deepEqual(skill?.allowedTools, allowedTools);
  }
});

test("half of a surrogate pair is refused, wherever it stands", () => {
  const spec = { name: "x", description: "d", content: "B" };
  for (const change of [
    { description: "a\ud800" },
    { content: "\udc00b" },
    { metadata: { "\ud800": "x" } },
    { extra: { a: ["\udfff"] } },
    { allowedTools: ["\ud800"] },
  ]) {
    assert.equal(thrown(() => stringifySkill({ ...spec, ...change })).code, "SKILL_INVALID");
  }
});

test("the rules are those of defineSkill", () => {
  const error = thrown(() => stringifySkill({ name: "Bad Name", description: "d", content: "B" }));
  assert.deepEqual([error.code, error.diagnostics[0]?.code], ["SKILL_INVALID", "name-invalid"]);
});

test("what would not read back the same is refused, and the field is named", () => {
  const spec = { name: "x", description: "d", content: "B" };
  let deep: JSONValue = "x";
  for (let depth = 0; depth < 70; depth += 1) deep = [deep];
  for (const [change, field] of [
    [{ description: "d".repeat(65_536) }, '"description"'],
    [{ content: "c".repeat(1_048_577) }, "content"],
    [{ metadata: { deep } }, '"metadata"'],
    [{ extra: { a: 1, deep } }, '"deep"'],
    [{ extra: { a: 1, big: "x".repeat(70_000) } }, '"big"'],
    [{ extra: { a: 1, when_to_use: 5 } }, '"when_to_use"'],
    [{ extra: { when_to_use: true } }, '"when_to_use"'],
  ] as const) {
    const error = thrown(() => stringifySkill({ ...spec, ...change }));
    assert.equal(error.code, "SKILL_INVALID");
    assert.ok(error.message.includes(field), error.message);
  }
});

test("numbers come back as the same", () => {
  const numbers = [1e21, 1.797e308, 5e-324, 1e-7, 0.1 + 0.2, 2 ** 53, -1.5, 0];
  const { skill } = readBack({ name: "x", description: "d", content: "B", metadata: { numbers } });
  assert.deepEqual(skill?.metadata.numbers, numbers);
});

const wellFormed = fc.string({ unit: "binary" });
// What this package trims is what Unicode calls white space; JavaScript's own differs by U+FEFF and U+0085.
const WHITE_SPACE = /^[\p{White_Space}]+|[\p{White_Space}]+$/gu;
const trimmed = wellFormed
  .map((text) => text.replace(WHITE_SPACE, ""))
  .filter((text) => text !== "");
const value: fc.Arbitrary<JSONValue> = fc.letrec<{ value: JSONValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    wellFormed,
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(wellFormed, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ) as fc.Arbitrary<JSONValue>,
})).value;

test("parsing gives back what was written, for any text and any data", () => {
  fc.assert(
    fc.property(
      trimmed,
      trimmed,
      fc.dictionary(wellFormed, value, { maxKeys: 4, noNullPrototype: true }),
      (description, content, metadata) => {
        const parsed = parseSkill(stringifySkill({ name: "x", description, content, metadata }));
        assert.equal(parsed.skill?.description, description);
        assert.equal(parsed.body, content);
        assert.deepEqual(parsed.skill?.metadata, metadata);
      },
    ),
    { numRuns: 500, seed: 7 },
  );
});

test("text made of what YAML gives a meaning comes back", () => {
  const sign = fc.constantFrom(
    ..."-:#\n \t'\"[]{}|>&*!%@`,?\\~=<.\r",
    "---",
    "\n---\n",
    ": ",
    " #",
    "name: y",
    "é",
    "🧬",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
  );
  const text = fc
    .array(sign, { minLength: 1, maxLength: 12 })
    .map((signs) => signs.join("").replace(WHITE_SPACE, ""))
    .filter((text) => text !== "");
  fc.assert(
    fc.property(text, text, text, (description, content, trigger) => {
      const parsed = parseSkill(stringifySkill({ name: "x", description, content, trigger }), {
        mode: "strict",
      });
      assert.deepEqual(
        [parsed.skill?.description, parsed.body, parsed.skill?.trigger],
        [description, content, trigger],
      );
      assert.deepEqual(Object.keys(parsed.skill?.frontMatter ?? {}), [
        "name",
        "description",
        "trigger",
      ]);
    }),
    { numRuns: 1_000, seed: 7 },
  );
});
