/** `skillshelf chat` */
import type { IndexReport } from "../../types.js";
import { type Choice, choiceOf, PROVIDER_NAMES } from "../chat/choice.js";
import { INDEX } from "../chat/shelf-index.js";
import { counted } from "../columns.js";
import { UsageError } from "../exit.js";
import { MOST_ERRORS, tellFindings } from "../findings.js";
import { leftOutOf } from "../left-out.js";
import { type Screen, visible, visibleLine } from "../screen.js";
import { loadShelf } from "../shelf.js";
import { numberOf, ROOT_OPTIONS, type Verb, verb } from "../verb.js";

/** Characters after which a conversation is summarized. */
const USUAL_CONTEXT = 400_000;

export const chat: Verb = verb({
  name: "chat",
  operands: "[DIR…]",
  count: [0, Infinity],
  summary: "Talk with an agent that has the skills",
  details: `Talks with a model that has the skills below the folders: that of Anthropic or OpenAI whose key
is in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY), one of a server that is compatible
with OpenAI's (--url), or, without any, a script that loads what is named. /name loads a skill,
/help says what else there is. Where the input is no terminal, each line is a turn.`,
  options: {
    ...ROOT_OPTIONS,
    scripted: { type: "boolean", help: "No model: a script that loads what is named" },
    provider: {
      type: "string",
      choices: PROVIDER_NAMES,
      help: "The interface that is spoken; that of the key by default",
    },
    url: {
      type: "string",
      value: "URL",
      help: "Another server, such as http://127.0.0.1:8080/v1; it gets the key of OpenAI, if there is one",
    },
    model: { type: "string", value: "NAME", help: "The provider's model" },
    context: {
      type: "string",
      value: "COUNT",
      help: `Characters after which the conversation is summarized; ${USUAL_CONTEXT} by default`,
    },
    json: { type: "boolean", help: "Print a line of JSON for each turn, for programs" },
  },
  async run({ options, operands, screen }) {
    const { root, trust, json } = options;
    const choice = choiceOf(options, process.env);
    const context = contextOf(options.context);
    const roots = [...root, ...operands];
    const catalog = await loadShelf({ roots, trust }, screen);
    tellFindings(catalog, { roots, most: MOST_ERRORS }, screen);
    const opening = { choice, wanted: options.scripted, index: catalog.index(INDEX) };
    tellOpening(opening, screen);
    const { chat } = await import("#chat");
    return chat({
      screen,
      input: process.stdin,
      output: process.stdout,
      choice,
      skills: catalog,
      newSession: () => catalog.session(),
      visible,
      context,
      json,
    });
  },
});

function contextOf(text: string | undefined): number {
  const context = numberOf("context", text) ?? USUAL_CONTEXT;
  if (context > 0) return context;
  throw new UsageError("--context takes a number of characters, from 1.");
}

interface Opening {
  choice: Choice;
  /** Whether the script was asked for. */
  wanted: boolean;
  index: IndexReport;
}

function tellOpening({ choice, wanted, index }: Opening, { err }: Screen): void {
  const name = choice.provider === "scripted" ? "A script" : visibleLine(choice.model);
  if (choice.provider === "scripted" && !wanted) {
    err.line(
      "No ANTHROPIC_API_KEY or OPENAI_API_KEY is set, and no --url given: a script\n" +
        "takes the place of a model.",
    );
  }
  const length = counted(index.characters, "character");
  err.line(err.paint("dim", `${name} has the index, ${length}. /help says what can be said.`));
  const leftOut = leftOutOf(index);
  if (leftOut !== undefined) err.line(err.paint("dim", leftOut));
}
