// What skills ask to be allowed: told, and granted by nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allowedTools,
  defineSkill,
  loadSkillsSync,
  memoryHost,
  type SyncCatalog,
} from "skillshelf";
import { thrown } from "./support/errors.ts";
import { smallHost } from "./support/hosts.ts";
import { shelf, shelfWithPromises } from "./support/load.ts";
import { skillFile, validSkill } from "./support/text.ts";

const asking = (name: string, tools: string): string =>
  skillFile(`name: ${name}\ndescription: d\nallowed-tools: ${tools}`);

const files = {
  "a/SKILL.md": asking("a", "Read Bash(git add:*)"),
  "b/SKILL.md": asking("b", "Write, Read"),
  "c/SKILL.md": validSkill("c"),
  "d/SKILL.md": asking("d", '""'),
};

test("the union of what the loaded skills ask for, sorted, each once", async () => {
  const session = shelf(files).session();
  assert.deepEqual(allowedTools(session), []);
  for (const [name, tools] of [
    ["c", []],
    ["a", ["Bash(git add:*)", "Read"]],
    ["d", ["Bash(git add:*)", "Read"]],
    ["b", ["Bash(git add:*)", "Read", "Write"]],
  ] as const) {
    session.load(name);
    assert.deepEqual(allowedTools(session), tools, name);
  }
  session.unload("a");
  assert.deepEqual(allowedTools(session), ["Read", "Write"]);
  const later = (await shelfWithPromises(smallHost(files))).session();
  await later.load("b");
  assert.deepEqual(allowedTools(later), ["Read", "Write"]);
});

test("of skills from code as of those in files, and by whatever way they are loaded", () => {
  const skill = defineSkill({
    name: "e",
    description: "d",
    content: "c",
    allowedTools: ["Edit"],
  });
  const session = loadSkillsSync([skill, { host: memoryHost(files) }]).session();
  session.call("load_skill", { name: "e" });
  session.expand("/b now");
  assert.deepEqual(allowedTools(session), ["Edit", "Read", "Write"]);
});

test("what the file said when it was loaded, until it is loaded again", () => {
  const edited: Record<string, string> = { ...files };
  const catalog = shelf(edited);
  const session = catalog.session();
  session.load("a");
  edited["a/SKILL.md"] = asking("a", "Everything");
  catalog.refresh();
  assert.deepEqual(allowedTools(session), ["Bash(git add:*)", "Read"]);
  assert.match(session.load("a").content, /already loaded/);
  assert.deepEqual(allowedTools(session), ["Everything"]);
});

test("a conversation that is stored and goes on has it, and so has one after a refresh", () => {
  const catalog = shelf(files);
  const session = catalog.session();
  session.load("a");
  session.load("b");
  const state = JSON.parse(JSON.stringify(session));
  assert.deepEqual(allowedTools(catalog.session({ state })), allowedTools(session));
  const narrow = catalog.session({ state, only: ["!b"] });
  assert.deepEqual(allowedTools(narrow), ["Bash(git add:*)", "Read"]);
});

test("a skill whose text has left the conversation is allowed nothing until it is loaded again", () => {
  const session = shelf(files).session();
  session.load("a");
  session.load("b");
  session.forget(["a"]);
  assert.deepEqual(allowedTools(session), ["Read", "Write"]);
  session.compact({ budget: { characters: 0 } });
  assert.deepEqual(allowedTools(session), []);
  session.load("a");
  assert.deepEqual(allowedTools(session), ["Bash(git add:*)", "Read"]);
});

/** All that could be different where skills ask for tools. */
const answers = (catalog: SyncCatalog): unknown => {
  const session = catalog.session();
  return [
    session.tools({ set: "full" }).map(({ name, description }) => [name, description]),
    session.load("a").content,
    session.call("read_skill_file", { skill: "a", path: "../b/SKILL.md" }),
    session.call("Bash", { command: "ls" }),
    catalog.prompt(),
  ];
};

test("it grants nothing by itself", () => {
  const silent = { ...files, "a/SKILL.md": validSkill("a", "d") };
  assert.deepEqual(answers(shelf(files)), answers(shelf(silent)));
});

test("a state that says what is no list of text is refused", () => {
  const session = shelf(files).session();
  session.load("a");
  const [event] = session.toJSON().events;
  const state = { events: [{ ...event, allowedTools: "Bash" }] };
  assert.match(
    thrown(() => shelf(files).session({ state: state as never })).message,
    /allowedTools must be a list of text/,
  );
});

test("what is no session is the developer's mistake", () => {
  for (const value of [undefined, null, {}, shelf(files)]) {
    assert.equal(thrown(() => allowedTools(value as never)).code, "SOURCE_UNSUPPORTED");
  }
});
