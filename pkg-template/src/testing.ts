/**
 * `skillshelf/testing`: what tests of agents and hosts need. A model without a provider plays the
 * turns of a script and keeps every request, so that a test can say what the model was shown and
 * when; `hostConformance` checks a host. Works on import; the module is inside.
 */
import { compiledModule } from "#module";
import { provideModule } from "./engine.js";
import type { JSONSchema } from "./types.js";

export { type HostCheck, type HostConformanceOptions, hostConformance } from "./conformance.js";

provideModule(compiledModule);

/** A tool call as a model makes it. */
export interface ToolCall {
  id: string;
  name: string;
  /** An object, or its JSON text: models give either. */
  arguments: unknown;
}

/** What the model said, and the tools that it calls. */
export interface AssistantMessage {
  role: "assistant";
  content: string;
  toolCalls?: ToolCall[];
}

/** One message of a conversation, in no provider's format. */
export type Message =
  | { role: "user"; content: string }
  | AssistantMessage
  | { role: "tool"; toolCallId: string; name: string; content: string; isError?: boolean };

/** A tool as a model sees it. */
export interface ToolDescription {
  name: string;
  description: string;
  inputSchema: JSONSchema;
}

/** All that a model is shown for one turn. */
export interface ModelRequest {
  /** The system prompt. */
  system?: string;
  messages: Message[];
  tools?: ToolDescription[];
}

/** One turn of a script: text, tool calls or both. */
export interface ScriptedTurn {
  text?: string;
  /** A call without `id` is given one. */
  toolCalls?: { id?: string; name: string; arguments: unknown }[];
}

/** A turn, or what makes one of the request, such as a call with a name from the index in it. */
export type ScriptEntry =
  | ScriptedTurn
  | ((request: ModelRequest) => ScriptedTurn | Promise<ScriptedTurn>);

/** What answers requests: {@link scriptedModel}, or a few lines around a provider's client. */
export interface Model {
  /** The model's next turn. */
  generate(request: {
    readonly system?: string;
    readonly messages: readonly Message[];
    readonly tools?: Iterable<ToolDescription>;
  }): Promise<AssistantMessage>;
}

/** A model that plays a script. */
export interface ScriptedModel extends Model {
  /** A copy of each request, as it was when it was made. */
  readonly requests: readonly ModelRequest[];
  /** How many turns are left. */
  readonly remaining: number;
}

/**
 * A model that answers each request with the next of `turns`, and keeps a copy of each request.
 * A turn that is a function may throw, as a provider may fail.
 */
export function scriptedModel(turns: readonly ScriptEntry[]): ScriptedModel {
  return new Script(turns);
}

/** All text that a request shows to the model, for `includes`: JSON would escape its line breaks. */
export function requestText(request: ModelRequest): string {
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
  const { model, system, maxTurns = 20 } = options;
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

class Script implements ScriptedModel {
  readonly requests: ModelRequest[] = [];
  readonly #turns: readonly ScriptEntry[];
  #calls = 0;

  constructor(turns: readonly ScriptEntry[]) {
    if (!isIterable(turns)) throw new TypeError("scriptedModel takes a list of turns.");
    this.#turns = [...turns];
    for (const [index, turn] of this.#turns.entries()) {
      if (typeof turn !== "function") checkTurn(turn, index + 1);
    }
  }

  get remaining(): number {
    return Math.max(this.#turns.length - this.requests.length, 0);
  }

  async generate(request: Parameters<Model["generate"]>[0]): Promise<AssistantMessage> {
    const kept = copyRequest(request);
    this.requests.push(kept);
    const number = this.requests.length;
    const entry = this.#turns[number - 1];
    if (entry === undefined) {
      throw new Error(
        `The script has ${count(this.#turns.length, "turn")}, and this is request ${number}. ${lastOf(kept)}`,
      );
    }
    const turn = typeof entry === "function" ? await entry(copyRequest(request)) : entry;
    checkTurn(turn, number);
    return this.#reply(turn);
  }

  #reply(turn: ScriptedTurn): AssistantMessage {
    const reply: AssistantMessage = { role: "assistant", content: turn.text ?? "" };
    if (turn.toolCalls !== undefined && turn.toolCalls.length > 0) {
      reply.toolCalls = turn.toolCalls.map(({ id, name, arguments: args }) => {
        this.#calls += 1;
        return { id: id ?? `call_${this.#calls}`, name, arguments: structuredClone(args) };
      });
    }
    return reply;
  }
}

/** Throws for what is no turn, and names the member. */
function checkTurn(turn: ScriptedTurn, number: number): void {
  const fault = (problem: string): TypeError => {
    return new TypeError(`Turn ${number} of the script has ${problem}.`);
  };
  if (turn?.text === undefined && turn?.toolCalls === undefined) {
    throw fault("neither text nor toolCalls");
  }
  if (turn.toolCalls === undefined) return;
  if (!isIterable(turn.toolCalls)) throw fault("toolCalls that are no list");
  for (const [index, call] of [...turn.toolCalls].entries()) {
    if (typeof call?.name !== "string")
      throw fault(`no name of a tool in toolCalls[${index}].name`);
  }
}

function isIterable(value: unknown): boolean {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}

/** Only what a model is shown: a tool's own function cannot be copied, and is not its business. */
function copyRequest(request: Parameters<Model["generate"]>[0]): ModelRequest {
  const copy: ModelRequest = { messages: structuredClone([...request.messages]) };
  if (request.system !== undefined) {
    copy.system = request.system;
  }
  if (request.tools !== undefined) {
    copy.tools = Array.from(request.tools, ({ name, description, inputSchema }) =>
      structuredClone({ name, description, inputSchema }),
    );
  }
  return copy;
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

/** Where a conversation stands, for an error message. */
function lastOf(request: ModelRequest): string {
  const last = request.messages.at(-1);
  if (last === undefined) {
    return "It has no messages.";
  }
  const who = last.role === "tool" ? `tool (${last.name})` : last.role;
  const text = last.content.length > SHOWN ? `${last.content.slice(0, SHOWN)}…` : last.content;
  return `It has ${count(request.messages.length, "message")}; the last one, from ${who}: ${JSON.stringify(text)}`;
}

/** How much of a message an error shows. */
const SHOWN = 200;

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
