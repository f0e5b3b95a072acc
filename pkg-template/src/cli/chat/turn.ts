/** A turn of the user: the model is asked until it calls no tool. */
import type { ToolCall } from "../../scripted-model.js";
import type { Session, ToolResult } from "../../types.js";
import type { Conversation } from "./conversation.js";
import type { ChatModel } from "./model.js";
import { INDEX } from "./shelf-index.js";

/** How often the model is asked at most. */
export const MOST_REQUESTS = 50;

export interface Turn {
  model: ChatModel;
  system: string;
  session: Session;
  conversation: Conversation;
  /** Ends it; then it rejects. */
  signal: AbortSignal;
  onText(text: string): void;
  /** Told that the model has said something, or nothing. */
  onReply(text: string): void;
  onCall(call: ToolCall, result: ToolResult): void;
  onNote(text: string): void;
}

/** Resolves to whether the model was done. */
export async function runTurn(turn: Turn): Promise<boolean> {
  const { conversation, session, signal } = turn;
  for (let request = 1; request <= MOST_REQUESTS; request += 1) {
    // Anew each time: a skill may bring tools.
    const tools = session.tools({ index: INDEX });
    const calls = await asked(turn, tools);
    if (calls.length === 0) return true;
    for (const call of calls) {
      const result = await tools.call(call.name, call.arguments, { signal });
      conversation.result(call, result.content, result.isError);
      turn.onCall(call, result);
    }
  }
  return false;
}

/** Asks the model once. Gives the calls that it makes. */
async function asked(turn: Turn, tools: ReturnType<Session["tools"]>): Promise<ToolCall[]> {
  const { model, system, conversation, signal } = turn;
  let said = "";
  try {
    const reply = await model.answer({
      purpose: "answer",
      system,
      messages: conversation.messages,
      tools,
      signal,
      onText(text) {
        said += text;
        turn.onText(text);
      },
      onNote: turn.onNote,
    });
    conversation.reply(reply);
    const calls = reply.toolCalls ?? [];
    if (calls.length === 0 || said !== "") turn.onReply(said);
    return calls;
  } catch (error) {
    conversation.partialReply(said);
    throw error;
  }
}
