// Skills in code.

import assert from "node:assert/strict";
import path from "node:path";
import { describe, test } from "node:test";
import {
  defineSkill,
  loadSkillsSync,
  memoryHost,
  parseSkill,
  type SkillSpec,
  stringifySkill,
} from "skillshelf";
import { thrown } from "./support/errors.ts";
import { folder } from "./support/folder.ts";
import { shelf } from "./support/load.ts";
import { toldWithPath } from "./support/text.ts";

const spec: SkillSpec = {
  name: "changelog",
  description: "How to write an entry",
  content: "# Entries\n",
};

describe("what does not fit is refused with a remedy", () => {
  const cases: [
    title: string,
    change: Record<string, unknown>,
    code: string,
    message: RegExp,
    hint: RegExp,
  ][] = [
    [
      "a name with blanks and capitals",
      { name: "Bad Name" },
      "name-invalid",
      /"Bad Name" does not match/,
      /at most 64 of a-z/,
    ],
    [
      "a name that begins with a hyphen",
      { name: "-a" },
      "name-invalid",
      /"-a"/,
      /beginning with a letter or a digit/,
    ],
    ["a name that begins with an underscore", { name: "_a" }, "name-invalid", /"_a"/, /beginning/],
    [
      "a name of 65 characters",
      { name: "a".repeat(65) },
      "name-invalid",
      /does not match/,
      /at most 64/,
    ],
    ["an empty name", { name: "" }, "name-invalid", /""/, /at most 64/],
    ["a name with a line end", { name: "a\n" }, "name-invalid", /does not match/, /at most 64/],
    ["a missing name", { name: undefined }, "name-missing", /name is missing/, /at most 64/],
    [
      "a name that is a number",
      { name: 7 },
      "name-not-text",
      /name must be text; it is a number/,
      /at most 64/,
    ],
    [
      "a missing description",
      { description: undefined },
      "description-missing",
      /description is missing/,
      /when to use it/,
    ],
    [
      "a blank description",
      { description: " \n" },
      "description-missing",
      /description is empty/,
      /when to use it/,
    ],
    [
      "a missing content",
      { content: undefined },
      "content-missing",
      /content is missing/,
      /instructions/,
    ],
    ["a blank content", { content: "\t" }, "content-missing", /content is empty/, /instructions/],
    [
      "a version that is a number",
      { version: 1.1 },
      "field-invalid",
      /version must be text/,
      /pass text/,
    ],
    [
      "allowedTools as text",
      { allowedTools: "Read" },
      "field-invalid",
      /allowedTools must be a list/,
      /list of tool names/,
    ],
    [
      "an empty tool name",
      { allowedTools: [""] },
      "field-invalid",
      /not a tool's name/,
      /list of tool names/,
    ],
    ["a flag that is text", { modelInvocable: "no" }, "field-invalid", /true or false/, /boolean/],
    [
      "metadata that is a list",
      { metadata: [] },
      "field-invalid",
      /metadata must be an object/,
      /object/,
    ],
    [
      "extra that repeats a field",
      { extra: { description: "x" } },
      "extra-field-taken",
      /"description"/,
      /field itself/,
    ],
    [
      "half of a surrogate pair",
      { description: "a\ud83e" },
      "field-invalid",
      /well-formed/,
      /surrogates/,
    ],
    [
      "a value that is no data",
      { metadata: { n: 1n } },
      "field-invalid",
      /plain data/,
      /text, lists and objects/,
    ],
    ["a host without its methods", { host: {} }, "field-invalid", /list and read/, /memoryHost/],
    [
      "files with a path that leaves",
      { files: { "../x": "x" } },
      "field-invalid",
      /"\.\.\/x"/,
      /paths of files/,
    ],
    [
      "files with a path that is written in a roundabout way",
      { files: { "a//x": "x" } },
      "field-invalid",
      /"a\/\/x"/,
      /paths of files/,
    ],
    [
      "a file below a file",
      { files: { a: "x", "a/b": "x" } },
      "field-invalid",
      /"a\/b".*above it/,
      /paths of files/,
    ],
    [
      "the skill file among the files",
      { files: { "SKILL.md": "x" } },
      "field-invalid",
      /"SKILL\.md", which is the skill itself/,
      /its text is content/,
    ],
    [
      "a file that is neither text nor bytes",
      { files: { "a.md": 7 } },
      "field-invalid",
      /"a\.md" in files is neither text nor bytes/,
      /Uint8Array/,
    ],
    ["files as a list", { files: ["a"] }, "field-invalid", /files must be an object/, /paths/],
    [
      "files and a host",
      { files: {}, host: memoryHost({}) },
      "field-invalid",
      /given twice/,
      /either files, or a directory/,
    ],
    [
      "files and a directory",
      { files: {}, directory: "a" },
      "field-invalid",
      /given twice/,
      /either files, or a directory/,
    ],
    [
      "a directory that is a URL",
      { directory: new URL("file:///a") },
      "field-invalid",
      /directory is a URL/,
      /fileURLToPath/,
    ],
    ["an empty directory", { directory: "" }, "field-invalid", /directory is empty/, /"\."/],
    [
      "a misspelled field",
      { modelInvokable: false },
      "field-invalid",
      /"modelInvokable" is not a field of a skill; modelInvocable is/,
      /extra/,
    ],
    ["data with a cycle", { metadata: cyclic() }, "field-invalid", /plain data/, /text, lists/],
  ];
  for (const [title, change, code, message, hint] of cases) {
    test(title, () => {
      const error = thrown(() => defineSkill({ ...spec, ...change } as SkillSpec));
      assert.equal(error.code, "SKILL_INVALID");
      const [finding] = error.diagnostics;
      assert.equal(finding?.code, code);
      assert.equal(finding?.severity, "error");
      assert.match(finding?.message ?? "", message);
      assert.match(finding?.hint ?? "", hint);
      assert.match(error.message, message);
      assert.match(error.message, hint, "the message has the remedy too");
    });
  }
  for (const [title, value] of [
    ["nothing", undefined],
    ["null", null],
    ["text", "x"],
  ] as const) {
    test(`${title} in the place of a skill`, () => {
      assert.equal(thrown(() => defineSkill(value as unknown as SkillSpec)).code, "SKILL_INVALID");
    });
  }
});

