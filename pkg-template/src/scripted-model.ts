/** A model without a provider: it plays the turns of a script, and keeps every request. */
import type { JSONSchema } from "./types.js";

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

/** Whether a value can be gone through. */
export function isIterable(value: unknown): boolean {
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
