// Front matter and its YAML: what loads, what does not, and where the finding points.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type ParsedSkill, type ParseOptions, parseSkill } from "skillshelf";
import { bytes, joined, skillFile, told } from "./support/text.ts";

interface Outcome {
  /** Own description, where the skill is there. */
  description?: string;
  name?: string;
  body?: string;
  /** Further front matter keys, as JSON. */
  keys?: Record<string, unknown>;
  allowedTools?: string[];
  /** What was found: `severity code line:column`. */
  found: string[];
}

interface Case {
  title: string;
  text: string | Uint8Array;
  lenient: Outcome;
  /** The same as lenient, where it is left out. */
  strict?: Outcome;
}

const head = "name: n\ndescription: d";

function assertOutcome(parsed: ParsedSkill, expected: Outcome): void {
  const { description, name, body, keys, allowedTools, found } = expected;
  assert.deepEqual(parsed.diagnostics.map(told), found);
  const isLoaded = !found.some((finding) => finding.startsWith("error"));
  assert.equal(parsed.skill !== undefined, isLoaded, "a skill exactly when nothing is an error");
  if (!isLoaded) return;
  const { skill } = parsed;
  if (description !== undefined) assert.equal(skill?.description, description);
  if (name !== undefined) assert.equal(skill?.name, name);
  if (body !== undefined) assert.equal(parsed.body, body);
  if (allowedTools !== undefined) assert.deepEqual(skill?.allowedTools, allowedTools);
  for (const [key, value] of Object.entries(keys ?? {})) {
    assert.deepEqual(skill?.frontMatter[key], value, key);
  }
}

function table(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    for (const { title, text, lenient, strict } of cases) {
      test(`${title}: lenient`, () => assertOutcome(parseSkill(text), lenient));
      test(`${title}: strict`, () =>
        assertOutcome(parseSkill(text, { mode: "strict" }), strict ?? lenient));
    }
  });
}

const nothing = (outcome: Omit<Outcome, "found"> = {}): Outcome => ({ ...outcome, found: [] });
const only = (...found: string[]): Outcome => ({ found });

