// What a user's line stands for, and what completes it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Catalog, Command, CompleteOptions, ExpandOptions, Expansion } from "skillshelf";
import { rejection, thrown } from "./support/errors.ts";
import { type Files, smallHost } from "./support/hosts.ts";
import { shelf, shelfWithPromises } from "./support/load.ts";
import { skillFile, validSkill } from "./support/text.ts";

const files = {
  "go-refactor/SKILL.md": validSkill("go-refactor", "Refactors Go", "Run go vet first."),
  "deploy-prod/SKILL.md": validSkill("deploy-prod", "Deploys", "Ask before."),
  "Code Review/SKILL.md": skillFile("name: Code Review\ndescription: Reviews", "Read it twice."),
  "Code/SKILL.md": skillFile("name: Code\ndescription: Codes", "Write it."),
  "café/SKILL.md": skillFile("name: café\ndescription: Serves coffee", "Grind."),
  "release/SKILL.md": skillFile(
    "name: release\ndescription: Cuts a release\ndisable-model-invocation: true",
    "Tag it.",
  ),
  "style/SKILL.md": skillFile(
    "name: style\ndescription: House style\nuser-invocable: false",
    "Be brief.",
  ),
};
const commands: Command[] = [
  { name: "help", description: "Shows\n  what there is" },
  { name: "/quit" },
  { name: "add dir", description: "Adds a directory" },
];
const catalog = shelf(files);

/** What a line stands for; the same with promises, in a session, and in a session with promises. */
async function expanded(
  input: string,
  options: ExpandOptions = {},
  from: Files = files,
): Promise<Expansion> {
  const sync = shelf(from);
  const promised: Catalog = await shelfWithPromises(smallHost(from));
  const expansion = sync.expand(input, options);
  assert.deepEqual(await promised.expand(input, options), expansion);
  assert.deepEqual(sync.session().expand(input, options), expansion);
  assert.deepEqual(await promised.session().expand(input, options), expansion);
  return expansion;
}

const skill = (name: string, body: string, extra = ""): Expansion => {
  const text = extra === "" ? body : `${body}\n\n${extra}`;
  const resources = `Skill directory: ${name}`;
  return { kind: "skill", skill: name, prompt: `${text}\n\n${resources}`, text, extra, resources };
};
const text = (line: string): Expansion => ({ kind: "text", prompt: line, text: line });
const command = (name: string, extra = ""): Expansion => ({ kind: "command", name, extra });
const unknown = (name: string, near: string[] = []): Expansion => ({
  kind: "unknown",
  name,
  near,
  message:
    `There is no command or skill named "/${name}".` +
    (near.length === 0 ? "" : ` Did you mean ${near.map((one) => `"/${one}"`).join(", ")}?`),
});

