// The installed package on loopback, for a browser: its files as they are, and a page that maps the
// names of imports to them, as `exports` and `imports` of its package.json say.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript" };

/** Serves the package and this folder; gives the address and how to end it. */
export async function serve(packageFolder) {
  const manifest = JSON.parse(await readFile(path.join(packageFolder, "package.json"), "utf8"));
  const page = pageOf(manifest);
  const fileOf = (pathname) =>
    pathname.startsWith("/skillshelf/")
      ? path.join(packageFolder, pathname.slice("/skillshelf/".length))
      : path.join(import.meta.dirname, pathname);
  const server = createServer(async ({ url }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const type = TYPES[pathname === "/" ? ".html" : path.extname(pathname)];
    try {
      const content = pathname === "/" ? page : await readFile(fileOf(pathname));
      response.writeHead(200, { "content-type": type ?? "application/wasm" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () => new Promise((closed) => server.close(closed));
  return { address: `http://127.0.0.1:${server.address().port}/`, close };
}

/** A page on which the names of the package lead to its files. */
function pageOf({ name, exports, imports }) {
  const map = {};
  for (const [entry, target] of Object.entries(exports)) map[name + entry.slice(1)] = urlOf(target);
  for (const [entry, target] of Object.entries(imports)) map[entry] = urlOf(target);
  return `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports: map })}</script>`;
}

/** Of what depends on the runtime, what is for all that are not named. */
function urlOf(target) {
  return `/skillshelf/${typeof target === "string" ? target : target.default}`.replace("/./", "/");
}
