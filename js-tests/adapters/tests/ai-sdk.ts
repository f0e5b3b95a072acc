// skillshelf/ai-sdk with the AI SDK and two of its providers.

import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  type LanguageModel,
  streamText,
  type ToolSet,
  tool,
  type UIMessage,
} from "ai";
import { type Catalog, loadSkills, SkillError } from "skillshelf";
import { skillTools } from "skillshelf/ai-sdk";
import * as anthropic from "../support/anthropic.ts";
import { example } from "../support/examples.ts";
import { type Call, call, chat, streamedChatText } from "../support/openai.ts";
import { type Provider, provider, type Reply } from "../support/provider.ts";
import { BODY, PIXEL, skills } from "../support/skills.ts";
import { checkBodies } from "../support/types.ts";

const LOAD = { name: "load_skill", input: { name: "tea" } };
const PIECES = { name: "load_skill", pieces: ['{"na', 'me":"te', 'a"}'] };

const catalog: Catalog = await loadSkills({ host: skills() });

function claude({ url }: Provider): LanguageModel {
  return createAnthropic({ apiKey: "none", baseURL: `${url}/v1` })("claude-test");
}

function compatible({ url }: Provider): LanguageModel {
  return createOpenAICompatible({ name: "test", baseURL: `${url}/v1` })("test");
}

/** The bodies of all requests, for the official SDKs' types to judge. */
const sent: { anthropic: unknown[]; chat: unknown[] } = { anthropic: [], chat: [] };

after(() => {
  const anthropicTypes = 'import type Anthropic from "@anthropic-ai/sdk";';
  checkBodies(anthropicTypes, "Anthropic.MessageCreateParams", sent.anthropic);
  const openaiTypes = 'import type OpenAI from "openai";';
  checkBodies(openaiTypes, "OpenAI.ChatCompletionCreateParams", sent.chat);
});

/** What a conversation over two requests is made of. */
function request(model: LanguageModel, tools: ToolSet = skillTools(catalog)) {
  const stopWhen = isStepCount(5);
  const instructions = catalog.prompt();
  const limits = { maxRetries: 0, maxOutputTokens: 100 };
  return { model, tools, instructions, stopWhen, ...limits, prompt: "Make tea." };
}

/** The results that the second request has for these calls: of one with an error flag. */
async function results(calls: anthropic.Call[], tools?: ToolSet) {
  await using server = await provider([anthropic.calls(...calls), anthropic.says("Done.")]);
  assert.equal((await generateText(request(claude(server), tools))).text, "Done.");
  const bodies = server.requests.map(({ body }) => body);
  sent.anthropic.push(...bodies);
  assert.equal(bodies.length, 2);
  return bodies[1].messages.at(-1).content;
}

/** The same of one where arguments are text: what its messages of the role `tool` say. */
async function texts(...made: Call[]): Promise<string[]> {
  await using server = await provider([chat.calls(...made), chat.says("Done.")]);
  assert.equal((await generateText(request(compatible(server)))).text, "Done.");
  const bodies = server.requests.map(({ body }) => body);
  sent.chat.push(...bodies);
  const messages: { role: string; content: string }[] = bodies[1].messages;
  return messages.filter(({ role }) => role === "tool").map(({ content }) => content);
}