describe("expand", () => {
  const cases: [title: string, input: string, expansion: Expansion][] = [
    ["a skill", "/go-refactor", skill("go-refactor", "Run go vet first.")],
    [
      "a skill and more",
      "/go-refactor clean up main.go",
      skill("go-refactor", "Run go vet first.", "clean up main.go"),
    ],
    [
      "blanks and lines",
      "/go-refactor \t\n one\n\n  two \n",
      skill("go-refactor", "Run go vet first.", "one\n\n  two"),
    ],
    ["a name with a blank", "/Code Review this", skill("Code Review", "Read it twice.", "this")],
    ["with more blanks", "/Code   Review", skill("Code Review", "Read it twice.")],
    ["the shorter name", "/Code reviews", skill("Code", "Write it.", "reviews")],
    ["the other form of Unicode", "/cafe\u0301 noir", skill("café", "Grind.", "noir")],
    ["a command in full width", "/ｈｅｌｐ me", command("help", "me")],
    ["what the model may not load", "/release 1.2", skill("release", "Tag it.", "1.2")],
    ["a command of the host", "/help me", command("help", "me")],
    ["a command that was given with its slash", "/quit", command("quit")],
    ["a command with a blank", "/add dir /tmp", command("add dir", "/tmp")],
    ["no slash", "go-refactor", text("go-refactor")],
    ["a slash later on", "use /go-refactor", text("use /go-refactor")],
    ["a blank before", " /go-refactor", text(" /go-refactor")],
    ["only a slash", "/", text("/")],
    ["a slash and a blank", "/ help", text("/ help")],
    ["nothing", "", text("")],
    ["a path", "/usr/bin is empty", text("/usr/bin is empty")],
    ["a comment", "// go-refactor", text("// go-refactor")],
    ["a name that is nearly one", "/go-refactr x", unknown("go-refactr", ["go-refactor"])],
    ["a command that is nearly one", "/hepl", unknown("hepl", ["help"])],
    ["a name that is none", "/zzzzzzzz", unknown("zzzzzzzz")],
    ["what is not for the user", "/style", unknown("style")],
    ["what code gives a meaning", "/__proto__", unknown("__proto__")],
  ];
  for (const [title, input, expansion] of cases) {
    test(title, async () => assert.deepEqual(await expanded(input, { commands }), expansion));
  }
  test("commands of the host win over any skill", async () => {
    const deploy = [{ name: "deploy-prod" }, { name: "Code" }];
    assert.deepEqual(
      await expanded("/deploy-prod now", { commands: deploy }),
      command("deploy-prod", "now"),
    );
    assert.deepEqual(
      await expanded("/Code Review", { commands: deploy }),
      command("Code", "Review"),
      "over a longer name too",
    );
  });
  test("the body is read at that moment", () => {
    const edited: Record<string, string> = { "a/SKILL.md": validSkill("a", "d", "Old") };
    const one = shelf(edited);
    edited["a/SKILL.md"] = validSkill("a", "d", "New");
    assert.deepEqual(one.expand("/a"), skill("a", "New"));
  });
  test("a skill whose file cannot be used is an error", async () => {
    const edited: Record<string, string> = { "a/SKILL.md": validSkill("a") };
    const [sync, promised] = [shelf(edited), await shelfWithPromises(smallHost(edited))];
    edited["a/SKILL.md"] = "---\nname: a\n---\nB";
    for (const use of [
      () => sync.expand("/a"),
      () => promised.expand("/a"),
      () => sync.session().expand("/a"),
      () => promised.session().expand("/a"),
    ]) {
      assert.equal((await rejection(use)).code, "SKILL_INVALID");
    }
  });
  test("in a session it counts as a load", () => {
    const session = catalog.session();
    session.expand("/go-refactor clean up");
    assert.match(
      session.call("load_skill", { name: "go-refactor" }).content,
      /is already loaded/,
      "the model has the text",
    );
    assert.deepEqual(
      session.expand("/go-refactor"),
      skill("go-refactor", "Run go vet first."),
      "a user who asks again gets it again",
    );
    assert.equal(
      session.compact().keep[0]?.text,
      '<skill_content name="go-refactor">\nRun go vet first.\n</skill_content>',
      "the skill, without what was asked of it",
    );
  });
  test("what is no text is taken as text, nothing as an empty one", () => {
    assert.deepEqual(catalog.expand(7 as never), text("7"));
    assert.deepEqual(catalog.expand(undefined as never), text(""));
  });
});

describe("arguments", () => {
  const body =
    'Do $ARGUMENTS. First $1, then $2, at $5.00; write \\$1 and \\$ARGUMENTS as they are. $10 $NAME "$3"';
  const from = { "a/SKILL.md": validSkill("a", "d", body), "b/SKILL.md": validSkill("b") };
  const cases: [title: string, input: string, expected: string][] = [
    [
      "words",
      "/a one two",
      'Do one two. First one, then two, at $5.00; write $1 and $ARGUMENTS as they are. $10 $NAME ""',
    ],
    [
      "quotes keep what belongs together",
      "/a 'one two' \"it's\" x",
      "Do 'one two' \"it's\" x. First one two, then it's, at $5.00; write $1 and $ARGUMENTS as they are. $10 $NAME \"x\"",
    ],
    [
      "what is filled in is not looked at again",
      "/a $2 $1",
      'Do $2 $1. First $2, then $1, at $5.00; write $1 and $ARGUMENTS as they are. $10 $NAME ""',
    ],
    [
      "none",
      "/a",
      'Do . First , then , at $5.00; write $1 and $ARGUMENTS as they are. $10 $NAME ""',
    ],
    ["where there is no place for them, they follow", "/b one", "Body\n\none"],
  ];
  for (const [title, input, expected] of cases) {
    test(title, async () => {
      const expansion = await expanded(input, { arguments: true }, from);
      assert.ok(expansion.kind === "skill");
      assert.equal(expansion.text, expected);
    });
  }
  test("are filled in only when asked", async () => {
    for (const options of [{}, { arguments: false }]) {
      assert.deepEqual(await expanded("/a x", options, from), skill("a", body, "x"));
    }
  });
  test("the session keeps the body as it was filled in", () => {
    const session = shelf(from).session();
    session.expand("/a one two", { arguments: true });
    assert.match(session.compact().keep[0]?.text ?? "", /Do one two\. First one, then two/);
  });
});

