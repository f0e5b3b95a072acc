import assert from "node:assert/strict";
import { test } from "node:test";
import { defineSkill, loadSkills, loadSkillsSync, memoryHost } from "skillshelf";
import {
  type Message,
  type ModelRequest,
  requestText,
  runAgent,
  scriptedModel,
} from "skillshelf/testing";

const user = (content: string): Message => ({ role: "user", content });
const echo = {
  name: "echo",
  description: "Says it again",
  inputSchema: { type: "object" },
  execute: (args: unknown) => `echo ${JSON.stringify(args)}`,
};

test("plays its turns in order", async () => {
  const model = scriptedModel([
    { text: "first" },
    {
      toolCalls: [
        { name: "a", arguments: { x: 1 } },
        { id: "own", name: "b", arguments: "{}" },
      ],
    },
    { text: "both", toolCalls: [{ name: "c", arguments: null }] },
    { text: "", toolCalls: [] },
  ]);
  assert.equal(model.remaining, 4);
  const request = { messages: [user("hi")] };
  assert.deepEqual(await model.generate(request), { role: "assistant", content: "first" });
  assert.equal(model.remaining, 3);
  assert.deepEqual(await model.generate(request), {
    role: "assistant",
    content: "",
    toolCalls: [
      { id: "call_1", name: "a", arguments: { x: 1 } },
      { id: "own", name: "b", arguments: "{}" },
    ],
  });
  const third = await model.generate(request);
  assert.deepEqual([third.content, third.toolCalls?.[0]?.id], ["both", "call_3"]);
  assert.deepEqual(await model.generate(request), { role: "assistant", content: "" });
  assert.equal(model.remaining, 0);
});

test("keeps each request as it was", async () => {
  const args = { path: "a" };
  const messages: Message[] = [
    user("hi"),
    { role: "assistant", content: "", toolCalls: [{ id: "1", name: "echo", arguments: args }] },
  ];
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const tools = [{ ...echo, inputSchema: schema }];
  const model = scriptedModel([{ text: "a" }, { text: "b" }]);
  await model.generate({ system: "be good", messages, tools });
  args.path = "changed";
  schema.properties.a.type = "changed";
  messages.push(user("more"));
  await model.generate({ messages });
  assert.deepEqual(model.requests[0], {
    system: "be good",
    messages: [
      user("hi"),
      {
        role: "assistant",
        content: "",
        toolCalls: [{ id: "1", name: "echo", arguments: { path: "a" } }],
      },
    ],
    tools: [
      {
        name: "echo",
        description: "Says it again",
        inputSchema: { type: "object", properties: { a: { type: "string" } } },
      },
    ],
  });
  assert.equal(model.requests[1]?.messages.length, 3);
  assert.equal("system" in (model.requests[1] ?? {}), false);
});

test("a turn that is a function sees the request, and cannot change what is kept", async () => {
  const model = scriptedModel([
    (request: ModelRequest) => {
      const text = `seen: ${request.messages[0]?.content}`;
      request.messages.length = 0;
      return { text };
    },
    async () => ({ text: "later" }),
    () => {
      throw new Error("overloaded");
    },
  ]);
  const messages = [user("hi")];
  assert.equal((await model.generate({ messages })).content, "seen: hi");
  assert.equal(messages.length, 1);
  assert.equal(model.requests[0]?.messages.length, 1);
  assert.equal((await model.generate({ messages })).content, "later");
  await assert.rejects(model.generate({ messages }), /overloaded/);
});

test("arguments are the script's no more once they are given out", async () => {
  const turn = { toolCalls: [{ name: "a", arguments: { list: [1] } }] };
  const model = scriptedModel([turn, turn]);
  const first = await model.generate({ messages: [] });
  const given = first.toolCalls?.[0]?.arguments as { list: number[] } | undefined;
  assert.ok(given);
  given.list.push(2);
  const second = await model.generate({ messages: [] });
  assert.deepEqual(second.toolCalls?.[0]?.arguments, { list: [1] });
});

