/** What a chat asks of a model, whoever it is. */
import type { AssistantMessage, Message, ToolDescription } from "../../scripted-model.js";

/** A message of the conversation, in no provider's form. */
export type ChatMessage = Message & {
  /** What the user typed, where that stands for the content. */
  line?: string;
  /** The provider's own form of a turn, sent back to it unchanged. */
  raw?: unknown;
};

/** The model's turn. */
export type Reply = AssistantMessage & { raw?: unknown };

export interface ChatRequest {
  /** Whether it is to answer the user, or to summarize what the messages say. */
  purpose: "answer" | "summary";
  system: string;
  messages: readonly ChatMessage[];
  tools: readonly ToolDescription[];
  /** Ends it. */
  signal: AbortSignal;
  /** Told the text as it comes. */
  onText(text: string): void;
  /** Told what else a person should know, such as that the provider wants to be asked later. */
  onNote(text: string): void;
}

export interface ChatModel {
  /** What it is called. */
  readonly name: string;
  /** Its next turn. Rejects with a {@link ProviderError}, or because the signal ended it. */
  answer(request: ChatRequest): Promise<Reply>;
}

/** A provider that cannot be reached, refuses, or breaks off. The message is one line for a person. */
export class ProviderError extends Error {}

/** Calls of one reply at most; what makes more has run away. */
const MOST_CALLS = 100;

/** Values in values at most: what is nested deeper can be read as JSON, but not always written again. */
const DEEPEST = 500;

/** Whether a value is nested too deeply to be written as JSON, wherever it is to stand. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((one) => (typeof one === "object" && one ? Object.values(one) : []));
  }
  return false;
}

/** Throws where a reply makes too many calls. */
export function checkCalls(count: number): void {
  if (count > MOST_CALLS) {
    throw new ProviderError(
      `The model called more than ${MOST_CALLS} tools at once, so none of them was; ask it for less.`,
    );
  }
}

/** The ids of the calls of a reply: of two calls with the same one only one could be answered. */
export class CallIds {
  readonly #taken = new Set<string>();
  #number = 1;

  /** An id that no other call has: the one it was given, if that is free. */
  distinct(given: string): string {
    const id = given === "" ? "call" : given;
    let distinct = id;
    while (this.#taken.has(distinct)) {
      // Never the same number again, so that no search begins anew.
      this.#number += 1;
      distinct = `${id}_${this.#number}`;
    }
    this.#taken.add(distinct);
    return distinct;
  }
}
