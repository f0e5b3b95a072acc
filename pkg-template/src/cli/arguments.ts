/** The command line as the call of a verb. */
import { parseArgs } from "node:util";
import { withCore } from "../engine.js";
import { UsageError } from "./exit.js";
import type { OptionSpec, OptionSpecs, OptionValues, Verb } from "./verb.js";

/** Options and operands of a verb. */
export interface Arguments {
  options: OptionValues<OptionSpecs>;
  operands: string[];
  /** Whether only its help is wanted. */
  help: boolean;
}

const HELP: OptionSpecs = { help: { type: "boolean", short: "h", help: "Show this help" } };

/** All options of a verb, with those that every verb has. */
export function optionsOf(verb: Verb): OptionSpecs {
  return { ...verb.options, ...HELP };
}

/** Understands what follows a verb. Throws a {@link UsageError} for what cannot be. */
export function parseArguments(verb: Verb, args: readonly string[]): Arguments {
  const specs = optionsOf(verb);
  const options: Record<string, unknown> = {};
  for (const [name, { type, multiple }] of Object.entries(specs)) {
    options[name] = multiple ? [] : type === "boolean" ? false : undefined;
  }
  const operands: string[] = [];
  for (const token of tokensOf(specs, args)) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const spec = specs[token.name];
    if (spec === undefined) {
      throw new UsageError(unknownOption(verb, token.rawName, Object.keys(specs)));
    }
    const value = givenValue(spec, token.rawName, token.value);
    if (spec.multiple) (options[token.name] as unknown[]).push(value);
    else options[token.name] = value;
  }
  const help = options.help === true;
  if (!help) checkCount(verb, operands);
  return { options: options as OptionValues<OptionSpecs>, operands, help };
}

function tokensOf(specs: OptionSpecs, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { type: valued, short, optional }]) => {
      const type = optional === undefined ? valued : "boolean";
      return [
        name,
        short === undefined ? { type, multiple: true } : { type, short, multiple: true },
      ];
    }),
  );
  // Not strict: then this says itself what is wrong, with what may have been meant.
  const config = { args: [...args], options, strict: false, allowPositionals: true } as const;
  return withOptionalValues(specs, parseArgs({ ...config, tokens: true }).tokens);
}

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];

/** Gives options whose value may be left out what follows them, where that looks like one. */
function withOptionalValues(specs: OptionSpecs, tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    if (
      last?.kind === "option" &&
      last.value === undefined &&
      token.kind === "positional" &&
      token.index === last.index + 1 &&
      specs[last.name]?.optional?.test(token.value)
    ) {
      joined.splice(-1, 1, { ...last, value: token.value, inlineValue: false });
    } else {
      joined.push(token);
    }
  }
  return joined;
}

function givenValue(spec: OptionSpec, rawName: string, value: string | undefined): unknown {
  if (spec.type === "boolean") {
    if (value === undefined) return true;
    throw new UsageError(`${rawName} takes no value.`);
  }
  if (spec.optional !== undefined) {
    if (value === undefined) return true;
    if (spec.optional.test(value)) return value;
    throw new UsageError(`${rawName} takes ${spec.value} or nothing, not ${quoted(value)}.`);
  }
  if (value === undefined || value === "") {
    throw new UsageError(`${rawName} takes a value: ${rawName} ${spec.value ?? "VALUE"}`);
  }
  if (spec.choices !== undefined && !spec.choices.includes(value)) {
    const near = didYouMean(value, spec.choices);
    throw new UsageError(
      `${rawName} takes one of ${spec.choices.join(", ")}, not ${JSON.stringify(value)}.${near}`,
    );
  }
  return value;
}

function unknownOption(verb: Verb, rawName: string, names: readonly string[]): string {
  const near = didYouMean(rawName.replace(/^--?/, ""), names, "--");
  return `${verb.name} has no option ${rawName}.${near}`;
}

function checkCount({ name, operands: usage, count: [least, most] }: Verb, given: string[]): void {
  if (given.length < least) throw new UsageError(`${name} needs ${usage}.`);
  const extra = given[most];
  if (extra !== undefined) {
    throw new UsageError(`${name} takes ${usage || "no arguments"}; ${quoted(extra)} is too much.`);
  }
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** ` Did you mean …?`, where one of the names is like the one that is not there. */
export function didYouMean(wanted: string, names: readonly string[], before = ""): string {
  const near = withCore((core) => core.nearName(wanted, names.join("\n")));
  return near === undefined ? "" : ` Did you mean ${before}${near}?`;
}
