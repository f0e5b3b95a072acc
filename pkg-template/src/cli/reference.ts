/** What the verbs of the specification's reference library have in common. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseSkill } from "../define.js";
import type { Skill } from "../types.js";
import { Failure, UsageError } from "./exit.js";

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
  if (!existsSync(given)) throw new UsageError(`There is no folder or file ${given}.`);
  const isFile = statSync(given).isFile() && isSkillFile(basename(given));
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

function isSkillFile(name: string): boolean {
  return name.toLowerCase() === "skill.md";
}

/** The fields of the specification that it has, under their own names. */
export function propertiesOf({ skill, text }: Referred): object {
  const { name, description, license, compatibility, allowedTools, frontMatter } = skill;
  const tools = frontMatter["allowed-tools"];
  const metadata = Object.entries(skill.metadata).map(([key, value]) => {
    return [key, typeof value === "object" ? value : writtenText(text, key, value)];
  });
  return Object.fromEntries(
    [
      ["name", name],
      ["description", description],
      ["license", license],
      ["compatibility", compatibility],
      ["allowed-tools", typeof tools === "string" ? tools : allowedTools?.join(" ")],
      ["metadata", metadata.length > 0 ? Object.fromEntries(metadata) : undefined],
    ].filter(([, value]) => value !== undefined),
  );
}

/** A value as it is written, where JSON would have it in other digits: `1.10` is not `1.1`. */
function writtenText(text: string, key: string, value: string | number | boolean): string {
  if (typeof value !== "number") return String(value);
  const lines = text.split("\n").map((line) => line.trim());
  const line = lines.find((line) => line.startsWith(`${key}:`)) ?? "";
  const written = line
    .slice(key.length + 1)
    .replace(/\s#.*$/, "")
    .trim();
  return Number(written) === value ? written : String(value);
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
