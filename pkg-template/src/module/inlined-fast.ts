/**
 * What `#module` leads to in Node and what is like it, which has the package on its disk: the same
 * module, compiled for speed where elsewhere the download counts.
 */
import { decoded } from "../base64.js";
import { base64 } from "../core/module-fast.js";

export const compiledModule: () => WebAssembly.Module = () =>
  new WebAssembly.Module(decoded(base64));
