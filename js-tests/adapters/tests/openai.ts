// skillshelf/openai with the official SDK: the Responses and the Chat Completions API.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import OpenAI from "openai";
import { toResponseInputItems } from "openai/lib/responses/ResponseInputItems";
import { type Catalog, loadSkills, SkillError } from "skillshelf";
import { answerToolCalls, skillTools } from "skillshelf/openai";
import { example } from "../support/examples.ts";
import { type Call, call, chat, responses, streamedChatText } from "../support/openai.ts";
import { type Provider, provider, type Reply } from "../support/provider.ts";
import { BODY, PIXEL, skills } from "../support/skills.ts";
import { checkBodies } from "../support/types.ts";

const IMPORT = 'import type OpenAI from "openai";';
const LOAD = call("load_skill", { name: "tea" });
const PIECES = { name: "load_skill", pieces: ['{"na', 'me":"te', 'a"}'] };

const catalog: Catalog = await loadSkills({ host: skills() });

function client({ url }: Provider): OpenAI {
  return new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 });
}

/** What both APIs are asked, each in its own way: one turn of a conversation, and its answers. */
const APIS = [
  {
    name: "Responses",
    api: responses,
    /** The texts of the answers to these calls. */
    async answers(made: Call[]): Promise<string[]> {
      await using server = await provider([responses.calls(...made)]);
      const tools = skillTools(catalog);
      const request = { model: "gpt-test", tools, input: "Make tea." };
      const { append } = await answerToolCalls(
        tools,
        await client(server).responses.create(request),
      );
      return append.map(({ output }) => String(output));
    },
    /** The ids that these calls are answered with. */
    async ids(made: Call[]): Promise<unknown[]> {
      await using server = await provider([responses.calls(...made)]);
      const tools = skillTools(catalog);
      const request = { model: "gpt-test", tools, input: "Make tea." };
      const { append } = await answerToolCalls(
        tools,
        await client(server).responses.create(request),
      );
      return append.map(({ call_id }) => call_id);
    },
    async streamed(reply: Reply): Promise<string[]> {
      await using server = await provider([reply]);
      const tools = skillTools(catalog);
      const stream = client(server).responses.stream({ model: "gpt-test", tools, input: "Tea." });
      const { append } = await answerToolCalls(tools, await stream.finalResponse());
      return append.map(({ output }) => String(output));
    },
    async created(reply: Reply): Promise<unknown> {
      await using server = await provider([reply]);
      const tools = skillTools(catalog);
      return await client(server).responses.create({ model: "gpt-test", tools, input: "Tea." });
    },
  },
  {
    name: "Chat Completions",
    api: chat,
    async answers(made: Call[]): Promise<string[]> {
      await using server = await provider([chat.calls(...made)]);
      const tools = skillTools(catalog, { api: "chat" });
      const messages = [{ role: "user" as const, content: "Make tea." }];
      const request = { model: "gpt-test", tools, messages };
      const completion = await client(server).chat.completions.create(request);
      const { append } = await answerToolCalls(tools, completion);
      return append.map(({ content }) => String(content));
    },
    async ids(made: Call[]): Promise<unknown[]> {
      await using server = await provider([chat.calls(...made)]);
      const tools = skillTools(catalog, { api: "chat" });
      const messages = [{ role: "user" as const, content: "Make tea." }];
      const request = { model: "gpt-test", tools, messages };
      const completion = await client(server).chat.completions.create(request);
      const { append } = await answerToolCalls(tools, completion);
      return append.map(({ tool_call_id }) => tool_call_id);
    },
    async streamed(reply: Reply): Promise<string[]> {
      await using server = await provider([reply]);
      const tools = skillTools(catalog, { api: "chat" });
      const messages = [{ role: "user" as const, content: "Make tea." }];
      const request = { model: "gpt-test", tools, messages };
      const stream = client(server).chat.completions.stream(request);
      const { append } = await answerToolCalls(tools, await stream.finalChatCompletion());
      return append.map(({ content }) => String(content));
    },
    async created(reply: Reply): Promise<unknown> {
      await using server = await provider([reply]);
      const tools = skillTools(catalog, { api: "chat" });
      const messages = [{ role: "user" as const, content: "Make tea." }];
      const request = { model: "gpt-test", tools, messages };
      return await client(server).chat.completions.create(request);
    },
  },
];