describe("generateText", () => {
  it("hands a skill to the model, by its own loop", async () => {
    await using server = await provider([anthropic.calls(LOAD), anthropic.says("Done.")]);
    const { text, steps } = await generateText(request(claude(server)));
    assert.deepEqual([text, steps.length], ["Done.", 2]);
    const [first, second] = server.requests.map(({ body }) => body);
    assert.match(first.system[0].text, /- tea: Makes tea/);
    assert.ok(!JSON.stringify(first).includes(BODY));
    assert.deepEqual(
      first.tools.map(({ name }: { name: string }) => name),
      ["load_skill", "read_skill_file"],
    );
    assert.deepEqual(first.tools[0].input_schema.required, ["name"]);
    const [result] = second.messages.at(-1).content;
    assert.equal(result.is_error, undefined);
    assert.match(result.content, /^<skill_content name="tea">\nWarm the pot\./);
  });

  it("has an output that can be stored", async () => {
    await using server = await provider([anthropic.calls(LOAD), anthropic.says("Done.")]);
    const { steps } = await generateText(request(claude(server), skillTools(catalog)));
    const output = steps[0]?.toolResults[0]?.output;
    assert.equal(output?.skill, "tea");
    assert.deepEqual(JSON.parse(JSON.stringify(output)), output);
  });

  it("gives a model what was stored of an earlier turn, errors as such", async () => {
    const tools = skillTools(catalog);
    const execute = tools["load_skill"]?.execute ?? assert.fail();
    const stored = async (name: string): Promise<UIMessage> => {
      const options = { toolCallId: name, messages: [], context: {} };
      const output = JSON.parse(JSON.stringify(await execute({ name }, options)));
      const state = "output-available";
      const part = { type: "tool-load_skill", toolCallId: name, state, input: { name }, output };
      return { id: name, role: "assistant", parts: [part as UIMessage["parts"][number]] };
    };
    const messages = [await stored("tea"), await stored("tee")];
    const converted = await convertToModelMessages(messages, { tools });
    const outputs = converted.flatMap(({ role, content }) =>
      role === "tool" ? content.map((part) => ("output" in part ? part.output.type : "")) : [],
    );
    assert.deepEqual(outputs, ["text", "error-text"]);
  });

  it("takes tools of the developer beside them, in their own types", async () => {
    const clock = tool({
      inputSchema: skillTools(catalog)["load_skill"]?.inputSchema ?? assert.fail(),
      execute: () => "noon",
    });
    const own = await results([{ name: "clock", input: { name: "tea" } }, LOAD], {
      ...skillTools(catalog, { taken: ["clock"] }),
      clock,
    });
    assert.equal(own[0].content, "noon");
    assert.match(own[1].content, /Warm the pot/);
  });

  it("is a session's, with what it has loaded", async () => {
    const session = catalog.session();
    const first = await results([LOAD], skillTools(session));
    const second = await results([LOAD], skillTools(session));
    assert.match(first[0].content, /Warm the pot/);
    assert.match(second[0].content, /already loaded/);
  });

  it("may abort", async () => {
    await using server = await provider([anthropic.calls(LOAD), anthropic.says("Done.")]);
    const signal = AbortSignal.abort();
    await assert.rejects(generateText({ ...request(claude(server)), abortSignal: signal }));
    const execute = skillTools(catalog)["load_skill"]?.execute ?? assert.fail();
    const options = { toolCallId: "1", messages: [], context: {}, abortSignal: signal };
    await assert.rejects(
      async () => execute({ name: "tea" }, options),
      (error) => SkillError.isInstance(error) && error.code === "ABORTED",
    );
  });
});

describe("streamText", () => {
  async function streamed(replies: readonly Reply[]): Promise<{ text: string; server: Provider }> {
    await using server = await provider(replies);
    const result = streamText({ ...request(compatible(server)), onError() {} });
    return { text: await result.text, server };
  }

  it("hands over a skill whose name arrives in pieces, and parallel calls", async () => {
    const coffee = { name: "load_skill", pieces: ['{"name"', ':"coffee"}'] };
    const { text, server } = await streamed([
      chat.streamedCalls(PIECES, coffee),
      streamedChatText("Done."),
    ]);
    assert.equal(text, "Done.");
    const messages = server.requests[1]?.body.messages;
    assert.match(messages.at(-2).content, /Warm the pot/);
    assert.match(messages.at(-1).content, /Grind the beans/);
  });

  it("tells the model of arguments that are cut off", async () => {
    const cut = { name: "load_skill", pieces: ['{"na', 'me":"te'] };
    const { text, server } = await streamed([chat.streamedCalls(cut), streamedChatText("Done.")]);
    assert.equal(text, "Done.");
    assert.match(server.requests[1]?.body.messages.at(-1).content, /JSON/);
  });

  it("fails as the SDK says where the connection is dropped in a call", async () => {
    const dropped = chat.droppedCall("load_skill", PIECES.pieces.slice(0, 2));
    await assert.rejects(streamed([dropped]), (error) => {
      return error instanceof Error && !SkillError.isInstance(error);
    });
  });

  it("fails as the SDK says where a whole answer is dropped", async () => {
    await using server = await provider([{ dropped: chat.calls(call("load_skill", {})) }]);
    await assert.rejects(generateText(request(compatible(server))), (error) => {
      return error instanceof Error && !SkillError.isInstance(error);
    });
  });
});

