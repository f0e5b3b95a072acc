// The list of skills: those that load, and the files that should be skills and are not.

import type { Diagnostic, Skill } from "skillshelf/slim";
import type { Row } from "./shapes.ts";

/** As long as the specification allows; a description that is longer would only be carried about. */
const LONGEST = 1_024;

/** A row for each skill, and for each file that an error keeps from being one; by name. */
export function rowsOf(
  skills: Iterable<Skill>,
  problems: readonly Diagnostic[],
  isEdited: (skill: Skill | undefined, path: string) => boolean,
): Row[] {
  const rows = new Map<string, Row>();
  const add = (path: string, skill: Skill | undefined, name: string, description: string) => {
    const row: Row = {
      name,
      description,
      path,
      modelInvocable: skill?.modelInvocable ?? false,
      skipped: skill === undefined,
      edited: isEdited(skill, path),
      errors: 0,
      warnings: 0,
    };
    rows.set(path, row);
    return row;
  };
  for (const skill of skills) {
    const { name, description, source } = skill;
    add(source?.path ?? name, skill, name, description.slice(0, LONGEST));
  }
  for (const { path, severity, message } of problems) {
    if (path === undefined) continue;
    let row = rows.get(path);
    if (row === undefined && severity === "error") {
      row = add(path, undefined, standIn(path), message);
    }
    if (row === undefined) continue;
    if (severity === "error") row.errors += 1;
    if (severity === "warning") row.warnings += 1;
  }
  return [...rows.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What is called by a path that has no name of its own: a skill file as its folder. */
function standIn(path: string): string {
  const names = path.split("/");
  const isFile = path.endsWith(".md") && names.length > 1;
  return names.at(isFile ? -2 : -1) ?? path;
}
