// Puts the scripts of the package into few files: each file that is imported costs a millisecond.
//
//   node bundle.mjs COMPILED DIST ENTRY…
//
// Everything that `skillshelf` reaches is one file, `library.js`. Apart from it stays what the runtime
// chooses and what that needs: those files are evaluated before the library, and must not wait for it.

import path from "node:path";
import { rolldown } from "rolldown";

const [compiled, dist, ...entries] = process.argv.slice(2);

/** What `#disk` leads to is the host itself, not a file that hands it on. */
const HOST_OF = { "disk/node": "hosts/disk" };

/** What a host of the disk needs of the library. */
const BESIDE_DISK = /[\\/](?:errors|hosts|hosts[\\/](?:arguments|direct|fill|listed|slices))\.js$/;

const LIBRARY = /[\\/](?:api|engine)\.js$/;

/** Chosen by the runtime, brought by the user, or read by tests where it is. */
const EXTERNAL = [
  /^node:/,
  /^#/,
  /^@(?:langchain|mastra|modelcontextprotocol|openai|zip\.js)\//,
  /^modern-tar/,
  /\.wasm(?:\?module)?$/,
  /[\\/]core[\\/]skillshelf\.js$/,
];

const bundle = await rolldown({
  input: Object.fromEntries(
    entries.map((name) => [name, path.join(compiled, `${HOST_OF[name] ?? name}.js`)]),
  ),
  platform: "neutral",
  external: EXTERNAL,
  // Files take what they need of each other's, under short names; what they export stays.
  preserveEntrySignatures: "allow-extension",
  experimental: { attachDebugInfo: "none" },
  onLog(level, log) {
    if (level !== "debug" && level !== "info") throw new Error(log.message);
  },
});

await bundle.write({
  dir: dist,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "shared-[name].js",
  // For bundlers; the declarations have the rest.
  comments: { annotation: true, jsdoc: false, legal: true },
  codeSplitting: {
    groups: [
      { name: "beside-disk", test: BESIDE_DISK, priority: 2 },
      { name: "library", test: LIBRARY, priority: 1 },
    ],
  },
});
await bundle.close();
