/** What the command says of itself. */
import { optionsOf } from "./arguments.js";
import { padded, wrapped } from "./columns.js";
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
  const more =
    "skillshelf COMMAND --help says more of a command, skillshelf --version which one this is.";
  return `${out.paint("bold", "skillshelf")}: Agent Skills on the command line

Usage: skillshelf COMMAND [ARGUMENTS] [OPTIONS]

${table(rows, out)}

${filled(`${more}\n${EXIT_CODES}`, out)}`;
}

/** The help of a verb. */
export function helpOfVerb(verb: Verb, out: Output): string {
  const usage = `skillshelf ${verb.name} ${verb.operands}`.trim();
  const rows = Object.entries(optionsOf(verb)).map(([name, spec]): Row => {
    return [flagOf(name, spec), spec.help];
  });
  const title = filled(`${usage}: ${verb.summary}`, out);
  return `${out.paint("bold", usage)}${title.slice(usage.length)}

${filled(verb.details, out)}

${table(rows, out)}`;
}

type Row = [left: string, right: string];

/** The right column is not made narrower than this; then it stands below the left one. */
const NARROWEST_COLUMN = 24;

function table(rows: readonly Row[], out: Output): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  const beside = out.width - width - 4;
  const isBeside = beside >= NARROWEST_COLUMN;
  const lines = rows.flatMap(([left, right]) => {
    const shown = out.paint("cyan", isBeside ? padded(left, width) : left);
    const margin = " ".repeat(isBeside ? width + 4 : 6);
    const [first = "", ...others] = wrapped(right, isBeside ? beside : out.width - margin.length);
    const begun = isBeside ? `  ${shown}  ${first}` : `  ${shown}\n${margin}${first}`;
    return [begun, ...others.map((line) => margin + line)];
  });
  return lines.join("\n");
}

/** A paragraph in lines that fit the terminal; elsewhere as it is. */
function filled(text: string, { isTerminal, width }: Output): string {
  return isTerminal ? wrapped(text.replaceAll("\n", " "), width).join("\n") : text;
}

function flagOf(name: string, { type, short, value, choices, optional }: OptionSpec): string {
  const letter = short === undefined ? "" : `-${short}, `;
  const named = choices?.join("|") ?? value ?? "VALUE";
  const shown = optional === undefined ? named : `[${named}]`;
  return `${letter}--${name}${type === "boolean" ? "" : ` ${shown}`}`;
}
