// skillshelf/langchain with LangChain's agents, a tool node of LangGraph and two of its providers.

import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { ChatAnthropic } from "@langchain/anthropic";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { type Catalog, loadSkills, loadSkillsSync, SkillError } from "skillshelf";
import { type StructuredSkillTool, skillTools } from "skillshelf/langchain";
import * as anthropic from "../support/anthropic.ts";
import { example } from "../support/examples.ts";
import { type Api, type Call, call, chat, responses, streamedChatText } from "../support/openai.ts";
import { type Provider, provider } from "../support/provider.ts";
import { BODY, PIXEL, skills } from "../support/skills.ts";
import { checkBodies } from "../support/types.ts";

const LOAD = call("load_skill", { name: "tea" });

const catalog: Catalog = await loadSkills({ host: skills() });
const tools = await skillTools(catalog);

/** The bodies of all requests, for the official SDKs' types to judge. */
const sent: Record<"anthropic" | "chat" | "responses", unknown[]> = {
  anthropic: [],
  chat: [],
  responses: [],
};

after(() => {
  const anthropicTypes = 'import type Anthropic from "@anthropic-ai/sdk";';
  checkBodies(anthropicTypes, "Anthropic.MessageCreateParams", sent.anthropic);
  const openaiTypes = 'import type OpenAI from "openai";';
  checkBodies(openaiTypes, "OpenAI.ChatCompletionCreateParams", sent.chat);
  checkBodies(openaiTypes, "OpenAI.Responses.ResponseCreateParams", sent.responses);
});

it("takes no options for none", async () => {
  const none = null as unknown as undefined;
  assert.deepEqual(
    (await skillTools(catalog, none)).map(({ name }) => name),
    tools.map(({ name }) => name),
  );
});

function gpt({ url }: Provider, api: Api): ChatOpenAI {
  return new ChatOpenAI({
    model: "gpt-test",
    apiKey: "none",
    configuration: { baseURL: `${url}/v1` },
    useResponsesApi: api === responses,
    maxRetries: 0,
  });
}

function claude({ url }: Provider): ChatAnthropic {
  const key = { apiKey: "none", anthropicApiUrl: url };
  return new ChatAnthropic({ model: "claude-test", ...key, maxRetries: 0 });
}

type Own = (StructuredSkillTool | StructuredToolInterface)[];

/** An agent, and what it is asked. */
function agent(model: ChatOpenAI | ChatAnthropic, own: Own = tools) {
  return createAgent({ model, tools: own, systemPrompt: catalog.prompt() });
}

const ASKED = { messages: [{ role: "user", content: "Make tea." }] };

/** LangChain names the tool in its message, of which the types of the SDK know nothing. */
function withoutNames(body: { messages: { role: string; name?: string }[] }): unknown {
  const messages = body.messages.map(({ name, ...message }) =>
    message.role === "tool" ? message : { ...message, ...(name !== undefined && { name }) },
  );
  return { ...body, messages };
}

/** The messages that these calls are answered with. */
async function answers(made: Call[], own?: Own): Promise<ToolMessage[]> {
  await using server = await provider([chat.calls(...made), chat.says("Done.")]);
  const { messages } = await agent(gpt(server, chat), own).invoke(ASKED);
  assert.equal(messages.at(-1)?.content, "Done.");
  const bodies = server.requests.map(({ body }) => body);
  sent.chat.push(...bodies.map(withoutNames));
  assert.equal(bodies.length, 2);
  assert.ok(!JSON.stringify(bodies[0]).includes(BODY));
  const found = messages.filter((message) => ToolMessage.isInstance(message));
  const told: { role: string; content: unknown }[] = bodies[1].messages;
  assert.deepEqual(
    told.filter(({ role }) => role === "tool").map(({ content }) => content),
    found.map(({ content }) => content),
  );
  return found;
}

