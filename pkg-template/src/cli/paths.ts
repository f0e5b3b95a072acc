/** Paths as people give and see them. */
import { existsSync, statSync } from "node:fs";
import { basename, isAbsolute, relative, resolve } from "node:path";
import { UsageError } from "./exit.js";

/** A path as it is shown: from the current directory where it is below it, or else in full. */
export function shownPath(path: string): string {
  const whole = resolve(path);
  const below = relative(process.cwd(), whole);
  if (below === "") return ".";
  return below.startsWith("..") || isAbsolute(below) ? whole : below;
}

/** A path as it is written in a line for a shell. */
export function argumentOf(path: string): string {
  const shown = shownPath(path);
  if (/^[\w./@:+,][\w./@:+,-]*$/.test(shown)) return shown;
  const whole = shown.startsWith("-") ? `./${shown}` : shown;
  return `'${whole.replaceAll("'", "'\\''")}'`;
}

/** Whether a path is, by its name, that of a skill file in any case of letters. */
export function isSkillFile(path: string): boolean {
  return basename(path).toLowerCase() === "skill.md";
}

/** Checks that there is something at a path that was given. */
export function checkPath(path: string): void {
  if (!existsSync(path)) throw new UsageError(`There is no folder or file ${path}.`);
}

/** Checks that a path that was given is that of a directory. */
export function checkDirectory(path: string): void {
  if (!existsSync(path)) throw new UsageError(`There is no folder ${path}.`);
  if (!statSync(path).isDirectory()) throw new UsageError(`${path} is a file, not a folder.`);
}
