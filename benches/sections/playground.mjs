import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { constants, gzipSync } from "node:zlib";
import { budget } from "../budgets.mjs";
import { generatedSkills } from "../generated.mjs";
import { renamed } from "../rename.mjs";
import { ratioByRound, seriesOf, spread } from "../statistics.mjs";
import { digits, failures, integer, milliseconds, range } from "../table.mjs";
import { tarOf } from "../tar.mjs";

const EMPTY = "an empty page";
const OURS = "the playground";
const BLANK = `<!doctype html><meta charset="utf-8"><title>empty</title><link rel="icon" href="data:,">
<script type="module">performance.mark("ready");</script>`;
const KEYS = "It follows each of these keys. ";
const MANY = 5_000;
/** What is typed in: the examples as they are there, and as many skills as a large collection has. */
const EXAMPLES = "the examples";
const COLLECTION = `${MANY} skills`;

/** Without it nothing is fetched for later visits, which is no part of a first view. */
const NO_SERVICE_WORKER = "delete Navigator.prototype.serviceWorker";

/** The page of examples/playground in Chromium, a fresh profile each time; `cargo xtask bench` builds it. */
export async function run({ rounds, progress }) {
  const site = required("PLAYGROUND_SITE");
  const { outcomes, files } = await measured(site, { rounds, progress });
  const series = seriesOf(outcomes);
  const ready = (name) => series(name, (sample) => sample.ready);
  const keys = (of, part) =>
    outcomes
      .get(OURS)
      .samples.flatMap(({ round, keys }) => keys[of].map((key) => ({ round, value: key[part] })));
  const sizes = files.map((file) => sizeOf(file));
  return {
    tables: [readyTable(ready, outcomes), filesTable(sizes), keysTable(keys)],
    figures: figuresOf({ ready, keys, sizes }),
    outcomes: [outcomes],
  };
}

/** Visits both pages in turns: what was measured, and which files the first view of ours is made of. */
async function measured(site, { rounds, progress }) {
  const outcomes = new Map([EMPTY, OURS].map((name) => [name, { samples: [], error: undefined }]));
  const { serve } = await import(pathToFileURL(path.join(site, "../serve.mjs")).href);
  const { default: puppeteer } = await import("puppeteer-core");
  const blank = mkdtempSync(path.join(tmpdir(), "skillshelf-empty-"));
  writeFileSync(path.join(blank, "index.html"), BLANK);
  const collection = path.join(blank, "many.tar.gz");
  writeFileSync(collection, gzipSync(tarOf(manySkills()), { level: 1 }));
  let asked = new Set();
  const servers = new Map([
    [EMPTY, await serve(blank, { cached: "no-store" })],
    [OURS, await serve(site, { cached: "no-store", onFile: (file) => asked.add(file) })],
  ]);
  const browser = await puppeteer.launch({
    executablePath: required("CHROMIUM"),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
    ],
  });
  let files = [];
  try {
    for (let round = 0; round < rounds * 3; round += 1) {
      progress(`round ${round + 1} of ${rounds * 3}`);
      for (const name of round % 2 === 0 ? [EMPTY, OURS] : [OURS, EMPTY]) {
        const outcome = outcomes.get(name);
        asked = new Set();
        try {
          outcome.samples.push({
            round,
            ...(await visited(browser, servers.get(name).address, {
              onReady: () => {
                if (name === OURS) files = [...asked];
              },
              collection: name === OURS ? collection : undefined,
            })),
          });
        } catch (error) {
          outcome.error ??= String(error);
        }
      }
    }
  } finally {
    progress("");
    await browser.close();
    for (const { close } of servers.values()) await close();
    rmSync(blank, { recursive: true });
  }
  return { outcomes, files };
}

function readyTable(ready, outcomes) {
  return {
    title: "The playground, from the address to where it can be used",
    columns: ["", "ready", "least–greatest"],
    rows: [EMPTY, OURS].map((name) => {
      const ms = spread(ready(name));
      return ms ? [name, milliseconds(ms.median), range(ms)] : [name, "failed"];
    }),
    notes: failures(outcomes),
  };
}

function filesTable(sizes) {
  return {
    title: "What its first view is made of",
    columns: ["", "bytes", "gzip -9"],
    rows: [
      ...sizes.map(({ name, raw, gzip }) => [name, integer(raw), integer(gzip)]),
      ["together", integer(sum(sizes, "raw")), integer(sum(sizes, "gzip"))],
    ],
  };
}

function keysTable(keys) {
  const parts = ["followed", "worker", "page"];
  return {
    title: "A key in the editor, until diagnostics, list and meter have followed",
    columns: ["", "median", "least–greatest", "in the worker", "of the page", "keys"],
    rows: [EXAMPLES, COLLECTION].flatMap((of) => {
      const [ms, worker, page] = parts.map((part) => spread(keys(of, part)));
      if (ms === undefined) return [];
      const medians = [worker, page].map(({ median }) => milliseconds(median));
      return [
        [of, milliseconds(ms.median), range(ms), ...medians, digits(keys(of, "followed").length)],
      ];
    }),
    notes: ["of the page: script, style and layout of its own thread, the key itself included"],
  };
}

