/**
 * A model without a provider, to try a shelf with. It knows no skill beforehand: every name comes from
 * the index in the system prompt or from the result of a tool, as with a real one.
 */
import {
  type Message,
  type ModelRequest,
  type ScriptedTurn,
  scriptedModel,
} from "../../scripted-model.js";
import type { ChatModel } from "./model.js";

/** Words that say nothing of a task. */
const COMMON = new Set([
  "and",
  "for",
  "the",
  "use",
  "with",
  "this",
  "that",
  "skill",
  "load",
  "please",
]);
/** Names that an answer lists. */
const MOST_NAMES = 20;
/** Words that it looks for at most. */
const MOST_WORDS = 20;

const ONLY_SKILLS = "I only look for a skill that your words name.";

export function scripted(): ChatModel {
  let calls = 0;
  return {
    name: "the scripted model",
    async answer({ purpose, system, messages, tools, onText }) {
      const turn = scriptedModel([purpose === "summary" ? summaryOf : turnOf]);
      const reply = await turn.generate({ system, messages, tools });
      for (const call of reply.toolCalls ?? []) {
        calls += 1;
        call.id = `call_${calls}`;
      }
      if (reply.content !== "") onText(reply.content);
      return reply;
    },
  };
}

/** What it does next: looks for a skill, loads it, reads its first file, and says so. */
function turnOf({ system = "", messages, tools = [] }: ModelRequest): ScriptedTurn {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const prompt = messages[asked]?.content ?? "";
  const answers = messages.slice(asked + 1).filter((message) => message.role === "tool");
  if (answers.length > 0) return afterwards(messages, answers, tools);
  const heading = headingOf(prompt);
  if (heading !== undefined) return { text: `I have "${heading}" from you and go by it.` };
  if (!isOffered(tools, "load_skill")) {
    return { text: "I only load skills, and there is none here that I may load." };
  }
  // Offered where the index does not name all of them.
  if (isOffered(tools, "search_skills")) return search(prompt);
  const index = indexIn(system);
  const name = closest(prompt, index);
  if (name !== undefined) return load(name);
  const names = [...index.keys()];
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return { text: `${ONLY_SKILLS} I see: ${names.slice(0, MOST_NAMES).join(", ")}${more}.` };
}

function isOffered(tools: Tools, name: string): boolean {
  return tools.some((tool) => tool.name === name);
}

function search(prompt: string): ScriptedTurn {
  const query = wordsOf(prompt).slice(0, MOST_WORDS).join(" ");
  if (query === "") return { text: ONLY_SKILLS };
  return { toolCalls: [{ name: "search_skills", arguments: { query } }] };
}

function load(name: string): ScriptedTurn {
  return { toolCalls: [{ name: "load_skill", arguments: { name } }] };
}

type Tools = NonNullable<ModelRequest["tools"]>;
type Answer = Extract<Message, { role: "tool" }>;

function afterwards(
  messages: readonly Message[],
  answers: readonly Answer[],
  tools: Tools,
): ScriptedTurn {
  const last = answers.at(-1);
  if (last === undefined || last.isError) {
    return { text: "That did not work; the result says why." };
  }
  if (last.name === "search_skills") {
    const [best] = indexIn(last.content).keys();
    return best === undefined ? { text: `${ONLY_SKILLS} I found none.` } : load(best);
  }
  const file = firstFile(last.content);
  if (last.name === "load_skill" && file !== undefined) {
    const skill = argumentsOf(messages, last.toolCallId).name;
    if (isOffered(tools, "read_skill_file")) {
      return { toolCalls: [{ name: "read_skill_file", arguments: { skill, path: file } }] };
    }
  }
  const text = answers.find(({ name }) => name === "load_skill")?.content ?? "";
  const loaded = headingOf(text);
  return {
    text:
      loaded === undefined ? "I have its text and go by it." : `I have "${loaded}" and go by it.`,
  };
}

function argumentsOf(messages: readonly Message[], id: string): { name?: unknown } {
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    const call = message.toolCalls?.find((call) => call.id === id);
    if (call !== undefined) return call.arguments as { name?: unknown };
  }
  return {};
}

/** The names and descriptions in an index of the default style, or in what a search has found. */
function indexIn(system: string): Map<string, string> {
  // In quotes is a name that one could not tell from its description.
  const entries = system.matchAll(/^- (?:"((?:[^"\\]|\\.)+)"|(.+?))(?:: (.*))?$/gm);
  return new Map(
    Array.from(entries, ([, quoted, plain = "", description = ""]) => [
      quoted?.replace(/\\(.)/g, "$1") ?? plain,
      description,
    ]),
  );
}

/** The skill that shares most words with a prompt; those of its name count more. */
function closest(prompt: string, index: ReadonlyMap<string, string>): string | undefined {
  const words = new Set(wordsOf(prompt));
  let best: string | undefined;
  let most = 0;
  for (const [name, description] of index) {
    const shared = (text: string): number => wordsOf(text).filter((word) => words.has(word)).length;
    const score = 3 * shared(name) + shared(description);
    if (score > most) [best, most] = [name, score];
  }
  return best;
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return words.filter((word) => !COMMON.has(word));
}

/** The list comes last in a result; a body may hold the same tags. */
function firstFile(content: string): string | undefined {
  const at = content.lastIndexOf("<skill_resources");
  const path = at === -1 ? undefined : /<file>([^<]+)<\/file>/.exec(content.slice(at))?.[1];
  return path?.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** The first heading of a text. */
function headingOf(text: string): string | undefined {
  return /^#{1,6} +(.+)$/m.exec(text)?.[1]?.trim();
}

function summaryOf({ messages }: ModelRequest): ScriptedTurn {
  const asked = messages[0]?.content.match(/^User: /gm)?.length ?? 0;
  return {
    text: `The user has said ${asked} ${asked === 1 ? "thing" : "things"}; nothing is open.`,
  };
}
