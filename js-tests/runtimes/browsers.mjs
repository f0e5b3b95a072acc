// Chromium and Firefox: the package as it is, behind an import map; and, bundled, on pages whose
// policy allows scripts of their own server and WebAssembly, and nothing else.

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { answerIn, chromium, firefox } from "./browser.mjs";
import { checkFiles } from "./files.mjs";
import { run } from "./process.mjs";
import { withSites } from "./sites.mjs";

const HERE = import.meta.dirname;
const PACKAGE = path.join(HERE, "node_modules/skillshelf");

/** What `skillshelf/archive` imports. */
const PEERS = {
  "@zip.js/zip.js/": "/node_modules/@zip.js/zip.js/",
  "modern-tar": "/node_modules/modern-tar/dist/web/index.js",
};

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

export const browsers = [chromium, firefox].map((browser) => ({
  name: browser.name,
  async test({ folder, trees, golden }) {
    const version = (await run(browser.program, ["--version"])).split("\n").at(-1);
    const headers = { "content-security-policy": POLICY };
    const strictly = async (app, input) =>
      answerIn(browser, folder, await bundled(app, input), headers);
    const about = golden.compare(await answerIn(browser, folder, asItIs("page", trees)));
    const checks = checkFiles(await answerIn(browser, folder, asItIs("files", trees)));
    await withSites((sites) =>
      answerIn(browser, folder, asItIs("http-page", JSON.stringify(sites))),
    );
    golden.compareAwkward(await strictly("page", "[]"));
    golden.compareAwkward(await strictly("page-slim", "[]"));
    return `${version}: as it is, and both entries with a strict policy, ${about}; ${checks} checks of hosts`;
  },
}));

/** A page that tells its server when a script fails. */
function pageOf(head) {
  return `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<script src="/failures.js"></script>
${head}`;
}

/** On a page with a policy it must be in force. */
const STRICT = `try { new Function(""); tell("The policy is not in force."); } catch {}
`;

const FAILURES = `const tell = (text) => fetch("/failure", { method: "POST", body: text });
addEventListener("error", ({ message }) => tell(message));
addEventListener("unhandledrejection", ({ reason }) => tell(String(reason) + reason?.stack));
`;

/** The files of the package and of this folder, unchanged, on a page for an app. */
function asItIs(app, trees) {
  const { name, exports, imports } = JSON.parse(readFileSync(path.join(PACKAGE, "package.json")));
  const map = {};
  for (const [entry, target] of Object.entries(exports)) map[name + entry.slice(1)] = urlOf(target);
  for (const [entry, target] of Object.entries(imports)) map[entry] = urlOf(target.default);
  Object.assign(map, PEERS);
  const page = pageOf(`<script type="importmap">${JSON.stringify({ imports: map })}</script>
<script type="module" src="/apps/${app}.mjs"></script>`);
  const made = { "/index.html": page, "/failures.js": FAILURES, "/trees.json": trees };
  return (pathname) =>
    made[pathname] ??
    readFile(
      pathname.startsWith("/skillshelf/")
        ? path.join(PACKAGE, pathname.slice("/skillshelf/".length))
        : path.join(HERE, pathname),
    );
}

function urlOf(target) {
  return `/skillshelf/${target}`.replace("/./", "/");
}

/** One script, made without a plug-in, and for `page-slim` the module. */
async function bundled(app, trees) {
  const { outputFiles } = await build({
    entryPoints: [path.join(HERE, "apps", `${app}.mjs`)],
    write: false,
    bundle: true,
    format: "esm",
    platform: "browser",
    logLevel: "warning",
  });
  const made = {
    "/index.html": pageOf('<script type="module" src="/app.js"></script>'),
    "/failures.js": FAILURES + STRICT,
    "/trees.json": trees,
    "/app.js": outputFiles[0].text,
  };
  return (pathname) => {
    if (pathname === "/skillshelf.wasm")
      return readFile(path.join(PACKAGE, "dist/skillshelf.wasm"));
    if (made[pathname] === undefined) throw new Error(pathname);
    return made[pathname];
  };
}