test("a script that is over says how long it was and where the conversation stood", async () => {
  const model = scriptedModel([{ text: "only" }]);
  await model.generate({ messages: [user("one")] });
  await assert.rejects(model.generate({ messages: [user("one"), user("two\nlines")] }), {
    message:
      'The script has 1 turn, and this is request 2. It has 2 messages; the last one, from user: "two\\nlines"',
  });
  assert.equal(model.remaining, 0);
  assert.equal(model.requests.length, 2);

  const result: Message = {
    role: "tool",
    toolCallId: "1",
    name: "load_skill",
    content: "x".repeat(500),
  };
  await assert.rejects(scriptedModel([]).generate({ messages: [result] }), {
    message: `The script has 0 turns, and this is request 1. It has 1 message; the last one, from tool (load_skill): "${"x".repeat(200)}…"`,
  });
  await assert.rejects(scriptedModel([]).generate({ messages: [] }), /It has no messages\.$/);
});

test("a turn without text and calls is a mistake in the script", async () => {
  const fault = {
    name: "TypeError",
    message: "Turn 1 of the script has neither text nor toolCalls.",
  };
  assert.throws(() => scriptedModel([{}]), fault);
  for (const turn of [() => ({}), () => undefined as never]) {
    await assert.rejects(scriptedModel([turn]).generate({ messages: [] }), fault);
  }
});

test("what cannot be played or run is named", async () => {
  const misspelled = { toolCalls: [{ tool: "x" }] } as never;
  assert.throws(() => scriptedModel([{ text: "Hi" }, misspelled]), {
    name: "TypeError",
    message: "Turn 2 of the script has no name of a tool in toolCalls[0].name.",
  });
  assert.throws(() => scriptedModel({ text: "Hi" } as never), /takes a list of turns/);
  await assert.rejects(runAgent({} as never), {
    name: "TypeError",
    message: /model has no generate/,
  });
  await assert.rejects(runAgent({ model: scriptedModel([]) } as never), /messages is no list/);
});

test("requestText holds all that is shown, unescaped, and no key of the request", () => {
  const shown = requestText({
    system: "line one\nline two",
    messages: [
      user('say "hi"'),
      {
        role: "assistant",
        content: "well",
        toolCalls: [{ id: "id-1", name: "echo", arguments: { k: ["v"] } }],
      },
      { role: "tool", toolCallId: "id-1", name: "echo", content: "result" },
    ],
    tools: [{ name: "other", description: "Does it", inputSchema: { required: ["thing"] } }],
  });
  for (const part of [
    "line one\nline two",
    'say "hi"',
    "well",
    "echo",
    "k",
    "v",
    "result",
    "other",
    "Does it",
    "thing",
  ]) {
    assert.ok(shown.includes(part), part);
  }
  for (const part of ["assistant", "content", "toolCallId", "inputSchema"]) {
    assert.ok(!shown.includes(part), part);
  }
  assert.equal(requestText({ messages: [] }), "");
});

test("runAgent runs tools until the model calls none", async () => {
  const model = scriptedModel([
    {
      text: "let me see",
      toolCalls: [
        { name: "echo", arguments: { n: 1 } },
        { name: "later", arguments: {} },
      ],
    },
    { text: "done" },
  ]);
  const later = {
    name: "later",
    description: "",
    inputSchema: {},
    execute: async () => ({ content: "failed softly", isError: true, extra: 1 }),
  };
  const asked = [user("go")];
  const transcript = await runAgent({ model, system: "s", tools: [echo, later], messages: asked });
  assert.deepEqual(asked, [user("go")], "the caller's messages stay as they are");
  assert.deepEqual([transcript.text, transcript.turns, transcript.finished], ["done", 2, true]);
  assert.deepEqual(transcript.messages.slice(2), [
    { role: "tool", toolCallId: "call_1", name: "echo", content: 'echo {"n":1}' },
    { role: "tool", toolCallId: "call_2", name: "later", content: "failed softly", isError: true },
    { role: "assistant", content: "done" },
  ]);
  assert.deepEqual(model.requests[1]?.messages, transcript.messages.slice(0, -1));
  assert.equal(model.requests[0]?.system, "s");
});

