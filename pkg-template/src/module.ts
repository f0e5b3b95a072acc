/** What the WebAssembly module can be made of. */

/** `WebAssembly.Module`, in projects that have its type. */
export type CompiledModule = typeof globalThis extends {
  WebAssembly: { Module: { prototype: infer Module } };
}
  ? Module
  : never;

/** The module's bytes, or the compiled module. */
export type ModuleSource = ArrayBuffer | ArrayBufferView | CompiledModule;

/** What has the module's bytes, such as what `fetch` gives. */
export interface ModuleResponse {
  /** The bytes. */
  arrayBuffer(): Promise<ArrayBuffer>;
  /** `false` where it is an error message instead. */
  readonly ok?: boolean;
  readonly status?: number;
}