table("fences", [
  {
    title: "one byte order mark is dropped",
    text: `\u{feff}${skillFile(head)}`,
    lenient: nothing({ name: "n", description: "d", body: "Body" }),
  },
  {
    title: "a second byte order mark is data, so there is no fence",
    text: `\u{feff}\u{feff}${skillFile(head)}`,
    lenient: only("error front-matter-missing 1:1"),
  },
  {
    title: "CRLF reads as LF, also in folded and literal text",
    text: "---\r\nname: n\r\ndescription: >-\r\n  one\r\n  two\r\nlicense: |\r\n  a\r\n  b\r\n---\r\n\r\nBody\r\n",
    lenient: nothing({
      name: "n",
      description: "one two",
      body: "Body",
      keys: { license: "a\nb\n" },
    }),
  },
  {
    title: "both fences may end in blanks and tabs",
    text: "---\t \nname: n\ndescription: d\n--- \t\nBody",
    lenient: nothing({ description: "d", body: "Body" }),
  },
  {
    title: "the closing fence may be the last line, without a newline",
    text: "---\nname: n\ndescription: d\n---",
    lenient: nothing({ description: "d", body: "" }),
  },
  {
    title: "dashes inside a value close nothing",
    text: '---\nname: n\ndescription: "from a---b on"\nallowed-tools: Read\n---\nBody\n',
    lenient: nothing({ description: "from a---b on", allowedTools: ["Read"] }),
  },
  {
    title: "a line of four dashes and an indented fence close nothing",
    text: "---\nname: n\ndescription: |\n  a\n  ----\n  ---\n  b\n---\nBody\n",
    lenient: nothing({ description: "a\n----\n---\nb", body: "Body" }),
  },
  {
    title: "dashes with text after them close nothing",
    text: "---\nname: n\ndescription: d\n---END\nBody\n",
    lenient: only("error front-matter-not-closed 1:1"),
  },
  {
    title: "the first fence closes; rules in the body stay",
    text: skillFile(head, "# One\n\n---\n\n# Two\n\n---"),
    lenient: nothing({ body: "# One\n\n---\n\n# Two\n\n---" }),
  },
  {
    title: "the body is trimmed at both ends and otherwise untouched",
    text: `${skillFile(head, "\u{3000}\n\n  a\r\n\t b  c \n\u{a0}")}`,
    lenient: nothing({ body: "a\r\n\t b  c" }),
  },
  { title: "an empty file", text: "", lenient: only("error file-empty") },
  { title: "nothing but white space", text: " \n\t\n", lenient: only("error file-empty") },
  { title: "nothing but a byte order mark", text: "\u{feff}", lenient: only("error file-empty") },
  {
    title: "plain Markdown",
    text: "# T\n\nDo it.\n",
    lenient: only("error front-matter-missing 1:1"),
  },
  {
    title: "a front matter that is not closed",
    text: "---\nname: n\ndescription: d\n\nBody\n",
    lenient: only("error front-matter-not-closed 1:1"),
  },
  {
    title: "a blank line above the fence",
    text: `\n${skillFile(head)}`,
    lenient: only("error front-matter-after-blank-line 2:1"),
  },
  {
    title: "a comment above the fence, over several lines",
    text: `<!-- from\nelsewhere -->\n\n${skillFile(head)}`,
    lenient: only("error front-matter-after-comment 4:1"),
  },
  {
    title: "a code block around the whole file",
    text: `~~~md\n${skillFile(head)}~~~\n`,
    lenient: only("error front-matter-in-code-block 1:1"),
  },
  {
    title: "keys without a fence above",
    text: "description: d\nname: n\n\n---\nBody\n",
    lenient: only("error front-matter-without-fence 1:1"),
  },
  {
    title: "another language after the fence is never run",
    text: "---js\nmodule.exports = {}\n---\nBody\n",
    lenient: only("error front-matter-language 1:4"),
  },
  {
    title: "conflict markers in the block",
    text: "---\nname: n\n<<<<<<< ours\ndescription: d\n=======\ndescription: e\n>>>>>>> theirs\n---\nBody\n",
    lenient: only("error front-matter-conflict 3:1"),
  },
  {
    title: "a conflict around the whole file",
    text: `<<<<<<< ours\n${skillFile(head)}=======\n>>>>>>> theirs\n`,
    lenient: only("error front-matter-conflict 1:1"),
  },
  {
    title: "a block of 64 KiB is the largest",
    text: skillFile(`${head}\n#${"x".repeat(65_536 - head.length - 3)}`),
    lenient: nothing({ description: "d" }),
  },
  {
    title: "a larger block is refused",
    text: skillFile(`${head}\n#${"x".repeat(65_536 - head.length - 2)}`),
    lenient: only("error front-matter-too-large 1:1"),
  },
]);

table("encoding", [
  {
    title: "text of many scripts",
    text: bytes(skillFile("name: n\ndescription: Größe, 技能, مهارة, 🧬")),
    lenient: nothing({ description: "Größe, 技能, مهارة, 🧬" }),
  },
  {
    title: "a byte of another code page in a value",
    text: joined("---\nname: n\ndescription: caf", [0xe9], "\n---\nBody\n"),
    lenient: only("error not-utf-8"),
  },
  {
    title: "a byte of another code page in the body",
    text: joined(skillFile(head, "caf"), [0xe9]),
    lenient: only("error not-utf-8"),
  },
  { title: "UTF-16", text: joined([0xff, 0xfe, 0x2d, 0], "x"), lenient: only("error not-utf-8") },
  {
    title: "a character cut at the end of the file",
    text: joined(skillFile(head), [0xf0, 0x9f]),
    lenient: only("error not-utf-8"),
  },
]);