describe("what a model gets wrong", () => {
  it("has an error flag where the provider has one", async () => {
    const input = { skill: "tea", path: "../x", offset: null, limit: null };
    const [result] = await results([{ name: "read_skill_file", input }]);
    assert.equal(result.is_error, true);
    assert.match(result.content, /\.\.\/x/);
  });

  for (const [what, made, words] of [
    ["a skill that is not there", call("load_skill", { name: "tee" }), /tea/],
    [
      "an argument of another type",
      call("load_skill", { name: 7 }),
      /must be text; it is a number/,
    ],
    ["an argument of another tool", call("load_skill", { skill: "tea" }), /no argument \W+skill/],
    ["no JSON", { name: "load_skill", args: '{"name": "te' }, /JSON parsing failed/],
    ["another tool", call("lod_skill", { name: "tea" }), /unavailable tool .*load_skill/],
  ] as const) {
    it(`is told: ${what}`, async () => {
      const [text, ...more] = await texts(made);
      assert.deepEqual(more, []);
      assert.match(text ?? "", words);
    });
  }

  it("answers 100 calls at once, in their order", async () => {
    const made = Array.from({ length: 100 }, (_, index) =>
      call("load_skill", { name: index % 2 === 0 ? "tea" : "coffee" }),
    );
    const answers = await texts(...made);
    assert.deepEqual(
      answers.map((text) => /name="(\w+)"/.exec(text)?.[1]),
      made.map((_, index) => (index % 2 === 0 ? "tea" : "coffee")),
    );
  });

  it("answers calls with one id", async () => {
    const [text, ...more] = await texts(
      call("load_skill", { name: "tea" }, "same"),
      call("load_skill", { name: "coffee" }, "same"),
    );
    assert.match(text ?? "", /Warm the pot/);
    for (const other of more) assert.match(other, /Grind the beans/);
  });
});

describe("files that are not text", () => {
  const read = (path: string): anthropic.Call => ({
    name: "read_skill_file",
    input: { skill: "tea", path, offset: null, limit: null },
  });

  it("are images, by their content, where the developer says so", async () => {
    const tools = skillTools(catalog, { images: true });
    const [png, jpg, none] = await results(
      [read("pixel.png"), read("pixel.jpg"), read("no-image.png")],
      tools,
    );
    for (const { content } of [png, jpg]) {
      assert.equal(content[0].type, "text");
      const data = Buffer.from(PIXEL).toString("base64");
      assert.deepEqual(content[1].source, { type: "base64", media_type: "image/png", data });
    }
    assert.match(none.content, /no-image\.png/);
  });

  it("are a line of text otherwise", async () => {
    const [result] = await results([read("pixel.png")]);
    assert.match(result.content, /pixel\.png/);
    assert.ok(result.content.length < 300);
  });
});

it("is an example that runs", async () => {
  await using server = await provider([
    anthropic.calls({ name: "load_skill", input: { name: "code-review" } }),
    anthropic.says("All is well."),
  ]);
  const { out, err, code } = await example("ai-sdk.mjs", {
    ANTHROPIC_API_KEY: "none",
    ANTHROPIC_BASE_URL: `${server.url}/v1`,
  });
  assert.deepEqual([out, err, code], ["All is well.\n", "", 0]);
  assert.match(
    server.requests[1]?.body.messages.at(-1).content[0].content,
    /^<skill_content name="code-review">/,
  );
});

it("tells a developer what is no catalog, and options that cannot be used", () => {
  const isUnsupported = (error: unknown): boolean =>
    SkillError.isInstance(error) && error.code === "SOURCE_UNSUPPORTED";
  // @ts-expect-error
  assert.throws(() => skillTools({}), isUnsupported);
  // @ts-expect-error
  assert.throws(() => skillTools(catalog, { image: true }), isUnsupported);
});
