// The example of a system prompt, run as a person runs it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, it } from "node:test";

const REPOSITORY = process.env.SKILLSHELF_REPOSITORY;
assert(REPOSITORY, "SKILLSHELF_REPOSITORY is not set: `cargo xtask test js` sets it");

let folder;

before(async () => {
  folder = await mkdtemp(join(import.meta.dirname, "example-system-prompt-"));
  await cp(join(REPOSITORY, "examples", "system-prompt"), folder, { recursive: true });
});

after(() => rm(folder, { recursive: true }));

function run(...args) {
  return execFileSync(process.execPath, ["system-prompt.mjs", ...args], {
    cwd: folder,
    encoding: "utf8",
  });
}

it("prints a prompt with all sections, what its plugins add, and what a new task leaves", () => {
  const printed = run();
  assert.deepEqual(
    [...printed.matchAll(/^## (.*)$/gm)].map(([, name]) => name),
    ["Role", "Rules", "Tools", "Agents", "Skills", "Participants", "Task"],
  );
  for (const line of [
    "the result first, then the reasons",
    "read the whole diff once more",
    "- load_skill: ",
    "- researcher (Researcher): Finds out what is known, and where it says so.",
    "  - papers: Looks through publications.",
    "- release-notes: Writes release notes. Use for every release.",
    '- "Grace": reviewer',
    "Prepare release 1.4.",
  ]) {
    assert.ok(printed.includes(line), line);
  }
  assert.doesNotMatch(printed, /Begin with what changed/);
  const [, kept, all] = printed.match(/(\d+) of (\d+) characters stay the same/);
  assert.equal(all - kept, "Prepare release 1.4.".length);
});

it("takes a folder of skills", () => {
  assert.match(run(join(REPOSITORY, "examples", "skills")), /^- code-review: /m);
});
