import { close, open, read } from "node:fs";

import { visitAll } from "../bounded.mjs";
import { skillFiles } from "../files.mjs";

const FRONT = 4096;
const AT_ONCE = 32;

export const prepare = skillFiles;

/**
 * The bare loop without blocking: callbacks, which cost less than promises, and a bounded number
 * of files at the same time. All reads share one buffer: nobody looks at what they bring.
 */
export async function load(_directory, files) {
  const buffer = Buffer.allocUnsafe(FRONT);
  let accepted = 0;
  await visitAll(files, AT_ONCE, (file, done) => {
    open(file, "r", (openError, descriptor) => {
      if (openError) return done(openError);
      read(descriptor, buffer, 0, FRONT, 0, (readError, length) => {
        if (length > 0) accepted += 1;
        close(descriptor, (closeError) => done(readError ?? closeError));
      });
    });
  });
  return { accepted };
}
