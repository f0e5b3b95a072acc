// What the scripted model plays. It knows no skill beforehand: every name comes from the index in
// the system prompt it was shown, or from the text of a tool result, as with a real model.

import { scriptedModel } from "skillshelf/testing";

/** @typedef {import("./loop.mjs").ToolMessage} ToolMessage */

/**
 * What the model sees when it is its turn.
 *
 * @typedef {object} Situation
 * @property {string[]} names   the skills in the index
 * @property {string} prompt    what the user said last
 * @property {string[]} dropped skills of which a compactor left a line
 * @property {boolean} canRead  whether there is a tool to read files with
 * @property {ToolMessage[]} answers  to the calls made for this prompt so far
 * @property {{ call: string, skill: string, path: string }[]} files  one for each loaded skill that has any
 */

/**
 * A prompt, which may depend on the skills that are there, and what the model does about it.
 *
 * @typedef {object} Scene
 * @property {string | ((catalog: import("skillshelf").Catalog) => string)} prompt
 * @property {(situation: Situation) => import("skillshelf/testing").ScriptedTurn} turn
 */

/** What there is, and three tasks with a skill. @type {Scene[]} */
const TASKS = [
  {
    prompt: "What skills are available?",
    turn: ({ names }) => ({ text: `There are ${names.length}: ${shortened(names)}.` }),
  },
  {
    prompt: "Load the agent-builder skill and follow its instructions",
    turn: loading("agent-builder"),
  },
  {
    prompt: "I need to do a code review -- load the relevant skill first",
    turn: loading("code-review"),
  },
  {
    prompt: "Build an MCP server using the mcp-builder skill",
    turn: loading("mcp-builder"),
  },
];

/** What happens when a model gets it wrong. @type {Scene[]} */
const MISTAKES = [
  {
    prompt: "Load the code review skill again, typing its name in haste",
    turn({ names, answers }) {
      const [first, ...later] = answers;
      if (!first) return load(misspelled(closest("code-review", names), names));
      if (first.isError && later.length === 0) return load(nameOffered(first.content, names));
      return conclusion(answers);
    },
  },
  {
    prompt: "Read ../../etc/passwd through a skill, then a file that the skill does have",
    turn({ names, answers, files, canRead }) {
      if (!canRead) return { text: "No skill here has files, so there is no tool to read them." };
      const [file] = files;
      if (answers.length === 0) return read(file?.skill ?? closest("", names), "../../etc/passwd");
      if (answers.length === 1 && file) return read(file.skill, file.path);
      if (!file)
        return { text: "Refused. No skill that I have loaded lists a file to read instead." };
      return conclusion(answers);
    },
  },
];

/** What a conversation remembers, and how it goes on when it has grown long. @type {Scene[]} */
const MEMORY = [
  {
    prompt: "Load the code review skill once more, to be sure",
    turn({ names, answers }) {
      const [answer] = answers;
      if (!answer) return load(closest("code-review", names));
      return { text: `The answer is short: ${answer.content}` };
    },
  },
  {
    // The user's own way to a skill, open also where the model is not offered it.
    prompt(catalog) {
      const name = commandOf(catalog);
      return name === undefined ? "No skill here is for me to start by name" : `/${name} 2.1.0`;
    },
    turn: ({ prompt }) => ({
      text: `No tool call was needed: I have "${headingOf(prompt) ?? "the text"}" and "${prompt.split("\n").at(-1)}".`,
    }),
  },
  {
    prompt: "The review is done, put its skill back",
    turn({ names, answers }) {
      if (answers.length === 0) return unload(closest("code-review", names));
      return { text: "It is back on the shelf." };
    },
  },
  {
    // The agent's own command: it asks the model for a summary, and the session for the rest.
    prompt: "/compact 5000",
    turn: ({ prompt }) => ({
      text: `The user asked for ${prompt.match(/^User: /gm)?.length ?? 0} things; all are done, the MCP server is to be tested next.`,
    }),
  },
  {
    prompt: "Go on with the MCP server: if you no longer have its skill, read it again",
    turn({ names, answers, dropped }) {
      const name = closest("mcp-builder", names);
      if (answers.length > 0) return conclusion(answers);
      return dropped.includes(name) ? load(name) : { text: `I still have "${name}".` };
    },
  },
];

const SCENES = [...TASKS, ...MISTAKES, ...MEMORY];

/** The prompts for a real model. @type {string[]} */
export const TASK_PROMPTS = TASKS.map((scene) => String(scene.prompt));

/**
 * The prompts for {@link demonstrationModel}, in their order.
 *
 * @param {import("skillshelf").Catalog} catalog
 */
export function scenePrompts(catalog) {
  return SCENES.map(({ prompt }) => (typeof prompt === "function" ? prompt(catalog) : prompt));
}

/** The most turns that any scene takes. */
const TURNS_OF_A_SCENE = 3;

/**
 * A model that plays {@link scenePrompts}.
 *
 * @returns {import("./loop.mjs").Model}
 */
export function demonstrationModel() {
  let scene = -1;
  /** @param {import("skillshelf/testing").ModelRequest} request */
  const nextTurn = (request) => {
    if (request.messages.at(-1)?.role === "user") scene += 1;
    return SCENES[scene]?.turn(situationOf(request)) ?? { text: "That was the last scene." };
  };
  return scriptedModel(new Array(SCENES.length * TURNS_OF_A_SCENE).fill(nextTurn));
}

/** A skill that only the user can load; else any. @param {import("skillshelf").Catalog} catalog */
function commandOf(catalog) {
  const skills = [...catalog].filter((skill) => skill.userInvocable);
  return (skills.find((skill) => !skill.modelInvocable) ?? skills[0])?.name;
}