for (const { name, api, answers, ids, streamed, created } of APIS) {
  describe(`${name}: what a model gets wrong`, () => {
    for (const [what, made, words] of [
      ["a skill that is not there", call("load_skill", { name: "tee" }), /^Error: .*tea/],
      ["an argument of another type", call("load_skill", { name: 7 }), /^Error: .*name/],
      ["an argument of another tool", call("load_skill", { skill: "tea" }), /^Error: .*name/],
      ["no JSON", { name: "load_skill", args: '{"name": "te' }, /^Error: .*not JSON/],
      ["nothing", { name: "load_skill", args: "" }, /^Error: /],
      [
        "a path that leads away",
        call("read_skill_file", { skill: "tea", path: "../x", offset: null, limit: null }),
        /^Error: .*\.\.\/x/,
      ],
    ] as const) {
      it(`is told: ${what}`, async () => {
        const [text, ...more] = await answers([made]);
        assert.deepEqual(more, []);
        assert.match(text ?? "", words);
      });
    }

    it("answers both of two calls with one id, in their order", async () => {
      const made = [
        call("load_skill", { name: "tea" }, "same"),
        call("load_skill", { name: "coffee" }, "same"),
      ];
      const [tea, coffee] = await answers(made);
      assert.match(tea ?? "", /Warm the pot/);
      assert.match(coffee ?? "", /Grind the beans/);
      assert.deepEqual(await ids(made), ["same", "same"]);
    });

    it("answers 100 calls at once, in their order", async () => {
      const made = Array.from({ length: 100 }, (_, index) =>
        call("load_skill", { name: index % 2 === 0 ? "tea" : `none-${index}` }),
      );
      assert.deepEqual(
        (await answers(made)).map((text) => text.startsWith("Error: ")),
        made.map((_, index) => index % 2 === 1),
      );
      assert.deepEqual(
        await ids(made),
        made.map((_, index) => `call_${index}`),
      );
    });
  });

  describe(`${name}: a streamed response`, () => {
    it("is answered once the SDK has put it together, parallel calls too", async () => {
      const coffee = { name: "load_skill", pieces: ['{"name"', ':"coffee"}'] };
      const [first, second] = await streamed(api.streamedCalls(PIECES, coffee));
      assert.match(first ?? "", /Warm the pot/);
      assert.match(second ?? "", /Grind the beans/);
    });

    it("fails as the SDK says where the connection is dropped in a call", async () => {
      const failing = streamed(api.droppedCall("load_skill", PIECES.pieces.slice(0, 2)));
      await assert.rejects(failing, (error) => !SkillError.isInstance(error));
    });

    it("fails as the SDK says where the arguments are no JSON: it reads those of strict tools", async () => {
      const failing = streamed(api.streamedCalls({ name: "load_skill", pieces: ['{"na'] }));
      await assert.rejects(failing, (error) => {
        return error instanceof Error && !SkillError.isInstance(error);
      });
    });

    it("fails as the SDK says where a response is dropped", async () => {
      await assert.rejects(created({ dropped: api.calls(LOAD) }), (error) => {
        return error instanceof Error && !SkillError.isInstance(error);
      });
    });
  });

  it(`${name}: is an example that runs`, async () => {
    await using server = await provider([
      api.calls(call("load_skill", { name: "code-review" })),
      api.says("All is well."),
    ]);
    const file = name === "Responses" ? "openai.mjs" : "openai-chat.mjs";
    const { out, err, code } = await example(file, {
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: `${server.url}/v1`,
    });
    assert.deepEqual([out, err, code], ["All is well.\n", "", 0]);
    assert.equal(server.requests.length, 2);
    assert.match(
      JSON.stringify(server.requests[1]?.body),
      /<skill_content name=\\"code-review\\">/,
    );
  });
}