table("scalars", [
  {
    title: "text fields keep their source text",
    text: skillFile("name: 007\ndescription: yes\nversion: 1.10\nlicense: ~x\ntrigger: 0x1F"),
    lenient: {
      name: "007",
      description: "yes",
      keys: { name: "007", description: "yes", version: "1.10", trigger: "0x1F" },
      found: ["info field-extension 4:1", "info field-extension 6:1"],
    },
    strict: {
      name: "007",
      found: ["warning field-extension 4:1", "warning field-extension 6:1"],
    },
  },
  {
    title: "folding, chomping and indentation indicators",
    text: skillFile(
      "name: n\ndescription: |2-\n    two in\n  base\nlicense: >+\n  a\n  b: c\n\ncompatibility: x",
    ),
    lenient: nothing({
      description: "two in\nbase",
      keys: { license: "a b: c\n\n", compatibility: "x" },
    }),
  },
  {
    title: "plain text over several lines, as a formatter wraps it",
    text: skillFile(
      "name: n\ndescription:\n  Long text that\n  goes on.\nlicense: Starts\n  and ends",
    ),
    lenient: nothing({
      description: "Long text that goes on.",
      keys: { license: "Starts and ends" },
    }),
  },
  {
    title: "quotes of both kinds",
    text: skillFile(`name: "n"\ndescription: 'the user''s "notes"'\nlicense: "tab\\there"`),
    lenient: nothing({
      name: "n",
      description: `the user's "notes"`,
      keys: { license: "tab\there" },
    }),
  },
  {
    title: "a surrogate pair written as two escapes",
    text: skillFile(`${head}\nmetadata: {"pack": "\\ud83e\\uddec"}`),
    lenient: nothing({ keys: { metadata: { pack: "🧬" } } }),
  },
  {
    title: "half of a surrogate pair",
    text: skillFile(`${head}\nlicense: "a\\ud83e b"`),
    lenient: { keys: { license: "a\\ud83e b" }, found: ["warning yaml-lone-surrogate 4:12"] },
    strict: only("error yaml-lone-surrogate 4:12"),
  },
  {
    title: "a tab after the colon, and a flow map that closes at the margin",
    text: skillFile('name:\tn\ndescription: d\nmetadata: {\n  "a": "b"\n}'),
    lenient: nothing({ name: "n", keys: { metadata: { a: "b" } } }),
  },
  {
    title: "text after # is a comment, and that is said",
    text: skillFile("name: n\ndescription: Writes notes for the #releases channel."),
    lenient: {
      description: "Writes notes for the",
      found: ["warning yaml-comment-after-text 3:35"],
    },
  },
  {
    title: "# without a blank before it is text",
    text: skillFile("name: n\ndescription: Speaks C# and F#"),
    lenient: nothing({ description: "Speaks C# and F#" }),
  },
]);

