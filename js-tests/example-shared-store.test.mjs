// The example of several processes over one store, run as a person runs it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, it } from "node:test";

const REPOSITORY = process.env.SKILLSHELF_REPOSITORY;
assert(REPOSITORY, "SKILLSHELF_REPOSITORY is not set: `cargo xtask test js` sets it");

/** The example's own folder, below the one where the package is installed. */
let folder;

before(async () => {
  folder = await mkdtemp(join(import.meta.dirname, "example-shared-store-"));
  await cp(join(REPOSITORY, "examples", "shared-store"), folder, { recursive: true });
});

after(() => rm(folder, { recursive: true }));

async function run(...args) {
  const child = spawn(process.execPath, ["shared-store.mjs", ...args], { cwd: folder });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { out, err, code };
}

it("shares skills and conversations between processes, edits too", async () => {
  const { out, err, code } = await run();
  assert.equal(code, 0, err);
  assert.equal(err, "");
  for (const words of [
    /^3 processes, 1 index:\n## Available skills\n/m,
    /^- code-review: .*\n- release-notes: /m,
    /^The first process loads release-notes:\n<skill_content name="release-notes">\nBegin with what changed/m,
    /^The second one goes on with the conversation: The skill "release-notes" is already loaded: /m,
    /^After an edit each sees:(?: \{"added":\[\],"changed":\["release-notes"\],"removed":\[\]\}){3}$/m,
    /^Changed in the conversation: \[\{"code":"session-skill-changed".*"skill":"release-notes"\}\]$/m,
    /^The third process loads it anew:\nThe skill "release-notes" has changed .*\n\n<skill_content name="release-notes">\nBegin with what broke/m,
  ]) {
    assert.match(out, words);
  }
});

it("ends where there is no store", async () => {
  const { err, code } = await run("redis://127.0.0.1:1");
  assert.equal(code, 1);
  assert.match(err, /ECONNREFUSED/);
});
