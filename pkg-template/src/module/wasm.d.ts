/** What runtimes that precompile WebAssembly make of an import of its file. */
declare module "*.wasm" {
  const compiled: WebAssembly.Module;
  export default compiled;
}

declare module "*.wasm?module" {
  const compiled: WebAssembly.Module;
  export default compiled;
}
