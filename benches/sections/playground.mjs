import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { constants, gzipSync } from "node:zlib";
import { budget } from "../budgets.mjs";
import { ratioByRound, seriesOf, spread } from "../statistics.mjs";
import { digits, failures, integer, milliseconds, range } from "../table.mjs";

const EMPTY = "an empty page";
const OURS = "the playground";
const BLANK = `<!doctype html><meta charset="utf-8"><title>empty</title><link rel="icon" href="data:,">
<script type="module">performance.mark("ready");</script>`;
const KEYS = "It follows each of these keys. ";

/** Without it nothing is fetched for later visits, which is no part of a first view. */
const NO_SERVICE_WORKER = "delete Navigator.prototype.serviceWorker";

/** The page of examples/playground in Chromium, a fresh profile each time; `cargo xtask bench` builds it. */
export async function run({ rounds, progress }) {
  const site = required("PLAYGROUND_SITE");
  const { outcomes, files } = await measured(site, { rounds, progress });
  const series = seriesOf(outcomes);
  const ready = (name) => series(name, (sample) => sample.ready);
  const keys = outcomes
    .get(OURS)
    .samples.flatMap(({ round, keys }) => keys.map((value) => ({ round, value })));
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
              typing: name === OURS,
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
  const ms = spread(keys);
  return {
    title: "A key in the editor, until diagnostics, index and meter have followed",
    columns: ["", "median", "least–greatest", "keys"],
    rows: ms ? [[OURS, milliseconds(ms.median), range(ms), digits(keys.length)]] : [],
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
    budget("playground, a key followed", spread(keys), { most: 16.7, unit: "ms" }),
  ];
}

function sum(sizes, of) {
  return sizes.reduce((all, size) => all + size[of], 0);
}

/** When a page is ready, in milliseconds since it was asked for; and how fast it follows keys. */
async function visited(browser, address, { onReady, typing }) {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await page.evaluateOnNewDocument(NO_SERVICE_WORKER);
    await page.goto(address);
    await page.waitForFunction('performance.getEntriesByName("ready").length > 0', { polling: 20 });
    onReady();
    const ready = await page.evaluate('performance.getEntriesByName("ready")[0].startTime');
    return { ready, keys: typing ? await typed(page) : [] };
  } finally {
    await context.close();
  }
}

/** Types in the editor; what each key took is measured on the page. */
async function typed(page) {
  await page.click("#skill-list .row:nth-child(4)");
  const lines = 'document.querySelector(".editor")?.shadowRoot?.querySelectorAll(".cm-line")';
  await page.waitForFunction(`${lines}?.length > 10`);
  const line = await page.evaluateHandle(
    `[...${lines}].find((line) => line.textContent.startsWith("description:"))`,
  );
  await line.click();
  await page.keyboard.press("End");
  // The page keeps the last one alone.
  await page.evaluate(`{
    window.followed = [];
    const note = (list) => window.followed.push(
      ...list.getEntriesByName("key followed").map(({ duration }) => duration),
    );
    new PerformanceObserver(note).observe({ type: "measure" });
  }`);
  for (const [at, key] of [...KEYS].entries()) {
    await page.keyboard.type(key);
    await page.waitForFunction(`window.followed.length > ${at}`);
  }
  return page.evaluate("window.followed");
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
