/** Tools as providers take them, and calls of them. */
import { answerValue, hasManyHoles, optionsText, wellFormed, workValue } from "./answers.js";
import { signalOf } from "./call-options.js";
import type { Work } from "./core/skillshelf.js";
import type { CoreCatalog } from "./core-catalog.js";
import { withCore } from "./engine.js";
import { SkillError, toldToModel } from "./errors.js";
import { givenList, membersOf } from "./given.js";
import { plainIndexOptions } from "./index-options.js";
import type {
  ArgumentsSchema,
  CallOptions,
  JSONValue,
  PromptOptions,
  StandardSchema,
  ToolName,
  ToolOptions,
  ToolResult,
} from "./types.js";

/** What answers calls in the module: a catalog, or a session. */
export interface Callee {
  tools(options?: string): string;
  checkArguments(tool: string, args: string, options?: string): string;
  call(tool: string, args: string, options?: string): Work;
}

/** Begins a call for which everything is at hand. */
type Start = (callee: Callee) => Work;

/** Carries a call to its end: at once, or with a promise. `prepare` reads what the caller gave. */
export type Carry<Result> = (prepare: () => Start, options: CallOptions | undefined) => Result;

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
  options: () => string | undefined,
): Tools<Result> {
  const call = (tool: string, args: unknown, callOptions?: CallOptions): Result =>
    carry(() => preparedCall(tool, args, options()), callOptions);
  const check = (tool: string, args: string): string => {
    const text = options();
    const current = callee();
    return withCore(() => current.checkArguments(tool, args, text));
  };
  const text = options();
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

/** What begins a call of a tool: its arguments are text by then. */
export function preparedCall(tool: unknown, args: unknown, options?: string): Start {
  const name = typeof tool === "string" ? tool : "";
  const text = argumentsText(args);
  return (callee) => withCore(() => callee.call(name, text, options));
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

/** Options as the core takes them: as data, with what the index they are for tells the model to call. */
export function plainToolOptions(core: CoreCatalog, options: ToolOptions): ToolOptions {
  const given = withMembers(options);
  return plainWith(core, given, toolsNamedByIndex(core, given));
}

/**
 * The same as JSON text. It is made once; where a function tells the groups of skills, each time for
 * the skills that there are. The index is written once in any case, so that no call writes one.
 */
export function toolOptionsText(
  core: CoreCatalog,
  options: ToolOptions | undefined,
): () => string | undefined {
  if (!options) return () => undefined;
  const given = withMembers(options);
  const named = toolsNamedByIndex(core, given);
  const text = (): string => optionsText(plainWith(core, given, named));
  return tellsGroups(given) ? text : madeOnce(text);
}

/** The options, and those of the index in them, with each of their members read once. */
function withMembers<T extends ToolOptions | undefined>(options: T): T {
  const given = membersOf(options);
  return given?.index ? { ...given, index: membersOf(given.index) } : given;
}

/** Whether a function of the developer's tells the groups of skills. */
export function tellsGroups(options: ToolOptions | undefined): boolean {
  return typeof withMembers(options)?.index?.group === "function";
}

export function madeOnce<T>(make: () => T): () => T {
  const made = make();
  return () => made;
}

/** The tools that the index tells the model to call, as far as they decide which are offered. */
function toolsNamedByIndex(core: CoreCatalog, { index, set }: ToolOptions): readonly ToolName[] {
  const isAsked = index?.budget && (set === undefined || set === "auto");
  return isAsked ? core.index(index).tools : [];
}

function plainWith(
  core: CoreCatalog,
  options: ToolOptions,
  named: readonly ToolName[],
): ToolOptions & { "~namedByIndex"?: readonly ToolName[] | undefined } {
  if (typeof options !== "object") return options;
  const { taken, index } = options;
  return {
    ...options,
    ...(taken && { taken: givenList(taken, "taken") as string[] }),
    ...(index && { index: groupsOf(core, index) }),
    // In any case in the place of what was given: it is not for a developer to say.
    "~namedByIndex": index ? named : undefined,
  };
}

/** Options of an index but for the order of the skills, which calls do not ask for. */
function groupsOf(core: CoreCatalog, index: PromptOptions): PromptOptions {
  if (typeof index !== "object") return index;
  const { priority, ...others } = index;
  return plainIndexOptions(core, typeof priority === "function" ? others : index);
}

/** What stands for what JSON has no text for. */
const NO_JSON = "?";
/** Characters of arguments at most: the module would keep the room of longer ones for good. */
const LONGEST_ARGUMENTS = 16 * 1024 * 1024;

/**
 * Arguments as JSON text. A model may send text already; what JSON cannot hold fits no schema. Half of
 * a surrogate pair crosses as it does in any other text.
 */
function argumentsText(args: unknown): string {
  const text = writtenArguments(args);
  return text.length > LONGEST_ARGUMENTS ? NO_JSON : text;
}

function writtenArguments(args: unknown): string {
  if (typeof args === "string") return args;
  if (args === undefined) return "";
  const whole = (_: string, value: unknown): unknown => {
    if (hasManyHoles(value)) throw new TypeError("a list in it has holes");
    return typeof value === "string" ? wellFormed(value) : value;
  };
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
