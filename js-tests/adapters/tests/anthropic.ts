// skillshelf/anthropic with the official SDK.

import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { type Catalog, loadSkills, loadSkillsSync, SkillError } from "skillshelf";
import { answerToolCalls, skillTools } from "skillshelf/anthropic";
import { calls, droppedCall, says, streamedCall, streamedText } from "../support/anthropic.ts";
import { example } from "../support/examples.ts";
import { type Provider, provider, type Reply } from "../support/provider.ts";
import { BODY, PIXEL, skills } from "../support/skills.ts";
import { checkBodies } from "../support/types.ts";

const IMPORT = 'import type Anthropic from "@anthropic-ai/sdk";';
const MODEL = { model: "claude-test", max_tokens: 100 };
const LOAD = { name: "load_skill", input: { name: "tea" } };

const catalog: Catalog = await loadSkills({ host: skills() });

function client({ url }: Provider): Anthropic {
  return new Anthropic({ apiKey: "none", baseURL: url, maxRetries: 0 });
}

/** What a model is answered when it makes these calls. */
async function results(
  ...made: Parameters<typeof calls>
): Promise<Anthropic.ToolResultBlockParam[]> {
  await using server = await provider([calls(...made)]);
  const tools = skillTools(catalog);
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Make tea." }];
  const message = await client(server).messages.create({ ...MODEL, tools, messages });
  const { append } = await answerToolCalls(tools, message);
  return append.flatMap(({ content }) => content);
}

/** The result of one call. */
async function result(name: string, input: unknown): Promise<Anthropic.ToolResultBlockParam> {
  const [block, ...more] = await results({ name, input });
  assert.ok(block !== undefined && more.length === 0);
  return block;
}

describe("a loop over the Messages API", () => {
  it("hands a skill to the model, in requests as the SDK's types have them", async () => {
    await using server = await provider([calls(LOAD), says("Done.")]);
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Make tea." }];
    const tools = skillTools(catalog);
    for (;;) {
      const system = catalog.prompt();
      const message = await client(server).messages.create({ ...MODEL, system, tools, messages });
      messages.push({ role: "assistant", content: message.content });
      const { append, others } = await answerToolCalls(tools, message);
      assert.deepEqual(others, []);
      if (append.length === 0) break;
      messages.push(...append);
    }
    const bodies = server.requests.map(({ body }) => body);
    checkBodies(IMPORT, "Anthropic.MessageCreateParams", bodies);
    assert.equal(bodies.length, 2);
    for (const tool of bodies[0].tools) {
      assert.deepEqual(Object.keys(tool), ["name", "description", "input_schema"]);
      assert.equal(tool.input_schema.type, "object");
    }
    assert.ok(!JSON.stringify(bodies[0]).includes(BODY));
    const [{ type, tool_use_id, content, is_error }] = bodies[1].messages.at(-1).content;
    assert.deepEqual([type, tool_use_id, is_error], ["tool_result", "toolu_0", undefined]);
    assert.match(content, /^<skill_content name="tea">\nWarm the pot\./);
  });

  it("has the same tools where the developer adds to them", async () => {
    const tools = skillTools(catalog).map((tool) => ({
      ...tool,
      cache_control: { type: "ephemeral" as const },
    }));
    await using server = await provider([calls(LOAD)]);
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Make tea." }];
    const message = await client(server).messages.create({ ...MODEL, tools, messages });
    const bodies = server.requests.map(({ body }) => body);
    checkBodies(IMPORT, "Anthropic.MessageCreateParams", bodies);
    assert.equal((await answerToolCalls(tools, message)).append.length, 1);
  });

  it("leaves the calls of other tools to the developer", async () => {
    const own: Anthropic.Tool = { name: "clock", input_schema: { type: "object" } };
    await using server = await provider([calls({ name: "clock", input: {} }, LOAD)]);
    const tools: Anthropic.ToolUnion[] = [...skillTools(catalog), own];
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Make tea." }];
    const message = await client(server).messages.create({ ...MODEL, tools, messages });
    const { append, others } = await answerToolCalls(tools, message);
    // Inferred, not said: a cast would not find a type that has become wider.
    const blocks: Anthropic.ToolUseBlock[] = others;
    assert.deepEqual(
      blocks.map(({ name, id }) => [name, id]),
      [["clock", "toolu_0"]],
    );
    append[0]?.content.push({ type: "tool_result", tool_use_id: "toolu_0", content: "noon" });
    const [answer] = append;
    assert.ok(answer);
    const next: Anthropic.MessageParam = answer;
    checkBodies(IMPORT, "Anthropic.MessageParam", [next]);
  });

  it("is a session's, with what it has loaded", async () => {
    const session = catalog.session();
    const tools = skillTools(session);
    const texts = [];
    for (let turn = 0; turn < 2; turn += 1) {
      await using server = await provider([calls(LOAD)]);
      const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Make tea." }];
      const message = await client(server).messages.create({ ...MODEL, tools, messages });
      texts.push(String((await answerToolCalls(tools, message)).append[0]?.content[0]?.content));
    }
    assert.match(texts[0] ?? "", /Warm the pot/);
    assert.match(texts[1] ?? "", /already loaded/);
    assert.deepEqual(
      session.loaded.map(({ name }) => name),
      ["tea"],
    );
  });

  it("takes catalogs and sessions of loadSkillsSync, and options", async () => {
    const blocking = loadSkillsSync({ host: skills() });
    for (const source of [blocking, blocking.session()]) {
      const tools = skillTools(source, {
        rename: { load_skill: { name: "use_skill", arguments: { name: "skill_name" } } },
      });
      const message = { content: [{ type: "tool_use" as const, id: "1", ...use("tea") }] };
      const { append } = await answerToolCalls(tools, message);
      assert.match(String(append[0]?.content[0]?.content), /Warm the pot/);
    }
    function use(skill_name: string) {
      return { name: "use_skill", input: { skill_name } };
    }
  });

  it("has no tools where there are no skills", async () => {
    assert.deepEqual(skillTools(await loadSkills([])), []);
  });
});

