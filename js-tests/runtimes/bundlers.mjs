// Vite, esbuild, webpack and Bun, each as it comes: no plug-in, no loader, no setting for WebAssembly. What
// they make runs, has the module once, and in the browser nothing of Node.

import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { answerIn, chromium } from "./browser.mjs";
import { run } from "./process.mjs";

const HERE = import.meta.dirname;
const DIST = path.join(HERE, "node_modules/skillshelf/dist");
/** The module for downloads, and the one of Node. */
const SMALL = readFileSync(path.join(DIST, "skillshelf.wasm"));
const FAST = inlined("inlined-fast.js");

/** The names that the app in memory prints. */
const NAMES = "pdf, tea";

export const bundlers = [
  bundler("vite, browser", withVite, inBrowser),
  bundler("vite, slim", withVite, slimInBrowser),
  bundler("vite, node", withViteForServers, inNode),
  bundler("esbuild, browser", withEsbuild("browser"), inBrowser),
  bundler("esbuild, node", withEsbuild("node"), inNode),
  bundler("webpack, browser", withWebpack("web"), inBrowser),
  bundler("webpack, node", withWebpack("node"), inNode),
  bundler("bun, node", withBun, inNode),
  bundler("esbuild, a host alone", withEsbuild("node"), hostAlone),
  bundler("vite, no peers", withVite, withoutPeers),
  bundler("esbuild, no peers", withEsbuild("browser"), withoutPeers),
  bundler("webpack, no peers", withWebpack("web", 2), withoutPeers),
];

/** `make` bundles an app into a folder; `use` runs what came of it. */
function bundler(name, make, use) {
  return {
    name,
    async test({ folder }) {
      const place = path.join(folder, name.replace(/\W+/g, "-"));
      const about = await use(make, place);
      return `${about}, ${Math.round(sizeOf(path.join(place, "out")) / 1024)} KB`;
    },
  };
}

async function withVite({ place, into }) {
  const { build } = await import("vite");
  await build({
    root: place,
    configFile: false,
    logLevel: "warn",
    build: { outDir: into, chunkSizeWarningLimit: 4000 },
  });
}

async function withViteForServers({ place, entry, into }) {
  const { build } = await import("vite");
  await build({
    root: place,
    configFile: false,
    logLevel: "warn",
    // Otherwise packages stay where they are.
    ssr: { noExternal: true },
    build: { ssr: entry, outDir: into },
  });
}

/** It has none of the conditions by which other bundlers are told from Node itself. */
async function withBun({ entry, into }) {
  const bun = path.join(HERE, "node_modules/.bin/bun");
  const output = path.join(into, "app.mjs");
  await run(bun, ["build", entry, "--target=node", "--minify", `--outfile=${output}`]);
}

function withEsbuild(platform) {
  return async ({ entry, into }) => {
    const { build } = await import("esbuild");
    await build({
      entryPoints: { app: entry },
      outdir: into,
      bundle: true,
      minify: true,
      format: "esm",
      platform,
      ...(platform === "node" && { outExtension: { ".js": ".mjs" } }),
      logLevel: "warning",
    });
  };
}

/** `missing`: of so many packages it says that they are not there, and goes on. */
function withWebpack(target, missing = 0) {
  return async ({ place, entry, into }) => {
    const { default: webpack } = await import("webpack");
    const stats = await new Promise((resolve, reject) => {
      webpack(
        {
          mode: "production",
          context: place,
          entry: { app: entry },
          target,
          output: { path: into, filename: target === "node" ? "app.cjs" : "app.js" },
          performance: false,
        },
        (error, result) => (error ? reject(error) : resolve(result)),
      );
    });
    const { errors, warnings } = stats.compilation;
    const isMissing = ({ message }) => /Can't resolve '(@zip\.js|modern-tar)/.test(message);
    if (errors.length > 0 || warnings.length !== missing || !warnings.every(isMissing)) {
      throw new Error(stats.toString("minimal"));
    }
  };
}

