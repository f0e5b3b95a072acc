/** Tools as providers take them. */
import { answerValue, optionsText } from "./answers.js";
import { SkillError } from "./errors.js";
import type {
  ArgumentsSchema,
  CallOptions,
  JSONValue,
  StandardSchema,
  ToolOptions,
} from "./types.js";

/** How tools reach their catalog. */
export interface ToolCaller<Result> {
  call(tool: string, args: unknown, options?: CallOptions): Result;
  /** The checked arguments of a call, as an answer. */
  check(tool: string, args: string): string;
}

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

/** The tools of an answer, each bound to its catalog. */
export function toolsOf<Result>(
  answer: string,
  caller: ToolCaller<Result>,
): readonly Tool<Result>[] {
  const tools = answerValue<Definition[]>(answer).map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema: withStandardSchema(inputSchema, (args) => caller.check(name, args)),
    execute: (args: unknown) => caller.call(name, args),
  }));
  Object.defineProperty(tools, "call", { value: caller.call });
  return tools;
}

export function toolOptionsText(options: ToolOptions = {}): string {
  const { taken } = options ?? {};
  const isCollection = typeof taken === "object" && taken !== null && Symbol.iterator in taken;
  return optionsText(isCollection ? { ...options, taken: [...taken] } : options);
}

/** Arguments as JSON text. A model may send text already; what JSON cannot hold fits no schema. */
export function argumentsText(args: unknown): string {
  if (typeof args === "string") return args;
  try {
    return JSON.stringify(args) ?? "null";
  } catch {
    return "";
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
