// The installed package in every runtime, and through every bundler: the same programs over the same
// skills, and the same bytes out. `cargo xtask test runtimes` runs it; with UPDATE_GOLDEN=1 what Node
// answers becomes what is expected.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { browsers } from "./browsers.mjs";
import { bundlers } from "./bundlers.mjs";
import { treesOfCorpus } from "./corpus.mjs";
import { edge } from "./edge.mjs";
import { Golden } from "./golden.mjs";
import { bun, deno, nodes } from "./processes.mjs";
import { workers } from "./workers.mjs";

/** What is run, in this order: each a name, and a function that gives a line about how it went. */
const RUNTIMES = [...nodes, bun, deno, workers, edge, ...browsers, ...bundlers];

const started = performance.now();
const folder = mkdtempSync(path.join(tmpdir(), "skillshelf-runtimes-"));
const failures = [];
try {
  const corpus = treesOfCorpus(folder);
  console.log(corpus.about);
  const golden = new Golden(corpus.trees !== undefined);
  const setting = { folder, trees: JSON.stringify(corpus.trees ?? []), golden };
  for (const { name, test } of RUNTIMES) await report(name, () => test(setting));
  if (failures.length === 0) golden.save();
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${RUNTIMES.length - failures.length} of ${RUNTIMES.length}, in ${seconds(started)}`);
if (failures.length > 0) {
  console.error(`\n${failures.join("\n\n")}`);
  process.exitCode = 1;
}

/** Runs one of them and prints a line about it; the others go on when it fails. */
async function report(name, test) {
  const begun = performance.now();
  try {
    console.log(`  ok      ${name.padEnd(20)} ${seconds(begun, await test())}`);
  } catch (error) {
    failures.push(`${name}: ${error.stack ?? error}`);
    console.log(`  FAILED  ${name.padEnd(20)} ${seconds(begun)}`);
  }
}

function seconds(since, about = "") {
  const time = `${((performance.now() - since) / 1000).toFixed(1)} s`;
  return about === "" ? time : `${time.padStart(6)}  ${about}`;
}
