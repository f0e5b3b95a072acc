import { closeSync, openSync, readSync } from "node:fs";

import { skillFiles } from "../files.mjs";

const FRONT = 4096;

export const prepare = skillFiles;

/** Opens each known file and reads its first 4 KiB; the least that any index can do. */
export function load(_directory, files) {
  const buffer = Buffer.allocUnsafe(FRONT);
  let accepted = 0;
  for (const file of files) {
    const descriptor = openSync(file, "r");
    if (readSync(descriptor, buffer, 0, FRONT, 0) > 0) accepted += 1;
    closeSync(descriptor);
  }
  return { accepted };
}
