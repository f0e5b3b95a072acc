/** The Messages API of Anthropic. */
import type { ToolDescription } from "../../scripted-model.js";
import {
  CallIds,
  type ChatMessage,
  type ChatModel,
  checkCalls,
  ProviderError,
  type Reply,
} from "./model.js";
import { brokenOff, type Endpoint, eventsOf, fieldsOf, reported, textOf } from "./request.js";

/** Tokens of a turn at most; the interface wants a number. */
const MOST_TOKENS = 8192;

/** A block of a message. */
type Block = Record<string, unknown> & { type: string };

/** A model of a provider that speaks this interface. */
export function anthropic(endpoint: Endpoint, model: string): ChatModel {
  return {
    name: model,
    async answer({ system, messages, tools, signal, onText, onNote }) {
      const events = eventsOf(endpoint, {
        path: "/v1/messages",
        headers: {
          "anthropic-version": "2023-06-01",
          ...(endpoint.key !== undefined && { "x-api-key": endpoint.key }),
        },
        body: {
          model,
          max_tokens: MOST_TOKENS,
          // The same in every request: the provider need not read it anew.
          system: [{ type: "text", text: system, cache_control: { type: "ephemeral" } }],
          messages: messagesOf(messages),
          ...(tools.length > 0 && { tools: tools.map(toolOf) }),
          stream: true,
        },
        signal,
        onNote,
      });
      const pieces = new ReplyInPieces(onText);
      for await (const event of events) {
        const { type, error } = fieldsOf(event);
        if (type === "error") throw reported(endpoint, error);
        pieces.take(fieldsOf(event));
      }
      if (!pieces.isWhole) throw brokenOff(endpoint);
      if (pieces.stop === "max_tokens") onNote("The answer was cut at the provider's bound.");
      return pieces.reply();
    },
  };
}

/** A reply of the model, as it comes. */
class ReplyInPieces {
  readonly #blocks = new Map<number, Block>();
  /** Arguments of calls, as JSON text. */
  readonly #arguments = new Map<number, string>();
  readonly #onText: (text: string) => void;
  #calls = 0;
  isWhole = false;
  stop = "";

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  take({ type, index, content_block: block, delta }: Record<string, unknown>): void {
    switch (type) {
      case "content_block_start":
        this.#begin(placeOf(index), { type: "", ...fieldsOf(block) });
        break;
      case "content_block_delta":
        this.#add(placeOf(index), fieldsOf(delta));
        break;
      case "message_delta":
        this.stop = textOf(fieldsOf(delta).stop_reason) || this.stop;
        break;
      case "message_stop":
        this.isWhole = true;
    }
  }

  #begin(index: number, block: Block): void {
    this.#blocks.set(index, block);
    if (block.type === "tool_use") {
      this.#calls += 1;
      checkCalls(this.#calls);
    }
    if (block.type === "text" && textOf(block.text) !== "") this.#onText(textOf(block.text));
  }

  #add(index: number, delta: Record<string, unknown>): void {
    const block = this.#blocks.get(index);
    if (block === undefined)
      throw new ProviderError("The provider adds to a part that is not there.");
    switch (delta.type) {
      case "text_delta":
        block.text = textOf(block.text) + textOf(delta.text);
        this.#onText(textOf(delta.text));
        break;
      case "input_json_delta": {
        const before = this.#arguments.get(index) ?? "";
        this.#arguments.set(index, before + textOf(delta.partial_json));
        break;
      }
      case "thinking_delta":
        block.thinking = textOf(block.thinking) + textOf(delta.thinking);
        break;
      case "signature_delta":
        block.signature = textOf(delta.signature);
    }
  }

  reply(): Reply {
    const reply: Reply = { role: "assistant", content: "", toolCalls: [] };
    const ids = new CallIds();
    const raw: Block[] = [];
    for (const [index, block] of this.#blocks) {
      if (block.type === "tool_use") {
        const given = this.#arguments.get(index);
        const args = given === undefined || given === "" ? fieldsOf(block.input) : given;
        const id = ids.distinct(textOf(block.id));
        reply.toolCalls?.push({ id, name: textOf(block.name), arguments: args });
        raw.push({ ...block, id, input: objectOf(args) });
      } else {
        if (block.type === "text") reply.content += textOf(block.text);
        // Text without any letter would be refused.
        if (block.type !== "text" || textOf(block.text).trim() !== "") raw.push(block);
      }
    }
    return { ...reply, raw };
  }
}

/** The place of a part in a message. */
function placeOf(index: unknown): number {
  return typeof index === "number" ? index : Number.NaN;
}

/** Arguments as an object: the interface takes no other, not even those that the model wrote. */
function objectOf(args: unknown): Record<string, unknown> {
  if (typeof args !== "string") return fieldsOf(args);
  try {
    const value: unknown = JSON.parse(args);
    return Array.isArray(value) ? {} : fieldsOf(value);
  } catch {
    return {};
  }
}

function toolOf({ name, description, inputSchema }: ToolDescription) {
  return { name, description, input_schema: inputSchema };
}

/** Results are blocks of a message of the user here; those of one turn belong into one message. */
function messagesOf(messages: readonly ChatMessage[]) {
  const sent: { role: "user" | "assistant"; content: Block[] }[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const blocks = blocksOf(message);
    const last = sent.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length > 0) sent.push({ role, content: blocks });
  }
  return sent;
}

function blocksOf(message: ChatMessage): Block[] {
  const { content } = message;
  switch (message.role) {
    case "user":
      return [{ type: "text", text: content }];
    case "assistant":
      if (Array.isArray(message.raw)) return message.raw as Block[];
      return content.trim() === "" ? [] : [{ type: "text", text: content }];
    case "tool": {
      const { toolCallId, isError = false } = message;
      return [{ type: "tool_result", tool_use_id: toolCallId, content, is_error: isError }];
    }
  }
}
