import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { watchWebAssembly } from "../probe.mjs";

/** The sizes of the module that browsers download and of the one that Node compiles. */
export async function run() {
  const seen = watchWebAssembly();
  const { parseSkill } = await import("skillshelf");
  parseSkill("---\nname: first\ndescription: First.\n---\nFirst.\n");
  if (seen.module === undefined) throw new Error("no WebAssembly module was compiled");
  const file = fileURLToPath(import.meta.resolve("skillshelf/skillshelf.wasm"));
  return { downloaded: sizeOf(readFileSync(file)), compiled: sizeOf(seen.module) };
}

function sizeOf(module) {
  return { raw: module.byteLength, gzip: gzipSync(module, { level: 9 }).byteLength };
}
