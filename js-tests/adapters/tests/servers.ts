// The tools that a skill's servers bring come along in every adapter, with a session.

import assert from "node:assert/strict";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { RunContext } from "@openai/agents";
import { loadSkills, memoryHost, type Session } from "skillshelf";
import * as aiSdk from "skillshelf/ai-sdk";
import * as anthropic from "skillshelf/anthropic";
import * as google from "skillshelf/google";
import * as langchain from "skillshelf/langchain";
import * as mastra from "skillshelf/mastra";
import { connectSkillServers, type SkillServers } from "skillshelf/mcp";
import * as openai from "skillshelf/openai";
import * as openaiAgents from "skillshelf/openai-agents";
import { checkBodies } from "../support/types.ts";

const NOW = "time__now";
const IN = "time__in";
const program = path.join(import.meta.dirname, "../support/clock.mjs");
const configuration = { mcpServers: { clock: { command: process.execPath, args: [program] } } };
const host = memoryHost({
  "time/SKILL.md": "---\nname: time\ndescription: Tells the time\n---\nAsk the clock.\n",
  "time/mcp.json": JSON.stringify(configuration),
});

let session: Session;
let servers: SkillServers;

before(async () => {
  session = (await loadSkills({ host })).session();
  servers = await connectSkillServers(session, { approve: () => true });
  const { isError, content } = await session.call("load_skill", { name: "time" });
  assert.ok(!isError, content);
});

after(() => servers.close());

describe("the tools of a skill's server", () => {
  it("are there in skillshelf/anthropic", async () => {
    const tools = anthropic.skillTools(session);
    const tool = tools.find(({ name }) => name === NOW);
    assert.equal(tool?.input_schema.type, "object");
    const types = 'import type Anthropic from "@anthropic-ai/sdk";';
    checkBodies(types, "Anthropic.Tool[]", [JSON.parse(JSON.stringify(tools))]);
    const use = (name: string) => ({ type: "tool_use", id: name, name, input: {} });
    const { append } = await anthropic.answerToolCalls(tools, { content: [use(NOW), use(IN)] });
    assert.deepEqual(
      append[0]?.content.map(({ content, is_error }) => [content, is_error === true]),
      [
        ["noon", false],
        ["No such place.", true],
      ],
    );
  });

  it("are there in skillshelf/openai, strict only where a model can be held to it", async () => {
    const tools = openai.skillTools(session);
    assert.deepEqual(
      tools.map(({ name, strict }) => [name, strict]),
      [
        ["load_skill", true],
        ["read_skill_file", true],
        [IN, false],
        [NOW, false],
      ],
    );
    // The API refuses an object without properties.
    assert.deepEqual(tools.find(({ name }) => name === NOW)?.parameters.properties, {});
    const types = 'import type OpenAI from "openai";';
    checkBodies(types, "OpenAI.Responses.FunctionTool[]", [JSON.parse(JSON.stringify(tools))]);
    const use = (name: string) => ({
      type: "function_call" as const,
      call_id: name,
      name,
      arguments: "{}",
    });
    const { append } = await openai.answerToolCalls(tools, { output: [use(NOW), use(IN)] });
    assert.deepEqual(
      append.map(({ output }) => output),
      ["noon", "Error: No such place."],
    );
  });

  it("are there in skillshelf/google", async () => {
    const functions = google.skillTools(session);
    const types = 'import type { FunctionDeclaration } from "@google/genai";';
    checkBodies(types, "FunctionDeclaration[]", [JSON.parse(JSON.stringify(functions))]);
    const parts = [NOW, IN].map((name) => ({ functionCall: { name } }));
    const { append } = await google.answerToolCalls(functions, {
      candidates: [{ content: { parts } }],
    });
    assert.deepEqual(
      append[0]?.parts.map(({ functionResponse }) => functionResponse.response),
      [{ output: "noon" }, { error: "No such place." }],
    );
  });

  it("are there in skillshelf/openai-agents", async () => {
    const tools = await openaiAgents.skillTools(session);
    const run = (name: string) => {
      const tool = tools.find((one) => one.name === name) ?? assert.fail();
      assert.equal(tool.strict, false);
      return tool.invoke(new RunContext(), "{}");
    };
    assert.deepEqual([await run(NOW), await run(IN)], ["noon", "Error: No such place."]);
  });

  it("are there in skillshelf/langchain", async () => {
    const tools = await langchain.skillTools(session);
    const run = (name: string) => {
      const tool = tools.find((one) => one.name === name) ?? assert.fail();
      return tool.invoke({});
    };
    assert.deepEqual([await run(NOW), await run(IN)], ["noon", "Error: No such place."]);
  });

  it("are there in skillshelf/mastra", async () => {
    const tools = await mastra.skillTools(session);
    const run = async (name: string) => {
      const { execute = assert.fail(), toModelOutput = assert.fail() } = tools[name] ?? {};
      const output = await execute({}, {} as Parameters<typeof execute>[1]);
      assert.ok(output && "content" in output);
      return toModelOutput(output);
    };
    assert.deepEqual(await run(NOW), { type: "text", value: "noon" });
    assert.deepEqual(await run(IN), { type: "error-text", value: "No such place." });
  });

  it("are there in skillshelf/ai-sdk", async () => {
    const tools = aiSdk.skillTools(session);
    const run = async (name: string) => {
      const options = { toolCallId: "1", messages: [], context: {} };
      const { execute = assert.fail(), toModelOutput = assert.fail() } = tools[name] ?? {};
      const output = await execute({}, options);
      assert.ok("content" in output);
      return toModelOutput({ toolCallId: "1", input: {}, output });
    };
    assert.deepEqual(await run(NOW), { type: "text", value: "noon" });
    assert.deepEqual(await run(IN), { type: "error-text", value: "No such place." });
  });
});
