// skillshelf/mastra with agents of Mastra and their models, over three wire formats.

import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { Agent, type ToolsInput } from "@mastra/core/agent";
import type { MastraModelConfig } from "@mastra/core/llm";
import { Mastra } from "@mastra/core/mastra";
import { createTool, Tool } from "@mastra/core/tools";
import { type Catalog, loadSkills, loadSkillsSync, SkillError } from "skillshelf";
import { skillTools } from "skillshelf/mastra";
import { z } from "zod";
import * as anthropic from "../support/anthropic.ts";
import { example } from "../support/examples.ts";
import { type Call, call, chat, responses, streamedChatText } from "../support/openai.ts";
import { type Provider, provider, type Reply } from "../support/provider.ts";
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

type Api = "chat" | "responses" | "anthropic";

function agent(server: Provider, api: Api, own: ToolsInput = tools) {
  const model = modelOf(server, api);
  const instructions = catalog.prompt();
  const tea = new Agent({ id: "tea", name: "Tea", instructions, model, tools: own, maxRetries: 0 });
  // What goes wrong is looked at here: nobody has to read of it.
  return new Mastra({ agents: { tea }, logger: false }).getAgent("tea");
}

function modelOf({ url }: Provider, api: Api): MastraModelConfig {
  if (api !== "anthropic") return { id: "local/test", url: `${url}/v1`, apiKey: "none", api };
  process.env["ANTHROPIC_API_KEY"] = "none";
  process.env["ANTHROPIC_BASE_URL"] = `${url}/v1`;
  // Mastra remembers the address of a model.
  return `anthropic/claude-${new URL(url).port}`;
}

/** What the second request says of these calls. */
async function texts(made: Call[], own?: ToolsInput): Promise<string[]> {
  await using server = await provider([chat.calls(...made), chat.says("Done.")]);
  const { text } = await agent(server, "chat", own).generate("Make tea.");
  assert.equal(text, "Done.");
  const bodies = server.requests.map(({ body }) => body);
  sent.chat.push(...bodies);
  assert.equal(bodies.length, 2);
  assert.ok(!JSON.stringify(bodies[0]).includes(BODY));
  const messages: { role: string; content: string }[] = bodies[1].messages;
  return messages.filter(({ role }) => role === "tool").map(({ content }) => content);
}

/** The same of Anthropic's format: the result of one call. */
async function result(made: anthropic.Call, own?: ToolsInput) {
  await using server = await provider([anthropic.calls(made), anthropic.says("Done.")]);
  await agent(server, "anthropic", own).generate("Make tea.");
  const bodies = server.requests.map(({ body }) => body);
  sent.anthropic.push(...bodies);
  return bodies[1].messages.at(-1).content[0];
}