/**
 * Loads the skill that is wanted, or the one nearest to it, and reads the first file that it lists.
 *
 * @param {string} wanted
 * @returns {Scene["turn"]}
 */
function loading(wanted) {
  return ({ names, answers, files, canRead }) => {
    const name = closest(wanted, names);
    if (answers.length === 0) {
      return {
        ...load(name),
        text: name === wanted ? "" : `There is no "${wanted}" here; the nearest is "${name}".`,
      };
    }
    const file = files.find((candidate) => candidate.call === answers[0]?.toolCallId);
    if (answers.length === 1 && file && canRead) return read(file.skill, file.path);
    return conclusion(answers);
  };
}

/**
 * @param {import("skillshelf/testing").ModelRequest} request
 * @returns {Situation}
 */
function situationOf({ system = "", messages, tools = [] }) {
  const lastPrompt = messages.findLastIndex((message) => message.role === "user");
  const sinceLast = messages.slice(lastPrompt);
  return {
    names: namesInIndex(system),
    prompt: messages[lastPrompt]?.content ?? "",
    dropped: messages.flatMap(({ content }) => namesInNotes(content)),
    canRead: tools.some((tool) => tool.name === "read_skill_file"),
    answers: sinceLast.filter((message) => message.role === "tool"),
    files: filesListed(messages),
  };
}

/** The names in an index of the default style. @param {string} system */
function namesInIndex(system) {
  return [...system.matchAll(/^- (.+?)(?:: .*)?$/gm)].map((match) => match[1] ?? "");
}

/** The names in what a compactor leaves of skills. @param {string} text */
function namesInNotes(text) {
  return [...text.matchAll(/^The skill "(.+?)" was loaded earlier/gm)].map(
    (match) => match[1] ?? "",
  );
}

/**
 * The name that shares most words with `wanted`; without any, the first.
 *
 * @param {string} wanted
 * @param {string[]} names
 */
function closest(wanted, names) {
  const words = new Set(wordsOf(wanted));
  let best = names[0] ?? wanted;
  let most = 0;
  for (const name of names) {
    if (name === wanted) return name;
    const shared = wordsOf(name).filter((word) => words.has(word)).length;
    if (shared > most) [best, most] = [name, shared];
  }
  return best;
}

/** @param {string} name */
function wordsOf(name) {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** `name` with two neighbors exchanged, or one letter more where that is a name too. @param {string} name @param {string[]} names */
function misspelled(name, names) {
  const letters = [...name];
  for (let at = letters.length - 2; at >= 0; at--) {
    const typed = [
      ...letters.slice(0, at),
      letters[at + 1],
      letters[at],
      ...letters.slice(at + 2),
    ].join("");
    if (typed !== name && !names.includes(typed)) return typed;
  }
  return `${name}x`;
}

/**
 * The name of the index that an error text names first; of two that begin there, the longer one.
 *
 * @param {string} error
 * @param {string[]} names
 */
function nameOffered(error, names) {
  let first = { at: Number.POSITIVE_INFINITY, name: names[0] ?? "" };
  for (const name of names) {
    const at = error.search(
      new RegExp(`(?<![\\p{L}\\p{N}_-])${escaped(name)}(?![\\p{L}\\p{N}_-])`, "u"),
    );
    const earlier = at !== -1 && at < first.at;
    const longer = at === first.at && name.length > first.name.length;
    if (earlier || longer) first = { at, name };
  }
  return first.name;
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/**
 * The first file that each result of `load_skill` lists.
 *
 * @param {import("skillshelf/testing").Message[]} messages
 */
function filesListed(messages) {
  /** @type {Map<string, string>} */
  const skillOf = new Map();
  const files = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const { id, name, arguments: args } of message.toolCalls ?? []) {
        if (name === "load_skill") skillOf.set(id, /** @type {{ name: string }} */ (args).name);
      }
    } else if (message.role === "tool" && !message.isError) {
      const skill = skillOf.get(message.toolCallId);
      const path = firstFile(message.content);
      if (skill !== undefined && path !== undefined) {
        files.push({ call: message.toolCallId, skill, path });
      }
    }
  }
  return files;
}

/** The list comes last in a result; a body may hold the same tags. @param {string} content */
function firstFile(content) {
  const at = content.lastIndexOf("<skill_resources");
  const path = at === -1 ? undefined : /<file>([^<]+)<\/file>/.exec(content.slice(at))?.[1];
  return path === undefined ? undefined : unescaped(path);
}

/** @param {string} text */
function unescaped(text) {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** @param {string} name @returns {import("skillshelf/testing").ScriptedTurn} */
function load(name) {
  return { toolCalls: [{ name: "load_skill", arguments: { name } }] };
}

/** @param {string} name @returns {import("skillshelf/testing").ScriptedTurn} */
function unload(name) {
  return { toolCalls: [{ name: "unload_skill", arguments: { name } }] };
}

/** @param {string} skill @param {string} path @returns {import("skillshelf/testing").ScriptedTurn} */
function read(skill, path) {
  return { toolCalls: [{ name: "read_skill_file", arguments: { skill, path } }] };
}

/** @param {ToolMessage[]} answers @returns {import("skillshelf/testing").ScriptedTurn} */
function conclusion(answers) {
  const last = answers.at(-1);
  if (!last || last.isError) return { text: "That did not work; the answer says why." };
  const heading = headingOf(last.content);
  return { text: heading ? `I have "${heading}" and go by it.` : "I have the text and go by it." };
}

/** The first heading of a text. @param {string} text */
function headingOf(text) {
  return /^#{1,6} +(.+)$/m.exec(text)?.[1]?.trim();
}

/** @param {string[]} names */
function shortened(names) {
  const shown = names.slice(0, 20).join(", ");
  return names.length > 20 ? `${shown} and ${names.length - 20} more` : shown;
}