test("runAgent asks for the tools before each turn, where they may change", async () => {
  const tools = [echo];
  const grow = {
    ...echo,
    name: "grow",
    execute: () => String(tools.push({ ...echo, name: "new" })),
  };
  const model = scriptedModel([
    { toolCalls: [{ name: "grow", arguments: {} }] },
    { toolCalls: [{ name: "new", arguments: {} }] },
    { text: "done" },
  ]);
  const { messages } = await runAgent({
    model,
    tools: () => [grow, ...tools],
    messages: [user("go")],
  });
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  assert.deepEqual(results, ["2", "echo {}"]);
});

test("runAgent makes results of tools that throw or are not there", async () => {
  const model = scriptedModel([
    { toolCalls: ["throws", "rejects", "missing"].map((name) => ({ name, arguments: {} })) },
    { text: "sorry" },
  ]);
  const tool = (name: string, execute: () => Promise<string> | string) => ({
    name,
    description: "",
    inputSchema: {},
    execute,
  });
  const tools = [
    tool("throws", () => {
      throw new Error("broken");
    }),
    tool("rejects", () => Promise.reject("a string")),
  ];
  const { messages, finished } = await runAgent({ model, tools, messages: [user("go")] });
  assert.equal(finished, true);
  assert.deepEqual(
    messages.filter(({ role }) => role === "tool").map((message) => message.content),
    [
      "throws failed: broken",
      "rejects failed: a string",
      'There is no tool "missing". Tools: throws, rejects.',
    ],
  );
  assert.ok(messages.every((message) => message.role !== "tool" || message.isError === true));
});

test("runAgent stops after maxTurns, and fails only as the model does", async () => {
  const turn = { text: "again", toolCalls: [{ name: "echo", arguments: {} }] };
  const model = scriptedModel([turn, turn, turn]);
  const transcript = await runAgent({ model, tools: [echo], messages: [], maxTurns: 2 });
  assert.deepEqual([transcript.finished, transcript.turns, model.remaining], [false, 2, 1]);
  await assert.rejects(
    runAgent({ model: scriptedModel([]), messages: [] }),
    /The script has 0 turns/,
  );
});

const BODY = "Use two spaces.\nNever a tab: secret-of-the-body.";
const skill = defineSkill({
  name: "formatting",
  description: "How code is formatted here",
  content: BODY,
});

test("descriptions are in the first request and no body; the body is there after load_skill", async () => {
  const catalog = await loadSkills(skill);
  const model = scriptedModel([
    ({ system = "" }) => {
      const name = /^- ([a-z-]+):/m.exec(system)?.[1];
      return { toolCalls: [{ name: "load_skill", arguments: { name } }] };
    },
    { text: "Formatted." },
  ]);
  const { finished } = await runAgent({
    model,
    system: catalog.prompt(),
    tools: catalog.tools(),
    messages: [user("Format this")],
  });
  assert.equal(finished, true);
  const [first, second] = model.requests.map(requestText);
  assert.ok(first?.includes("How code is formatted here"));
  assert.ok(!first?.includes("secret-of-the-body"));
  assert.ok(second?.includes(BODY));
  assert.equal(model.requests[0]?.tools?.[0]?.name, "load_skill");
  assert.deepEqual(
    JSON.parse(JSON.stringify(model.requests[0]?.tools)),
    model.requests[0]?.tools,
    "what is kept of a tool is plain JSON",
  );
});

test("runAgent takes the tools of a synchronous catalog too", async () => {
  const host = memoryHost({ "a/SKILL.md": "---\nname: a\ndescription: first\n---\nThe body\n" });
  const catalog = loadSkillsSync({ host });
  const model = scriptedModel([
    { toolCalls: [{ name: "load_skill", arguments: '{"name":"b"}' }] },
    { toolCalls: [{ name: "load_skill", arguments: '{"name":"a"}' }] },
    { text: "ok" },
  ]);
  const { messages } = await runAgent({ model, tools: catalog.tools(), messages: [user("go")] });
  const results = messages.filter((message) => message.role === "tool");
  assert.equal(results[0]?.isError, true);
  assert.ok(results[1]?.content.includes("The body"));
});
