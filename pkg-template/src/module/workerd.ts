/**
 * What `#module` leads to in workerd, which compiles no WebAssembly from bytes: it is compiled when a
 * Worker is deployed, and imported like a script.
 */
import compiled from "../skillshelf.wasm";

export const compiledModule: () => WebAssembly.Module = () => compiled;
