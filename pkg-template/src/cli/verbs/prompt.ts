/** `skillshelf prompt` */
import type { Budget, PromptOptions } from "../../types.js";
import { DONE, UsageError } from "../exit.js";
import { visible } from "../screen.js";
import { loadShelf } from "../shelf.js";
import { JSON_OPTION, numberOf, ROOT_OPTIONS, type Verb, verb } from "../verb.js";

export const prompt: Verb = verb({
  name: "prompt",
  operands: "[DIR…]",
  count: [0, Infinity],
  summary: "The index of the skills, as a system prompt has it",
  details: `Prints the text that an agent puts into its system prompt: nothing where there is no skill.
With --json also how long it is, and which tools it tells the model to call.`,
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
    const report = catalog.index({
      ...(style !== undefined && { style: style as NonNullable<PromptOptions["style"]> }),
      location,
      ...(budget && { budget }),
    });
    if (json) screen.out.json(report);
    else if (report.text !== "") {
      screen.out.line(screen.out.isTerminal ? visible(report.text) : report.text);
    }
    return DONE;
  },
});

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
