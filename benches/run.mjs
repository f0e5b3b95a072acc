/**
 * Measures the installed `skillshelf` and its peers and prints the figures beside the budgets.
 * `cargo xtask bench` calls it; see README.md for how to read what it prints.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";

import { readArguments, USAGE } from "./arguments.mjs";
import { budgetTable } from "./budgets.mjs";
import { Corpus } from "./corpus.mjs";
import { stopChildren } from "./measure.mjs";
import { integer, table } from "./table.mjs";

async function main() {
  const options = orExplain(() => readArguments(process.argv.slice(2)));
  if (options.help) {
    console.log(USAGE);
    return;
  }
  const machine = machineFacts();
  const corpus = orExplain(() => new Corpus(options.corpus));
  removeAtEnd(corpus);
  console.log(
    `Node ${machine.node}, ${machine.platform}, ${machine.cores} cores; ${options.rounds} rounds, shuffled.`,
  );
  console.log(corpusLine(corpus));

  const results = {};
  for (const name of options.sections) {
    const { run } = await import(`./sections/${name}.mjs`);
    const about = aboutOf(machine);
    const result = await run({ ...options, about, corpus, progress: progressOf(name) });
    for (const part of result.tables) console.log(withoutPaths(table(part), corpus));
    results[name] = result;
  }

  const figures = Object.values(results).flatMap((result) => result.figures);
  if (figures.length > 0) console.log(table(budgetTable(figures)));
  if (options.json !== undefined) writeJson(options, machine, corpus, results, figures);
  const isBad = (result) => hasFailure(result) || (result.faults ?? []).length > 0;
  process.exitCode = Object.values(results).some(isBad) ? 1 : 0;
}

/** What is wrong with the command line is said without a stack. */
function orExplain(work) {
  try {
    return work();
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
}

function machineFacts() {
  return {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
  };
}

/** What a plot says of how it came about. */
function aboutOf({ node, platform, cores }) {
  const manifest = new URL("node_modules/skillshelf/package.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, "utf8"));
  const day = new Date().toISOString().slice(0, 10);
  return `skillshelf ${version}, Node ${node}, ${platform}, ${cores} cores, ${day}`;
}

function corpusLine(corpus) {
  return corpus.real
    ? `Corpus: ${integer(corpus.distinct)} real skills, repeated under new names as needed.`
    : `Corpus: SKIPPED, not found. These are ${integer(corpus.distinct)} generated skills; --corpus PATH names real ones.`;
}

/** The folders go away however the run ends. */
function removeAtEnd(corpus) {
  process.on("exit", () => corpus.remove());
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ]) {
    process.on(signal, () => {
      stopChildren();
      process.exit(code);
    });
  }
}

/** A line that replaces itself, where somebody watches. */
function progressOf(section) {
  if (!process.stderr.isTTY) return () => {};
  return (text) => process.stderr.write(`\r\x1b[K${text === "" ? "" : `${section}: ${text}`}`);
}

/** A failure's message may name a file: the place on this machine is nobody's business. */
function withoutPaths(text, corpus) {
  const here = new URL(".", import.meta.url);
  return text
    .replaceAll(corpus.root, "<folder>")
    .replaceAll(here.href, "<benches>/")
    .replaceAll(decodeURIComponent(here.pathname), "<benches>/");
}

function hasFailure({ outcomes }) {
  return outcomes.some((outcome) => [...outcome.values()].some(({ error }) => error !== undefined));
}

function writeJson({ json, count, rounds }, machine, corpus, results, figures) {
  const samples = Object.fromEntries(
    Object.entries(results).map(([name, { outcomes }]) => [
      name,
      Object.assign({}, ...outcomes.map((outcome) => Object.fromEntries(outcome))),
    ]),
  );
  const report = {
    machine,
    count,
    rounds,
    corpus: { real: corpus.real, skills: corpus.distinct },
    samples,
    figures,
  };
  writeFileSync(json, `${withoutPaths(JSON.stringify(report, null, 2), corpus)}\n`);
}

await main();
