/** Skills in code, and single files without a host. */
import { answerValue, faultText, frozen, optionsText, textOrFault, workValue } from "./answers.js";
import { drive } from "./driver.js";
import { withCore } from "./engine.js";
import { askedText, membersOf, reading } from "./given.js";
import { memoryHost } from "./hosts/memory.js";
import { type AnyHost, isBytes, isHost } from "./hosts.js";
import type {
  Diagnostic,
  MendedSkill,
  ParsedSkill,
  ParseOptions,
  Skill,
  SkillSpec,
  ValidateOptions,
} from "./types.js";

/** What a skill from code is loaded from. */
export interface SkillDefinition {
  /** The specification as the core takes it. */
  spec: string;
  /** The host of its files. */
  host: AnyHost | undefined;
  /** Their directory on the disk instead: which host that is depends on how it is loaded. */
  directory: string | undefined;
}

const definitions = new WeakMap<Skill, SkillDefinition>();
const encoder = /* @__PURE__ */ new TextEncoder();

/** What {@link defineSkill} was given for a skill. */
export function definitionOf(skill: Skill): SkillDefinition | undefined {
  return definitions.get(skill);
}

/**
 * A skill in code. Throws a `SkillError` that says what does not fit and how to mend it.
 *
 * ```ts
 * const changelog = defineSkill({
 *   name: "changelog",
 *   description: "How to write a changelog entry. Use it for every release.",
 *   content: "# Changelog entries\n\nUse the imperative mood and link the pull request.",
 * });
 * const catalog = await loadSkills(changelog);
 * ```
 */
export function defineSkill(spec: SkillSpec): Skill {
  const text = specText(spec);
  const skill = frozen(withCore((core) => answerValue<Skill>(core.defineSkill(text))));
  const { files, directory } = spec;
  const host = files ? memoryHost(files) : (spec.host ?? undefined);
  definitions.set(skill, {
    spec: text,
    host,
    directory: host ? undefined : (directory ?? undefined),
  });
  return skill;
}

/**
 * The text of a `SKILL.md`. {@link parseSkill} gives back the same fields and content. A skill that
 * was read is spread into it with its body: `stringifySkill({ ...skill, content: body })`.
 *
 * ```ts
 * const text = stringifySkill({ name: "notes", description: "Takes notes: short ones.", content: "Write." });
 * parseSkill(text).skill?.description; // "Takes notes: short ones."
 * ```
 */
export function stringifySkill(spec: SkillSpec): string {
  const text = specText(spec);
  return withCore((core) => answerValue<string>(core.stringifySkill(text)));
}

/**
 * Reads one `SKILL.md`. Throws for no text: what is wrong is in `diagnostics`.
 *
 * ```ts
 * const { skill, body, diagnostics } = parseSkill(
 *   "---\nname: pdf\ndescription: Fills in forms.\n---\nUse the form.\n",
 * );
 * ```
 */
export function parseSkill(text: string | Uint8Array, options?: ParseOptions): ParsedSkill {
  const content = contentOf(text);
  const optionsJson = optionsText(options);
  const work = withCore((core) => core.parseSkill(content, optionsJson));
  const parsed = drive(work, { hosts: new Map() }, (done) => workValue<ParsedSkill>(done));
  if (parsed.skill !== undefined) frozen(parsed.skill);
  return parsed;
}

/**
 * Every departure of one skill from the specification. Keys are paths relative to the skill.
 *
 * ```ts
 * const found = validateSkill({ "SKILL.md": text }, { directory: "pdf" });
 * const valid = !found.some(({ severity }) => severity === "error");
 * ```
 */
export function validateSkill(
  files: Record<string, string | Uint8Array>,
  options?: ValidateOptions,
): Diagnostic[] {
  const given = membersOf(options);
  const text = optionsText(given);
  const hints = Boolean(given?.hints);
  // Read before the module is at work: errors of the caller's own are not the module's.
  const { areFiles, entries } = reading("The files", () => {
    const areFiles = isObject(files) && !(Symbol.iterator in files);
    return { areFiles, entries: Object.entries(areFiles ? files : {}) };
  });
  const contents = entries.map(([path, content]) => {
    const judged = withCore((core) => core.Validation.bytesJudged(path, hints));
    return [path, contentOf(content, judged)] as const;
  });
  const work = withCore((core) => {
    const validation = new core.Validation(areFiles);
    for (const content of contents) validation.file(...content);
    return validation.start(text);
  });
  return drive(work, { hosts: new Map() }, (done) => workValue<Diagnostic[]>(done));
}

/**
 * A `SKILL.md` with what can safely be mended: the ends of its lines, its fences, and quotes around
 * values that cannot be YAML. Where there is nothing to mend, `mends` is empty and the text the same.
 *
 * ```ts
 * const { text, mends } = mendSkill("---\nname: tea\ndescription: Use when: thirsty\n---\nWarm the pot.\n");
 * console.log(mends, text); // ["quotes"] …
 * ```
 */
export function mendSkill(text: string): MendedSkill {
  const content = contentOf(text) ?? new Uint8Array();
  const mended = withCore((core) => core.mendSkill(content));
  return mended === undefined ? { text, mends: [] } : (JSON.parse(mended) as MendedSkill);
}

/**
 * About how many tokens a text is, as reports of an index and of what is loaded estimate it: four
 * ASCII characters a token, others one each.
 *
 * ```ts
 * estimateTokens(await catalog.body("pdf")); // what loading it would cost
 * ```
 */
export function estimateTokens(text: string): number {
  const given = askedText(text);
  return withCore((core) => core.estimateTokens(given));
}

/** The first bytes of a file; `undefined` for what is neither text nor bytes. */
function contentOf(content: unknown, most = Infinity): Uint8Array | undefined {
  if (typeof content === "string") return encoded(content.slice(0, most)).subarray(0, most);
  return isBytes(content) ? content.subarray(0, most) : undefined;
}

/**
 * Text as UTF-8. The first half of a surrogate pair that stands alone becomes a byte that is no
 * UTF-8, so that it is found as in a file, and nothing is guessed in its place.
 */
function encoded(text: string): Uint8Array {
  const bytes = encoder.encode(text);
  const lone = text.search(/\p{Surrogate}/u);
  if (lone !== -1) bytes[encoder.encode(text.slice(0, lone)).length] = 0xff;
  return bytes;
}

/** A specification as JSON text, with what the core has to know of what is no data. */
function specText(spec: SkillSpec): string {
  if (typeof spec !== "object" || spec === null) return "null";
  try {
    const { files, host } = spec;
    return textOrFault({
      ...spec,
      files: isObject(files) ? areContents(files) : files,
      host: host === undefined ? undefined : isHost(host),
    });
  } catch (error) {
    return faultText(error);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** For each path whether its content is text or bytes. */
function areContents(files: object): object {
  const entries = Object.entries(files).map(([path, content]) => {
    return [path, typeof content === "string" || isBytes(content)];
  });
  return Object.fromEntries(entries);
}
