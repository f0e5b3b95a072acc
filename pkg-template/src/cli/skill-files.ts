/** The files of a skill, or of what should be one. Which ones count is the core's to say. */
import { defineSkill } from "../define.js";
import { diskHost } from "../hosts/disk.js";
import { loadSkills } from "../load.js";
import type { SkillFiles } from "../types.js";
import { Failure } from "./exit.js";
import { shownPath } from "./paths.js";

/** The files in a directory, its skill file too, whether or not that can be used. */
export async function filesIn(directory: string): Promise<SkillFiles> {
  // A skill from code has no skill file, so all files are those beside it.
  const name = "folder";
  const folder = defineSkill({ name, description: name, content: name, directory });
  const catalog = await loadSkills(folder, { onDiagnostic: () => {} });
  try {
    return await catalog.files(name);
  } finally {
    catalog.dispose();
  }
}

/** All of them with their content, for what is to be handed on. */
export async function contentsOf(directory: string): Promise<[path: string, bytes: Uint8Array][]> {
  const { files, more, unread } = await filesIn(directory);
  if (more) {
    throw new Failure(
      `${shownPath(directory)} has more than ${files.length} files: nobody would take so many. ` +
        "Remove what the skill does not need.",
    );
  }
  if (unread) {
    throw new Failure(
      `A directory in ${shownPath(directory)} cannot be read, so what is in it would be left out. ` +
        "Let it be read.",
    );
  }
  const host = diskHost(directory);
  const contents: [string, Uint8Array][] = [];
  for (const file of files) contents.push([file, await host.read(file)]);
  return contents;
}