describe("an agent", () => {
  it("is given a skill, and the system prompt", async () => {
    await using server = await provider([chat.calls(LOAD), chat.says("Done.")]);
    const { messages } = await agent(gpt(server, chat)).invoke(ASKED);
    assert.equal(messages.at(-1)?.content, "Done.");
    const [first, second] = server.requests.map(({ body }) => body);
    assert.deepEqual(first.messages[0].content, [{ type: "text", text: catalog.prompt() }]);
    const expected = Array.from(catalog.tools(), ({ inputSchema }) => inputSchema);
    assert.deepEqual(
      first.tools.map((one: { function: { parameters: unknown } }) => one.function.parameters),
      JSON.parse(JSON.stringify(expected)),
    );
    assert.match(second.messages.at(-1).content, /^<skill_content name="tea">\nWarm the pot\./);
  });

  it("is given a skill over the Responses API", async () => {
    await using server = await provider([responses.calls(LOAD), responses.says("Done.")]);
    await agent(gpt(server, responses)).invoke(ASKED);
    const bodies = server.requests.map(({ body }) => body);
    sent.responses.push(...bodies);
    assert.match(bodies[1].input.at(-1).output, /^<skill_content name="tea">/);
  });

  it("is given a skill with another provider", async () => {
    const made = { name: "load_skill", input: { name: "tea" } };
    await using server = await provider([anthropic.calls(made), anthropic.says("Done.")]);
    await agent(claude(server)).invoke(ASKED);
    const bodies = server.requests.map(({ body }) => body);
    sent.anthropic.push(...bodies);
    assert.deepEqual(bodies[0].tools[0].input_schema.required, ["name"]);
    const [result] = bodies[1].messages.at(-1).content;
    assert.equal(result.type, "tool_result");
    assert.match(JSON.stringify(result.content), /<skill_content name=\W+tea/);
  });

  it("is given a skill in a stream, and has tools of its own beside", async () => {
    const clock = tool(() => "noon", {
      name: "clock",
      description: "Says the time.",
      schema: { type: "object", properties: {} },
    });
    await using server = await provider([
      chat.streamedCalls(
        { name: "load_skill", pieces: ['{"na', 'me":"te', 'a"}'] },
        { name: "clock", pieces: ["{}"] },
      ),
      streamedChatText("Done."),
    ]);
    const own = [...(await skillTools(catalog, { taken: ["clock"] })), clock];
    const stream = await agent(gpt(server, chat), own).stream(ASKED, { streamMode: "messages" });
    for await (const _ of stream);
    const messages = server.requests[1]?.body.messages;
    assert.match(messages.at(-2).content, /Warm the pot/);
    assert.equal(messages.at(-1).content, "noon");
  });

  it("is a session's, with what it has loaded, and takes catalogs of loadSkillsSync", async () => {
    const session = catalog.session();
    const [first] = await answers([LOAD], await skillTools(session));
    const [second] = await answers([LOAD], await skillTools(session));
    assert.match(String(first?.content), /Warm the pot/);
    assert.match(String(second?.content), /already loaded/);
    const blocking = await skillTools(loadSkillsSync({ host: skills() }));
    assert.match(String((await answers([LOAD], blocking))[0]?.content), /Warm the pot/);
  });

  it("fails as the SDK says where the connection is dropped in a call", async () => {
    await using server = await provider([chat.droppedCall("load_skill", ['{"na'])]);
    await assert.rejects(
      async () => {
        for await (const _ of await agent(gpt(server, chat)).stream(ASKED, {
          streamMode: "messages",
        }));
      },
      (error) => error instanceof Error && !SkillError.isInstance(error),
    );
  });
});

describe("outside of an agent", () => {
  it("they are bound to a model, and a tool node runs them", async () => {
    await using server = await provider([chat.calls(LOAD)]);
    const message = await gpt(server, chat).bindTools(tools).invoke("Make tea.");
    const node = new ToolNode(tools);
    const { messages } = await node.invoke({ messages: [message] });
    assert.match(String(messages[0].content), /Warm the pot/);
    assert.equal(messages[0].tool_call_id, "call_0");
  });

  it("each makes a message of a call, and text of arguments", async () => {
    const load = tools[0] ?? assert.fail();
    const made = { type: "tool_call", id: "1", name: load.name, args: { name: "tee" } } as const;
    const message: ToolMessage = await load.invoke(made);
    assert.deepEqual(
      [message.status, message.tool_call_id, message.name],
      ["error", "1", load.name],
    );
    const content = await load.invoke({ name: "tea" });
    assert.match(String(content), /Warm the pot/);
    assert.match(String(await load.invoke({ name: "tee" })), /^Error: .*tea/s);
  });

  it("tell callbacks what they do", async () => {
    const told: string[] = [];
    const handler = {
      handleToolStart: () => void told.push("start"),
      handleToolEnd: () => void told.push("end"),
    };
    await tools[0]?.invoke({ name: "tea" }, { callbacks: [handler] });
    assert.deepEqual(told, ["start", "end"]);
  });

  it("may abort", async () => {
    const signal = AbortSignal.abort();
    await assert.rejects(async () => tools[0]?.invoke({ name: "tea" }, { signal }), /[Aa]bort/);
  });
});

