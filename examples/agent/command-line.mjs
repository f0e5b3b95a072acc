// What can be said on the command line and in the environment, and which model it leads to.

import { parseArgs } from "node:util";
import { anthropic, openai } from "./providers.mjs";
import { demonstrationModel, scenePrompts, TASK_PROMPTS } from "./script.mjs";
import { USAGE } from "./usage.mjs";

/** Where each provider is set up; the first whose key is there is the default. */
const PROVIDERS = [
  {
    name: "anthropic",
    connect: anthropic,
    key: "ANTHROPIC_API_KEY",
    baseUrl: "ANTHROPIC_BASE_URL",
    model: "claude-sonnet-5-5",
  },
  {
    name: "openai",
    connect: openai,
    key: "OPENAI_API_KEY",
    baseUrl: "OPENAI_BASE_URL",
    model: "gpt-5.4-mini",
  },
];

/** A mistake on the command line. */
export class UsageError extends Error {}

/** @param {string[]} words */
export function commandLine(words) {
  const { values, positionals } = parsedArguments(words);
  const [folder = values.skills ?? "skills", ...more] = positionals;
  if (more.length > 0 || (positionals.length > 0 && values.skills !== undefined)) {
    throw new UsageError(`One folder, please.\n\n${USAGE}`);
  }
  const maxTurns = wholeNumber("max-turns", values["max-turns"] ?? "12");
  const context = wholeNumber("context", values.context ?? "200000");

  const fallback = PROVIDERS.find((provider) => process.env[provider.key])?.name ?? "scripted";
  const choice = chosenModel(values.provider ?? fallback, values.model);
  if (choice.scripted && values.prompt) {
    throw new UsageError("The scripted model plays its own prompts; --prompt needs a provider.");
  }
  return {
    ...choice,
    folder,
    maxTurns,
    context,
    prompts: choice.scripted ? scenePrompts : (values.prompt ?? TASK_PROMPTS),
    json: values.json === true,
    help: values.help === true,
  };
}

/** @param {string} option @param {string} value */
function wholeNumber(option, value) {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1)
    throw new UsageError(`--${option} takes a whole number from 1.`);
  return number;
}

/** @param {string[]} words */
function parsedArguments(words) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        skills: { type: "string" },
        prompt: { type: "string", multiple: true },
        provider: { type: "string" },
        model: { type: "string" },
        "max-turns": { type: "string" },
        context: { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

/**
 * @param {string} name
 * @param {string | undefined} wantedModel
 */
function chosenModel(name, wantedModel) {
  if (name === "scripted") {
    return { scripted: true, model: demonstrationModel(), modelName: "scripted model" };
  }
  const provider = PROVIDERS.find((candidate) => candidate.name === name);
  if (!provider) {
    throw new UsageError(`There is no provider "${name}": anthropic, openai or scripted.`);
  }
  const key = process.env[provider.key];
  if (!key) throw new UsageError(`Set ${provider.key} to your key, or use --provider scripted.`);
  const model = wantedModel ?? provider.model;
  const baseUrl = process.env[provider.baseUrl] || undefined;
  return { scripted: false, model: provider.connect({ key, model, baseUrl }), modelName: model };
}