describe("an agent", () => {
  it("is given a skill, and the system prompt", async () => {
    await using server = await provider([chat.calls(LOAD), chat.says("Done.")]);
    await agent(server, "chat").generate("Make tea.");
    const [first, second] = server.requests.map(({ body }) => body);
    assert.deepEqual(first.messages[0], { role: "system", content: catalog.prompt() });
    const expected = Array.from(catalog.tools(), ({ inputSchema }) => inputSchema);
    assert.deepEqual(
      first.tools.map((one: { function: { parameters: unknown } }) => one.function.parameters),
      JSON.parse(JSON.stringify(expected)),
    );
    assert.match(second.messages.at(-1).content, /^<skill_content name="tea">\nWarm the pot\./);
  });

  it("is given a skill over the Responses API", async () => {
    await using server = await provider([responses.calls(LOAD), responses.says("Done.")]);
    await agent(server, "responses").generate("Make tea.");
    const bodies = server.requests.map(({ body }) => body);
    // A function without `strict` is what the API makes strict if it can; its types want a word of that.
    const strict = null;
    sent.responses.push(
      ...bodies.map((body) => ({
        ...body,
        tools: body.tools.map((one: object) => ({ ...one, strict })),
      })),
    );
    assert.match(bodies[1].input.at(-1).output, /^<skill_content name="tea">/);
  });

  it("is given a skill with another provider", async () => {
    const { content, is_error } = await result({ name: "load_skill", input: { name: "tea" } });
    assert.match(content, /^<skill_content name="tea">/);
    assert.notEqual(is_error, true);
  });

  it("has an output that can be stored", async () => {
    await using server = await provider([chat.calls(LOAD), chat.says("Done.")]);
    const { steps } = await agent(server, "chat").generate("Make tea.");
    const output = steps[0]?.toolResults[0]?.payload.result as { skill: string };
    assert.equal(output.skill, "tea");
    assert.deepEqual(JSON.parse(JSON.stringify(output)), output);
  });

  it("is given a skill in a stream, and has tools of its own beside", async () => {
    const clock = createTool({
      id: "clock",
      description: "Says the time.",
      inputSchema: z.object({}),
      execute: async () => "noon",
    });
    await using server = await provider([
      chat.streamedCalls(
        { name: "load_skill", pieces: ['{"na', 'me":"te', 'a"}'] },
        { name: "clock", pieces: ["{}"] },
      ),
      streamedChatText("Done."),
    ]);
    const own = { ...(await skillTools(catalog, { taken: ["clock"] })), clock };
    const stream = await agent(server, "chat", own).stream("Make tea.");
    assert.equal(await stream.text, "Done.");
    const messages = server.requests[1]?.body.messages;
    assert.match(messages.at(-2).content, /Warm the pot/);
    assert.equal(messages.at(-1).content, "noon");
  });

  it("is a session's, with what it has loaded, and takes catalogs of loadSkillsSync", async () => {
    const session = catalog.session();
    const [first] = await texts([LOAD], await skillTools(session));
    const [second] = await texts([LOAD], await skillTools(session));
    assert.match(first ?? "", /Warm the pot/);
    assert.match(second ?? "", /already loaded/);
    const blocking = await skillTools(loadSkillsSync({ host: skills() }));
    assert.match((await texts([LOAD], blocking))[0] ?? "", /Warm the pot/);
  });

  it("makes them anew for each run, where it is given a function", async () => {
    await using server = await provider([chat.calls(LOAD), chat.says("Done.")]);
    const session = catalog.session();
    const model = { id: "local/test" as const, url: `${server.url}/v1`, apiKey: "none" };
    const known = { id: "tea", name: "Tea", instructions: catalog.prompt(), model };
    const { text } = await new Agent({ ...known, tools: () => skillTools(session) }).generate(
      "Tea.",
    );
    assert.equal(text, "Done.");
    assert.deepEqual(
      session.loaded.map(({ name }) => name),
      ["tea"],
    );
  });

  it("fails as the SDK says where the connection is dropped in a call", async () => {
    await using server = await provider([chat.droppedCall("load_skill", ['{"na'])]);
    const stream = await agent(server, "chat").stream("Make tea.");
    await stream.consumeStream();
    assert.ok(stream.error instanceof Error && !SkillError.isInstance(stream.error));
    assert.equal(server.requests.length, 1);
  });
});

describe("each tool", () => {
  it("is one of Mastra's", () => {
    assert.ok(tools["load_skill"] instanceof Tool);
  });

  it("may abort", async () => {
    const execute = tools["load_skill"]?.execute ?? assert.fail();
    const context = { abortSignal: AbortSignal.abort() } as Parameters<typeof execute>[1];
    await assert.rejects(
      async () => execute({ name: "tea" }, context),
      (error) => SkillError.isInstance(error) && error.code === "ABORTED",
    );
  });

  it("gives its schema to nobody who could change it", () => {
    const { jsonSchema } = tools["load_skill"]?.inputSchema?.["~standard"] ?? assert.fail();
    const once = jsonSchema.input({ target: "draft-07" });
    const untouched = structuredClone(once);
    delete once["properties"];
    assert.deepEqual(jsonSchema.input({ target: "draft-07" }), untouched);
  });
});

