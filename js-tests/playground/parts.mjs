// The page's own sources, for what of them needs no browser.

import { createRequire } from "node:module";
import path from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";

/** Where the page was built. */
export const project = path.join(process.env.PLAYGROUND_SITE ?? "", "..");
const its = createRequire(path.join(project, "package.json"));
const { createServer } = await import(pathToFileURL(its.resolve("vite")).href);

const server = await createServer({
  root: project,
  configFile: false,
  logLevel: "error",
  appType: "custom",
  server: { middlewareMode: true, watch: null, ws: false },
  optimizeDeps: { noDiscovery: true },
  ssr: { external: true },
});
after(() => server.close());

/** A module of the page or of its build. */
export function part(file) {
  return server.ssrLoadModule(path.join(project, file));
}

/** Where something is that is installed for the page. */
export const pathOf = (name) => its.resolve(name);

/** A module that is installed for the page. */
export const installed = (name) => import(pathToFileURL(pathOf(name)).href);
