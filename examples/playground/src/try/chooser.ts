// The built-in chooser. It is no model: it searches for the words of the task, loads what fits best, and
// reads the file that this mentions first. It shows the way that a model would go.

import type { Message, Model, Request, ToolCall } from "./agent.ts";

export interface Fitting {
  name: string;
  /** Words of the task that were found. */
  matched: string[];
}

type Search = (task: string) => Promise<Fitting | undefined>;

/** A file beside a skill, as its text and the list after it name it. */
const MENTIONED = /\b(?:references|docs|reference)\/[\w./-]*\w/g;

export class Chooser implements Model {
  readonly #search: Search;
  #calls = 0;

  constructor(search: Search) {
    this.#search = search;
  }

  async reply({ messages, tools }: Request): Promise<{ content: string; calls: ToolCall[] }> {
    const asked = messages.findLastIndex(({ role }) => role === "user");
    const task = messages[asked]?.content ?? "";
    const since = messages.slice(asked + 1).filter((message) => message.role === "tool");
    const has = (name: string) => tools.some((tool) => tool.name === name);
    const done = (name: string) => since.find((message) => message.name === name);

    if (since.length === 0 && has("search_skills")) {
      const content = "Not every skill is in the index, so skills are searched.";
      return { content, calls: [this.#call("search_skills", { query: task, limit: null })] };
    }
    if (done("load_skill") === undefined) return this.#choose(task);
    const file = has("read_skill_file") ? fileToRead(messages, since) : undefined;
    if (file !== undefined && done("read_skill_file") === undefined) {
      const content = `The instructions mention ${file.path}.`;
      const call = this.#call("read_skill_file", { ...file, offset: null, limit: null });
      return { content, calls: [call] };
    }
    const content =
      "A model would now do the task as these instructions say. This chooser is no model: it has only searched.";
    return { content, calls: [] };
  }

  /** What is found by the same words as any search: `search_skills` answers a model with its like. */
  async #choose(task: string): Promise<{ content: string; calls: ToolCall[] }> {
    const best = await this.#search(task);
    if (best === undefined) {
      const content =
        "No skill has these words. This chooser is no model: it only searches. Say it in words that a description has.";
      return { content, calls: [] };
    }
    const words = best.matched.slice(0, 6).join(", ");
    if (!isEnough(task, best)) {
      const content = `Nearest is ${best.name} (${words}), but that is too little to load it. Say more of the task, or type /${best.name} to load it yourself.`;
      return { content, calls: [] };
    }
    return {
      content: `${best.name} fits best (${words}).`,
      calls: [this.#call("load_skill", { name: best.name })],
    };
  }

  #call(name: string, args: object): ToolCall {
    this.#calls += 1;
    return { id: `call_${this.#calls}`, name, arguments: JSON.stringify(args) };
  }
}

/**
 * Whether what was found is more than one word that happens to be in a text: two words, most of what the
 * task says, or a part of the skill's name. A score tells nothing of this: it compares skills, not tasks.
 */
function isEnough(task: string, { name, matched }: Fitting): boolean {
  const found = new Set(wordsOf(matched.join(" ")));
  const parts = name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const isNamed = [...found].some((word) => parts.includes(word));
  return isNamed || found.size > 1 || found.size * 2 > new Set(wordsOf(task)).size;
}

/** The words that say anything: of three letters or more. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}

/** The first file that the loaded skill mentions. */
function fileToRead(
  messages: readonly Message[],
  since: readonly Extract<Message, { role: "tool" }>[],
): { skill: string; path: string } | undefined {
  const loaded = since.findLast(({ name }) => name === "load_skill");
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.calls : []));
  const call = calls.findLast(({ id }) => id === loaded?.id);
  if (loaded === undefined || call === undefined) return undefined;
  const { name: skill } = JSON.parse(call.arguments) as { name: string };
  const [path] = loaded.content.match(MENTIONED) ?? [];
  return path === undefined ? undefined : { skill, path };
}
