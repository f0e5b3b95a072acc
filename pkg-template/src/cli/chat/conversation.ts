/** The conversation so far, always one that a provider takes. */
import type { ToolCall } from "../../scripted-model.js";
import type { ChatMessage, Reply } from "./model.js";

/** What a call comes to that was not carried out. */
const NOT_DONE = "Not done: the user has ended the turn before.";

export class Conversation {
  #messages: ChatMessage[] = [];

  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  /** How long it is. */
  get characters(): number {
    return this.#messages.reduce((sum, message) => sum + lengthOf(message), 0);
  }

  /** What the user says; `line` is what was typed, where that stands for it. */
  ask(content: string, line?: string): void {
    this.#messages.push({ role: "user", content, ...(line !== undefined && { line }) });
  }

  reply(reply: Reply): void {
    this.#messages.push(reply);
  }

  /** What was said before the model's turn broke off. */
  partialReply(content: string): void {
    if (content.trim() !== "") this.#messages.push({ role: "assistant", content });
  }

  result({ id, name }: ToolCall, content: string, isError: boolean): void {
    this.#messages.push({ role: "tool", toolCallId: id, name, content, isError });
  }

  /** Gives calls without a result one: providers refuse a conversation where one is missing. */
  mend(): void {
    const last = this.#messages.findLastIndex(({ role }) => role === "assistant");
    const message = this.#messages[last];
    if (message?.role !== "assistant") return;
    const answered = new Set(
      this.#messages.slice(last).map((later) => later.role === "tool" && later.toolCallId),
    );
    for (const call of message.toolCalls ?? []) {
      if (!answered.has(call.id)) this.result(call, NOT_DONE, true);
    }
  }

  /** Begins anew, with this. */
  restart(content?: string): void {
    this.#messages = [];
    if (content !== undefined) this.ask(content);
  }
}

function lengthOf(message: ChatMessage): number {
  const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
  return calls.reduce((sum, { name, arguments: args }) => {
    return sum + name.length + (typeof args === "string" ? args : JSON.stringify(args)).length;
  }, message.content.length);
}
