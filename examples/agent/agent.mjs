#!/usr/bin/env node
// An agent with a shelf of skills. The model sees one line a skill; it takes down the text of one
// only when a task needs it. Nothing that a skill says is ever executed here.
//
// In the repository `cargo xtask demo` runs it, on what was built there. Elsewhere: copy this folder,
// `npm install skillshelf`, `node agent.mjs FOLDER`.

import { loadSkills } from "skillshelf";
import { commandLine, UsageError } from "./command-line.mjs";
import { runPrompt } from "./loop.mjs";
import { ProviderError } from "./providers.mjs";
import { callRecord, measureBodies, openReport } from "./report.mjs";
import { progressLine, screen } from "./screen.mjs";
import { USAGE } from "./usage.mjs";

const EXIT = { done: 0, noSkills: 1, usage: 2, provider: 3 };

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError || error instanceof ProviderError)) throw error;
  console.error(error.message);
  process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.provider;
}

/**
 * @param {string[]} words
 * @returns {Promise<number>} the exit code
 */
async function main(words) {
  const options = commandLine(words);
  if (options.help) {
    console.log(USAGE);
    return EXIT.done;
  }
  const { catalog, milliseconds } = await load(options.folder);
  try {
    const index = catalog.prompt();
    if (index === "") {
      console.error(`There is no skill for the model in ${options.folder}.`);
      for (const { code, message } of catalog.diagnostics) console.error(`- ${code}: ${message}`);
      return EXIT.noSkills;
    }
    const system = `You are a careful coding agent.\n\n${index}`;
    const { folder, modelName } = options;
    const report = openReport({ catalog, system, folder, modelName, milliseconds });
    const out = options.json ? undefined : screen(process.stdout);
    out?.opening(report);

    const loaded = await converse({ ...options, system, tools: catalog.tools(), report, out });

    report.bodies = await measure(catalog, loaded);
    if (out) out.closing(report);
    else console.log(JSON.stringify(report, null, 2));
    return EXIT.done;
  } finally {
    catalog.dispose();
  }
}

/** @param {string} folder */
async function load(folder) {
  const progress = progressLine(process.stderr, "Loading");
  const start = performance.now();
  const catalog = await loadSkills(folder, {
    // The report counts all findings; without this, each skipped skill is a warning at once.
    onDiagnostic() {},
    onProgress: ({ directories, files }) => progress.show(`${files} files, ${directories} folders`),
  });
  progress.end();
  return { catalog, milliseconds: performance.now() - start };
}

/**
 * One conversation: prompt after prompt, with everything that was said before in sight.
 *
 * @param {object} options
 * @param {string[]} options.prompts
 * @param {import("./loop.mjs").Model} options.model
 * @param {string} options.system
 * @param {import("skillshelf").SkillTools} options.tools
 * @param {number} options.maxTurns
 * @param {import("./report.mjs").Report} options.report  what happens is written into it
 * @param {ReturnType<typeof screen> | undefined} options.out
 * @returns {Promise<Set<string>>} the names of the skills that the model has loaded
 */
async function converse({ prompts, model, system, tools, maxTurns, report, out }) {
  /** @type {Set<string>} */
  const loaded = new Set();
  /** @type {import("./loop.mjs").Message[]} */
  const messages = [];
  for (const prompt of prompts) {
    /** @type {import("./report.mjs").PromptRecord} */
    const record = { prompt, end: "done", texts: [], calls: [] };
    report.prompts.push(record);
    out?.prompt(prompt);
    const observer = {
      /** @param {string} text */
      text(text) {
        record.texts.push(text);
        out?.text(text);
      },
      /** @param {import("./loop.mjs").ToolCall} call @param {import("skillshelf").ToolResult} result */
      call(call, result) {
        if (call.name === "load_skill" && result.skill && !result.isError) loaded.add(result.skill);
        const done = callRecord(call, result);
        record.calls.push(done);
        out?.call(done, result.content);
      },
    };
    record.end = await runPrompt({ model, system, tools, messages, prompt, maxTurns, observer });
    if (record.end !== "done") out?.endless(prompt);
  }
  return loaded;
}

/**
 * @param {import("skillshelf").Catalog} catalog
 * @param {Set<string>} loaded
 */
async function measure(catalog, loaded) {
  const progress = progressLine(process.stderr, "Measuring bodies");
  const bodies = await measureBodies(catalog, loaded, (done) => progress.show(`${done}`));
  progress.end();
  return bodies;
}