function figuresOf({ ready, keys, sizes }) {
  const kilobytes = sum(sizes, "gzip") / 1000;
  return [
    budget(
      "playground, first view with gzip",
      { median: kilobytes, least: kilobytes, greatest: kilobytes },
      { most: 450, unit: "KB" },
    ),
    budget("playground ready ÷ an empty page", ratioByRound(ready(OURS), ready(EMPTY)), {
      most: 30,
    }),
    budget("playground, a key followed", spread(keys(EXAMPLES, "followed")), {
      most: 16.7,
      unit: "ms",
    }),
    budget(`playground, a key among ${MANY} skills, the page`, spread(keys(COLLECTION, "page")), {
      most: 16.7,
      unit: "ms",
    }),
    budget(
      `playground, a key among ${MANY} skills, the worker`,
      spread(keys(COLLECTION, "worker")),
      { most: 50, unit: "ms" },
    ),
  ];
}

function sum(sizes, of) {
  return sizes.reduce((all, size) => all + size[of], 0);
}

/** When a page is ready, in milliseconds since it was asked for; and how it follows keys, where it can. */
async function visited(browser, address, { onReady, collection }) {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await page.evaluateOnNewDocument(NO_SERVICE_WORKER);
    await page.goto(address);
    await page.waitForFunction('performance.getEntriesByName("ready").length > 0', { polling: 20 });
    onReady();
    const ready = await page.evaluate('performance.getEntriesByName("ready")[0].startTime');
    if (collection === undefined) return { ready };
    await page.evaluate(NOTE_KEYS);
    const examples = await typed(page, 4);
    const input = await page.$("#archive-input");
    await input.uploadFile(collection);
    await page.locator("#unsaved-lose").click();
    const measured = 'document.querySelector("#cost-pasted").textContent.includes("tokens")';
    await page.waitForFunction(`document.querySelector("#source").textContent === "many.tar.gz"`);
    await page.waitForFunction(measured);
    return { ready, keys: { [EXAMPLES]: examples, [COLLECTION]: await typed(page, 4) } };
  } finally {
    await context.close();
  }
}

/** Tells of each key that was followed; the page keeps the last one alone. */
const NOTE_KEYS = `{
  const waiting = [];
  const followed = [];
  const settle = () => {
    while (waiting.length > 0 && followed.length > 0) waiting.shift()(followed.shift());
  };
  window.nextFollowed = () => new Promise((resolve) => { waiting.push(resolve); settle(); });
  new PerformanceObserver((list) => {
    followed.push(...list.getEntriesByName("key followed").map(({ duration }) => duration));
    settle();
  }).observe({ type: "measure" });
}`;

/** Takes the time of each edit in the worker, from the call to the answer that is handed over. */
const NOTE_EDITS = `if (self.took === undefined) {
  self.took = 0;
  const began = new Map();
  const ended = new Map();
  // An answer that waits for nothing is given before anybody else hears of the call.
  const settle = (call) => {
    if (began.has(call) && ended.has(call)) self.took = ended.get(call) - began.get(call);
  };
  const post = self.postMessage;
  self.addEventListener("message", ({ data, timeStamp }) => {
    if (data.method === "edit") began.set(data.call, timeStamp);
    settle(data.call);
  });
  self.postMessage = (message, ...others) => {
    post.call(self, message, ...others);
    ended.set(message.answer, performance.now());
    settle(message.answer);
  };
}`;

/** Types in the editor: what each key took from end to end, in the worker, and of the page's own thread. */
async function typed(page, row) {
  await page.click(`#skill-list .row:nth-child(${row})`);
  const lines = 'document.querySelector(".editor")?.shadowRoot?.querySelectorAll(".cm-line")';
  await page.waitForFunction(`${lines}?.length > 10`);
  const line = await page.evaluateHandle(
    `[...${lines}].find((line) => line.textContent.startsWith("description:"))`,
  );
  await line.click();
  await page.keyboard.press("End");
  const [worker] = page.workers();
  await worker.evaluate(NOTE_EDITS);
  const keys = [];
  for (const key of KEYS) {
    const before = await ownTime(page);
    await page.keyboard.type(key);
    const followed = await page.evaluate("nextFollowed()");
    // What it changes is seen in the next frame.
    await page.evaluate("new Promise(requestAnimationFrame).then(() => {})");
    const took = await worker.evaluate("self.took");
    if (took === 0) throw new Error("no time was taken in the worker");
    keys.push({
      followed,
      worker: took,
      page: (await ownTime(page)) - before,
    });
  }
  return keys;
}

/** Milliseconds for which the page's own thread was at work so far. */
async function ownTime(page) {
  const { ScriptDuration, LayoutDuration, RecalcStyleDuration } = await page.metrics();
  return (ScriptDuration + LayoutDuration + RecalcStyleDuration) * 1000;
}

/** Skills of usual size, each with a name of its own. */
function manySkills() {
  const some = generatedSkills();
  return Array.from({ length: MANY }, (_, index) => {
    const name = `skill-${String(index).padStart(5, "0")}`;
    // In quotes a description would end before what is typed at the end of its line.
    const { text: quoted } = some[index % some.length];
    const text = renamed(quoted, name).replace(/^description: "(.*)"$/m, "description: $1");
    return { path: `group-${index % 20}/${name}/SKILL.md`, bytes: Buffer.from(text) };
  });
}

function sizeOf(file) {
  const content = readFileSync(file);
  return {
    name: path.basename(file).replace(/-[\w-]{8}\./, "."),
    raw: content.length,
    gzip: gzipSync(content, { level: constants.Z_BEST_COMPRESSION }).length,
  };
}

function required(name) {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set: run \`cargo xtask bench playground\`.`);
  return value;
}
