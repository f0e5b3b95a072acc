/**
 * `skillshelf/testing`: what tests of agents and hosts need. A model without a provider plays the
 * turns of a script and keeps every request, so that a test can say what the model was shown and
 * when; `hostConformance` checks a host. Works on import; the module is inside.
 */
import { compiledModule } from "#module";
import { provideModule } from "./engine.js";
import {
  isIterable,
  type Message,
  type Model,
  type ModelRequest,
  type ToolCall,
  type ToolDescription,
} from "./scripted-model.js";

export { type HostCheck, type HostConformanceOptions, hostConformance } from "./conformance.js";
export {
  type AssistantMessage,
  type Message,
  type Model,
  type ModelRequest,
  type ScriptEntry,
  type ScriptedModel,
  type ScriptedTurn,
  scriptedModel,
  type ToolCall,
  type ToolDescription,
} from "./scripted-model.js";

provideModule(compiledModule);

/** All text that a request shows to the model, for `includes`: JSON would escape its line breaks. */
export function requestText(request: ModelRequest): string {
  if (!Array.isArray(request?.messages)) {
    throw new TypeError("requestText takes a request of a model, such as model.requests[0].");
  }
  const said = request.messages.flatMap((message) => [
    message.content,
    ...(message.role === "assistant" ? (message.toolCalls ?? []) : []).flatMap((call) => [
      call.name,
      ...textsIn(call.arguments),
    ]),
  ]);
  const tools = (request.tools ?? []).flatMap(({ name, description, inputSchema }) => [
    name,
    description,
    ...textsIn(inputSchema),
  ]);
  return [request.system ?? "", ...said, ...tools].join("\n");
}

/** A tool that {@link runAgent} can run; those of a catalog are. */
export interface AgentTool extends ToolDescription {
  /** Runs it; what it throws becomes a result that is an error. */
  execute(args: unknown): AgentToolResult | Promise<AgentToolResult>;
}

/** What a tool gives back: the text for the model, or the same with a mark that it failed. */
export type AgentToolResult = string | { content: string; isError?: boolean };

/** Who plays in {@link runAgent}, and with what. */
export interface AgentOptions {
  model: Model;
  system?: string;
  /** The tools; or what gives them before each turn, such as `() => session.tools()`, whose skills
   * may bring tools of their own. */
  tools?: Iterable<AgentTool> | (() => Iterable<AgentTool>);
  /** The conversation so far. */
  messages: readonly Message[];
  /** How often the model is asked at most; 20 by default. */
  maxTurns?: number;
}

/** How a run of an agent went. */
export interface Transcript {
  /** The conversation, with what was said and done in this run. */
  messages: Message[];
  /** The model's last words. */
  text: string;
  /** How often the model was asked. */
  turns: number;
  /** Whether the model was done: its last turn called no tool. */
  finished: boolean;
}

/**
 * A plain agent loop: asks the model, runs the tools that it calls, and asks again until it calls
 * none. A tool that throws or is not there becomes a result that says so; only the model's own
 * failure rejects.
 */
export async function runAgent(options: AgentOptions): Promise<Transcript> {
  const { model, system, maxTurns = 20 } = options ?? {};
  if (typeof model?.generate !== "function") {
    throw new TypeError("runAgent: model has no generate; pass scriptedModel(turns), for example.");
  }
  if (!isIterable(options.messages)) {
    throw new TypeError(
      'runAgent: messages is no list, such as [{ role: "user", content: "Hi" }].',
    );
  }
  const messages = [...options.messages];
  let text = "";
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const offered = typeof options.tools === "function" ? options.tools() : options.tools;
    const tools = [...(offered ?? [])];
    const reply = await model.generate({
      ...(system !== undefined && { system }),
      messages,
      tools,
    });
    messages.push(reply);
    text = reply.content;
    const calls = reply.toolCalls ?? [];
    if (calls.length === 0) {
      return { messages, text, turns: turn, finished: true };
    }
    for (const call of calls) {
      const result = await runTool(tools, call);
      messages.push({ role: "tool", toolCallId: call.id, name: call.name, ...result });
    }
  }
  return { messages, text, turns: maxTurns, finished: false };
}

async function runTool(
  tools: readonly AgentTool[],
  call: ToolCall,
): Promise<{ content: string; isError?: boolean }> {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(", ") || "none";
    return {
      content: `There is no tool ${JSON.stringify(call.name)}. Tools: ${names}.`,
      isError: true,
    };
  }
  try {
    const result = await tool.execute(call.arguments);
    if (typeof result === "string") {
      return { content: result };
    }
    return { content: result.content, ...(result.isError === true && { isError: true }) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { content: `${call.name} failed: ${problem}`, isError: true };
  }
}

/** Every string in a value, keys included. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") {
    return [value];
  }
  if (typeof value !== "object" || value === null) {
    return [];
  }
  return Array.isArray(value)
    ? value.flatMap(textsIn)
    : Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}
