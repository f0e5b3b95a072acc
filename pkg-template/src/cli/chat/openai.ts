/** The Chat Completions API of OpenAI, which many other servers speak too. */
import type { ToolCall, ToolDescription } from "../../scripted-model.js";
import { CallIds, type ChatMessage, type ChatModel, checkCalls, type Reply } from "./model.js";
import { brokenOff, DONE, type Endpoint, eventsOf, fieldsOf, reported, textOf } from "./request.js";

/** A model of a provider that speaks this interface. */
export function openai(endpoint: Endpoint, model: string): ChatModel {
  return {
    name: model,
    async answer({ system, messages, tools, signal, onText, onNote }) {
      const events = eventsOf(endpoint, {
        path: "/chat/completions",
        headers: endpoint.key === undefined ? {} : { authorization: `Bearer ${endpoint.key}` },
        body: {
          model,
          messages: [{ role: "system", content: system }, ...messages.map(messageOf)],
          ...(tools.length > 0 && { tools: tools.map(toolOf) }),
          stream: true,
        },
        signal,
        onNote,
      });
      const pieces = new ReplyInPieces(onText);
      for await (const event of events) {
        // Some servers say nothing else at the end.
        if (event === DONE) pieces.stop ||= "stop";
        const { error, choices } = fieldsOf(event);
        if (error !== undefined && error !== null) throw reported(endpoint, error);
        if (Array.isArray(choices)) pieces.take(fieldsOf(choices[0]));
      }
      if (pieces.stop === "") throw brokenOff(endpoint);
      if (pieces.stop === "length") onNote("The answer was cut at the provider's bound.");
      return pieces.reply();
    },
  };
}

/** A reply of the model, as it comes. */
class ReplyInPieces {
  readonly #calls = new Map<string, { id: string; name: string; arguments: string }>();
  readonly #onText: (text: string) => void;
  #last = "";
  #text = "";
  stop = "";

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  take({ delta, finish_reason: stop }: Record<string, unknown>): void {
    const { content, refusal, tool_calls: calls } = fieldsOf(delta);
    const text = textOf(content) || textOf(refusal);
    if (text !== "") {
      this.#text += text;
      this.#onText(text);
    }
    if (Array.isArray(calls)) for (const call of calls) this.#add(fieldsOf(call));
    this.stop = textOf(stop) || this.stop;
  }

  #add({ index, id, function: called }: Record<string, unknown>): void {
    const { name, arguments: args } = fieldsOf(called);
    // Some servers give no index: then an id begins a call, and what has none goes on with the last.
    if (typeof index === "number") this.#last = `at ${index}`;
    else if (textOf(id) !== "") this.#last = `id ${id}`;
    const call = this.#calls.get(this.#last) ?? { id: "", name: "", arguments: "" };
    this.#calls.set(this.#last, call);
    checkCalls(this.#calls.size);
    call.id ||= textOf(id);
    call.name ||= textOf(name);
    // Some give an object at once.
    call.arguments +=
      typeof args === "object" && args !== null ? JSON.stringify(args) : textOf(args);
  }

  reply(): Reply {
    const ids = new CallIds();
    const toolCalls: ToolCall[] = [];
    for (const call of this.#calls.values()) {
      const id = ids.distinct(call.id);
      toolCalls.push({ ...call, id, arguments: call.arguments || "{}" });
    }
    return { role: "assistant", content: this.#text, toolCalls };
  }
}

function toolOf({ name, description, inputSchema }: ToolDescription) {
  return { type: "function", function: { name, description, parameters: inputSchema } };
}

/** Arguments as JSON text; of what is none, nothing: many servers read what they are sent back. */
function jsonOf(args: unknown): string {
  if (typeof args !== "string") return JSON.stringify(args);
  try {
    JSON.parse(args);
    return args;
  } catch {
    return "{}";
  }
}

function messageOf(message: ChatMessage) {
  const { content } = message;
  switch (message.role) {
    case "user":
      return { role: "user", content };
    case "assistant": {
      const calls = (message.toolCalls ?? []).map(({ id, name, arguments: args }) => ({
        id,
        type: "function",
        function: { name, arguments: jsonOf(args) },
      }));
      return { role: "assistant", content, ...(calls.length > 0 && { tool_calls: calls }) };
    }
    case "tool": {
      const { toolCallId, isError } = message;
      // There is no mark of failure here, so the text has to say it.
      const text = isError && !/^error\b/i.test(content) ? `Error: ${content}` : content;
      return { role: "tool", tool_call_id: toolCallId, content: text };
    }
  }
}
