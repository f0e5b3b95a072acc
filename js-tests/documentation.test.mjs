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

async function run(text) {
  const file = join(folder, "program.mjs");
  await writeFile(file, text);
  const child = spawn(process.execPath, [file], { cwd: folder });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      printed += chunk;
    });
  }
  const [code] = await once(child, "close");
  return { code, printed };
}

for (const name of ["README.md", "examples/skills/skillshelf/SKILL.md"]) {
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
