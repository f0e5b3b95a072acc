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

/** Goes on until the model calls no more tools. `messages` grows by all that was said. */
export async function run({
  model,
  system,
  messages,
  tools,
  call,
  observer,
  signal,
}: Run): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const { content, calls } = await model.reply({
      system,
      messages,
      tools: await tools(),
      signal,
    });
    messages.push({ role: "assistant", content, calls });
    if (content !== "") observer.said(content);
    if (calls.length === 0) return;
    for (const made of calls) {
      signal.throwIfAborted();
      const called = await call(made.name, made.arguments);
      messages.push({ role: "tool", id: made.id, name: made.name, content: called.result.content });
      observer.called(made, called);
    }
  }
  observer.said(`Stopped after ${MOST_TURNS} turns: the model went on calling tools.`);
}