table("collections", [
  {
    title: "other keys are kept whole, nested ones and their order too",
    text: skillFile(
      `${head}\nmetadata:\n  z: "1"\n  a: "2"\nx-more:\n  - {k: [1, 2.5, true, null, text]}`,
    ),
    lenient: {
      keys: { "x-more": [{ k: [1, 2.5, true, null, "text"] }] },
      found: ["warning field-unknown 7:1"],
    },
  },
  {
    title: "a number that would not print back as written stays text",
    text: skillFile(`${head}\nx: [1.10, 010, 1e3, 9007199254740993, 12]`),
    lenient: {
      keys: { x: ["1.10", "010", "1e3", "9007199254740993", 12] },
      found: ["warning field-unknown 4:1"],
    },
  },
  {
    title: "one bracket group is a list, whatever the field",
    text: skillFile(`${head}\nargument-hint: [file name]`),
    lenient: { keys: { "argument-hint": ["file name"] }, found: ["info field-extension 4:1"] },
    strict: { keys: { "argument-hint": ["file name"] }, found: ["warning field-extension 4:1"] },
  },
  {
    title: "__proto__ is an own key and nothing more",
    text: skillFile(`${head}\n__proto__:\n  polluted: true\nconstructor: c`),
    lenient: {
      keys: { constructor: "c" },
      found: ["warning field-unknown 4:1", "warning field-unknown 6:1"],
    },
  },
  {
    title: "a key twice: the first wins",
    text: skillFile("name: n\ndescription: first\ndescription: second"),
    lenient: { description: "first", found: ["warning yaml-duplicate-key 4:1"] },
    strict: only("error yaml-duplicate-key 4:1"),
  },
  {
    title: "a nested key twice: the same rule",
    text: skillFile(`${head}\nmetadata:\n  version: "1"\n  version: "2"`),
    lenient: { keys: { metadata: { version: "1" } }, found: ["warning yaml-duplicate-key 6:3"] },
    strict: only("error yaml-duplicate-key 6:3"),
  },
  {
    title: "a list is no front matter",
    text: skillFile("- name: n\n- description: d"),
    lenient: only("error yaml-not-a-map 2:1"),
  },
  {
    title: "nor is text",
    text: skillFile("just words"),
    lenient: only("error yaml-not-a-map 2:1"),
  },
  {
    title: "a block without keys lacks both fields",
    text: "---\n---\nBody\n",
    lenient: only(
      "warning name-missing 1:1",
      "error no-usable-name 1:1",
      "error description-missing 1:1",
    ),
    strict: only(
      "error name-missing 1:1",
      "error no-usable-name 1:1",
      "error description-missing 1:1",
    ),
  },
  {
    title: "a key that is a list",
    text: skillFile(`${head}\n? [a, b]\n: c`),
    lenient: {
      keys: { "[a, b]": "c" },
      found: ["warning yaml-complex-key 4:3", "warning field-unknown 4:3"],
    },
    strict: only("error yaml-complex-key 4:3", "warning field-unknown 4:3"),
  },
]);

table("anchors, aliases, tags and merge keys are never resolved", [
  {
    title: "an alias is its source text, a collection loses its anchor",
    text: skillFile(`${head}\na: &a [1, 2]\nb: [*a, *a]`),
    lenient: {
      keys: { a: [1, 2], b: ["*a", "*a"] },
      found: [
        "warning field-unknown 4:1",
        "warning yaml-anchor 4:4",
        "warning field-unknown 5:1",
        "warning yaml-alias 5:5",
        "warning yaml-alias 5:9",
      ],
    },
    strict: only(
      "warning field-unknown 4:1",
      "error yaml-anchor 4:4",
      "warning field-unknown 5:1",
      "error yaml-alias 5:5",
      "error yaml-alias 5:9",
    ),
  },
  {
    title: "a scalar with a tag or an anchor is its source text",
    text: skillFile(`${head}\nlicense: !x MIT\ncompatibility: &c Node`),
    lenient: {
      keys: { license: "!x MIT", compatibility: "&c Node" },
      found: ["warning yaml-tag 4:10", "warning yaml-anchor 5:16"],
    },
    strict: only("error yaml-tag 4:10", "error yaml-anchor 5:16"),
  },
  {
    title: "<< is a key",
    text: skillFile(`${head}\nmetadata:\n  <<: {a: b}`),
    lenient: {
      keys: { metadata: { "<<": { a: "b" } } },
      found: ["warning yaml-merge-key 5:3", "warning metadata-not-text 5:3"],
    },
    strict: only("error yaml-merge-key 5:3", "warning metadata-not-text 5:3"),
  },
]);

