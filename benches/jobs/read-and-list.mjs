import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { timed } from "../clock.mjs";

/** Reads each skill file of a folder whole and lists the folders beside it, twice. */
export async function run({ directory, asynchronous }) {
  const folders = readdirSync(directory).map((name) => join(directory, name));
  const readAll = asynchronous
    ? async () => {
        let characters = 0;
        for (const folder of folders) {
          characters += (await readFile(join(folder, "SKILL.md"), "utf8")).length;
          await listFolders(folder);
        }
        return characters;
      }
    : () => {
        let characters = 0;
        for (const folder of folders) {
          characters += readFileSync(join(folder, "SKILL.md"), "utf8").length;
          listFoldersSync(folder);
        }
        return characters;
      };
  const first = await timed(readAll);
  const second = await timed(readAll);
  return {
    skills: folders.length,
    characters: first.value,
    microseconds: (first.ms * 1000) / folders.length,
    warmMicroseconds: (second.ms * 1000) / folders.length,
  };
}

function listFoldersSync(folder) {
  let files = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    files += entry.isDirectory() ? listFoldersSync(join(folder, entry.name)) : 1;
  }
  return files;
}

async function listFolders(folder) {
  let files = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    files += entry.isDirectory() ? await listFolders(join(folder, entry.name)) : 1;
  }
  return files;
}