describe("a loop over the Responses API", () => {
  it("hands a skill to the model, in requests as the SDK's types have them", async () => {
    await using server = await provider([responses.calls(LOAD), responses.says("Done.")]);
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "Make tea." }];
    const tools = skillTools(catalog);
    for (;;) {
      const instructions = catalog.prompt();
      const request = { model: "gpt-test", instructions, tools, input };
      const response = await client(server).responses.create(request);
      input.push(...toResponseInputItems(response.output));
      const { append, others } = await answerToolCalls(tools, response);
      assert.deepEqual(others, []);
      if (append.length === 0) break;
      input.push(...append);
    }
    const bodies = server.requests.map(({ body }) => body);
    checkBodies(IMPORT, "OpenAI.Responses.ResponseCreateParams", bodies);
    assert.equal(bodies.length, 2);
    assert.ok(!JSON.stringify(bodies[0]).includes(BODY));
    for (const tool of bodies[0].tools) {
      assert.deepEqual(
        [tool.type, tool.strict, tool.parameters.type],
        ["function", true, "object"],
      );
      checkStrict(tool.parameters);
    }
    const { type, call_id, output } = bodies[1].input.at(-1);
    assert.deepEqual([type, call_id], ["function_call_output", "call_0"]);
    assert.match(output, /^<skill_content name="tea">\nWarm the pot\./);
  });

  it("leaves the calls of other functions to the developer", async () => {
    const own: OpenAI.Responses.FunctionTool = {
      type: "function",
      name: "clock",
      parameters: null,
      strict: false,
    };
    await using server = await provider([responses.calls(call("clock", {}), LOAD)]);
    const tools: OpenAI.Responses.Tool[] = [...skillTools(catalog), own];
    const request = { model: "gpt-test", tools, input: "Make tea." };
    const response = await client(server).responses.create(request);
    const { append, others } = await answerToolCalls(tools, response);
    const made: OpenAI.Responses.ResponseFunctionToolCall[] = others;
    assert.deepEqual(
      made.map(({ name, call_id }) => [name, call_id]),
      [["clock", "call_0"]],
    );
    assert.deepEqual(
      append.map(({ call_id }) => call_id),
      ["call_1"],
    );
  });

  it("gives images, by their content", async () => {
    for (const path of ["pixel.png", "pixel.jpg", "no-image.png", "large.png"]) {
      const read = call("read_skill_file", { skill: "tea", path, offset: null, limit: null });
      await using server = await provider([responses.calls(read)]);
      const tools = skillTools(catalog);
      const request = { model: "gpt-test", tools, input: "Make tea." };
      const response = await client(server).responses.create(request);
      const { append } = await answerToolCalls(tools, response);
      const output = append[0]?.output;
      if (!path.startsWith("pixel")) {
        assert.ok(typeof output === "string" && output.includes(path));
        continue;
      }
      checkBodies(IMPORT, "OpenAI.Responses.ResponseInputItem", append);
      assert.ok(Array.isArray(output) && output[0]?.type === "input_text");
      const data = Buffer.from(PIXEL).toString("base64");
      const image_url = `data:image/png;base64,${data}`;
      assert.deepEqual(output[1], { type: "input_image", detail: "auto", image_url });
    }
  });
});

