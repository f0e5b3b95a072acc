/**
 * A long conversation becomes a summary. Of the skills nothing is lost by that: their texts are put
 * back word for word as far as the budget reaches, and a line for each other one.
 */
import type { Session } from "../../types.js";
import type { Conversation } from "./conversation.js";
import { type ChatMessage, type ChatModel, ProviderError } from "./model.js";

const SUMMARIZER = `You summarize a conversation between a user and an agent, so that the agent can go on with the
summary alone: what was asked, what was done and found, what is still open. The texts of skills and of
their files are left out of it; they are kept elsewhere, or can be read again.`;

/** Tools whose results need no summary, and what these are. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  load_skill: "the text of a skill, left out",
  read_skill_file: "a file of a skill, left out",
};

export interface CompactionRequest {
  model: ChatModel;
  session: Session;
  conversation: Conversation;
  /** Characters of the texts of skills that stay, at most. */
  characters: number;
  signal: AbortSignal;
  onNote(text: string): void;
}

/** Shortens the conversation. Gives the names of the skills whose texts stay, and of the others. */
export async function compact(
  request: CompactionRequest,
): Promise<[kept: string[], dropped: string[]]> {
  const { session, conversation, characters } = request;
  // The summary first: where the model fails, nothing has happened yet.
  const summary = await summaryOf(request);
  const { keep, notes } = session.compact({ budget: { characters } });
  const texts = [...keep, ...notes].map(({ text }) => text);
  conversation.restart([`<summary>\n${summary}\n</summary>`, ...texts].join("\n\n"));
  return [keep.map(({ name }) => name), notes.map(({ name }) => name)];
}

async function summaryOf(request: CompactionRequest): Promise<string> {
  const { model, conversation, signal, onNote } = request;
  const { content } = await model.answer({
    purpose: "summary",
    system: SUMMARIZER,
    messages: [{ role: "user", content: conversation.messages.map(lineOf).join("\n\n") }],
    tools: [],
    signal,
    onText: () => {},
    onNote,
  });
  if (content.trim() === "") {
    throw new ProviderError("The model gave no summary, so the conversation stays as it is.");
  }
  return content;
}

/** A message as the summarizer reads it. */
function lineOf(message: ChatMessage): string {
  switch (message.role) {
    case "user":
      return `User: ${message.line ?? message.content}`;
    case "assistant": {
      const calls = (message.toolCalls ?? []).map(
        ({ name, arguments: args }) => `(${name} ${JSON.stringify(args)})`,
      );
      return ["Agent:", message.content, ...calls].filter(Boolean).join(" ");
    }
    case "tool": {
      const leftOut = message.isError ? undefined : LEFT_OUT[message.name];
      return `Result of ${message.name}: ${leftOut ?? message.content}`;
    }
  }
}
