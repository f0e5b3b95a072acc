// The wire formats of the Responses and Chat Completions APIs.

import type OpenAI from "openai";
import type { Reply } from "./provider.ts";

/** A call as the model makes it: its arguments are text, which may be none of JSON. */
export interface Call {
  id?: string;
  name: string;
  args: string;
}

/** The same for arguments that are JSON. */
export function call(name: string, args: unknown, id?: string): Call {
  return { name, args: JSON.stringify(args), ...(id !== undefined && { id }) };
}

/** One of the two APIs, as it speaks. */
export interface Api {
  says(text: string): Reply;
  calls(...made: Call[]): Reply;
  /** A streamed response with calls, whose arguments arrive in pieces. */
  streamedCalls(...made: { name: string; pieces: readonly string[] }[]): Reply;
  /** The same, but that the connection is dropped while the arguments arrive. */
  droppedCall(name: string, pieces: readonly string[]): Reply;
}

export const responses: Api = {
  says: (text) => ({ json: response([responseMessage(text)]) }),
  calls: (...made) => ({ json: response(made.map(functionCall)) }),
  streamedCalls: (...made) => ({ events: responseEvents(made) }),
  droppedCall: (name, pieces) => ({
    dropped: { events: responseEvents([{ name, pieces }]).slice(0, 2 + pieces.length) },
  }),
};

type Output = OpenAI.Responses.ResponseOutputItem;

let ids = 0;

/** Each answer has an id of its own: some SDKs tell messages apart by it. */
function newId(kind: "resp" | "msg" | "chatcmpl"): string {
  ids += 1;
  return `${kind}_${ids}`;
}

function response(
  output: Output[],
  status: OpenAI.Responses.ResponseStatus = "completed",
  id = newId("resp"),
) {
  return {
    id,
    object: "response",
    created_at: 1,
    status,
    model: "gpt-test",
    output,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: null,
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
  };
}

function responseMessage(text: string): Output {
  return {
    id: newId("msg"),
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [] }],
  };
}

function functionCall({ id, name, args }: Call, index: number) {
  const type = "function_call" as const;
  return {
    type,
    id: `fc_${index}`,
    call_id: id ?? `call_${index}`,
    name,
    arguments: args,
    status: "completed" as const,
  };
}

function responseEvents(made: { name: string; pieces: readonly string[] }[]): string[] {
  const items = made.map(({ name, pieces }, index) =>
    functionCall({ name, args: pieces.join("") }, index),
  );
  const id = newId("resp");
  const events: { type: string; [member: string]: unknown }[] = [
    { type: "response.created", response: response([], "in_progress", id) },
  ];
  for (const [output_index, item] of items.entries()) {
    const begun = { ...item, arguments: "", status: "in_progress" };
    events.push({ type: "response.output_item.added", output_index, item: begun });
  }
  // The arguments of parallel calls come by turns.
  const turns = Math.max(...made.map(({ pieces }) => pieces.length));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [output_index, { pieces }] of made.entries()) {
      const [delta, item_id] = [pieces[turn], items[output_index]?.id];
      if (delta === undefined) continue;
      events.push({ type: "response.function_call_arguments.delta", item_id, output_index, delta });
    }
  }
  for (const [output_index, item] of items.entries()) {
    const { id: item_id, name, arguments: args } = item;
    const type = "response.function_call_arguments.done";
    events.push({ type, item_id, output_index, name, arguments: args });
    events.push({ type: "response.output_item.done", output_index, item });
  }
  events.push({ type: "response.completed", response: response(items, "completed", id) });
  return events.map((data, sequence_number) => {
    return `event: ${data.type}\ndata: ${JSON.stringify({ ...data, sequence_number })}\n\n`;
  });
}

export const chat: Api = {
  says: (text) => ({
    json: completion({ role: "assistant", content: text, refusal: null }, "stop"),
  }),
  calls: (...made) => ({
    json: completion(
      { role: "assistant", content: null, refusal: null, tool_calls: made.map(toolCall) },
      "tool_calls",
    ),
  }),
  streamedCalls: (...made) => ({ events: chunks(made) }),
  droppedCall: (name, pieces) => ({
    dropped: { events: chunks([{ name, pieces }]).slice(0, 2 + pieces.length) },
  }),
};

function completion(
  message: OpenAI.ChatCompletionMessage,
  finish_reason: "stop" | "tool_calls",
): OpenAI.ChatCompletion {
  return {
    id: newId("chatcmpl"),
    object: "chat.completion",
    created: 1,
    model: "gpt-test",
    choices: [{ index: 0, message, finish_reason, logprobs: null }],
  };
}

function toolCall({ id, name, args }: Call, index: number): OpenAI.ChatCompletionMessageToolCall {
  return { id: id ?? `call_${index}`, type: "function", function: { name, arguments: args } };
}

/** One call after the other: this API does not take turns. */
function chunks(made: { name: string; pieces: readonly string[] }[]): string[] {
  const deltas: OpenAI.ChatCompletionChunk.Choice.Delta[] = [{ role: "assistant", content: null }];
  for (const [index, { name, pieces }] of made.entries()) {
    deltas.push({ tool_calls: [{ index, ...toolCall({ name, args: "" }, index) }] });
    for (const piece of pieces) {
      deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  const id = newId("chatcmpl");
  return [
    ...deltas.map((delta) => chunk(id, delta, null)),
    chunk(id, {}, "tool_calls"),
    "data: [DONE]\n\n",
  ];
}

/** A streamed message that is only text. */
export function streamedChatText(text: string): Reply {
  const id = newId("chatcmpl");
  const events = [chunk(id, { role: "assistant", content: text }, null), chunk(id, {}, "stop")];
  return { events: [...events, "data: [DONE]\n\n"] };
}

function chunk(
  id: string,
  delta: OpenAI.ChatCompletionChunk.Choice.Delta,
  finish_reason: "stop" | "tool_calls" | null,
): string {
  const data: OpenAI.ChatCompletionChunk = {
    id,
    object: "chat.completion.chunk",
    created: 1,
    model: "gpt-test",
    choices: [{ index: 0, delta, finish_reason }],
  };
  return `data: ${JSON.stringify(data)}\n\n`;
}
