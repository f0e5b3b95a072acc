import { statSync } from "node:fs";

import { skillFiles } from "../files.mjs";

export const prepare = skillFiles;

/** One `stat` for each known file: the least that tells whether something changed. */
export function load(_directory, files) {
  let accepted = 0;
  for (const file of files) {
    if (statSync(file).isFile()) accepted += 1;
  }
  return { accepted };
}
