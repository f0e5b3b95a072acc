// The example skills as one file of the site: texts as they are, everything else in base64.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Plugin } from "vite";

/** Puts `examples.json` beside the page, made of all files below a folder. */
export function examples(folder: string): Plugin {
  const name = "examples.json";
  return {
    name: "examples",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: name, source: packed(folder) });
    },
    configureServer(server) {
      server.middlewares.use(`/${name}`, (_, response) => response.end(packed(folder)));
    },
  };
}

/** Paths and contents, in the order of the paths. */
function packed(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [relative(folder, file).split(sep).join("/"), contentOf(file)]);
  return JSON.stringify(Object.fromEntries(entries));
}

function contentOf(file: string): string | { base64: string } {
  const bytes = readFileSync(file);
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : { base64: bytes.toString("base64") };
}
