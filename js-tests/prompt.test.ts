// `skillshelf/prompt`: a system prompt as a document. The rules are tested with the core; here is
// what crosses the border.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, mock, test } from "node:test";
import fc from "fast-check";
import { type Diagnostic, defineSkill, loadSkills, loadSkillsSync, SkillError } from "skillshelf";
import {
  type Agent,
  type Participant,
  type SystemPromptOptions,
  systemPrompt,
} from "skillshelf/prompt";
import { thrown } from "./support/errors.ts";
import { shelf } from "./support/load.ts";
import { skillFile, validSkill } from "./support/text.ts";

const participants: Participant[] = [{ name: "Ada", role: "owner" }];
const agents: Agent[] = [{ id: "researcher", card: { name: "R", description: "Reads." } }];
const BODY = "BODY-OF-THE-SKILL";

function headings(prompt: string): (string | undefined)[] {
  return [...prompt.matchAll(/^## (.*)$/gm)].map(([, name]) => name);
}

function section(prompt: string, name: string): string {
  return prompt.split(/^## /m).find((text) => text.startsWith(`${name}\n`)) ?? "";
}

describe("the document", () => {
  test("without options it is a good default", () => {
    assert.deepEqual(headings(systemPrompt()), ["Role", "Rules", "Agents"]);
    assert.equal(systemPrompt({}), systemPrompt());
    assert.deepEqual(headings(systemPrompt({ agents: [] })), ["Role", "Rules"]);
  });
  test("everything has its section, the stable ones first", () => {
    const catalog = shelf({ "pdf/SKILL.md": validSkill("pdf", "Fills in forms") });
    const prompt = systemPrompt({
      base: "# Me\n\n## task\nDo it.\n\n## Voice\nShort.\n\n## ROLE\nYou.\n",
      task: "# Ship\n\nNow.",
      participants,
      agents,
      catalog,
      tools: [{ name: "grep", description: "Finds\ntext." }, { name: "cat" }],
    });
    assert.ok(prompt.startsWith("# Me\n\n## ROLE\n\nYou.\n\n## Voice\n\nShort.\n\n## Tools\n"));
    assert.deepEqual(headings(prompt), [
      "ROLE",
      "Voice",
      "Tools",
      "Agents",
      "Skills",
      "Participants",
      "task",
    ]);
    assert.match(section(prompt, "Tools"), /\n\n- cat\n- grep: Finds text\.\n\n$/);
    assert.match(
      section(prompt, "Agents"),
      /never instructions\.\n\n- researcher \(R\): Reads\.\n/,
    );
    assert.match(section(prompt, "Participants"), /\n\n- "Ada": owner\n/);
    assert.equal(section(prompt, "task"), "task\n\nDo it.\n\n### Ship\n\nNow.");
  });
  test("a plugin replaces it, another extends a section of it; files are text or bytes", () => {
    const prompt = systemPrompt({
      base: "Old.",
      participants,
      plugins: [
        {
          namespace: "org.example.a",
          files: {
            "more.md": new TextEncoder().encode("\u{feff}---\r\nextends: voice\r\n---\r\nWärmer."),
            "logo.png": new Uint8Array([0xff]),
          },
        },
        { namespace: "org.example.b", files: { "systemprompt.md": "New.\n## Voice\nWarm." } },
      ],
    });
    assert.ok(prompt.startsWith("New.\n\n## Voice\n\nWarm.\n\nWärmer.\n\n## Participants\n"));
  });
});

describe("the index", () => {
  const catalog = shelf({
    "pdf/SKILL.md": skillFile("name: pdf\ndescription: Fills in forms", BODY),
    "hidden/SKILL.md": skillFile("name: hidden\ndescription: d\ndisable-model-invocation: true"),
  });
  test("is the catalog's, without a heading of its own", () => {
    const prompt = systemPrompt({ base: "", catalog });
    assert.equal(prompt, `## Skills\n\n${catalog.prompt({ heading: "" })}`);
    assert.ok(!prompt.includes(BODY) && !prompt.includes("hidden"));
  });
  test("looks as the options say, and stays in its section", () => {
    const index = { heading: "## Know-how", style: "xml", rename: { load_skill: "use" } } as const;
    const prompt = systemPrompt({ base: "", catalog, index });
    assert.deepEqual(headings(prompt), ["Skills"]);
    assert.ok(prompt.startsWith("## Skills\n\n### Know-how\n\nBefore you"));
    assert.ok(prompt.includes("`use`") && prompt.endsWith("</available_skills>"));
    assert.equal(
      thrown(() => systemPrompt({ catalog, index: { style: "x" as "xml" } })).code,
      "SOURCE_UNSUPPORTED",
    );
  });
  test("of a catalog with promises, of a view, of whatever has a prompt", async () => {
    const skill = defineSkill({ name: "tea", description: "Brews", content: BODY });
    const tea = await loadSkills(skill);
    assert.match(systemPrompt({ catalog: tea }), /^## Skills\n\n.*\n\n- tea: Brews$/m);
    assert.doesNotMatch(systemPrompt({ catalog: tea.only(["coffee"]) }), /Skills/);
    const session = { prompt: () => "## Forged\n```" };
    assert.equal(systemPrompt({ base: "", catalog: session }), "## Skills\n\n### Forged\n```\n```");
  });
  test("the tools of a catalog can be listed", () => {
    const tools = systemPrompt({ base: "", tools: new Set(catalog.tools()) });
    assert.match(tools, /^- load_skill: .+$/m);
  });
  test("names the tools as those that are listed", async () => {
    const rename = { load_skill: { name: "use_skill", arguments: { name: "skill_name" } } };
    const own = [{ name: "grep", description: "Finds text." }];
    const promised = await loadSkills(
      defineSkill({ name: "tea", description: "Brews", content: BODY }),
    );
    for (const [skills, tools] of [
      [catalog, catalog.tools({ rename })],
      [catalog, [...own, ...catalog.tools({ rename, taken: ["grep"] })]],
      [catalog, new Set(catalog.session().tools({ rename }))],
      [catalog.session(), catalog.session().tools({ rename })],
      [promised, promised.tools({ rename })],
      [promised.session(), promised.session().tools({ rename })],
      [catalog, catalog.session({ tools: { rename } }).tools()],
    ] as const) {
      const prompt = systemPrompt({ base: "", catalog: skills, tools });
      const index = skills.prompt({ heading: "", rename });
      assert.ok(index.includes("call the `use_skill` tool"), index);
      assert.equal(section(prompt, "Skills"), `Skills\n\n${index}`);
    }
    const tools = catalog.tools({ rename });
    const index = { heading: "Know-how", rename: { load_skill: "take" } };
    const prompt = systemPrompt({ base: "", catalog, tools, index });
    assert.match(section(prompt, "Skills"), /^Skills\n\nKnow-how\n\n.*`take`/);
    for (const plain of [catalog.tools(), catalog.tools({ set: "full" }), own, []]) {
      const listed = systemPrompt({ base: "", catalog, tools: plain });
      assert.equal(section(listed, "Skills"), `Skills\n\n${catalog.prompt({ heading: "" })}`);
    }
  });
});

describe("what is off", () => {
  const plugins = [
    { namespace: "org.example", files: { "a.md": "---\nextends: rulez\n---\nx", "b.md": "x" } },
    { namespace: "org.bytes", files: { "c.md": new Uint8Array([0x61, 0xff]) } },
  ];
  test("is a diagnostic, and the file is left out", () => {
    const found: Diagnostic[] = [];
    const prompt = systemPrompt({ plugins, onDiagnostic: (diagnostic) => found.push(diagnostic) });
    assert.equal(prompt, systemPrompt());
    assert.deepEqual(
      found.map(({ severity, code, path, line, column }) => [severity, code, path, line, column]),
      [
        ["info", "prompt-file-passed-over", "org.example/b.md", undefined, undefined],
        ["error", "not-utf-8", "org.bytes/c.md", undefined, undefined],
        ["error", "prompt-section-unknown", "org.example/a.md", 2, 10],
      ],
    );
    assert.equal(found[1]?.message, "invalid UTF-8 at byte 1");
    assert.match(
      found.at(-1)?.hint ?? "",
      /role, rules, tools, agents, skills, participants, task/,
    );
  });
  test("is one console.warn a file without onDiagnostic", () => {
    const warn = mock.method(console, "warn", () => {});
    systemPrompt({ plugins });
    const told = warn.mock.calls.map(({ arguments: [text] }) => String(text));
    warn.mock.restore();
    assert.equal(told.length, 2);
    assert.match(
      told[1] ?? "",
      /^skillshelf: org\.example\/a\.md:2:10: there is no section "rulez"/,
    );
  });
  test("throws where it should", () => {
    const error = thrown(() => systemPrompt({ plugins, invalid: "throw", onDiagnostic() {} }));
    assert.ok(SkillError.isInstance(error));
    assert.equal(error.code, "SOURCE_UNSUPPORTED");
    assert.equal(error.diagnostics.length, 3);
    assert.equal(error.path, "org.bytes/c.md");
  });
});

describe("what a developer gets wrong throws", () => {
  const wrong: [title: string, options: unknown, message: RegExp][] = [
    ["an unknown option", { participant: [] }, /participant is not known; participants is/],
    ["text for options", "You.", /an object is expected, not "You\."/],
    ["a catalog that is none", { catalog: {} }, /catalog must be a catalog or a session/],
    [
      "a promise of a catalog",
      { catalog: loadSkills([]) },
      /catalog must be a catalog or a session/,
    ],
    ["a path for a catalog", { catalog: "skills" }, /catalog/],
    ["options of the index that are none", { index: 7 }, /index must be an object; it is 7/],
    ["tools that are no list", { tools: { grep: {} } }, /tools must be a list; it is an object/],
    ["plugins that are no list", { plugins: {} }, /plugins must be a list; it is an object/],
    [
      "a plugin without files' content",
      { plugins: [{ namespace: "a", files: { "a.md": 7 } }] },
      /plugins\[0\]\.files has no content for "a\.md"/,
    ],
    ["a plugin that is none", { plugins: [null] }, /plugins\[0\] must be an object/],
    ["an agent without an id", { agents: [{ card: "x" }] }, /agents\[0\]\.id is missing/],
    [
      "two agents with one id",
      { agents: [agents[0], agents[0]] },
      /agents\[1\]\.id "researcher" is there twice/,
    ],
    [
      "a participant without a role",
      { participants: [{ name: "Ada" }] },
      /participants\[0\]\.role is missing/,
    ],
    ["a function for a task", { task: () => "x" }, /task must be text; it is a function/],
    [
      "what is no data",
      { agents: [{ id: "a", card: { self: cyclic() } }] },
      /an object is expected/,
    ],
  ];
  for (const [title, options, message] of wrong) {
    test(title, () => {
      const error = thrown(() => systemPrompt(options as SystemPromptOptions));
      assert.equal(error.code, "SOURCE_UNSUPPORTED");
      assert.match(error.message, message);
    });
  }
  test("null and undefined are absent", () => {
    const absent = {
      base: undefined,
      catalog: null,
      plugins: null,
      tools: undefined,
      agents: null,
    };
    assert.equal(systemPrompt(absent as unknown as SystemPromptOptions), systemPrompt());
  });
});

function cyclic(): object {
  const object: Record<string, unknown> = {};
  object.self = object;
  return object;
}

test("half a character is no fault", () => {
  const prompt = systemPrompt({
    task: "cut \ud83d",
    participants: [{ name: "A\udc00", role: "r" }],
  });
  assert.ok(prompt.includes("cut \ufffd") && prompt.includes('"A\ufffd"'));
});

test("__proto__ is a path like any other", () => {
  const files = JSON.parse(
    '{ "__proto__": "x", "constructor.md": "---\\nextends: rules\\n---\\n- c" }',
  );
  assert.match(systemPrompt({ plugins: [{ namespace: "a", files }], agents: [] }), /\n\n- c$/);
});

describe("what a provider's cache can keep", () => {
  const catalog = shelf({ "pdf/SKILL.md": validSkill("pdf", "Fills in forms") });
  const tools = [{ name: "grep", description: "Finds text." }];
  const all: SystemPromptOptions = { tools, agents, catalog, participants, task: "One." };
  const prompt = systemPrompt(all);
  const other = shelf({ "zip/SKILL.md": validSkill("zip", "Packs") });
  const changes: [section: string, change: SystemPromptOptions][] = [
    ["Tools", { tools: [...tools, { name: "zap" }] }],
    ["Agents", { agents: [...agents, { id: "z" }] }],
    ["Skills", { catalog: other }],
    ["Participants", { participants: [...participants, { name: "Zoe", role: "guest" }] }],
    ["Task", { task: "Two." }],
  ];
  for (const [name, change] of changes) {
    test(`${name}: what stands before it stays, byte for byte`, () => {
      const changed = systemPrompt({ ...all, ...change });
      const start = prompt.indexOf(`## ${name}\n`);
      assert.notEqual(changed, prompt);
      assert.equal(changed.slice(0, start), prompt.slice(0, start));
    });
  }
  test("the same options give the same bytes, whatever the order of tools, agents and files", () => {
    const entry = fc.record({ id: fc.stringMatching(/^[a-z]{1,6}$/), card: fc.string() });
    const unique = fc.uniqueArray(entry, { selector: ({ id }) => id, maxLength: 5 });
    fc.assert(
      fc.property(unique, unique, (some, others) => {
        const toolList = others.map(({ id, card }) => ({ name: id, description: card }));
        const files = some.map(({ id, card }) => [
          `${id}.md`,
          `---\nextends: rules\n---\nx${card}`,
        ]);
        const make = (turn: <T>(list: T[]) => T[]): string =>
          systemPrompt({
            agents: turn(some),
            tools: turn(toolList),
            plugins: [{ namespace: "n", files: Object.fromEntries(turn(files)) }],
          });
        assert.equal(
          make((list) => list.toReversed()),
          make((list) => list),
        );
      }),
      { numRuns: 100, seed: 11 },
    );
  });
});

describe("the entries", () => {
  const run = (program: string): unknown => {
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: import.meta.dirname,
      encoding: "utf8",
    });
    return JSON.parse(printed);
  };
  const print = "process.stdout.write(JSON.stringify(systemPrompt({ base: 'You.' })))";
  test("skillshelf/prompt works by itself", () => {
    assert.equal(run(`import { systemPrompt } from "skillshelf/prompt"; ${print}`), "You.");
  });
  test("skillshelf/slim/prompt has the module that slim was given", () => {
    const program = `
      import { readFileSync } from "node:fs";
      import { init } from "skillshelf/slim";
      import { systemPrompt } from "skillshelf/slim/prompt";
      try { systemPrompt(); } catch (error) { if (error.code !== "NOT_INITIALIZED") throw error; }
      await init(readFileSync(new URL(import.meta.resolve("skillshelf/skillshelf.wasm"))));
      ${print}`;
    assert.equal(run(program), "You.");
  });
});

test("a catalog that was disposed of says so", () => {
  const catalog = loadSkillsSync([]);
  catalog.dispose();
  assert.equal(thrown(() => systemPrompt({ catalog })).code, "NOT_INITIALIZED");
});

test("tools are a collection that ends", () => {
  function* endless(): Generator<{ name: string }> {
    for (let number = 0; ; number += 1) yield { name: `tool-${number}` };
  }
  const error = thrown(() => systemPrompt({ tools: endless() }));
  assert.equal(error.code, "SOURCE_UNSUPPORTED");
  assert.match(error.message, /tools cannot be read as a list: it has more than 100000/);
});
