/** What the verbs of the specification's reference library have in common. */
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseSkill } from "../define.js";
import type { JSONValue, Skill } from "../types.js";
import { Failure } from "./exit.js";
import { checkPath, isSkillFile } from "./paths.js";

/** A skill by the path of its directory or of its file. */
export interface Referred {
  skill: Skill;
  /** The path of its file, in full. */
  path: string;
  /** The text of its file. */
  text: string;
}

/** Reads the skill of a path: its directory, or its file. */
export function referredSkill(given: string): Referred {
  checkPath(given);
  const isFile = statSync(given).isFile() && isSkillFile(given);
  const directory = realpathSync(resolve(isFile ? dirname(given) : given));
  const path = skillFileIn(directory);
  const bytes = readFileSync(path);
  const { skill, diagnostics } = parseSkill(bytes, { path });
  if (skill !== undefined) return { skill, path, text: new TextDecoder().decode(bytes) };
  const fault = diagnostics.find(({ severity }) => severity === "error");
  throw new Failure(`Error: ${path}: ${fault?.message ?? "it cannot be used"}`);
}

function skillFileIn(directory: string): string {
  const names = statSync(directory).isDirectory() ? readdirSync(directory) : [];
  const name = names.includes("SKILL.md") ? "SKILL.md" : names.find((name) => name === "skill.md");
  if (name === undefined) throw new Failure(`Error: SKILL.md not found in ${directory}`);
  return join(directory, name);
}

/** The fields of the specification that it has, under their own names. */
export function propertiesOf(referred: Referred): object {
  const { skill, text } = referred;
  const { license, compatibility, "allowed-tools": tools, metadata } = skill.frontMatter;
  const written = (key: string, value: JSONValue | undefined): Written | undefined =>
    value === undefined ? undefined : writtenOf(text, `${key}:`, value);
  return Object.fromEntries(
    [
      ["name", nameOf(referred)],
      ["description", skill.description],
      ["license", written("license", license)],
      ["compatibility", written("compatibility", compatibility)],
      ["allowed-tools", written("allowed-tools", tools)],
      ["metadata", metadataOf(written("metadata", metadata))],
    ].filter(([, value]) => value !== undefined),
  );
}

/** The name as it is written: the reference library never takes the directory's instead. */
export function nameOf({ skill, path, text }: Referred): string {
  const { name = "" } = skill.frontMatter;
  const written = writtenOf(text, "name:", name);
  if (typeof written === "string" && written.trim() !== "") return written.trim();
  throw new Failure(`Error: ${path}: name is missing, or is no text`);
}

/** What is below a key of it is text; where it is none, as Python writes it. */
function metadataOf(metadata: Written | undefined): Written | undefined {
  if (typeof metadata !== "object") return metadata === "" ? undefined : metadata;
  if (Array.isArray(metadata)) return metadata;
  const entries = Object.entries(metadata).map(([key, value]): [string, string] => [
    key,
    typeof value === "string" ? value : pythonText(value),
  ]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** A value whose scalars are the text that stands in the file. */
type Written = string | Written[] | { [key: string]: Written };

/** A value as it is written; `lead` is what stands before it on its line. */
function writtenOf(text: string, lead: string, value: JSONValue): Written {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((item) => writtenOf(text, "-", item));
  if (value === null || typeof value !== "object") return scalarText(text, lead, value);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, writtenOf(text, `${key}:`, member)]),
  );
}

/** The text of a scalar that is no text: `True` is not `true`, and `~` not nothing. */
function scalarText(text: string, lead: string, value: number | boolean | null): string {
  const written = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith(lead))
    .map((line) => line.slice(lead.length).replace(/(^|\s)#.*$/, ""))
    .map((rest) => rest.trim());
  const isMeant = (rest: string): boolean => {
    if (value === null) return /^(null|~|)$/i.test(rest);
    return typeof value === "number"
      ? rest !== "" && Number(rest) === value
      : rest.toLowerCase() === String(value);
  };
  return written.find(isMeant) ?? (value === null ? "" : String(value));
}

/** Text of a list or a mapping, as Python makes it. */
function pythonText(value: Written): string {
  if (typeof value === "string") return pythonLiteral(value);
  if (Array.isArray(value)) return `[${value.map(pythonText).join(", ")}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${pythonLiteral(key)}: ${pythonText(member)}`,
  );
  return `{${members.join(", ")}}`;
}

const PYTHON_ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** A string as Python shows it: in the quotes that need no escape, if there are such. */
function pythonLiteral(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = text.replace(/[\\\p{C}\p{Z}]/gu, (character) =>
    character === " " ? character : (PYTHON_ESCAPES[character] ?? codePointEscape(character)),
  );
  return `${quote}${quote === "'" ? inside.replaceAll("'", "\\'") : inside}${quote}`;
}

function codePointEscape(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16);
  if (digits.length <= 2) return `\\x${digits.padStart(2, "0")}`;
  return digits.length <= 4 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}

/** JSON in ASCII, as the reference library prints it. */
export function asciiJson(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2);
  return text.replace(/[^ -~\n]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
};

/** Text for HTML, quotes too. */
export function htmlEscaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
