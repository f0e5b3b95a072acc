/** The files of a skill, or of what should be one. Which ones count is the core's to say. */
import { workValue } from "../answers.js";
import { coreCatalogOf } from "../catalog.js";
import { defineSkill } from "../define.js";
import { driveAsync } from "../driver.js";
import { withCore } from "../engine.js";
import { diskHost } from "../hosts/disk.js";
import { loadSkills } from "../load.js";
import type { Catalog } from "../types.js";
import { Failure } from "./exit.js";
import { shownPath } from "./paths.js";

/** Paths relative to the skill, sorted. */
export interface FileList {
  files: string[];
  /** Whether there are more than are counted. */
  more: boolean;
}

/** The files beside the skill file of a skill of a catalog. */
export async function filesOf(catalog: Catalog, name: string): Promise<FileList> {
  const core = coreCatalogOf(catalog);
  if (core === undefined) throw new TypeError("only a catalog of this package has files");
  const { handle, hosts } = core;
  const work = withCore(() => handle.resources(name));
  return driveAsync(work, { hosts }, (done) => workValue<FileList>(done));
}

/** The files in a directory, its skill file too, whether or not that can be used. */
export async function filesIn(directory: string): Promise<FileList> {
  // A skill from code has no skill file, so all files are those beside it.
  const name = "folder";
  const folder = defineSkill({ name, description: name, content: name, directory });
  const catalog = await loadSkills(folder, { onDiagnostic: () => {} });
  try {
    return await filesOf(catalog, name);
  } finally {
    catalog.dispose();
  }
}

/** All of them with their content, for what is to be handed on. */
export async function contentsOf(directory: string): Promise<[path: string, bytes: Uint8Array][]> {
  const { files, more } = await filesIn(directory);
  if (more) {
    throw new Failure(
      `${shownPath(directory)} has more than ${files.length} files: nobody would take so many. ` +
        "Remove what the skill does not need.",
    );
  }
  const host = diskHost(directory);
  const contents: [string, Uint8Array][] = [];
  for (const file of files) contents.push([file, await host.read(file)]);
  return contents;
}
