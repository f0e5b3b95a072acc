/** Skills in code, and single files without a host. */
import { answerValue, frozen, optionsText, workValue } from "./answers.js";
import { drive } from "./driver.js";
import { withCore } from "./engine.js";
import { SkillError } from "./errors.js";
import { memoryHost } from "./hosts/memory.js";
import { type AnyHost, isBytes, isHost } from "./hosts.js";
import { type Place, placeText, prefixOf, trimSlashes } from "./place.js";
import type {
  Diagnostic,
  ParsedSkill,
  ParseOptions,
  Skill,
  SkillSpec,
  ValidateOptions,
} from "./types.js";

/** What a skill from code is loaded from. */
export interface Definition {
  /** The specification as the core takes it. */
  spec: string;
  /** Where its files are, if it has any. */
  files: DefinedFiles | undefined;
}

interface DefinedFiles {
  /** Absent for a directory of the disk: which host that is depends on how it is loaded. */
  host: AnyHost | undefined;
  directory: string;
  place: Place;
}

const definitions = new WeakMap<Skill, Definition>();
const encoder = new TextEncoder();
const NOTHING = new Uint8Array(0);

/** What {@link defineSkill} was given for a skill. */
export function definitionOf(skill: Skill): Definition | undefined {
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
  const files = filesOf(spec);
  const place = files && placeText(files.host, files.place);
  const skill = frozen(withCore((core) => answerValue<Skill>(core.defineSkill(text, place))));
  definitions.set(skill, { spec: text, files });
  return skill;
}

function filesOf(spec: SkillSpec): DefinedFiles | undefined {
  const { files, directory, host } = spec;
  const label = String(spec.name);
  if (host !== undefined && !isHost(host)) {
    throw invalid(spec, "host has no list and read", "pass a host, such as memoryHost(files)");
  }
  if (files !== undefined) {
    if (directory !== undefined || host !== undefined) {
      throw invalid(spec, "files are given twice", "pass either files, or a directory on a host");
    }
    const place = { path: "", prefix: label, label };
    return { host: filesHost(spec, files), directory: "", place };
  }
  if (host !== undefined) {
    const path = trimSlashes(directory ?? "");
    return { host, directory: path, place: { path, prefix: path === "" ? label : "", label } };
  }
  if (directory === undefined) return undefined;
  return { host, directory, place: { path: "", prefix: prefixOf(directory), label } };
}

/**
 * The text of a `SKILL.md`. {@link parseSkill} gives back the same fields and content.
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
export function parseSkill(text: string | Uint8Array, options: ParseOptions = {}): ParsedSkill {
  const { path, mode, profile } = options;
  const bytes = bytesOf(text);
  if (bytes === undefined) return { diagnostics: [notText(path)] };
  const optionsJson = optionsText({ path, mode, profile });
  const work = withCore((core) => core.parseSkill(bytes, optionsJson));
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
  options: ValidateOptions = {},
): Diagnostic[] {
  const { directory, profile } = options;
  const text = optionsText({ directory, profile });
  // Read before the module is at work: errors of the caller's own are not the module's.
  const contents = Object.entries(files).map(([path, content]) => ({
    path,
    bytes: bytesOf(content),
  }));
  const wrong = contents
    .filter(({ bytes }) => bytes === undefined)
    .map(({ path }) => notText(path));
  const work = withCore((core) => {
    const validation = new core.Validation();
    for (const { path, bytes } of contents) validation.file(path, bytes ?? NOTHING);
    return validation.start(text);
  });
  return [...wrong, ...drive(work, { hosts: new Map() }, (done) => workValue<Diagnostic[]>(done))];
}

/** The bytes of a file; `undefined` for what is neither text nor bytes. */
function bytesOf(content: unknown): Uint8Array | undefined {
  if (typeof content === "string") return encoded(content);
  return isBytes(content) ? content : undefined;
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

function notText(path: string | undefined): Diagnostic {
  return {
    code: "content-not-text",
    severity: "error",
    message: "the content of the file is neither text nor bytes",
    hint: "pass a string or a Uint8Array",
    ...(path === undefined ? {} : { path }),
  };
}

/** The data of a specification as JSON text. */
function specText(spec: SkillSpec): string {
  if (typeof spec !== "object" || spec === null) {
    throw invalid({}, "a skill is an object", "pass { name, description, content }");
  }
  const { files: _files, directory: _directory, host: _host, ...data } = spec;
  try {
    return JSON.stringify(data);
  } catch (error) {
    throw invalid(
      spec,
      `the skill is not plain data (${String(error)})`,
      "pass text, lists and objects",
    );
  }
}

function filesHost(spec: SkillSpec, files: Record<string, string | Uint8Array>): AnyHost {
  try {
    return memoryHost(files);
  } catch (error) {
    throw invalid(
      spec,
      error instanceof Error ? error.message : String(error),
      "mend the paths of files",
    );
  }
}

function invalid(spec: Partial<SkillSpec>, message: string, hint: string): SkillError {
  const name = typeof spec.name === "string" ? { skill: spec.name } : {};
  const diagnostic: Diagnostic = {
    code: "field-invalid",
    severity: "error",
    message,
    hint,
    ...name,
  };
  return new SkillError({
    code: "SKILL_INVALID",
    message: `${message}. ${hint}`,
    diagnostics: [diagnostic],
  });
}
