import { gzipSync } from "node:zlib";

import { watchWebAssembly } from "../probe.mjs";

/** The size of the module that the package compiles, as it is and compressed. */
export async function run() {
  const seen = watchWebAssembly();
  const { parseSkill } = await import("skillshelf");
  parseSkill("---\nname: first\ndescription: First.\n---\nFirst.\n");
  if (seen.module === undefined) throw new Error("no WebAssembly module was compiled");
  return { raw: seen.module.byteLength, gzip: gzipSync(seen.module, { level: 9 }).byteLength };
}
