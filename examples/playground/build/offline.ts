// The service worker: made after everything else, since it names all files of the site.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** Puts `service-worker.js` beside the page: after the first visit the page works without a network. */
export function offline(): Plugin {
  let others: string[] = [];
  return {
    name: "offline",
    configResolved({ publicDir }) {
      others = readdirSync(publicDir);
    },
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const digest = createHash("sha256");
      const names = Object.keys(bundle).sort();
      for (const name of names) {
        const file = bundle[name];
        if (file) digest.update(name).update(file.type === "chunk" ? file.code : file.source);
      }
      const template = readFileSync(join(import.meta.dirname, "service-worker.js"), "utf8");
      // The page is asked for by the address of its folder.
      const files = ["./", ...others, ...names.filter((name) => name !== "index.html")];
      this.emitFile({
        type: "asset",
        fileName: "service-worker.js",
        source: template
          .replace("__VERSION__", digest.digest("hex").slice(0, 16))
          .replace("__FILES__", JSON.stringify(files)),
      });
    },
  };
}
