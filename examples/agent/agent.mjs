#!/usr/bin/env node
// An agent with a shelf of skills. The model sees one line a skill; it takes down the text of one
// only when a task needs it. Nothing that a skill says is ever executed here.
//
// In the repository `cargo xtask demo` runs it, on what was built there. Elsewhere: copy this folder,
// `npm install skillshelf`, `node agent.mjs FOLDER`.

import { loadSkills, SkillError } from "skillshelf";
import { commandLine, UsageError } from "./command-line.mjs";
import { compacted, lengthOf } from "./compaction.mjs";
import { runPrompt } from "./loop.mjs";
import { ProviderError } from "./providers.mjs";
import { callRecord, measureBodies, openReport } from "./report.mjs";
import { progressLine, screen } from "./screen.mjs";
import { USAGE } from "./usage.mjs";

/** What a user can say to the agent itself. @type {import("skillshelf").Command[]} */
const COMMANDS = [
  { name: "compact", description: "Summarizes the conversation; skills keep so many characters" },
];

/** What part of a conversation the texts of skills may be after it was summarized. */
const SHARE_OF_SKILLS = 0.25;

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

    await converse({ ...options, catalog, system, report, out });

    report.bodies = await measure(catalog, loadedIn(report));
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
 * One conversation: prompt after prompt, with everything that was said before in sight, until it
 * grows too long and is summarized.
 *
 * @param {object} options
 * @param {import("skillshelf").Catalog} options.catalog
 * @param {string[] | ((catalog: import("skillshelf").Catalog) => string[])} options.prompts
 * @param {import("./loop.mjs").Model} options.model
 * @param {string} options.system
 * @param {number} options.maxTurns
 * @param {number} options.context  characters
 * @param {import("./report.mjs").Report} options.report  what happens is written into it
 * @param {ReturnType<typeof screen> | undefined} options.out
 */
async function converse({ catalog, prompts, model, system, maxTurns, context, report, out }) {
  const session = catalog.session({
    onEvent: ({ type, name }) => report.events.push({ type, name }),
  });
  /** @type {import("./loop.mjs").Message[]} */
  let messages = [];
  /** @param {import("./report.mjs").PromptRecord} record @param {number} characters */
  const compact = async (record, characters) => {
    const before = lengthOf(messages);
    const result = await compacted({ model, session, messages, budget: { characters } });
    const { kept, dropped } = result;
    messages = result.messages;
    record.compaction = { before, after: lengthOf(messages), kept, dropped };
    out?.compaction(record.compaction);
  };

  for (const prompt of typeof prompts === "function" ? prompts(catalog) : prompts) {
    /** @type {import("./report.mjs").PromptRecord} */
    const record = { prompt, end: "done", texts: [], calls: [] };
    report.prompts.push(record);
    out?.prompt(prompt);
    const expansion = await expanded(session, prompt);
    if (expansion.kind === "command") {
      await compact(
        record,
        Number.parseInt(expansion.extra, 10) || Math.floor(context * SHARE_OF_SKILLS),
      );
      continue;
    }
    if (expansion.kind === "unknown") {
      record.texts.push(expansion.message);
      out?.text(expansion.message);
      continue;
    }
    if (expansion.kind === "skill") {
      record.skill = expansion.skill;
      out?.slashCommand(expansion);
    }
    const { text } = expansion;
    const tools = toolsOf(session);
    record.end = await runPrompt({
      model,
      system,
      tools,
      messages,
      prompt: text,
      ...(expansion.kind === "skill" && { line: prompt }),
      maxTurns,
      observer: observerOf(record, out),
    });
    if (record.end !== "done") out?.endless(prompt);
    if (lengthOf(messages) > context) await compact(record, Math.floor(context * SHARE_OF_SKILLS));
  }
}

/**
 * Writes down and shows what a model says and calls.
 *
 * @param {import("./report.mjs").PromptRecord} record
 * @param {ReturnType<typeof screen> | undefined} out
 */
function observerOf(record, out) {
  return {
    /** @param {string} text */
    text(text) {
      record.texts.push(text);
      out?.text(text);
    },
    /** @param {import("./loop.mjs").ToolCall} call @param {import("skillshelf").ToolResult} result */
    call(call, result) {
      const done = callRecord(call, result);
      record.calls.push(done);
      out?.call(done, result.content);
    },
  };
}

/**
 * What the user's line stands for; a skill whose file is broken is a word to the user.
 *
 * @param {import("skillshelf").Session} session
 * @param {string} line
 * @returns {Promise<import("skillshelf").Expansion>}
 */
async function expanded(session, line) {
  try {
    return await session.expand(line, { commands: COMMANDS });
  } catch (error) {
    if (!SkillError.isInstance(error)) throw error;
    return { kind: "unknown", name: line, near: [], message: error.message };
  }
}

/**
 * What this model is given: what the index tells it to call, and a way to say that it is done with
 * a skill.
 *
 * @param {import("skillshelf").Session} session
 */
function toolsOf(session) {
  /** @type {import("skillshelf").ToolName[]} */
  const set = ["load_skill", "unload_skill"];
  if (session.tools().some(({ name }) => name === "read_skill_file")) set.push("read_skill_file");
  return session.tools({ set });
}

/** The skills whose texts came into the conversation. @param {import("./report.mjs").Report} report */
function loadedIn({ events }) {
  return new Set(events.filter(({ type }) => type === "skill_loaded").map(({ name }) => name));
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
