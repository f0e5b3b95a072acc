// Node, Bun and Deno: programs that are started with a file.

import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run } from "./process.mjs";
import { withSites } from "./sites.mjs";
import { files } from "./tree.mjs";

const HERE = import.meta.dirname;
const installed = (name) => path.join(HERE, "node_modules", name);

/** The oldest that is supported, and its successors. */
export const nodes = [
  runtime("node 20.19", installed("node-20/bin/node"), [], ["--version"]),
  runtime("node 22", installed("node-22/bin/node"), [], ["--version"]),
  runtime("node 24", installed("node-24/bin/node"), [], ["--version"]),
];

export const bun = runtime("bun", installed(".bin/bun"), [], ["--version"]);

export const deno = runtime(
  "deno",
  installed(".bin/deno"),
  [
    "run",
    "--quiet",
    "--no-prompt",
    "--allow-read",
    "--allow-write",
    "--allow-env",
    "--allow-net=127.0.0.1",
  ],
  ["--version"],
);

/** By `import` and by `require`, in memory and on the disk. */
function runtime(name, program, options, askVersion) {
  return {
    name,
    async test({ folder, trees, golden }) {
      const version = await versionOf(program, askVersion);
      const answer = path.join(folder, "answer");
      const start = async (app, ...args) => {
        await run(program, [...options, path.join(HERE, "apps", app), ...args, answer], {
          cwd: folder,
          env: { ...process.env, DENO_DIR: path.join(folder, "deno"), DENO_NO_UPDATE_CHECK: "1" },
        });
        return readFileSync(answer, "utf8");
      };
      const about = golden.compare(await start("import.mjs", file(folder, "trees.json", trees)));
      golden.compareAwkward(await start("require.cjs", file(folder, "none.json", "[]")));
      await withSites((sites) => start("http-process.mjs", JSON.stringify(sites)));
      writeTree(folder);
      golden.compareTree(withoutPlace(await start("disk.mjs"), folder));
      return `${version}: import, require, disk and servers, ${about}`;
    },
  };
}

/** Writes a file; gives its path. */
function file(folder, name, content) {
  const place = path.join(folder, name);
  writeFileSync(place, content);
  return place;
}

async function versionOf(program, ask) {
  try {
    return (await run(program, ask)).split("\n")[0];
  } catch (error) {
    throw new Error(
      `This runtime is required: js-tests/runtimes/package.json has it. ${error.message}`,
    );
  }
}

/** Writes the awkward tree, once. */
function writeTree(folder) {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** What is known on a disk alone, taken out: where a directory really is. */
function withoutPlace(answer, folder) {
  return answer.replaceAll(`${realpathSync(folder)}/`, "");
}