describe("what a model gets wrong", () => {
  for (const [what, made, words] of [
    ["a skill that is not there", call("load_skill", { name: "tee" }), /^Error: .*tea/s],
    ["an argument of another type", call("load_skill", { name: 7 }), /^Error: .*must be text/s],
    ["an argument of another tool", call("load_skill", { skill: "tea" }), /^Error: .*skill/s],
    ["no object", call("load_skill", "tea"), /^Error: /],
    ["a tool that is not there", call("lod_skill", {}), /lod_skill .*load_skill/],
  ] as const) {
    it(`is told: ${what}`, async () => {
      const [message, ...more] = await answers([made]);
      assert.deepEqual(more, []);
      assert.equal(message?.status, "error");
      assert.match(String(message?.content), words);
    });
  }

  it("is taken where it is close: an argument that may be null is left out", async () => {
    const [message] = await answers([call("read_skill_file", { skill: "tea", path: "empty.txt" })]);
    assert.equal(message?.status, "success");
  });

  it("ends the run as LangChain says: arguments that are no JSON", async () => {
    const broken = { name: "load_skill", args: '{"name": "te' };
    await using server = await provider([chat.calls(broken)]);
    const { messages } = await agent(gpt(server, chat)).invoke(ASKED);
    const last = messages.at(-1);
    assert.ok(AIMessage.isInstance(last));
    assert.equal(last.invalid_tool_calls?.[0]?.args, broken.args);
  });

  it("answers calls with one id", async () => {
    const [tea, coffee] = await answers([
      call("load_skill", { name: "tea" }, "same"),
      call("load_skill", { name: "coffee" }, "same"),
    ]);
    assert.match(String(tea?.content), /Warm the pot/);
    assert.match(String(coffee?.content), /Grind the beans/);
  });

  it("answers 100 calls at once, in their order", async () => {
    const made = Array.from({ length: 100 }, (_, index) =>
      call("load_skill", { name: index % 2 === 0 ? "tea" : "coffee" }),
    );
    assert.deepEqual(
      (await answers(made)).map(({ content }) => /name="(\w+)"/.exec(String(content))?.[1]),
      made.map((_, index) => (index % 2 === 0 ? "tea" : "coffee")),
    );
  });
});

describe("files that are not text", () => {
  const args = (path: string) => ({ skill: "tea", path, offset: null, limit: null });
  const data = Buffer.from(PIXEL).toString("base64");

  it("are images, by their content, where the developer says so", async () => {
    const own = await skillTools(catalog, { images: true });
    await using server = await provider([
      anthropic.calls({ name: "read_skill_file", input: args("pixel.jpg") }),
      anthropic.says("Done."),
    ]);
    await agent(claude(server), own).invoke(ASKED);
    const bodies = server.requests.map(({ body }) => body);
    sent.anthropic.push(...bodies);
    const [text, image] = bodies[1].messages.at(-1).content[0].content;
    assert.equal(text.type, "text");
    assert.deepEqual(image.source, { type: "base64", media_type: "image/png", data });
  });

  it("are images over the Responses API too", async () => {
    const own = await skillTools(catalog, { images: true });
    await using server = await provider([
      responses.calls(call("read_skill_file", args("pixel.png"))),
      responses.says("Done."),
    ]);
    await agent(gpt(server, responses), own).invoke(ASKED);
    const bodies = server.requests.map(({ body }) => body);
    sent.responses.push(...bodies);
    const [, image] = bodies[1].input.at(-1).output;
    assert.equal(image.image_url, `data:image/png;base64,${data}`);
  });

  it("are a line of text otherwise", async () => {
    const [message] = await answers([call("read_skill_file", args("pixel.png"))]);
    assert.match(String(message?.content), /pixel\.png/);
    assert.ok(String(message?.content).length < 300);
  });
});

it("is an example that runs", async () => {
  await using server = await provider([
    anthropic.calls({ name: "load_skill", input: { name: "code-review" } }),
    anthropic.says("All is well."),
  ]);
  const { out, err, code } = await example("langchain.mjs", {
    ANTHROPIC_API_KEY: "none",
    ANTHROPIC_BASE_URL: server.url,
  });
  assert.deepEqual([out, err, code], ["All is well.\n", "", 0]);
  const content = JSON.stringify(server.requests[1]?.body.messages.at(-1).content[0].content);
  assert.match(content, /<skill_content name=\W+code-review/);
});

it("tells a developer what is no catalog, and options that cannot be used", async () => {
  const isUnsupported = (error: unknown): boolean =>
    SkillError.isInstance(error) && error.code === "SOURCE_UNSUPPORTED";
  // @ts-expect-error
  await assert.rejects(skillTools({}), isUnsupported);
  // @ts-expect-error
  await assert.rejects(skillTools(catalog, { image: true }), isUnsupported);
});