/** On a page of Chromium, whose console goes to the server. */
async function inBrowser(make, place, app = "names.mjs", printed = NAMES) {
  const out = await made(make, place, app);
  const bundle = scripts(out);
  const ofNode = /["'`]node:\w+["'`]/.exec(bundle)?.[0];
  if (ofNode !== undefined) throw new Error(`${ofNode} got into the bundle.`);
  const page = path.join(out, "index.html");
  const html = (contents) => `<!doctype html><script src="/console.js"></script>${contents}`;
  const given = {
    "/console.js": CONSOLE,
    "/index.html": html(
      readdirSync(out).includes("index.html")
        ? readFileSync(page, "utf8")
        : '<script type="module" src="/app.js"></script>',
    ),
  };
  const contentOf = (pathname) => given[pathname] ?? readFile(path.join(out, pathname));
  const names = await answerIn(chromium, place, contentOf);
  if (names !== printed) throw new Error(`It printed ${JSON.stringify(names)}.`);
  return "runs in Chromium, nothing of Node in it";
}

/** The same with the module as a file, which the page fetches. */
function slimInBrowser(make, place) {
  return inBrowser(make, place, SLIM);
}

/** Without the packages that archives need, it is made all the same, and says so where it needs them. */
async function withoutPeers(make, place) {
  const printed = "PEER_MISSING skillshelf/archive, PEER_MISSING skillshelf/http";
  return inBrowser(make, place, ALONE, printed);
}

const SLIM = "names-slim.mjs";
const ALONE = "archives-alone.mjs";
const HOST = "host-alone.mjs";

const CONSOLE = `const send = (path, body) => fetch(path, { method: "POST", body });
console.log = (text) => send("/answer", text);
addEventListener("error", ({ message }) => send("/failure", message));
addEventListener("unhandledrejection", ({ reason }) => send("/failure", String(reason)));
`;

/** As a program, which has a disk. */
async function inNode(make, place) {
  const out = await made(make, place, "names-of-directory.mjs", FAST);
  const skills = path.join(place, "skills");
  for (const name of ["pdf", "tea"]) {
    mkdirSync(path.join(skills, name), { recursive: true });
    writeFileSync(
      path.join(skills, name, "SKILL.md"),
      `---\nname: ${name}\ndescription: d\n---\nBody\n`,
    );
  }
  const [script] = filesOf(out);
  const names = await run(process.execPath, [script, skills]);
  if (names !== NAMES) throw new Error(`It printed ${JSON.stringify(names)}.`);
  return "runs in Node, with a disk";
}

/** What is not used of the library is left out, the glue and the module too. */
async function hostAlone(make, place) {
  const out = await made(make, place, HOST);
  for (const other of ["WebAssembly", "search_skills", "onDiagnostic"]) {
    if (scripts(out).includes(other)) throw new Error(`${other} got into the bundle.`);
  }
  const [script] = filesOf(out);
  const names = await run(process.execPath, [script]);
  if (names !== NAMES) throw new Error(`It printed ${JSON.stringify(names)}.`);
  return "runs in Node, without a module";
}

/** A project with the app, and what the bundler makes of it, with `module` in it and no other. */
async function made(make, place, app, module = SMALL) {
  const out = path.join(place, "out");
  mkdirSync(place);
  const modules = path.join(place, "node_modules");
  if (app === ALONE) {
    cpSync(path.join(HERE, "node_modules/skillshelf"), path.join(modules, "skillshelf"), {
      recursive: true,
    });
  } else {
    symlinkSync(path.join(HERE, "node_modules"), modules);
  }
  const entry = path.join(place, "app.mjs");
  cpSync(path.join(HERE, "apps", app), entry);
  writeFileSync(
    path.join(place, "index.html"),
    '<!doctype html><script type="module" src="/app.mjs"></script>\n',
  );
  await make({ place, entry, into: out });
  const expected = { [SLIM]: { text: 0, files: 1 }, [HOST]: NOWHERE };
  const once = expected[app] ?? { text: 1, files: 0 };
  for (const each of [SMALL, FAST]) checkModule(out, each, each === module ? once : NOWHERE);
  return out;
}

const NOWHERE = { text: 0, files: 0 };

/** A module is there as often as it should be: as text in scripts, or as files. */
function checkModule(out, module, expected) {
  const text = scripts(out).split(module.toString("base64")).length - 1;
  const files = filesOf(out).filter((file) => readFileSync(file).equals(module)).length;
  if (text !== expected.text || files !== expected.files) {
    const which = module === SMALL ? "for downloads" : "of Node";
    throw new Error(`The module ${which} is there ${text} times as text, ${files} as a file.`);
  }
}

/** The bytes of a module that is text in a script of the package. */
function inlined(script) {
  const [base64] = readFileSync(path.join(DIST, "module", script), "utf8").match(
    /(?<=")AGFzbQ[^"]+/,
  );
  return Buffer.from(base64, "base64");
}

function scripts(out) {
  return filesOf(out)
    .filter((file) => /\.[cm]?js$/.test(file))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
}

function filesOf(out) {
  return readdirSync(out, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(out, name))
    .filter((file) => statSync(file).isFile());
}

function sizeOf(out) {
  return filesOf(out).reduce((sum, file) => sum + statSync(file).size, 0);
}
