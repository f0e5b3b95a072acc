/** What a verb of the command is. */
import { UsageError } from "./exit.js";
import type { Screen } from "./screen.js";

/** An option of a verb. */
export interface OptionSpec {
  type: "string" | "boolean";
  /** Whether it may be given more than once. */
  multiple?: true;
  /** One letter, without its dash. */
  short?: string;
  /** What stands for its value in the help. */
  value?: string;
  /** What its value looks like, where that may be left out: what follows is one only then. */
  optional?: RegExp;
  /** The values that it may have, where these are few. */
  choices?: readonly string[];
  help: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** The value of an option, by what was said of it. */
type OptionValue<S extends OptionSpec> = S["multiple"] extends true
  ? string[]
  : S["type"] extends "boolean"
    ? boolean
    : S["optional"] extends RegExp
      ? string | true | undefined
      : string | undefined;

/** The options that were given; flags and lists are always there. */
export type OptionValues<S extends OptionSpecs> = { [Name in keyof S]: OptionValue<S[Name]> };

/** What a verb was called with. */
export interface Call<S extends OptionSpecs> {
  options: OptionValues<S>;
  /** What is no option. */
  operands: string[];
  screen: Screen;
}

export interface Verb {
  name: string;
  /** What follows its name on the command line, without its options. */
  operands: string;
  /** How many operands it takes: at least, and at most. */
  count: readonly [least: number, most: number];
  /** One line. */
  summary: string;
  /** Further lines of its help. */
  details: string;
  options: OptionSpecs;
  /** Gives the exit code. */
  run(call: Call<OptionSpecs>): Promise<number>;
}

/** A verb whose `run` has the types of its own options. */
export function verb<const S extends OptionSpecs>(
  spec: Omit<Verb, "run" | "options"> & { options: S; run(call: Call<S>): Promise<number> },
): Verb {
  return spec as unknown as Verb;
}

/** The option that all verbs with an answer for machines have. */
export const JSON_OPTION = { type: "boolean", help: "Print JSON, for programs" } as const;

/** What says which skills are meant. */
export const ROOT_OPTIONS = {
  root: {
    type: "string",
    multiple: true,
    value: "DIR",
    help: "A folder of skills; repeatable, earlier ones win",
  },
  trust: {
    type: "boolean",
    help: "Take the project's own folders too (.agents/skills, .claude/skills)",
  },
} as const;

/** The number that an option has, where it is given. */
export function numberOf(option: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new UsageError(`--${option} takes a whole number, not ${JSON.stringify(given)}.`);
}