table("repair of what cannot be YAML, lenient only", [
  {
    title: "a colon and a blank inside a plain value",
    text: skillFile(
      "name: n\ndescription: Two axes: style and risk. Triggers: review.\nallowed-tools: Read",
    ),
    lenient: {
      description: "Two axes: style and risk. Triggers: review.",
      allowedTools: ["Read"],
      found: ["warning yaml-repaired 3:14"],
    },
    strict: only("error yaml-invalid 3:22"),
  },
  {
    title: "restrictions are kept with it",
    text: skillFile(
      "name: n\ndescription: For work: drafts\nallowed-tools: Read\ndisable-model-invocation: true",
    ),
    lenient: {
      allowedTools: ["Read"],
      keys: { "disable-model-invocation": true },
      found: ["warning yaml-repaired 3:14", "info field-extension 5:1"],
    },
    strict: only("error yaml-invalid 3:22"),
  },
  {
    title: "two bracket groups",
    text: skillFile(`${head}\nargument-hint: [target] [--fast]`),
    lenient: {
      keys: { "argument-hint": "[target] [--fast]" },
      found: ["info field-extension 4:1", "warning yaml-repaired 4:16"],
    },
    strict: only("error yaml-invalid 4:25"),
  },
  {
    title: "a leading @",
    text: skillFile("name: n\ndescription: @team writes this"),
    lenient: { description: "@team writes this", found: ["warning yaml-repaired 3:14"] },
    strict: only("error yaml-invalid 3:14"),
  },
  {
    title: "a leading `",
    text: skillFile("name: n\ndescription: `make` is run"),
    lenient: { description: "`make` is run", found: ["warning yaml-repaired 3:14"] },
    strict: only("error yaml-invalid 3:14"),
  },
  {
    title: "a leading %",
    text: skillFile("name: n\ndescription: %TEMP% is emptied"),
    lenient: { description: "%TEMP% is emptied", found: ["warning yaml-repaired 3:14"] },
    strict: only("error yaml-invalid 3:14"),
  },
  {
    title: "a quoted word followed by more",
    text: skillFile('name: n\ndescription: "Ship" means release'),
    lenient: { description: '"Ship" means release', found: ["warning yaml-repaired 3:14"] },
    strict: only("error yaml-invalid 3:21"),
  },
  {
    title: "nested, and with indented continuation lines",
    text: skillFile(`${head}\nmetadata:\n  note: one: two\n    and three\n  other: x`),
    lenient: {
      keys: { metadata: { note: "one: two and three", other: "x" } },
      found: ["warning yaml-repaired 5:9"],
    },
    strict: only("error yaml-invalid 5:12"),
  },
  {
    title: "what cannot be repaired is skipped, never half loaded",
    text: skillFile(`${head}\nallowed-tools: Read\njust words`),
    lenient: only("error yaml-invalid 6:1"),
  },
]);

test("what another parser reads as it is stays as it is", () => {
  const values = ["a:b", "http://x.y", "a 'quoted' word", "50% of it", "a, [b], {c}", "x & y * z"];
  for (const value of values) {
    const { skill, diagnostics } = parseSkill(skillFile(`name: n\ndescription: ${value}`));
    assert.equal(skill?.description, value);
    assert.deepEqual(diagnostics, [], value);
  }
});

test("an alias bomb costs what its text costs", () => {
  const lines = [..."abcdefgh"].map((key, index, keys) => {
    const before = keys[index - 1];
    const item = before === undefined ? "1" : `*${before}`;
    return `${key}: &${key} [${Array(9).fill(item).join(",")}]`;
  });
  const { skill } = parseSkill(skillFile(`${head}\n${lines.join("\n")}`));
  assert.deepEqual(skill?.frontMatter.h, Array(9).fill("*g"));
  assert.ok(JSON.stringify(skill).length < 2_000);
});

test("findings about one file are bounded", () => {
  const { diagnostics } = parseSkill(skillFile(`${head}\nx:${"\n  - *a".repeat(500)}`));
  assert.ok(diagnostics.length < 110, `${diagnostics.length}`);
  const more = diagnostics.find(({ code }) => code === "more-findings");
  assert.match(more?.message ?? "", /400 more/);
});