function cyclic(): object {
  const data: Record<string, unknown> = {};
  data.self = data;
  return data;
}

test("what is undefined or null is absent", () => {
  const nothing = {
    files: null,
    directory: null,
    host: undefined,
    version: null,
    other: undefined,
  };
  assert.equal(defineSkill({ ...spec, ...nothing } as never).name, "changelog");
});

test("a skill that was read is defined again, with its content", () => {
  const { skill, body } = parseSkill("---\nname: read\ndescription: d\nversion: 1.0\n---\nBody");
  assert.ok(skill && body);
  const again = defineSkill({ ...skill, content: body } as unknown as SkillSpec);
  assert.deepEqual([again.name, again.version, again.content], ["read", "1.0", "Body"]);
});

test("every fault is told at once", () => {
  const error = thrown(() => defineSkill({ name: "B", description: "", content: "" }));
  assert.deepEqual(
    error.diagnostics.map(({ code }) => code),
    ["name-invalid", "description-missing", "content-missing"],
  );
  assert.match(error.message, /and 2 more/);
});

test("a name may have underscores, digits first and 64 characters", () => {
  for (const name of ["a", "0", "snake_case", "a-_b-", "9".repeat(64)]) {
    assert.equal(defineSkill({ ...spec, name }).name, name);
  }
});

test("a skill has the fields it was given, and is frozen", () => {
  const skill = defineSkill({
    ...spec,
    description: "  Trimmed  ",
    version: "1.10",
    license: "MIT",
    compatibility: "Node",
    allowedTools: ["Read", "Bash(git add:*)"],
    metadata: { team: "docs", nested: { a: [1] } },
    trigger: "release",
    modelInvocable: false,
    userInvocable: false,
    extra: { owner: "me" },
  });
  assert.deepEqual(
    { ...skill, frontMatter: Object.keys(skill.frontMatter).sort() },
    {
      name: "changelog",
      description: "Trimmed",
      version: "1.10",
      license: "MIT",
      compatibility: "Node",
      allowedTools: ["Read", "Bash(git add:*)"],
      metadata: { team: "docs", nested: { a: [1] } },
      trigger: "release",
      modelInvocable: false,
      userInvocable: false,
      content: "# Entries\n",
      frontMatter: [
        "allowed-tools",
        "compatibility",
        "description",
        "disable-model-invocation",
        "license",
        "metadata",
        "name",
        "owner",
        "trigger",
        "user-invocable",
        "version",
      ],
    },
  );
  assert.ok(Object.isFrozen(skill) && Object.isFrozen(skill.metadata.nested));
});

test("what is edited in the specification later changes nothing", () => {
  const metadata = { team: "docs" };
  const skill = defineSkill({ ...spec, metadata });
  metadata.team = "other";
  assert.deepEqual(skill.metadata, { team: "docs" });
  assert.equal(Object.isFrozen(metadata), false, "what the caller has is not frozen");
});

test("it loads, with its body trimmed", () => {
  using catalog = loadSkillsSync(defineSkill(spec));
  assert.deepEqual(catalog.names, ["changelog"]);
  assert.equal(catalog.body("changelog"), "# Entries");
});

