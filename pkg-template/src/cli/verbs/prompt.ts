/** `skillshelf prompt` */
import type { Budget, Catalog, IndexReport, PromptOptions } from "../../types.js";
import { counted } from "../columns.js";
import { DONE, UsageError } from "../exit.js";
import { leftOutOf } from "../left-out.js";
import type { Screen } from "../screen.js";
import { loadShelf } from "../shelf.js";
import { JSON_OPTION, numberOf, ROOT_OPTIONS, type Verb, verb } from "../verb.js";

export const prompt: Verb = verb({
  name: "prompt",
  operands: "[DIR…]",
  count: [0, Infinity],
  summary: "The index of the skills, as a system prompt has it",
  details: `Prints the text that an agent puts into its system prompt: nothing where there is no skill.
With --json also how long it is, and which tools it tells the model to call. What a budget
keeps from it is said on the standard error output.`,
  options: {
    ...ROOT_OPTIONS,
    style: {
      type: "string",
      choices: ["markdown", "plain", "xml", "json"],
      help: "The form of the list; markdown by default",
    },
    location: { type: "boolean", help: "Name the file of each skill too" },
    characters: {
      type: "string",
      value: "N",
      help: "How long it may be; as long as it is by default",
    },
    tokens: { type: "string", value: "N", help: "The same in tokens, which are estimated" },
    json: JSON_OPTION,
  },
  async run({ options, operands, screen }) {
    const { root, trust, style, location, json } = options;
    const budget = budgetOf(options);
    const catalog = await loadShelf({ roots: [...root, ...operands], trust }, screen);
    const index: PromptOptions = {
      ...(style !== undefined && { style: style as NonNullable<PromptOptions["style"]> }),
      location,
    };
    const report = catalog.index({ ...index, ...(budget && { budget }) });
    if (json) screen.out.json(report);
    else if (report.text !== "") screen.out.text(`${report.text}\n`);
    if (budget) tellWhatIsLeftOut(report, () => leastOf(catalog, index, budget), screen);
    return DONE;
  },
});

/** Says what a budget keeps from the text. */
function tellWhatIsLeftOut(report: IndexReport, least: () => string, { err }: Screen): void {
  const { form, total } = report;
  if (form === "none" && total > 0) {
    err.line(`Nothing of ${counted(total, "skill")} fits (none): it takes at least ${least()}.`);
  }
  const leftOut = leftOutOf(report);
  if (leftOut !== undefined) err.line(err.paint("dim", leftOut));
}

/** The smallest budget of the same kind that shows something. */
function leastOf(catalog: Catalog, index: PromptOptions, budget: Budget): string {
  const unit = "characters" in budget ? "characters" : "tokens";
  const isShown = (limit: number): boolean => {
    const within = unit === "characters" ? { characters: limit } : { tokens: limit };
    return catalog.index({ ...index, budget: within }).form !== "none";
  };
  let [not, shown] = [0, catalog.index(index)[unit]];
  while (shown - not > 1) {
    const middle = Math.floor((not + shown) / 2);
    if (isShown(middle)) shown = middle;
    else not = middle;
  }
  return `${shown} ${unit}`;
}

function budgetOf(given: {
  characters: string | undefined;
  tokens: string | undefined;
}): Budget | undefined {
  const characters = numberOf("characters", given.characters);
  const tokens = numberOf("tokens", given.tokens);
  if (characters !== undefined && tokens !== undefined) {
    throw new UsageError("Say either --characters or --tokens.");
  }
  if (characters !== undefined) return { characters };
  return tokens === undefined ? undefined : { tokens };
}