test("values are nested at most as deep as the limit says", () => {
  const nested = (depth: number): string =>
    skillFile(`${head}\nx: ${"[".repeat(depth)}${"]".repeat(depth)}`);
  assert.deepEqual(parseSkill(nested(64)).diagnostics.map(told), ["warning field-unknown 4:1"]);
  assert.deepEqual(
    parseSkill(nested(65)).diagnostics.map(({ code }) => code),
    ["yaml-too-deep"],
  );
  for (const depth of [1_000, 20_000]) {
    assert.deepEqual(
      parseSkill(nested(depth)).diagnostics.map(({ code }) => code),
      ["yaml-too-deep"],
    );
  }
});

test("a block that a formatter destroyed says so in a few words", () => {
  const text = `---\n\n## name: mangled\nversion: 1.0.0\ndescription: d\n\n# Title\n\nText with: colon.\n\n---\nRest\n`;
  for (const mode of ["lenient", "strict"] as const) {
    const { diagnostics } = parseSkill(text, { mode });
    assert.ok(
      diagnostics.some(({ code }) => code === "name-missing"),
      mode,
    );
    for (const { message } of diagnostics) assert.ok(message.length < 300, message);
  }
});

test("a finding never repeats kilobytes of a file", () => {
  for (const text of [
    `# ${"x".repeat(50_000)}`,
    skillFile(`name: ${"x".repeat(50_000)}\ndescription: d`),
    skillFile(`${"k".repeat(50_000)}: v`),
    skillFile(`${head}\n"${"x".repeat(50_000)}`),
  ]) {
    for (const { message } of parseSkill(text).diagnostics)
      assert.ok(message.length < 400, `${message.length}`);
  }
});

test("the order of keys is that of the file", () => {
  const { skill } = parseSkill(skillFile("zeta: 1\nname: n\nalpha: 2\ndescription: d\nbeta: 3"));
  assert.deepEqual(Object.keys(skill?.frontMatter ?? {}), [
    "zeta",
    "name",
    "alpha",
    "description",
    "beta",
  ]);
});

