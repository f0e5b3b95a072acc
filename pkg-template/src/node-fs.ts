/**
 * Node's file system. An import of `node:fs` by its name reads every export of it, also those for
 * which Node then loads all of its streams: that takes three milliseconds of every program's start.
 */
export const fs: typeof import("node:fs") = /* @__PURE__ */ process.getBuiltinModule("node:fs");