describe("what a model gets wrong", () => {
  const blocks: Anthropic.ToolResultBlockParam[] = [];
  after(() => checkBodies(IMPORT, "Anthropic.ToolResultBlockParam", blocks));

  for (const [what, name, input, words] of [
    ["a skill that is not there", "load_skill", { name: "tee" }, /tea/],
    ["an argument of another type", "load_skill", { name: 7 }, /name/],
    ["an argument of another tool", "load_skill", { skill: "tea", path: "a" }, /name/],
    ["no object", "load_skill", "tea", /JSON|object/],
    ["nothing", "load_skill", null, /name|object/],
    ["a path that leads away", "read_skill_file", { skill: "tea", path: "../x" }, /\.\.\/x/],
  ] as const) {
    it(`is told: ${what}`, async () => {
      const block = await result(name, input);
      assert.equal(block.is_error, true);
      assert.match(String(block.content), words);
      blocks.push(block);
    });
  }

  it("is told: input that arrives in pieces and is cut off", async () => {
    await using server = await provider([streamedCall("load_skill", ['{"na', 'me": "te'])]);
    const tools = skillTools(catalog);
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Make tea." }];
    const stream = client(server).messages.stream({ ...MODEL, tools, messages });
    const message = await stream.finalMessage();
    const { append } = await answerToolCalls(tools, message);
    assert.equal(append[0]?.content[0]?.is_error, true);
  });

  it("answers both of two calls with one id, in their order", async () => {
    const blocks = await results(
      { id: "same", ...LOAD },
      { id: "same", name: "load_skill", input: { name: "coffee" } },
    );
    assert.deepEqual(
      blocks.map(({ tool_use_id }) => tool_use_id),
      ["same", "same"],
    );
    assert.match(String(blocks[0]?.content), /Warm the pot/);
    assert.match(String(blocks[1]?.content), /Grind the beans/);
  });

  it("answers 100 calls at once, in their order", async () => {
    const made = Array.from({ length: 100 }, (_, index) => ({
      name: "load_skill",
      input: { name: index % 2 === 0 ? "tea" : `none-${index}` },
    }));
    const blocks = await results(...made);
    assert.deepEqual(
      blocks.map(({ tool_use_id, is_error }) => [tool_use_id, is_error === true]),
      made.map((_, index) => [`toolu_${index}`, index % 2 === 1]),
    );
  });
});

describe("a streamed message", () => {
  it("is answered once the SDK has put it together", async () => {
    await using server = await provider([streamedCall("load_skill", ['{"na', 'me": "te', 'a"}'])]);
    const tools = skillTools(catalog);
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Make tea." }];
    const stream = client(server).messages.stream({ ...MODEL, tools, messages });
    const { append } = await answerToolCalls(tools, await stream.finalMessage());
    assert.match(String(append[0]?.content[0]?.content), /Warm the pot/);
  });

  it("fails as the SDK says where the connection is dropped in a call", async () => {
    await using server = await provider([droppedCall("load_skill", ['{"na', 'me": "te'])]);
    const tools = skillTools(catalog);
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Make tea." }];
    const stream = client(server).messages.stream({ ...MODEL, tools, messages });
    await assert.rejects(stream.finalMessage(), Anthropic.AnthropicError);
  });

  it("fails as the SDK says where a message is dropped", async () => {
    await using server = await provider([{ dropped: calls(LOAD) }]);
    const tools = skillTools(catalog);
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Make tea." }];
    const waiting = client(server).messages.create({ ...MODEL, tools, messages });
    await assert.rejects(waiting, { name: "TypeError", message: "terminated" });
  });
});