test("__proto__ in front matter changes no prototype", () => {
  const { skill } = parseSkill(skillFile(`${head}\n__proto__: {polluted: true}`));
  assert.ok(Object.hasOwn(skill?.frontMatter ?? {}, "__proto__"));
  assert.equal(Object.getPrototypeOf(skill?.frontMatter), Object.prototype);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

test("a skill is frozen all through", () => {
  const { skill } = parseSkill(skillFile(`${head}\nmetadata: {a: b}\nx: [{y: z}]`));
  assert.ok(skill);
  for (const part of [skill, skill.metadata, skill.frontMatter, skill.frontMatter.x]) {
    assert.ok(Object.isFrozen(part));
  }
});

test("text and its bytes read the same", () => {
  const text = skillFile("name: n\ndescription: Größe 🧬", "Küche");
  assert.deepEqual(parseSkill(bytes(text)), parseSkill(text));
  assert.deepEqual(parseSkill(Buffer.from(text)), parseSkill(text));
});

test("bytes may be a part of a larger buffer", () => {
  const text = skillFile(head);
  const larger = joined("xx", text, "yy");
  assert.deepEqual(parseSkill(larger.subarray(2, 2 + bytes(text).length)), parseSkill(text));
});

test("a body is there only with its skill", () => {
  assert.equal("body" in parseSkill(skillFile("name: n")), false);
  assert.equal("skill" in parseSkill(skillFile("name: n")), false);
});

test("a body over the limit is an error with both sizes", () => {
  const { skill, diagnostics } = parseSkill(skillFile(head, "x".repeat(1_048_577)));
  assert.equal(skill, undefined);
  assert.deepEqual(diagnostics.map(told), ["error body-too-large"]);
  assert.match(diagnostics[0]?.message ?? "", /1048577 .* 1048576/);
  assert.equal(parseSkill(skillFile(head, "x".repeat(1_048_576))).body?.length, 1_048_576);
});

test("never throws, whatever bytes it is given", () => {
  // A fixed sequence that looks random: the same bytes in every run.
  let state = 12_345;
  const next = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 16;
  };
  const pieces = [
    "---\n",
    "---",
    "name: n\n",
    "description: d\n",
    "a: [",
    "}",
    "*a",
    "&b",
    "\t",
    "\r\n",
    ": ",
    "- ",
    "'",
    '"',
    "|",
    ">",
    "#",
    "\\u",
    "\u{feff}",
  ];
  for (let round = 0; round < 2_000; round += 1) {
    const parts = Array.from({ length: next() % 12 }, () =>
      next() % 8 === 0 ? [next() & 255] : (pieces[next() % pieces.length] ?? ""),
    );
    const text = joined(...(next() % 2 === 0 ? ["---\n"] : []), ...parts);
    for (const mode of ["lenient", "strict"] as const) {
      const { skill, diagnostics } = parseSkill(text, { mode });
      const hasError = diagnostics.some(({ severity }) => severity === "error");
      assert.equal(
        skill === undefined,
        hasError,
        JSON.stringify(Buffer.from(text).toString("latin1")),
      );
    }
  }
});

test("what is neither text nor bytes is an error, not a throw", () => {
  for (const value of [
    undefined,
    null,
    7,
    {},
    [],
    Symbol("s"),
    new ArrayBuffer(4),
    new Uint16Array(4),
  ]) {
    const { skill, diagnostics } = parseSkill(value as unknown as string, { path: "n/SKILL.md" });
    assert.equal(skill, undefined);
    assert.deepEqual(
      diagnostics.map(({ code, path }) => [code, path]),
      [["content-not-text", "n/SKILL.md"]],
    );
  }
});

test("half of a surrogate pair in a string is no text, and nothing stands in for it", () => {
  for (const [text, byte] of [
    [skillFile("name: n\ndescription: é\ud800"), 27],
    [skillFile(head, "\udc00🧬"), 31],
  ] as const) {
    const { skill, diagnostics } = parseSkill(text);
    assert.equal(skill, undefined);
    assert.deepEqual(
      diagnostics.map(({ message }) => message),
      [`invalid UTF-8 at byte ${byte}`],
    );
  }
});

test("never throws, whatever options it is given", () => {
  const cycle: Record<string, unknown> = {};
  cycle.path = cycle;
  for (const [options, message] of [
    [{ mode: "strickt" }, /mode must be "lenient" or "strict"; it is "strickt"/],
    [{ mod: "strict" }, /mod is not known; mode is/],
    [{ path: 7 }, /path must be text; it is 7/],
    [{ profile: () => "anthropic" }, /profile must be/],
    ["strict", /an object is expected, not "strict"/],
    [[], /an object is expected, not a list/],
    [cycle, /circular|cyclic/i],
    [{ "\ud800": 1 }, /surrogate/],
  ] as const) {
    const { skill, body, diagnostics } = parseSkill(skillFile(head), options as ParseOptions);
    assert.deepEqual([skill, body], [undefined, undefined]);
    assert.deepEqual(diagnostics.map(told), ["error option-invalid"]);
    assert.match(diagnostics[0]?.message ?? "", message);
  }
  for (const options of [undefined, null, {}, { mod: undefined }, { mode: null }]) {
    assert.ok(parseSkill(skillFile(head), options as ParseOptions).skill);
  }
});

test("half of a surrogate pair in a path is shown as what it is in UTF-8", () => {
  const { skill, diagnostics } = parseSkill(skillFile(head), { path: "a\ud800/SKILL.md" });
  assert.ok(skill);
  assert.deepEqual(
    diagnostics.map(({ code, path }) => [code, path]),
    [["name-directory-mismatch", "a\ufffd/SKILL.md"]],
  );
});
