// The example agent, run as a reader runs it: with the installed package, on the example skills.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { promisify } from "node:util";

const REPOSITORY = process.env.SKILLSHELF_REPOSITORY;
assert(REPOSITORY, "SKILLSHELF_REPOSITORY is not set: `cargo xtask test js` sets it");
const AGENT = join(REPOSITORY, "examples", "agent", "agent.mjs");

/** Where it is run, below the folder where the package is installed. */
let folder;

before(async () => {
  folder = await mkdtemp(join(import.meta.dirname, "example-agent-"));
  await cp(AGENT, join(folder, "agent.mjs"));
});

after(() => rm(folder, { recursive: true }));

it("corrects itself, is refused what leads out, and goes on after a summary", async () => {
  const args = [join(folder, "agent.mjs"), join(REPOSITORY, "examples", "skills")];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  assert.equal(stderr, "");
  const expected = [
    /^> Review my change, please\.$/,
    /^ {2}load_skill \{"name":"code-reviw"\}: There is no skill named "code-reviw"\. Did you mean "code-review"\?/,
    /^ {2}load_skill \{"name":"code-review"\}: \d+ characters$/,
    /^ {2}read_skill_file .*: The path "\.\.\/\.\.\/secret" is refused: /,
    /^ {2}read_skill_file .*: \d+ characters$/,
    /^I have read how to review it\.$/,
    /^> \/cut-release 2\.1\.0$/,
    /^Version 2\.1\.0 can be cut\.$/,
    /^> \/compact$/,
    /^ {2}summarized; kept: cut-release; to be loaded again: code-review$/,
    /^> What is to be done\?$/,
    /^It is to be reviewed, then released\.$/,
  ];
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines.length, expected.length, stdout);
  for (const [at, pattern] of expected.entries()) assert.match(lines[at], pattern);
});

it("is read in one go", async () => {
  const text = await readFile(AGENT, "utf8");
  assert(text.trimEnd().split("\n").length <= 100);
});
