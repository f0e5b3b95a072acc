// The list of skills: those that load, and the files that should be skills and are not.

import type { Diagnostic, Skill } from "skillshelf/slim";
import type { Row, Size } from "./shapes.ts";

/** As long as the specification allows; a description that is longer would only be carried about. */
const LONGEST = 1_024;

/** Says of a file that is broken now that its skill is kept. */
const KEPT = "kept-last-good";

/** What is asked about a skill, or about a file that is none. */
export interface Asked {
  isEdited(path: string, directory: string | undefined): boolean;
  sizeOf(name: string): Size | undefined;
}

interface Made {
  skill: Skill;
  row: Row;
}

export class Rows {
  /** As they were made last, by their paths: most skills have the same row as before. */
  #made = new Map<string, Made>();

  /** A row for each skill, and for each file that an error keeps from being one; by name. */
  of(skills: Iterable<Skill>, problems: readonly Diagnostic[], asked: Asked): Row[] {
    const found = byPath(problems);
    const rows: Row[] = [];
    const before = this.#made;
    // What is gone is not kept.
    this.#made = new Map();
    for (const skill of skills) {
      const path = skill.source?.path ?? skill.name;
      const its = found.get(path) ?? NONE;
      const edited = asked.isEdited(path, skill.source?.directory);
      const made = before.get(path);
      const size = asked.sizeOf(skill.name);
      const isSame = made?.skill === skill && isAround(made.row, its, edited, size);
      const row = isSame ? made.row : rowOf(skill, path, its, edited, size);
      this.#made.set(path, { skill, row });
      rows.push(row);
      found.delete(path);
    }
    for (const [path, its] of found) {
      if (its.error !== undefined)
        rows.push(skippedRow(path, its, asked.isEdited(path, undefined)));
    }
    return rows.sort(byName);
  }
}

/** What was found about a file, and the first error of it. */
interface Found {
  errors: number;
  warnings: number;
  error: string | undefined;
  kept: boolean;
}

const NONE: Found = { errors: 0, warnings: 0, error: undefined, kept: false };

function byPath(problems: readonly Diagnostic[]): Map<string, Found> {
  const all = new Map<string, Found>();
  for (const { path, severity, message, code } of problems) {
    if (path === undefined) continue;
    const found = all.get(path) ?? { ...NONE };
    if (severity === "error") {
      found.errors += 1;
      found.error ??= message;
    }
    if (severity === "warning") found.warnings += 1;
    if (code === KEPT) found.kept = true;
    all.set(path, found);
  }
  return all;
}

function rowOf(
  { name, description, modelInvocable }: Skill,
  path: string,
  { errors, warnings, kept }: Found,
  edited: boolean,
  size: Size | undefined,
): Row {
  const skipped = false;
  const shown = description.slice(0, LONGEST);
  const its = { name, description: shown, path, modelInvocable, skipped, kept };
  const row = { ...its, edited, errors, warnings };
  return size ? { ...row, size } : row;
}

/** By name; a file that is no skill may be called as a skill is. */
function byName(a: Row, b: Row): number {
  if (a.name === b.name) return a.path < b.path ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

function skippedRow(path: string, { errors, warnings, error = "" }: Found, edited: boolean): Row {
  const [name, description] = [standIn(path), error];
  const [modelInvocable, skipped, kept] = [false, true, false];
  return { name, description, path, modelInvocable, skipped, kept, edited, errors, warnings };
}

/** Whether a row still says what is known of its skill from elsewhere. */
function isAround(row: Row, found: Found, edited: boolean, size: Size | undefined): boolean {
  return (
    row.edited === edited &&
    row.kept === found.kept &&
    row.errors === found.errors &&
    row.warnings === found.warnings &&
    row.size === size
  );
}

/** What is called by a path that has no name of its own: a skill file as its folder. */
function standIn(path: string): string {
  const names = path.split("/");
  const isFile = path.endsWith(".md") && names.length > 1;
  return names.at(isFile ? -2 : -1) ?? path;
}
