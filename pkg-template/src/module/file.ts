/**
 * What `#module` leads to in Node itself: the module that is compiled for speed is read from its file
 * on first use. As text it would be read and parsed with every import, also where nothing is done
 * with it. A bundler could lose the file, so it is given `inlined-fast.ts`.
 */
import { SkillError } from "../errors.js";

export const compiledModule: () => WebAssembly.Module = () => new WebAssembly.Module(bytes());

function bytes(): Uint8Array<ArrayBuffer> {
  const fs = process.getBuiltinModule("node:fs");
  try {
    return fs.readFileSync(new URL("../skillshelf-fast.wasm", import.meta.url));
  } catch (cause) {
    throw new SkillError(
      {
        code: "NOT_INITIALIZED",
        message:
          `The WebAssembly module of skillshelf could not be read (${String(cause)}). Whoever copies ` +
          'the package must copy "skillshelf-fast.wasm" too, and a bundler that leaves it out is to ' +
          'have the import condition "module".',
      },
      { cause },
    );
  }
}
