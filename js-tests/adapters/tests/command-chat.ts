// What `skillshelf chat` sends to the providers, as the types of their SDKs have it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import { streamedCall, streamedText } from "../support/anthropic.ts";
import { chat, streamedChatText } from "../support/openai.ts";
import { provider, type Reply } from "../support/provider.ts";
import { checkBodies } from "../support/types.ts";

const require = createRequire(import.meta.url);
const manifest = require.resolve("skillshelf/package.json");
const COMMAND = path.join(path.dirname(manifest), require(manifest).bin.skillshelf);

/** The bodies of the requests of a chat in which a tool is called, and something said after. */
async function bodiesOf(args: readonly string[], replies: readonly Reply[]): Promise<unknown[]> {
  await using server = await provider(replies);
  const folder = mkdtempSync(path.join(os.tmpdir(), "skillshelf-chat-"));
  try {
    writeFileSync(
      path.join(folder, "tea.md"),
      "---\nname: tea\ndescription: Brews tea.\n---\nBrew.",
    );
    const all = [COMMAND, "chat", folder, "--url", server.url, "--model", "m", ...args];
    const child = spawn(process.execPath, all, { stdio: ["pipe", "ignore", "ignore"] });
    child.stdin.end("Make tea.\nThank you.\n");
    await once(child, "close");
  } finally {
    rmSync(folder, { recursive: true });
  }
  const bodies = server.requests.map(({ body }) => body);
  assert.equal(bodies.length, replies.length);
  return bodies;
}

const PIECES = ['{"na', 'me": "tea"}'];

describe("what skillshelf chat sends", () => {
  it("is as the Messages API has it", async () => {
    const replies = [
      streamedCall("load_skill", PIECES),
      streamedText("Tea is made."),
      streamedText("Gladly."),
    ];
    const bodies = await bodiesOf(["--provider", "anthropic"], replies);
    const types = 'import type Anthropic from "@anthropic-ai/sdk";';
    checkBodies(types, "Anthropic.MessageCreateParamsStreaming", bodies);
    assert.match(JSON.stringify(bodies.at(-1)), /"tool_result".*Brew.*Tea is made.*Thank you/);
  });
  it("is as Chat Completions have it", async () => {
    const replies = [
      chat.streamedCalls({ name: "load_skill", pieces: PIECES }),
      streamedChatText("Tea is made."),
      streamedChatText("Gladly."),
    ];
    const bodies = await bodiesOf([], replies);
    const types = 'import type OpenAI from "openai";';
    checkBodies(types, "OpenAI.ChatCompletionCreateParamsStreaming", bodies);
    assert.match(JSON.stringify(bodies.at(-1)), /"tool_call_id".*Brew.*Tea is made.*Thank you/);
  });
});
