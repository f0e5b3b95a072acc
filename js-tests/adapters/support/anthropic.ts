// The wire format of the Messages API.

import type Anthropic from "@anthropic-ai/sdk";
import type { Reply } from "./provider.ts";

export interface Call {
  id?: string;
  name: string;
  input: unknown;
}

/** A message of the model as a reply. */
export function says(text: string): Reply {
  return { json: message([{ type: "text", text, citations: [] }], "end_turn") };
}

/** A message with calls of tools as a reply. */
export function calls(...made: Call[]): Reply {
  return { json: message(made.map(toolUse), "tool_use") };
}

function toolUse({ id, name, input }: Call, index: number): Anthropic.ToolUseBlock {
  return { type: "tool_use", id: id ?? `toolu_${index}`, name, input, caller: { type: "direct" } };
}

let ids = 0;

function message(
  content: Anthropic.ContentBlock[],
  stop_reason: Anthropic.StopReason | null,
): Partial<Anthropic.Message> {
  // Each has an id of its own: some SDKs tell messages apart by it.
  ids += 1;
  return {
    id: `msg_${ids}`,
    type: "message",
    role: "assistant",
    model: "claude-test",
    content,
    stop_reason,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 } as Anthropic.Usage,
  };
}

/** A streamed message with a call of a tool, whose input arrives in pieces. */
export function streamedCall(name: string, pieces: readonly string[]): Reply {
  const block = toolUse({ name, input: {} }, 0);
  return {
    events: [
      event({ type: "message_start", message: message([], null) }),
      event({ type: "content_block_start", index: 0, content_block: block }),
      ...pieces.map((partial_json) =>
        event({
          type: "content_block_delta",
          index: 0,
          delta: { type: "input_json_delta", partial_json },
        }),
      ),
      event({ type: "content_block_stop", index: 0 }),
      ...ending("tool_use"),
    ],
  };
}

/** A streamed message that is only text. */
export function streamedText(text: string): Reply {
  return {
    events: [
      event({ type: "message_start", message: message([], null) }),
      event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
      event({ type: "content_block_stop", index: 0 }),
      ...ending("end_turn"),
    ],
  };
}

/** The same, but that the connection is dropped while the input arrives. */
export function droppedCall(name: string, pieces: readonly string[]): Reply {
  const whole = streamedCall(name, pieces) as { events: string[] };
  return { dropped: { events: whole.events.slice(0, 2 + pieces.length) } };
}

function ending(stop_reason: Anthropic.StopReason): string[] {
  return [
    event({
      type: "message_delta",
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 2 },
    }),
    event({ type: "message_stop" }),
  ];
}

function event(data: { type: string; [member: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
