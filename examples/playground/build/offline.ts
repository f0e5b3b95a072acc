// The service worker: made after everything else, since it names all files of the site.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** Puts `service-worker.js` beside the page: after the first visit the page works without a network. */
export function offline(): Plugin {
  let folder = "";
  return {
    name: "offline",
    configResolved({ publicDir }) {
      folder = publicDir;
    },
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const contents = new Map<string, string | Uint8Array>();
      for (const [name, file] of Object.entries(bundle)) {
        contents.set(name, file.type === "chunk" ? file.code : file.source);
      }
      for (const name of readdirSync(folder)) contents.set(name, readFileSync(join(folder, name)));
      const template = readFileSync(join(import.meta.dirname, "service-worker.js"), "utf8");
      this.emitFile({
        type: "asset",
        fileName: "service-worker.js",
        source: serviceWorker(template, contents),
      });
    },
  };
}

/** The worker for these files, by their names; its version is another as soon as one of them is. */
export function serviceWorker(
  template: string,
  contents: ReadonlyMap<string, string | Uint8Array>,
): string {
  const names = [...contents.keys()].sort();
  const digest = createHash("sha256").update(template);
  for (const name of names) digest.update(name).update(contents.get(name) ?? "");
  // The page is asked for by the address of its folder.
  const files = ["./", ...names.filter((name) => name !== "index.html")];
  return template
    .replace("__VERSION__", digest.digest("hex").slice(0, 16))
    .replace("__FILES__", JSON.stringify(files));
}
