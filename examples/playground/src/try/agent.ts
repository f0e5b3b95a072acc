// The agent loop of the page: what a person says, what a model calls, what the tools answer.

import type { Called, ToolDefinition } from "../engine/shapes.ts";

export interface ToolCall {
  id: string;
  name: string;
  /** JSON, as the model wrote it. */
  arguments: string;
}

export type Message =
  | { role: "user"; content: string }
  | { role: "assistant"; content: string; calls: ToolCall[] }
  | { role: "tool"; id: string; name: string; content: string };

export interface Request {
  system: string;
  messages: readonly Message[];
  tools: readonly ToolDefinition[];
  signal: AbortSignal;
}

/** Whatever picks skills: a search, or a model behind an endpoint. */
export interface Model {
  reply(request: Request): Promise<{ content: string; calls: ToolCall[] }>;
}

/** Who is told what happens, as it happens. */
export interface Observer {
  said(text: string): void;
  called(call: ToolCall, called: Called): void;
}

export interface Run {
  model: Model;
  system: string;
  messages: Message[];
  tools: () => Promise<readonly ToolDefinition[]>;
  call: (name: string, args: string) => Promise<Called>;
  observer: Observer;
  signal: AbortSignal;
}

const MOST_TURNS = 12;
/** Of one turn. */
export const MOST_CALLS = 32;

/** Goes on until the model calls no more tools. `messages` grows by all that was said. */
export async function run(given: Run): Promise<void> {
  const { model, system, messages, tools, observer, signal } = given;
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    signal.throwIfAborted();
    const { content, calls } = await model.reply({
      system,
      messages,
      tools: await tools(),
      signal,
    });
    signal.throwIfAborted();
    messages.push({ role: "assistant", content, calls });
    if (content !== "") observer.said(content);
    if (calls.length === 0) return;
    await answerAll(given, calls);
  }
  observer.said(`Stopped after ${MOST_TURNS} turns: the model went on calling tools.`);
}

/**
 * Makes the calls one after the other. Each gets an answer, whatever ends the turn: providers refuse a
 * conversation in which one is missing.
 */
async function answerAll({ messages, call, observer, signal }: Run, calls: readonly ToolCall[]) {
  const left = [...calls];
  const answer = (content: string) => {
    const made = left.shift();
    if (made) messages.push({ role: "tool", id: made.id, name: made.name, content });
  };
  try {
    for (const made of calls.slice(0, MOST_CALLS)) {
      signal.throwIfAborted();
      const called = await call(made.name, made.arguments);
      answer(called.result.content);
      observer.called(made, called);
    }
    if (left.length > 0) {
      observer.said(`${MOST_CALLS} calls in one turn are enough: ${left.length} were not made.`);
    }
  } finally {
    while (left.length > 0) answer("This call was not made: the turn had ended.");
  }
}
