// skillshelf/openai-agents with the OpenAI Agents SDK, over both APIs.

import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import {
  Agent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
} from "@openai/agents";
import OpenAI from "openai";
import { type Catalog, loadSkills, loadSkillsSync, SkillError } from "skillshelf";
import { type AgentSkillTool, skillTools } from "skillshelf/openai-agents";
import { example } from "../support/examples.ts";
import { type Api, type Call, call, chat, responses } from "../support/openai.ts";
import { type Provider, provider } from "../support/provider.ts";
import { BODY, PIXEL, skills } from "../support/skills.ts";
import { checkBodies } from "../support/types.ts";

setTracingDisabled(true);

const LOAD = call("load_skill", { name: "tea" });

const catalog: Catalog = await loadSkills({ host: skills() });
const tools = await skillTools(catalog);

/** The bodies of all requests, for the official SDK's types to judge. */
const sent: { responses: unknown[]; chat: unknown[] } = { responses: [], chat: [] };

after(() => {
  const types = 'import type OpenAI from "openai";';
  checkBodies(types, "OpenAI.Responses.ResponseCreateParams", sent.responses);
  checkBodies(types, "OpenAI.ChatCompletionCreateParams", sent.chat);
});

function agent({ url }: Provider, api: Api, own: AgentSkillTool[] = tools): Agent {
  const client = new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 });
  const Model = api === chat ? OpenAIChatCompletionsModel : OpenAIResponsesModel;
  const model = new Model(client, "gpt-test");
  return new Agent({ name: "Tea", instructions: catalog.prompt(), tools: own, model });
}

/** What the second request says of these calls. */
async function outputs(made: Call[], api: Api = responses, own = tools) {
  await using server = await provider([api.calls(...made), api.says("Done.")]);
  const { finalOutput } = await new Runner().run(agent(server, api, own), "Make tea.");
  assert.equal(finalOutput, "Done.");
  const bodies = server.requests.map(({ body }) => body);
  sent[api === chat ? "chat" : "responses"].push(...bodies);
  assert.equal(bodies.length, 2);
  assert.ok(!JSON.stringify(bodies[0]).includes(BODY));
  if (api === chat) {
    const messages: { role: string; content: unknown }[] = bodies[1].messages;
    return messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  }
  const input: { type: string; output: unknown }[] = bodies[1].input;
  return input.filter(({ type }) => type === "function_call_output").map(({ output }) => output);
}

describe("an agent", () => {
  for (const [name, api] of Object.entries({ responses, chat })) {
    it(`is given a skill over ${name}`, async () => {
      const [output, ...more] = await outputs([LOAD], api);
      assert.deepEqual(more, []);
      assert.match(String(output), /^<skill_content name="tea">\nWarm the pot\./);
    });
  }

  it("takes them with a context of its own", async () => {
    await using server = await provider([responses.calls(LOAD), responses.says("Done.")]);
    const { name, model } = agent(server, responses);
    const own = new Agent<{ user: string }>({ name, model, tools });
    const { finalOutput } = await new Runner().run(own, "Tea.", { context: { user: "Ada" } });
    assert.equal(finalOutput, "Done.");
  });

  it("has strict tools, and the system prompt", async () => {
    await using server = await provider([responses.says("Done.")]);
    await new Runner().run(agent(server, responses), "Make tea.");
    const { instructions, tools: declared } = server.requests[0]?.body ?? {};
    assert.equal(instructions, catalog.prompt());
    assert.deepEqual(
      declared.map((one: OpenAI.Responses.FunctionTool) => [one.name, one.strict]),
      [
        ["load_skill", true],
        ["read_skill_file", true],
      ],
    );
    const expected = Array.from(catalog.tools(), ({ inputSchema }) => inputSchema);
    assert.deepEqual(
      declared.map((one: OpenAI.Responses.FunctionTool) => one.parameters),
      JSON.parse(JSON.stringify(expected)),
    );
  });

  it("is given a skill in a stream, and has tools of its own beside", async () => {
    const pieces = ['{"na', 'me":"te', 'a"}'];
    await using server = await provider([
      responses.streamedCalls({ name: "load_skill", pieces }, { name: "clock", pieces: ["{}"] }),
    ]);
    const clock = tool({
      name: "clock",
      description: "Says the time.",
      parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
      execute: () => "noon",
    });
    const both = agent(server, responses).clone({ tools: [...tools, clock] });
    const stream = await new Runner().run(both, "Make tea.", { stream: true, maxTurns: 1 });
    await assert.rejects(async () => {
      for await (const _ of stream);
      await stream.completed;
    }, /[Mm]ax turns/);
    const texts = stream.newItems.flatMap((item) =>
      item.type === "tool_call_output_item" ? [String(item.output)] : [],
    );
    assert.match(texts[0] ?? "", /Warm the pot/);
    assert.equal(texts[1], "noon");
  });

  it("is a session's, with what it has loaded, and takes catalogs of loadSkillsSync", async () => {
    const session = catalog.session();
    const own = await skillTools(session);
    const [first] = await outputs([LOAD], responses, own);
    const [second] = await outputs([LOAD], responses, own);
    assert.match(String(first), /Warm the pot/);
    assert.match(String(second), /already loaded/);
    const blocking = await skillTools(loadSkillsSync({ host: skills() }));
    assert.match(String((await outputs([LOAD], responses, blocking))[0]), /Warm the pot/);
  });

  it("fails as the SDK says where the connection is dropped in a call", async () => {
    await using server = await provider([responses.droppedCall("load_skill", ['{"na'])]);
    const stream = await new Runner().run(agent(server, responses), "Tea.", { stream: true });
    await assert.rejects(
      async () => {
        for await (const _ of stream);
        await stream.completed;
      },
      (error) => error instanceof Error && !SkillError.isInstance(error),
    );
  });
});

