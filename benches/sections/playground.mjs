import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { constants, gzipSync } from "node:zlib";
import { budget } from "../budgets.mjs";
import { ratioByRound, seriesOf, spread } from "../statistics.mjs";
import { digits, failures, integer, milliseconds, range } from "../table.mjs";

const EMPTY = "an empty page";
const OURS = "the playground";
const TYPES = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};
const BLANK = `<!doctype html><meta charset="utf-8"><title>empty</title><link rel="icon" href="data:,">
<script type="module">performance.mark("ready");</script>`;
const KEYS = "It follows each of these keys. ";

/** The page of examples/playground in Chromium, a fresh profile each time; `cargo xtask bench` builds it. */
export async function run({ rounds, progress }) {
  const site = required("PLAYGROUND_SITE");
  const outcomes = new Map([EMPTY, OURS].map((name) => [name, { samples: [], error: undefined }]));
  const asked = new Set();
  const server = await served(site, asked);
  const { default: puppeteer } = await import("puppeteer-core");
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
  try {
    for (let round = 0; round < rounds * 3; round += 1) {
      progress(`round ${round + 1} of ${rounds * 3}`);
      const names = round % 2 === 0 ? [EMPTY, OURS] : [OURS, EMPTY];
      for (const name of names) {
        const outcome = outcomes.get(name);
        try {
          const address = `${server.address}${name === EMPTY ? "empty/" : ""}`;
          outcome.samples.push({ round, ...(await visited(browser, address, name === OURS)) });
        } catch (error) {
          outcome.error ??= String(error);
        }
      }
    }
  } finally {
    progress("");
    await browser.close();
    await server.close();
  }
  const series = seriesOf(outcomes);
  const ready = (name) => series(name, (sample) => sample.ready);
  const keys = outcomes
    .get(OURS)
    .samples.flatMap(({ round, keys }) => keys.map((value) => ({ round, value })));
  const files = [...asked]
    .filter((name) => !name.startsWith("empty"))
    .map((name) => sizeOf(site, name));
  const bytes = files.reduce((sum, { gzip }) => sum + gzip, 0);
  return {
    tables: [
      {
        title: "The playground, from the address to where it can be used",
        columns: ["", "ready", "least–greatest"],
        rows: [EMPTY, OURS].map((name) => {
          const ms = spread(ready(name));
          return ms ? [name, milliseconds(ms.median), range(ms)] : [name, "failed"];
        }),
        notes: failures(outcomes),
      },
      {
        title: "What its first view is made of",
        columns: ["", "bytes", "gzip -9"],
        rows: [
          ...files.map(({ name, raw, gzip }) => [name, integer(raw), integer(gzip)]),
          ["together", integer(files.reduce((sum, { raw }) => sum + raw, 0)), integer(bytes)],
        ],
      },
      {
        title: "A key in the editor, until diagnostics, index and meter have followed",
        columns: ["", "median", "least–greatest", "keys"],
        rows:
          keys.length > 0
            ? [[OURS, milliseconds(spread(keys).median), range(spread(keys)), digits(keys.length)]]
            : [],
      },
    ],
    figures: [
      budget(
        "playground, first view with gzip",
        { median: bytes / 1000, least: bytes / 1000, greatest: bytes / 1000 },
        {
          most: 450,
          unit: "KB",
        },
      ),
      budget("playground ready ÷ an empty page", ratioByRound(ready(OURS), ready(EMPTY)), {
        most: 30,
      }),
      budget("playground, a key followed", spread(keys), { most: 16.7, unit: "ms" }),
    ],
    outcomes: [outcomes],
  };
}

/** When a page is ready, in milliseconds since it was asked for; and how fast it follows keys. */
async function visited(browser, address, typing) {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForFunction('performance.getEntriesByName("ready").length > 0', { polling: 20 });
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

/** The site, and an empty page; says which files were asked for. */
async function served(site, asked) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = pathname.slice(1) || "index.html";
    try {
      const content = name === "empty/" ? BLANK : readFileSync(path.join(site, name));
      // What the service worker fetches for later visits, and the editor, are not part of the first view.
      if (request.headers["sec-fetch-dest"] !== "empty" || /wasm$|examples\.json$/.test(name)) {
        if (!/service-worker|editor/.test(name)) asked.add(name);
      }
      const type = TYPES[path.extname(name)] ?? "text/html";
      response.writeHead(200, { "content-type": type, "cache-control": "no-store" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () =>
    new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  return { address: `http://127.0.0.1:${server.address().port}/`, close };
}

function sizeOf(site, name) {
  const content = readFileSync(path.join(site, name));
  return {
    name: path.basename(name).replace(/-[\w-]{8}\./, "."),
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
