// Cloudflare's workerd, with Workers made as its own tools make them: a bundle, and the module beside
// it, which is compiled when the Worker starts.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { loadSkills } from "skillshelf";
import { told } from "./apps/told.mjs";
import { end, run, start, within } from "./process.mjs";
import { withSites } from "./sites.mjs";

const PROGRAM = path.join(import.meta.dirname, "node_modules/.bin/workerd");

export const workers = {
  name: "workerd",
  async test({ folder, trees, golden }) {
    const version = await run(PROGRAM, ["--version"]);
    const answer = async (app, input) => {
      const into = path.join(folder, app);
      await bundle(path.join(import.meta.dirname, "apps", `${app}.mjs`), into);
      return answerOf(into, input);
    };
    const about = golden.compare(await answer("worker", trees));
    golden.compareAwkward(await answer("worker-slim", "[]"));
    await withSites((sites) => answer("http-worker", JSON.stringify(sites)));
    await tryExamples(folder);
    await tryBundled(folder);
    return `${version}: skillshelf and skillshelf/slim, ${about}`;
  },
};

/** The Workers of the readme. */
async function tryExamples(folder) {
  const page = path.join(process.env.SKILLSHELF_REPOSITORY ?? "", "README.md");
  const examples = [...readFileSync(page, "utf8").matchAll(/^```[jt]s\n(.*?)^```$/gms)]
    .map(([, text]) => text)
    .filter((text) => text.includes("export default"));
  if (examples.length !== 2) throw new Error(`README.md has ${examples.length} Workers, not 2.`);
  for (const [index, text] of examples.entries()) {
    // Where it is, the package is found.
    const file = path.join(import.meta.dirname, `example-${index}.mjs`);
    writeFileSync(file, text);
    const into = path.join(folder, `example-${index}`);
    await bundle(file, into);
    const answer = await answerOf(into, "");
    if (!answer.includes("- tea: Brews tea")) throw new Error(`${text}\nanswers:\n${answer}`);
  }
}

/** Skills, with what is awkward in a script: its end, line separators, line ends, what is no text. */
const SKILLS = {
  "tea/SKILL.md":
    "---\r\nname: tea\r\ndescription: Brews tea\r\n---\r\nWarm the pot.\r\n</script>\u2028 `\\`\r\n",
  "tea/notes/steeping.md": "\ufeffThree minutes \u{1f375}.\n",
  "tea/leaf.bin": new Uint8Array([0, 255, 128, 10, 13, 0]),
  "coffee.md": "---\nname: coffee\ndescription: Makes coffee\n---\nGrind the beans.\n",
};

/** What the command makes a module of is in a Worker what it is on the disk. */
async function tryBundled(folder) {
  const root = path.join(folder, "to-bundle");
  for (const [name, content] of Object.entries(SKILLS)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
  const skills = path.join(folder, "bundled-skills.js");
  const command = path.join(import.meta.dirname, "node_modules/.bin/skillshelf");
  await run(command, ["bundle", root, "--out", skills]);
  const into = path.join(folder, "worker-bundled");
  await bundle(path.join(import.meta.dirname, "apps/worker-bundled.mjs"), into, {
    "skills-of-this-test": skills,
  });
  const answer = await answerOf(into, "");
  const expected = await told(await loadSkills(root));
  if (answer !== expected) throw new Error(`bundled: ${answer}\non the disk: ${expected}`);
}

async function bundle(file, into, alias = {}) {
  mkdirSync(into);
  await build({
    entryPoints: { worker: file },
    outdir: into,
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    alias,
    plugins: [compiledModules(into)],
    logLevel: "warning",
  });
  writeFileSync(path.join(into, "config.capnp"), CONFIGURATION);
}

/** What Cloudflare's tools do with an import of a `.wasm` file: it is a module of the Worker. */
function compiledModules(into) {
  return {
    name: "compiled-modules",
    setup(builder) {
      builder.onResolve(
        { filter: /\.wasm$/ },
        async ({ path: name, kind, resolveDir, pluginData }) => {
          if (pluginData === "resolved") return undefined;
          const found = await builder.resolve(name, { kind, resolveDir, pluginData: "resolved" });
          if (found.errors.length > 0) return found;
          copyFileSync(found.path, path.join(into, MODULE));
          return { path: `./${MODULE}`, external: true };
        },
      );
    },
  };
}

const MODULE = "skillshelf.wasm";

const CONFIGURATION = `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["private"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);

const worker :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "${MODULE}", wasm = embed "${MODULE}")
  ],
  compatibilityDate = "2026-01-01"
);
`;

async function answerOf(folder, trees) {
  const server = start(PROGRAM, ["serve", "--control-fd=3", "config.capnp"], {
    cwd: folder,
    pipes: ["pipe"],
  });
  try {
    const port = await within(
      30_000,
      () => `workerd has no port: ${server.printed}`,
      portOf(server),
    );
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: trees });
    const text = await response.text();
    if (!response.ok) throw new Error(`workerd: ${response.status} ${text}\n${server.printed}`);
    return text;
  } finally {
    await end(server);
  }
}

/** workerd takes a free port, and tells it on the pipe of its control messages. */
async function portOf(server) {
  let told = "";
  for await (const part of server.stdio[3].setEncoding("utf8")) {
    told += part;
    const port = /"port":\s*(\d+)/.exec(told)?.[1];
    if (port !== undefined) return port;
  }
  throw new Error(`workerd ended before it had a port: ${server.printed}`);
}
