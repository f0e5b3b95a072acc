// The index under a budget, through the package: the developer's own functions, and the tools that
// go with the text. What is cut where is tested in the core.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { estimateTokens, loadSkills, memoryHost, type PromptOptions, type Skill } from "skillshelf";
import { thrown } from "./support/errors.ts";
import { shelf } from "./support/load.ts";
import { validSkill } from "./support/text.ts";

const DESCRIPTION = "Does one of the many things that a person may want to have done some day";

function files(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const name = `skill-${String(index).padStart(5, "0")}`;
      return [`group-${index % 7}/${name}/SKILL.md`, validSkill(name, DESCRIPTION)];
    }),
  );
}

const hundred = shelf(files(100));

test("a prompt is no longer than its budget, and says the same as the report", () => {
  for (const characters of [0, 100, 300, 1000, 3000, 8000, 20_000]) {
    const report = hundred.index({ budget: { characters } });
    assert.ok([...report.text].length <= characters, `${report.characters} of ${characters}`);
    assert.equal(hundred.prompt({ budget: { characters } }), report.text);
    assert.equal(report.listed + report.omitted.length, 100);
  }
});

test("8,000 characters hold all names of a hundred skills and as much of each description", () => {
  const report = hundred.index({ budget: { characters: 8000 } });
  assert.equal(report.form, "shortened");
  assert.equal(report.shortened.length, 100);
  const lengths = report.text
    .split("\n")
    .slice(4)
    .map((line) => line.length);
  assert.equal(Math.max(...lengths), Math.min(...lengths));
  assert.ok(report.characters > 7000);
});

describe("a tokenizer of the developer's", () => {
  test("decides, and is asked at most 20 times", () => {
    for (const tokens of [10, 50, 100, 400, 900, 1500, 2500, 5000]) {
      const asked: string[] = [];
      const count = (text: string): number => {
        asked.push(text);
        return Math.ceil(text.length / 3.7);
      };
      const report = hundred.index({ budget: { tokens, count } });
      assert.ok(asked.length <= 20, `${asked.length}`);
      assert.equal(report.tokens, report.text === "" ? 0 : count(report.text));
      assert.ok(report.tokens <= tokens);
    }
  });
  test("that throws is the caller's to catch", () => {
    const count = (): number => {
      throw new RangeError("no vocabulary");
    };
    assert.throws(() => hundred.prompt({ budget: { tokens: 100, count } }), /no vocabulary/);
  });
  test("that gives no number is refused", () => {
    const count = (): number => Number.NaN;
    const error = thrown(() => hundred.prompt({ budget: { tokens: 100, count } }));
    assert.equal(error.code, "SOURCE_UNSUPPORTED");
  });
});

describe("what comes first", () => {
  const budget = { characters: 4000 };
  const first = (options: PromptOptions): string | undefined =>
    hundred.prompt({ budget, ...options }).split("\n")[4];
  test("is what is pinned", () => {
    const pinned = ["skill-00077", "skill-00003"];
    assert.equal(first({ pinned }), `- skill-00077: ${DESCRIPTION}`);
  });
  test("then what has a higher priority", () => {
    const priority = (skill: Skill): number => (skill.name === "skill-00042" ? 1 : 0);
    assert.equal(first({ priority }), `- skill-00042: ${DESCRIPTION}`);
    assert.equal(first({ priority, pinned: ["skill-00007"] }), `- skill-00007: ${DESCRIPTION}`);
  });
  test("a function that gives no number is refused", () => {
    const priority = (): number => Number.NaN;
    assert.match(
      thrown(() => first({ priority })).message,
      /priority must give a number for each skill; for "skill-00000" it gave "NaN"/,
    );
  });
  test("a function that promises is refused, and what it promises ends nothing", async () => {
    const priority = (async () => {
      throw new Error("later");
    }) as unknown as (skill: Skill) => number;
    assert.equal(thrown(() => first({ priority })).code, "SOURCE_UNSUPPORTED");
    await new Promise((resolve) => setImmediate(resolve));
  });
});

describe("groups", () => {
  const budget = { characters: 900 };
  test("are those of the directories, or what the developer's function says", () => {
    assert.match(hundred.prompt({ budget }), /^- "group-1" \(15 skills\): skill-00001/m);
    const group = ({ name }: Skill): string => (name < "skill-00050" ? "early" : "late");
    assert.match(hundred.prompt({ budget, group }), /^- "late" \(50 skills\): skill-00050/m);
  });
  test("a function's groups are those that list_skills knows, also of what is found later", async () => {
    const written = files(100);
    const catalog = await loadSkills({ host: memoryHost(written), label: "m" });
    const group = ({ name }: Skill): string => (name < "skill-00050" ? "early" : "late");
    const tools = catalog.tools({ index: { budget, group } });
    assert.match((await tools.call("list_skills", { group: "late" })).content, /1 to 50 of 50 /);
    written["skill-00099b/SKILL.md"] = validSkill("skill-00099b");
    await catalog.refresh();
    assert.match((await tools.call("list_skills", { group: "late" })).content, /1 to 50 of 51 /);
  });
});

