import { stat } from "node:fs";

import { visitAll } from "../bounded.mjs";
import { skillFiles } from "../files.mjs";

const AT_ONCE = 32;

export const prepare = skillFiles;

/** One `stat` for each known file, without blocking. */
export async function load(_directory, files) {
  let accepted = 0;
  await visitAll(files, AT_ONCE, (file, done) => {
    stat(file, (error, found) => {
      if (found?.isFile()) accepted += 1;
      done(error);
    });
  });
  return { accepted };
}