describe("what a model gets wrong", () => {
  for (const [what, made, words] of [
    ["a skill that is not there", call("load_skill", { name: "tee" }), /^Error: .*tea/s],
    ["an argument of another type", call("load_skill", { name: 7 }), /^Error: .*must be text/s],
    ["an argument of another tool", call("load_skill", { skill: "tea" }), /^Error: .*skill/s],
    ["no object", call("load_skill", "tea"), /^Error: /],
    ["no JSON", { name: "load_skill", args: '{"name": "te' }, /JSON/],
  ] as const) {
    for (const [name, api] of Object.entries({ responses, chat })) {
      it(`is told over ${name}: ${what}`, async () => {
        const [output, ...more] = await outputs([made], api);
        assert.deepEqual(more, []);
        assert.match(String(output), words);
      });
    }
  }

  it("ends the run as the SDK says: a tool that is not there", async () => {
    await using server = await provider([responses.calls(call("lod_skill", {}))]);
    const running = new Runner().run(agent(server, responses), "Make tea.");
    await assert.rejects(running, { message: /lod_skill not found/ });
  });

  it("answers 100 calls at once, in their order", async () => {
    const made = Array.from({ length: 100 }, (_, index) =>
      call("load_skill", { name: index % 2 === 0 ? "tea" : "coffee" }),
    );
    const answers: unknown[] = await outputs(made);
    assert.deepEqual(
      answers.map((text) => /name="(\w+)"/.exec(String(text))?.[1]),
      made.map((_, index) => (index % 2 === 0 ? "tea" : "coffee")),
    );
  });
});

describe("files that are not text", () => {
  const read = (path: string) =>
    call("read_skill_file", { skill: "tea", path, offset: null, limit: null });

  it("are images, by their content", async () => {
    const [image, none] = await outputs([read("pixel.jpg"), read("no-image.png")]);
    assert.ok(Array.isArray(image) && image.length === 2);
    assert.equal(image[0].type, "input_text");
    const data = Buffer.from(PIXEL).toString("base64");
    assert.equal(image[1].image_url, `data:image/png;base64,${data}`);
    assert.match(String(none), /no-image\.png/);
  });

  it("are their line of text over Chat Completions", async () => {
    const [line] = await outputs([read("pixel.png")], chat);
    assert.match(String(line), /pixel\.png/);
  });
});

it("is an example that runs", async () => {
  const made = call("load_skill", { name: "code-review" });
  await using server = await provider([responses.calls(made), responses.says("All is well.")]);
  const { out, err, code } = await example("openai-agents.mjs", {
    OPENAI_API_KEY: "none",
    OPENAI_BASE_URL: `${server.url}/v1`,
    OPENAI_AGENTS_DISABLE_TRACING: "1",
  });
  assert.deepEqual([out, err, code], ["All is well.\n", "", 0]);
  const output = server.requests[1]?.body.input.at(-1).output;
  assert.match(output, /^<skill_content name="code-review">/);
});

it("tells a developer what is no catalog, and options that cannot be used", async () => {
  const isUnsupported = (error: unknown): boolean =>
    SkillError.isInstance(error) && error.code === "SOURCE_UNSUPPORTED";
  // @ts-expect-error
  await assert.rejects(skillTools({}), isUnsupported);
  // @ts-expect-error
  await assert.rejects(skillTools(catalog, { sett: "full" }), isUnsupported);
});