test("names without descriptions come with search, in the text and among the tools", () => {
  const index: PromptOptions = { budget: { characters: 1900 } };
  const { form, text, tools } = hundred.index(index);
  assert.equal(form, "shortened");
  assert.match(text, /call `search_skills` with words of the task/);
  assert.deepEqual(tools, ["load_skill", "search_skills"]);
  assert.ok(hundred.tools({ index }).some(({ name }) => name === "search_skills"));
});

test("tools are those that the text names", () => {
  const names = (index: PromptOptions): string[] =>
    hundred.tools({ index }).map(({ name }) => name);
  const basic = ["load_skill", "read_skill_file"];
  assert.deepEqual(names({}), basic);
  assert.deepEqual(names({ budget: { characters: 8000 } }), basic);
  for (const [characters, more] of [
    [900, ["list_skills", "search_skills"]],
    [250, ["search_skills"]],
    // Not a word fits: then a model has to search.
    [10, ["search_skills"]],
  ] as const) {
    const index: PromptOptions = { budget: { characters } };
    assert.deepEqual(names(index).toSorted(), [...basic, ...more].toSorted());
    const { tools, text } = hundred.index(index);
    for (const tool of tools) assert.ok(text.includes(`\`${tool}\``), `${tool} in ${text}`);
  }
});

test("which tools an index names is no option of a developer's", () => {
  const catalog = shelf({ "a/SKILL.md": validSkill("a") });
  const names = (options: object) => catalog.tools(options).map(({ name }) => name);
  assert.deepEqual(names({ "~namedByIndex": ["search_skills"] }), names({}));
});

test("a tokenizer is asked when tools are made, and not at each call", async () => {
  let asked = 0;
  const count = (text: string): number => {
    asked += 1;
    return text.length / 4;
  };
  const tools = hundred.tools({ index: { budget: { tokens: 300, count } } });
  const before = asked;
  tools.call("load_skill", { name: "skill-00001" });
  assert.equal(asked, before);
});

test("nor where a function tells the groups, which is asked for each call", async () => {
  const asked = { count: 0, priority: 0, group: 0 };
  const index: PromptOptions = {
    budget: {
      tokens: 300,
      count: (text) => {
        asked.count += 1;
        return text.length / 4;
      },
    },
    priority: () => {
      asked.priority += 1;
      return 0;
    },
    group: () => {
      asked.group += 1;
      return "all";
    },
  };
  const tools = hundred.tools({ index });
  const before = { ...asked };
  await tools.call("list_skills", { group: "all" });
  assert.deepEqual({ ...asked, group: 0 }, { ...before, group: 0 });
  assert.ok(asked.group > before.group);
});

test("a session's prompt is the index that its tools are for, unless it is told otherwise", () => {
  const index: PromptOptions = { budget: { characters: 900 }, heading: "# Skills" };
  const session = hundred.session({ tools: { index } });
  assert.equal(session.prompt(), hundred.prompt(index));
  assert.deepEqual(
    session.index({ heading: "## S" }),
    hundred.index({ ...index, heading: "## S" }),
  );
  assert.deepEqual(
    session.tools().map(({ name }) => name),
    hundred.tools({ index }).map(({ name }) => name),
  );
});

test("a session asks for groups as its catalog does: also for what is found later", async () => {
  const written = files(3);
  const catalog = await loadSkills({ host: memoryHost(written), label: "m" });
  const session = catalog.session({ tools: { index: { group: () => "mine" } } });
  const own = session.tools();
  written["later/SKILL.md"] = validSkill("later");
  await catalog.refresh();
  for (const call of [own.call, session.tools().call, session.tools({ set: "full" }).call]) {
    assert.match((await call("list_skills", { group: "mine" })).content, /1 to 4 of 4 /);
  }
  const called = await session.call("list_skills", { group: "mine" });
  assert.match(called.content, /1 to 4 of 4 /);
});

test("tools are named in the text as they are renamed", () => {
  const rename = { search_skills: "find", list_skills: { arguments: { group: "topic" } } };
  const text = hundred.prompt({ budget: { characters: 900 }, rename });
  assert.match(text, /call `find` with .*`topic`/);
});

test("10,000 skills in 8,000 characters are groups with the first names of each", () => {
  const report = shelf(files(10_000)).index({ budget: { characters: 8000 } });
  assert.equal(report.form, "grouped");
  assert.equal(report.text.match(/^- "group-\d" \(14\d\d skills\): /gm)?.length, 7);
  assert.ok(report.characters > 7900);
});

test("what a report estimates is what anybody may estimate", () => {
  for (const text of ["", "abcd", "abcde", "茶を淹れる"])
    assert.equal(estimateTokens(text), { "": 0, abcd: 1, abcde: 2 }[text] ?? 5);
  const report = hundred.index();
  assert.equal(estimateTokens(report.text), report.tokens);
});
