/** The system prompt as a document: what goes into it, and what comes out. */
import { answerValue, optionsText } from "./answers.js";
import { withCore } from "./engine.js";
import { givenList, membersOf } from "./given.js";
import { isBytes } from "./hosts.js";
import { reporter } from "./reporter.js";
import { toolOptionsOf } from "./tools.js";
import type { Diagnostic, PromptOptions } from "./types.js";

/** What a system prompt is made of; all of it may be absent. */
export interface SystemPromptOptions {
  /**
   * The document, in Markdown. Its `## ` headings begin its sections: `role`, `rules`, `tools`,
   * `agents`, `skills`, `participants`, `task` (in any case), and others of your own. Without it
   * there is a good default; `""` is a document without a word.
   */
  base?: string;
  /** What replaces the document, or extends sections of it. Earlier plugins win over later ones. */
  plugins?: readonly PromptPlugin[];
  /** A catalog or a session: its index is in the section `skills`. */
  catalog?: SkillIndex;
  /**
   * How that index looks. By default it has no heading, since its section has one, and names the
   * tools as those in `tools` are named that come from a catalog or session.
   */
  index?: PromptOptions;
  /** Who takes part, in this order. They are in every prompt, whatever the document says. */
  participants?: readonly Participant[];
  /**
   * To whom work can be given. Absent: the default document says how to hand over work, if there is
   * a tool for it, and lists nobody. `[]`: it says nothing of it.
   */
  agents?: readonly Agent[];
  /**
   * What can be called. The tools of a catalog or session may be among them, as they are and no
   * copies: then the index names them as they were renamed.
   */
  tools?: Iterable<PromptTool>;
  /** What is to be done, in Markdown. Headings in it are put below the heading of its section. */
  task?: string;
  /** What a plugin's file that cannot be used does: `skip` (default) or `throw`. */
  invalid?: "skip" | "throw";
  /** Receives every finding; without it each file that was left out is one `console.warn`. */
  onDiagnostic?(diagnostic: Diagnostic): void;
}

/** The files of a plugin that are about the system prompt. */
export interface PromptPlugin {
  /** What its files are named by in messages, such as `com.example.review`. */
  namespace: string;
  /**
   * By their path in the namespace's directory. `systemprompt.md` replaces the whole document; a
   * Markdown file whose front matter says `extends: <section>` is added to that section's end.
   */
  files: Readonly<Record<string, string | Uint8Array>>;
}

/** A catalog or a session, as far as a system prompt needs it. */
export interface SkillIndex {
  /** The index of the skills; `""` when there is nothing to list. */
  prompt(options?: PromptOptions): string;
}

/** Someone who takes part in the conversation. */
export interface Participant {
  /** Any text: it is shown in quotes, on one line. */
  name: string;
  /** What they are here for, such as `reviewer`. */
  role: string;
}

/** An agent that work can be given to. */
export interface Agent {
  /** What the model names it by, exactly. No two agents have the same. */
  id: string;
  /** What it says of itself: a text, or a card as A2A agents have it. The model is told that it is data. */
  card?: string | AgentCard;
}

/** What an agent says of itself. Other members are not shown. */
export interface AgentCard {
  name?: string;
  description?: string;
  skills?: readonly AgentSkill[];
}

/** One of the things that an agent can do. */
export interface AgentSkill {
  name?: string;
  description?: string;
}

/** A tool, as far as a system prompt tells of it. No two tools have the same name. */
export interface PromptTool {
  name: string;
  description?: string;
}

/**
 * A system prompt: a Markdown document of sections, what changes seldom before what changes often,
 * so that a provider's cache of its beginning holds. The same options give the same text.
 *
 * ```ts
 * const system = systemPrompt({
 *   catalog,
 *   participants: [{ name: "Ada", role: "product owner" }],
 *   agents: [{ id: "researcher", card: { description: "Reads the web and sums up." } }],
 *   plugins: [{ namespace: "com.example.brief", files: { "brief.md": "---\nextends: rules\n---\n- Be brief." } }],
 *   task: "Plan the next release.",
 * });
 * ```
 */
export function systemPrompt(options?: SystemPromptOptions): string {
  const given = membersOf(options ?? {});
  const answer = callCore(coreOptions(given));
  reporter(given).report(answer.diagnostics);
  return answer.text;
}

function callCore(options: unknown): { text: string; diagnostics: Diagnostic[] } {
  const text = optionsText(options);
  return answerValue(withCore((core) => core.systemPrompt(text)));
}

/** Options as the core takes them: what is no data, said as data. */
function coreOptions(options: SystemPromptOptions): unknown {
  if (!isObject(options)) return options;
  const { catalog, index, plugins, tools } = options;
  const listed = givenList(tools, "tools");
  return {
    ...options,
    catalog: catalog && { index: indexText(catalog, index, listed) },
    plugins: Array.isArray(plugins) ? plugins.map(corePlugin) : plugins,
    tools: listed,
  };
}

/** The index; nothing where it is no catalog. */
function indexText(
  catalog: SkillIndex,
  index: PromptOptions | undefined,
  tools: unknown,
): string | null {
  if (typeof catalog.prompt !== "function") return null;
  const madeWith = Array.isArray(tools) ? tools.map((tool) => toolOptionsOf(tool) ?? "null") : [];
  const [text, made] = [optionsText(index), `[${madeWith.join(",")}]`];
  const added = JSON.parse(withCore((core) => core.addedIndexOptions(text, made)));
  return catalog.prompt({ ...(isObject(index) ? index : {}), ...added });
}

function corePlugin(plugin: PromptPlugin): unknown {
  if (!isObject(plugin?.files) || Array.isArray(plugin.files)) return plugin;
  const files = Object.entries(plugin.files).map(([path, content]) => [path, contentOf(content)]);
  return { ...plugin, files: Object.fromEntries(files) };
}

/** Bytes as a text with a character a byte, which JSON can hold. */
function contentOf(content: unknown): unknown {
  if (!isBytes(content)) return content;
  let bytes = "";
  for (const byte of content) bytes += String.fromCharCode(byte);
  return { bytes };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