describe("a loop over the Chat Completions API", () => {
  it("hands a skill to the model, in requests as the SDK's types have them", async () => {
    await using server = await provider([chat.calls(LOAD), chat.says("Done.")]);
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: "system", content: catalog.prompt() },
      { role: "user", content: "Make tea." },
    ];
    const tools = skillTools(catalog, { api: "chat" });
    for (;;) {
      const request = { model: "gpt-test", tools, messages };
      const completion = await client(server).chat.completions.create(request);
      const [choice] = completion.choices;
      if (choice !== undefined) messages.push(choice.message);
      const { append, others } = await answerToolCalls(tools, completion);
      assert.deepEqual(others, []);
      if (append.length === 0) break;
      messages.push(...append);
    }
    const bodies = server.requests.map(({ body }) => body);
    checkBodies(IMPORT, "OpenAI.ChatCompletionCreateParams", bodies);
    for (const { type, function: sent } of bodies[0].tools) {
      assert.deepEqual([type, sent.strict], ["function", true]);
      assert.deepEqual(Object.keys(sent), ["name", "description", "parameters", "strict"]);
      checkStrict(sent.parameters);
    }
    const { role, tool_call_id, content } = bodies[1].messages.at(-1);
    assert.deepEqual([role, tool_call_id], ["tool", "call_0"]);
    assert.match(content, /^<skill_content name="tea">\nWarm the pot\./);
  });

  it("leaves the calls of other functions to the developer", async () => {
    const own: OpenAI.ChatCompletionTool = { type: "function", function: { name: "clock" } };
    await using server = await provider([chat.calls(call("clock", {}), LOAD)]);
    const tools: OpenAI.ChatCompletionTool[] = [...skillTools(catalog, { api: "chat" }), own];
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Tea." }];
    const request = { model: "gpt-test", tools, messages };
    const completion = await client(server).chat.completions.create(request);
    const { append, others } = await answerToolCalls(tools, completion);
    assert.deepEqual(
      others.map(({ id }) => id),
      ["call_0"],
    );
    assert.deepEqual(
      append.map(({ tool_call_id }) => tool_call_id),
      ["call_1"],
    );
  });

  it("gives images as their line of text, since tools may give nothing else there", async () => {
    const path = "pixel.png";
    const read = call("read_skill_file", { skill: "tea", path, offset: null, limit: null });
    await using server = await provider([chat.calls(read)]);
    const tools = skillTools(catalog, { api: "chat" });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Tea." }];
    const request = { model: "gpt-test", tools, messages };
    const completion = await client(server).chat.completions.create(request);
    const { append } = await answerToolCalls(tools, completion);
    assert.match(String(append[0]?.content), /pixel\.png/);
    assert.ok(String(append[0]?.content).length < 300);
  });
});

describe("runTools of the SDK", () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Make tea." }];

  /** What the tool answered in the second request. */
  function answered({ requests }: Provider): string {
    const bodies = requests.map(({ body }) => body);
    checkBodies(IMPORT, "OpenAI.ChatCompletionCreateParams", bodies);
    assert.equal(bodies.length, 2);
    return bodies[1].messages.at(-1).content;
  }

  it("runs the tools", async () => {
    await using server = await provider([chat.calls(LOAD), chat.says("Done.")]);
    const tools = skillTools(catalog, { api: "chat" });
    const runner = client(server).chat.completions.runTools({ model: "gpt-test", tools, messages });
    assert.equal(await runner.finalContent(), "Done.");
    assert.match(answered(server), /Warm the pot/);
  });

  it("runs the tools of a stream, and tells the model what went wrong", async () => {
    const wrong = { name: "load_skill", pieces: ['{"name":', '"tee"}'] };
    await using server = await provider([chat.streamedCalls(wrong), streamedChatText("Done.")]);
    const tools = skillTools(catalog, { api: "chat" });
    const runner = client(server).chat.completions.runTools({
      model: "gpt-test",
      tools,
      messages,
      stream: true,
    });
    assert.equal(await runner.finalContent(), "Done.");
    assert.match(answered(server), /^Error: .*tea/);
  });
});

describe("what a developer gets wrong", () => {
  const isUnsupported = (error: unknown): boolean =>
    SkillError.isInstance(error) && error.code === "SOURCE_UNSUPPORTED";

  it("is told: no catalog, another API, an unknown option", () => {
    // @ts-expect-error
    assert.throws(() => skillTools({}), isUnsupported);
    // @ts-expect-error
    assert.throws(() => skillTools(catalog, { api: "assistants" }), isUnsupported);
    // @ts-expect-error
    assert.throws(() => skillTools(catalog, { sett: "full" }), isUnsupported);
  });

  it("is told: no response", async () => {
    for (const wrong of [undefined, {}, Promise.resolve()]) {
      // @ts-expect-error
      await assert.rejects(answerToolCalls([], wrong), isUnsupported);
    }
  });
});

/** What strict mode asks of a schema (https://platform.openai.com/docs/guides/structured-outputs). */
function checkStrict(schema: {
  additionalProperties: unknown;
  properties: object;
  required: string[];
}): void {
  assert.equal(schema.additionalProperties, false);
  assert.deepEqual(Object.keys(schema.properties).sort(), [...schema.required].sort());
}
