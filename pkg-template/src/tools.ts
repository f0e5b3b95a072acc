/** Tools as providers take them, and calls of them. */
import { answerValue, optionsText, workValue } from "./answers.js";
import { signalOf } from "./call-options.js";
import type { Work } from "./core/skillshelf.js";
import { withCore } from "./engine.js";
import { SkillError, toldToModel } from "./errors.js";
import { givenList } from "./given.js";
import type {
  ArgumentsSchema,
  CallOptions,
  JSONValue,
  StandardSchema,
  ToolOptions,
  ToolResult,
} from "./types.js";

/** What answers calls in the module: a catalog, or a session. */
export interface Callee {
  tools(options?: string): string;
  check(tool: string, args: string, options?: string): string;
  call(tool: string, args: string, options?: string): Work;
}

/** Carries a call to its end: at once, or with a promise. */
export type Carry<Result> = (
  start: (callee: Callee) => Work,
  options: CallOptions | undefined,
) => Result;

interface Definition {
  name: string;
  description: string;
  inputSchema: ArgumentsSchema;
}

interface Tool<Result> {
  name: string;
  description: string;
  inputSchema: ArgumentsSchema & StandardSchema;
  execute(args: unknown): Result;
}

interface Tools<Result> extends ReadonlyArray<Tool<Result>> {
  call(tool: string, args: unknown, options?: CallOptions): Result;
}

const madeWith = new WeakMap<object, string>();

/** The options that a tool of this package was made with, as JSON text. */
export function toolOptionsOf(tool: unknown): string | undefined {
  return typeof tool === "object" && tool !== null ? madeWith.get(tool) : undefined;
}

/** The tools of a callee, under the names that the options give them, which are JSON text. */
export function toolsOf<Result>(
  callee: () => Callee,
  carry: Carry<Result>,
  text: string | undefined,
): Tools<Result> {
  const call = (tool: string, args: unknown, callOptions?: CallOptions): Result =>
    carry((current) => startCall(current, tool, args, text), callOptions);
  const check = (tool: string, args: string): string => {
    const current = callee();
    return withCore(() => current.check(tool, args, text));
  };
  const current = callee();
  const definitions = answerValue<Definition[]>(withCore(() => current.tools(text)));
  const tools = definitions.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema: withStandardSchema(inputSchema, (args) => check(name, args)),
    execute: (args: unknown) => call(name, args),
  }));
  if (text !== undefined) for (const tool of tools) madeWith.set(tool, text);
  return Object.defineProperty(tools, "call", { value: call }) as Tool<Result>[] & Tools<Result>;
}

/** Begins a call. */
export function startCall(callee: Callee, tool: unknown, args: unknown, options?: string): Work {
  const name = typeof tool === "string" ? tool : "";
  const text = argumentsText(args);
  return withCore(() => callee.call(name, text, options));
}

/** What a call came to. */
export function toolResult(work: Work): ToolResult {
  const content = work.text() ?? "";
  const bytes = work.bytes();
  const { uri, ...facts } = workValue<ToolFacts>(work);
  const result = { content, ...facts, ...(bytes && { bytes }) };
  if (uri !== undefined) uris.set(result, uri);
  return result;
}

type ToolFacts = Omit<ToolResult, "content" | "bytes"> & { uri?: string };

const uris = new WeakMap<ToolResult, string>();

/** The `skill://` URI of the file that a result has as bytes. */
export function uriOf(result: ToolResult): string | undefined {
  return uris.get(result);
}

/** A call of which whatever goes wrong is a result, but for an abort and for options that are none. */
export function answered(
  options: CallOptions | undefined,
  call: (signal: AbortSignal | undefined) => ToolResult,
): ToolResult {
  const signal = signalOf(options);
  try {
    return call(signal);
  } catch (error) {
    return failedCall(error);
  }
}

/** The same of a call that is waited for. */
export async function answeredLater(
  options: CallOptions | undefined,
  call: (signal: AbortSignal | undefined) => Promise<ToolResult>,
): Promise<ToolResult> {
  const signal = signalOf(options);
  try {
    return await call(signal);
  } catch (error) {
    return failedCall(error);
  }
}

/** Whatever went wrong in a call, as its result; an abort and what is no error of ours are thrown on. */
export function failedCall(error: unknown): ToolResult {
  if (!SkillError.isInstance(error) || error.code === "ABORTED") throw error;
  return { content: toldToModel(error), isError: true, code: error.code };
}

/** Options as JSON text. */
export function toolOptionsText(options: ToolOptions | undefined): string | undefined {
  return options ? optionsText(plainToolOptions(options)) : undefined;
}

/** Options as data: the names that are taken may be any collection. */
export function plainToolOptions(options: ToolOptions): ToolOptions {
  const taken = givenList(options.taken, "taken");
  return taken === options.taken ? options : { ...options, taken: taken as string[] };
}

/** What stands for what JSON has no text for. */
const NO_JSON = "?";

/**
 * Arguments as JSON text. A model may send text already; what JSON cannot hold fits no schema. Half of
 * a surrogate pair crosses as it does in any other text.
 */
function argumentsText(args: unknown): string {
  if (typeof args === "string") return args;
  if (args === undefined) return "";
  const whole = (_: string, value: unknown): unknown =>
    typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value;
  try {
    return JSON.stringify(args, whole) ?? NO_JSON;
  } catch {
    return NO_JSON;
  }
}

/**
 * The schema with `~standard`, which is not enumerable: serialized, it is pure JSON Schema.
 * See https://standardschema.dev.
 */
function withStandardSchema(
  schema: ArgumentsSchema,
  check: (args: string) => string,
): ArgumentsSchema & StandardSchema {
  const standard: StandardSchema["~standard"] = {
    version: 1,
    vendor: "skillshelf",
    validate: (value) => {
      try {
        return { value: answerValue<Record<string, JSONValue>>(check(argumentsText(value))) };
      } catch (error) {
        // Arguments that do not fit; or a catalog that is gone.
        if (!SkillError.isInstance(error)) throw error;
        return { issues: [{ message: error.message }] };
      }
    },
    jsonSchema: { input: () => schema, output: () => schema },
  };
  return Object.defineProperty(schema, "~standard", { value: standard }) as ArgumentsSchema &
    StandardSchema;
}
