import { listSkills } from "deepagents";

/** The loader that it exports for folders on the disk. */
export function load(directory) {
  return { accepted: listSkills({ projectSkillsDir: directory }).length };
}
