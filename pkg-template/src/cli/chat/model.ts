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

/** An id that no other call of a turn has: of two with the same one only one could be answered. */
export function distinctId(id: string, others: ReadonlySet<string>): string {
  let distinct = id === "" ? "call" : id;
  while (others.has(distinct)) distinct += "_";
  return distinct;
}