describe("what a model gets wrong", () => {
  for (const [what, made, words] of [
    ["a skill that is not there", call("load_skill", { name: "tee" }), /Did you mean "tea"/],
    ["an argument of another type", call("load_skill", { name: 7 }), /"name" must be text/],
    ["an argument of another tool", call("load_skill", { skill: "tea" }), /no argument "skill"/],
    ["no object", call("load_skill", "tea"), /do not fit/],
    ["no JSON", { name: "load_skill", args: '{"name": "te' }, /"name" is missing/],
    ["a tool that is not there", call("lod_skill", {}), /lod_skill.*load_skill/],
  ] as const) {
    it(`is told: ${what}`, async () => {
      const [text, ...more] = await texts([made]);
      assert.deepEqual(more, []);
      assert.match(text ?? "", words);
    });
  }

  it("has an error flag where the provider has one", async () => {
    for (const input of [{ name: "tee" }, { name: 7 }]) {
      assert.equal((await result({ name: "load_skill", input })).is_error, true);
    }
  });

  it("is taken where it is close: an argument that may be null is left out", async () => {
    const made = call("read_skill_file", { skill: "tea", path: "empty.txt" });
    assert.deepEqual(await texts([made]), [""]);
  });

  it("answers calls with one id", async () => {
    const [text, ...more] = await texts([
      call("load_skill", { name: "tea" }, "same"),
      call("load_skill", { name: "coffee" }, "same"),
    ]);
    assert.match(text ?? "", /Warm the pot|Grind the beans/);
    for (const other of more) assert.match(other, /Warm the pot|Grind the beans/);
  });

  it("answers 100 calls at once, in their order", async () => {
    const made = Array.from({ length: 100 }, (_, index) =>
      call("load_skill", { name: index % 2 === 0 ? "tea" : "coffee" }),
    );
    assert.deepEqual(
      (await texts(made)).map((text) => /name="(\w+)"/.exec(text)?.[1]),
      made.map((_, index) => (index % 2 === 0 ? "tea" : "coffee")),
    );
  });
});

describe("files that are not text", () => {
  const args = (path: string) => ({ skill: "tea", path, offset: null, limit: null });

  it("are images, by their content, where the developer says so", async () => {
    const own = await skillTools(catalog, { images: true });
    const { content } = await result({ name: "read_skill_file", input: args("pixel.jpg") }, own);
    assert.equal(content[0].type, "text");
    const data = Buffer.from(PIXEL).toString("base64");
    assert.deepEqual(content[1].source, { type: "base64", media_type: "image/png", data });
    const none = await result({ name: "read_skill_file", input: args("no-image.png") }, own);
    assert.match(none.content, /no-image\.png/);
  });

  it("are a line of text otherwise", async () => {
    const [text] = await texts([call("read_skill_file", args("pixel.png"))]);
    assert.match(text ?? "", /pixel\.png/);
    assert.ok((text ?? "").length < 300);
  });
});

it("is an example that runs", async () => {
  const replies: Reply[] = [
    anthropic.calls({ name: "load_skill", input: { name: "code-review" } }),
    anthropic.says("All is well."),
  ];
  await using server = await provider(replies);
  const { out, err, code } = await example("mastra.mjs", {
    ANTHROPIC_API_KEY: "none",
    ANTHROPIC_BASE_URL: `${server.url}/v1`,
  });
  assert.deepEqual([out, err, code], ["All is well.\n", "", 0]);
  const told = server.requests[1]?.body.messages.at(-1);
  assert.match(told.content[0].content, /^<skill_content name="code-review">/);
});

it("tells a developer what is no catalog, and options that cannot be used", async () => {
  const isUnsupported = (error: unknown): boolean =>
    SkillError.isInstance(error) && error.code === "SOURCE_UNSUPPORTED";
  // @ts-expect-error
  await assert.rejects(skillTools({}), isUnsupported);
  // @ts-expect-error
  await assert.rejects(skillTools(catalog, { image: true }), isUnsupported);
});
