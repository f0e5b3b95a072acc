/** From the command line to a verb, and from what went wrong to what is said of it. */
import { SkillError } from "../errors.js";
import { didYouMean, parseArguments } from "./arguments.js";
import { DONE, FAILED, Failure, MISUSED, UsageError } from "./exit.js";
import { helpOf, helpOfVerb } from "./help.js";
import { type Screen, visible } from "./screen.js";
import { systemErrorText } from "./system-errors.js";
import type { Verb } from "./verb.js";
import { VERBS } from "./verbs.js";
import { version } from "./version.js";

/** Carries out a command line. Gives the exit code. */
export async function run(args: readonly string[], screen: Screen): Promise<number> {
  const [first, ...rest] = args;
  let verb: Verb | undefined;
  try {
    switch (first) {
      case undefined:
      case "--help":
      case "-h":
        screen.out.line(helpOf(VERBS, screen.out));
        return DONE;
      case "--version":
      case "-v":
        screen.out.line(version());
        return DONE;
      case "help":
        return help(rest, screen);
    }
    verb = verbOf(first);
    const { help: wantsHelp, ...call } = parseArguments(verb, rest);
    if (wantsHelp) return help([verb.name], screen);
    return await verb.run({ ...call, screen });
  } catch (error) {
    return told(error, verb, screen);
  }
}

function help([name]: readonly string[], screen: Screen): number {
  const text =
    name === undefined ? helpOf(VERBS, screen.out) : helpOfVerb(verbOf(name), screen.out);
  screen.out.line(text);
  return DONE;
}

function verbOf(name: string): Verb {
  const verb = VERBS.find((verb) => verb.name === name);
  if (verb !== undefined) return verb;
  const names = VERBS.map((verb) => verb.name);
  const near = didYouMean(name, names) || ` There are ${names.join(", ")}.`;
  const kind = name.startsWith("-") ? "option" : "command";
  throw new UsageError(`skillshelf has no ${kind} ${name}.${near}`);
}

/** Says what went wrong. What nobody has foreseen is told with where it arose. */
function told(error: unknown, verb: Verb | undefined, { err }: Screen): number {
  const say = (text: string): void =>
    err.line(`${err.paint("red", "skillshelf:")} ${visible(text)}`);
  if (error instanceof UsageError) {
    say(error.message);
    err.line(`Try: skillshelf ${verb === undefined ? "" : `${verb.name} `}--help`);
    return MISUSED;
  }
  if (SkillError.isInstance(error)) {
    say(error.message);
    return error.code === "SOURCE_UNSUPPORTED" ? MISUSED : FAILED;
  }
  if (error instanceof Failure || isOfSystem(error)) {
    say(error instanceof Failure ? error.message : systemErrorText(error));
    return FAILED;
  }
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return FAILED;
}

/** Whether the system said no. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === "string";
}
