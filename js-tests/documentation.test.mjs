// Every program in the documentation runs as it stands, beside the example skills.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

const REPOSITORY = process.env.SKILLSHELF_REPOSITORY;
assert(REPOSITORY, "SKILLSHELF_REPOSITORY is not set: `cargo xtask test js` sets it");

/** Where the programs run: below the folder where the package is installed, with `./skills`. */
let folder;

before(async () => {
  folder = await mkdtemp(join(import.meta.dirname, "documentation-"));
  await cp(join(REPOSITORY, "examples", "skills"), join(folder, "skills"), { recursive: true });
});

after(() => rm(folder, { recursive: true }));

/** The blocks marked as JavaScript, with the line on which each begins. */
function programs(markdown) {
  return [...markdown.matchAll(/^```js\n(.*?)^```$/gms)].map((match) => ({
    line: markdown.slice(0, match.index).split("\n").length + 1,
    text: match[1],
  }));
}

/** What a program that reads lines is told by its user. */
const LINES = "/code-review my change\n/code-reviw\n /code-review\n/quit\n/never read\n";

async function run(text) {
  const file = join(folder, "program.mjs");
  await writeFile(file, text);
  const child = spawn(process.execPath, [file], { cwd: folder });
  // Most programs end without reading any of it.
  child.stdin.on("error", () => {}).end(LINES);
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      printed += chunk;
    });
  }
  const [code] = await once(child, "close");
  return { code, printed };
}

for (const name of ["README.md", "examples/skills/skillshelf/SKILL.md", "docs/mcp-server.md"]) {
  describe(name, async () => {
    const found = programs(await readFile(join(REPOSITORY, name), "utf8"));
    it("holds programs", () => assert(found.length > 0));
    for (const { line, text } of found) {
      it(`runs the program on line ${line}`, async () => {
        const { code, printed } = await run(text);
        assert.equal(code, 0, printed);
      });
    }
  });
}

it("README.md's terminal expands what its user says, until /quit", async () => {
  const found = programs(await readFile(join(REPOSITORY, "README.md"), "utf8"));
  const terminal = found.filter(({ text }) => text.includes("node:readline"));
  assert.equal(terminal.length, 1);
  const { code, printed } = await run(terminal[0].text);
  assert.equal(code, 0, printed);
  assert.match(printed, /^> To the model: # .+\n\nmy change\n/s);
  assert.match(
    printed,
    /\n> There is no command or skill named "\/code-reviw"\. Did you mean "\/code-review"\?\n/,
  );
  assert.match(printed, /\n> To the model: {2}\/code-review\n/);
  assert.doesNotMatch(printed, /never read/);
});
