// The files of a skill, whether or not it can be used.

import {
  type Catalog,
  defineSkill,
  type Host,
  loadSkills,
  type Skill,
  type SkillFiles,
} from "skillshelf/slim";
import { joined, parentOf } from "./paths.ts";
import type { Files } from "./shapes.ts";

const NONE: Files = { paths: [], more: false };

/** The files beside a skill file, by their paths on the host. */
export async function filesBeside(
  host: Host,
  catalog: Catalog,
  path: string,
  skill: Skill | undefined,
): Promise<Files> {
  const directory = parentOf(path);
  if (skill !== undefined) {
    if (skill.source?.directory === undefined) return NONE;
    return onHost(directory, await catalog.files(skill.name));
  }
  // One that does not load at the top may be a loose file, which has no others.
  if (directory === "") return NONE;
  const { paths, more } = await filesIn(host, directory);
  return { paths: paths.filter((other) => other !== path), more };
}

/** All files of a directory: a skill from code has no skill file, so all of them are beside it. */
async function filesIn(host: Host, directory: string): Promise<Files> {
  const name = "folder";
  const folder = defineSkill({ name, description: name, content: name, host, directory });
  const catalog = await loadSkills(folder, { onDiagnostic: () => {} });
  try {
    return onHost(directory, await catalog.files(name));
  } finally {
    catalog.dispose();
  }
}

function onHost(directory: string, { files, more, unread }: SkillFiles): Files {
  return { paths: files.map((file) => joined(directory, file)), more: more || unread };
}
