import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The paths of the skill files in a folder of `<name>/SKILL.md`. */
export function skillFiles(directory) {
  return readdirSync(directory).map((name) => join(directory, name, "SKILL.md"));
}
