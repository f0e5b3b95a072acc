/**
 * What `#module` leads to where nothing else is said: the module is text in a script, so there is no
 * file that a bundler could lose.
 */
import { decoded } from "../base64.js";
import { base64 } from "../core/module.js";

export const compiledModule: () => WebAssembly.Module = () =>
  new WebAssembly.Module(decoded(base64));
