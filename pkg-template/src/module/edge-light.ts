/**
 * What `#module` leads to in edge runtimes like Vercel's: what `workerd` has, with the mark by which
 * their bundlers know that a compiled module is wanted.
 */
import compiled from "../skillshelf.wasm?module";

export const compiledModule: () => WebAssembly.Module = () => compiled;
