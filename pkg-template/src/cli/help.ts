/** What the command says of itself. */
import { optionsOf } from "./arguments.js";
import { padded } from "./columns.js";
import type { Output } from "./screen.js";
import type { OptionSpec, Verb } from "./verb.js";

const EXIT_CODES = `Exit codes: 0 all is well, 1 a skill has an error or is not there, 2 the command line
cannot be understood. Without --root or a folder, skills are those of ./skills, of the
standard folders of the project where it is trusted (--trust), and of your home.`;

/** The help of the command. */
export function helpOf(verbs: readonly Verb[], out: Output): string {
  const rows = verbs.map(
    ({ name, operands, summary }): Row => [`${name} ${operands}`.trim(), summary],
  );
  return `${out.paint("bold", "skillshelf")}: Agent Skills on the command line

Usage: skillshelf COMMAND [ARGUMENTS] [OPTIONS]

${table(rows, out)}

skillshelf COMMAND --help says more of a command, skillshelf --version which one this is.
${EXIT_CODES}`;
}

/** The help of a verb. */
export function helpOfVerb(verb: Verb, out: Output): string {
  const usage = `skillshelf ${verb.name} ${verb.operands}`.trim();
  const rows = Object.entries(optionsOf(verb)).map(([name, spec]): Row => {
    return [flagOf(name, spec), spec.help];
  });
  return `${out.paint("bold", usage)}: ${verb.summary}

${verb.details}

${table(rows, out)}`;
}

type Row = [left: string, right: string];

function table(rows: readonly Row[], out: Output): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows
    .map(([left, right]) => `  ${out.paint("cyan", padded(left, width))}  ${right}`)
    .join("\n");
}

function flagOf(name: string, { type, short, value, choices, optional }: OptionSpec): string {
  const letter = short === undefined ? "" : `-${short}, `;
  const named = choices?.join("|") ?? value ?? "VALUE";
  const shown = optional === undefined ? named : `[${named}]`;
  return `${letter}--${name}${type === "boolean" ? "" : ` ${shown}`}`;
}