test("files in code are read and listed", () => {
  const skill = defineSkill({
    ...spec,
    files: { "references/a.md": "A", "b.bin": new Uint8Array([0, 255]) },
  });
  using catalog = loadSkillsSync(skill);
  assert.equal(
    catalog.call("read_skill_file", { skill: "changelog", path: "references/a.md" }).content,
    "A",
  );
  const { content } = catalog.call("load_skill", { name: "changelog" });
  assert.match(content, /<file>b\.bin<\/file>\n<file>references\/a\.md<\/file>/);
});

test("a directory on a host is the jail", () => {
  const host = memoryHost({ "pdf/forms.md": "F", "secret.md": "S" });
  using catalog = loadSkillsSync(defineSkill({ ...spec, name: "pdf", directory: "pdf", host }));
  assert.equal(catalog.call("read_skill_file", { skill: "pdf", path: "forms.md" }).content, "F");
  assert.equal(
    catalog.call("read_skill_file", { skill: "pdf", path: "../secret.md" }).code,
    "PATH_REFUSED",
  );
});

test("a directory that is not there is a warning, on the disk too", () => {
  const absent = path.join(folder(), "absent");
  for (const [more, shown] of [
    [{ directory: absent }, absent],
    [{ directory: "absent", host: memoryHost({ "a.md": "A" }) }, "absent"],
  ] as const) {
    using catalog = loadSkillsSync(defineSkill({ ...spec, ...more }), { onDiagnostic: () => {} });
    assert.deepEqual(catalog.diagnostics.map(toldWithPath), [
      `warning files-directory-missing ${shown}`,
    ]);
    assert.equal(catalog.body("changelog"), "# Entries", "the skill is there all the same");
  }
});

test("without files there is only load_skill", () => {
  using catalog = loadSkillsSync(defineSkill(spec));
  assert.deepEqual(
    catalog.tools().map(({ name }) => name),
    ["load_skill"],
  );
  assert.equal("directory" in (catalog.get("changelog")?.source ?? {}), false);
});

test("a skill that is only copied has lost its files, and says so", () => {
  const copy = { ...defineSkill({ ...spec, files: { a: "A" } }) };
  const error = thrown(() => loadSkillsSync(copy));
  assert.equal(error.code, "SOURCE_UNSUPPORTED");
  assert.match(error.message, /a copy of a skill, which has lost its files/);
});

test("own keys that other code gives a meaning are kept as data", () => {
  const extra = JSON.parse('{"__proto__": {"polluted": true}, "constructor": "c"}');
  const skill = defineSkill({ ...spec, extra });
  assert.ok(Object.hasOwn(skill.frontMatter, "__proto__"));
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  using catalog = loadSkillsSync(defineSkill({ ...spec, name: "constructor" }));
  assert.equal(catalog.get("constructor")?.name, "constructor");
  assert.equal(catalog.get("__proto__"), undefined);
  assert.equal(catalog.get("toString"), undefined);
});

test("code and files mix, the earlier one wins", () => {
  using fromFiles = shelf({
    "changelog/SKILL.md": "---\nname: changelog\ndescription: file\n---\nFile",
  });
  using one = loadSkillsSync([defineSkill(spec), fromFiles], { onDiagnostic: () => {} });
  using other = loadSkillsSync([fromFiles, defineSkill(spec)], { onDiagnostic: () => {} });
  assert.deepEqual([one.body("changelog"), other.body("changelog")], ["# Entries", "File"]);
});

describe("a skill that was read", () => {
  const text =
    "---\nname: a\ndescription: d\nlicense: MIT\nwhen_to_use: often\nteam: [docs]\n---\nBody";

  test("is spread, edited and written again, and nothing is lost", () => {
    const read = parseSkill(text);
    assert.ok(read.skill);
    const { skill, body } = read;
    assert.deepEqual(parseSkill(stringifySkill({ ...skill, content: body })).skill, skill);
    const { license: _, ...rest } = skill;
    const edited = { ...rest, description: "e", content: "New", extra: { team: "web" } };
    const again = parseSkill(stringifySkill(edited));
    assert.deepEqual(again.skill?.frontMatter, {
      name: "a",
      description: "e",
      when_to_use: "often",
      team: "web",
    });
    assert.equal(again.body, "New");
  });

  test("defineSkill takes its further keys by hand, too", () => {
    const spec = { name: "a", description: "d", content: "c", frontMatter: { x: 1, name: "b" } };
    assert.deepEqual(defineSkill(spec).frontMatter, { name: "a", description: "d", x: 1 });
  });
});