describe("files that are not text", () => {
  for (const name of ["pixel.png", "pixel.jpg"]) {
    it(`are images, by their content: ${name}`, async () => {
      const block = await result("read_skill_file", { skill: "tea", path: name });
      checkBodies(IMPORT, "Anthropic.ToolResultBlockParam", [block]);
      assert.ok(Array.isArray(block.content));
      const [text, image] = block.content;
      assert.ok(text?.type === "text" && text.text.includes(name));
      assert.deepEqual(image, {
        type: "image",
        source: {
          type: "base64",
          media_type: "image/png",
          data: Buffer.from(PIXEL).toString("base64"),
        },
      });
    });
  }

  for (const name of ["no-image.png", "large.png"]) {
    it(`are a line of text where the provider would refuse them: ${name}`, async () => {
      const block = await result("read_skill_file", { skill: "tea", path: name });
      assert.equal(block.is_error, undefined);
      assert.ok(typeof block.content === "string" && block.content.includes(name));
    });
  }

  it("may be empty", async () => {
    const { content, is_error } = await result("read_skill_file", {
      skill: "tea",
      path: "empty.txt",
    });
    assert.deepEqual([typeof content, is_error], ["string", undefined]);
  });
});

describe("the tool runner of the SDK", () => {
  async function run(
    replies: readonly Reply[],
    stream: boolean,
  ): Promise<Anthropic.Beta.BetaToolResultBlockParam[]> {
    await using server = await provider(replies);
    const runner = client(server).beta.messages.toolRunner({
      ...MODEL,
      stream,
      tools: skillTools(catalog),
      messages: [{ role: "user", content: "Make tea." }],
    });
    await runner.runUntilDone();
    const bodies = server.requests.map(({ body }) => body);
    checkBodies(IMPORT, "Anthropic.Beta.MessageCreateParams", bodies);
    assert.equal(bodies.length, 2);
    return bodies[1].messages.at(-1).content;
  }

  it("runs the tools", async () => {
    const [block] = await run([calls(LOAD), says("Done.")], false);
    assert.match(String(block?.content), /Warm the pot/);
    assert.ok(!block?.is_error);
  });

  it("runs the tools of a stream", async () => {
    const pieces = ['{"na', 'me": "te', 'a"}'];
    const [block] = await run([streamedCall("load_skill", pieces), streamedText("Done.")], true);
    assert.match(String(block?.content), /Warm the pot/);
  });

  it("tells the model what went wrong", async () => {
    const [block] = await run(
      [calls({ name: "load_skill", input: { name: "tee" } }), says("Done.")],
      false,
    );
    assert.equal(block?.is_error, true);
    assert.match(String(block?.content), /tea/);
  });

  it("is given images", async () => {
    const input = { skill: "tea", path: "pixel.png" };
    const [block] = await run([calls({ name: "read_skill_file", input }), says("Done.")], false);
    assert.ok(Array.isArray(block?.content));
    assert.equal(block.content[1]?.type, "image");
  });

  it("fails as the SDK says where the connection is dropped in a call", async () => {
    await assert.rejects(
      run([droppedCall("load_skill", ['{"na'])], true),
      Anthropic.AnthropicError,
    );
  });
});

it("is an example that runs", async () => {
  const input = { name: "code-review" };
  await using server = await provider([calls({ name: "load_skill", input }), says("All is well.")]);
  const { out, err, code } = await example("anthropic.mjs", {
    ANTHROPIC_API_KEY: "none",
    ANTHROPIC_BASE_URL: server.url,
  });
  assert.deepEqual([out, err, code], ["All is well.\n", "", 0]);
  const result = server.requests[1]?.body.messages.at(-1).content[0];
  assert.match(result.content, /^<skill_content name="code-review">/);
});

describe("what a developer gets wrong", () => {
  it("is told: no catalog", async () => {
    for (const wrong of [undefined, {}, loadSkills([])]) {
      assert.throws(
        // @ts-expect-error
        () => skillTools(wrong),
        (error) => SkillError.isInstance(error) && error.code === "SOURCE_UNSUPPORTED",
      );
    }
  });

  it("is told: no message", async () => {
    for (const wrong of [undefined, {}, Promise.resolve()]) {
      await assert.rejects(
        // @ts-expect-error
        answerToolCalls([], wrong),
        (error) => SkillError.isInstance(error) && error.code === "SOURCE_UNSUPPORTED",
      );
    }
  });

  it("is told: options that cannot be used", () => {
    assert.throws(
      // @ts-expect-error
      () => skillTools(catalog, { sett: "full" }),
      (error) => SkillError.isInstance(error) && error.message.includes("sett"),
    );
  });

  it("may abort", async () => {
    const message = { content: [{ type: "tool_use" as const, id: "1", ...LOAD }] };
    const aborted = answerToolCalls(skillTools(catalog), message, { signal: AbortSignal.abort() });
    await assert.rejects(
      aborted,
      (error) => SkillError.isInstance(error) && error.code === "ABORTED",
    );
  });
});