describe("complete", () => {
  const complete = (prefix: string, options: CompleteOptions = { commands }): string[] =>
    catalog.complete(prefix, options).map(({ kind, name }) => `${kind} ${name}`);
  const cases: [prefix: string, expected: string[]][] = [
    [
      "/",
      [
        "skill Code",
        "skill Code Review",
        "command add dir",
        "skill café",
        "skill deploy-prod",
        "skill go-refactor",
        "command help",
        "command quit",
        "skill release",
      ],
    ],
    ["/go", ["skill go-refactor"]],
    ["/GO", ["skill go-refactor"]],
    ["/re", ["skill release", "skill Code Review", "skill go-refactor"]],
    ["/d", ["skill deploy-prod", "command add dir", "skill Code", "skill Code Review"]],
    ["/code r", ["skill Code Review"]],
    ["/ｃｏｄｅ ｒ", ["skill Code Review"]],
    ["/gf", ["skill go-refactor"]],
    ["/fg", []],
    ["/style", []],
    ["/go-refactor now", []],
    ["go", []],
    ["", []],
    ["use /go", []],
  ];
  for (const [prefix, expected] of cases) {
    test(prefix === "" ? "nothing" : prefix, () => assert.deepEqual(complete(prefix), expected));
  }
  test("says kind, what to insert, and a description on one line", () => {
    assert.deepEqual(catalog.complete("/h", { commands }), [
      { kind: "command", name: "help", insert: "/help", description: "Shows what there is" },
    ]);
    assert.deepEqual(catalog.complete("/q", { commands }), [
      { kind: "command", name: "quit", insert: "/quit" },
    ]);
    assert.deepEqual(catalog.complete("/go"), [
      { kind: "skill", name: "go-refactor", insert: "/go-refactor", description: "Refactors Go" },
    ]);
  });
  test("what is inserted expands to what was chosen", () => {
    for (const { kind, name, insert } of catalog.complete("/", { commands })) {
      const expansion = catalog.expand(`${insert} x`, { commands });
      assert.equal(expansion.kind, kind);
      assert.equal(expansion.kind === "skill" ? expansion.skill : name, name);
      assert.ok("extra" in expansion && expansion.extra === "x");
    }
  });
  test("a command hides a skill of its name", () => {
    assert.deepEqual(complete("/go", { commands: [{ name: "go-refactor" }] }), [
      "command go-refactor",
    ]);
  });
  test("up to a limit", () => {
    assert.deepEqual(complete("/", { commands, limit: 2 }), ["skill Code", "skill Code Review"]);
    assert.deepEqual(complete("/", { commands, limit: 0 }), []);
  });
  test("with promises and in a session the same, at once", async () => {
    const promised = await shelfWithPromises(smallHost(files));
    for (const [prefix] of cases) {
      const expected = catalog.complete(prefix, { commands });
      assert.deepEqual(promised.complete(prefix, { commands }), expected);
      assert.deepEqual(promised.session().complete(prefix, { commands }), expected);
      assert.deepEqual(catalog.session().complete(prefix, { commands }), expected);
    }
  });
  test("no body is in it", () => {
    assert.doesNotMatch(JSON.stringify(catalog.complete("/")), /Run go vet|Tag it/);
  });
});

describe("options that cannot be used are the developer's mistake", () => {
  const cases: [options: object, problem: RegExp][] = [
    [{ commands: ["help"] }, /commands\[0\] must be an object; it is "help"/],
    [{ commands: { help: "x" } }, /commands must be a list; it is an object/],
    [{ commands: [{}] }, /commands\[0\]\.name is missing/],
    [{ commands: [{ name: "/ " }] }, /commands\[0\]\.name is empty/],
    [{ commands: [{ name: 7 }] }, /commands\[0\]\.name must be text; it is 7/],
    [{ command: [] }, /command is not known; commands is/],
  ];
  for (const [options, problem] of cases) {
    test(JSON.stringify(options), async () => {
      for (const use of [
        () => catalog.expand("/a", options),
        () => catalog.complete("/", options),
        () => catalog.session().expand("/a", options),
      ]) {
        const error = thrown(use);
        assert.equal(error.code, "SOURCE_UNSUPPORTED");
        assert.match(error.message, problem);
      }
      const promised = await shelfWithPromises(smallHost(files));
      assert.match((await rejection(() => promised.expand("/a", options))).message, problem);
    });
  }
  test("arguments and limit", () => {
    assert.match(
      thrown(() => catalog.expand("/a", { arguments: "yes" as never })).message,
      /arguments must be true or false; it is "yes"/,
    );
    assert.match(
      thrown(() => catalog.complete("/a", { limit: -1 })).message,
      /limit must be a whole number/,
    );
  });
});

test("what is no text at all is no line, and names nothing", async () => {
  const session = catalog.session();
  const promised = await shelfWithPromises(smallHost(files));
  for (const given of [Object.create(null), { toString: null }, Symbol("x"), null, 7]) {
    const line = given as string;
    assert.equal(catalog.expand(line).kind, "text");
    assert.equal((await promised.expand(line)).kind, "text");
    assert.equal(session.expand(line).kind, "text");
    assert.deepEqual(catalog.complete(line), []);
    assert.deepEqual(session.complete(line), []);
    assert.equal(session.load(line).code, "SKILL_NOT_FOUND");
    assert.equal((await promised.session().load(line)).code, "SKILL_NOT_FOUND");
    assert.equal(session.unload(line).code, "SKILL_NOT_FOUND");
  }
});
