// A headless Chromium, by the WebDriver protocol.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";

/** What a browser of tests needs beside what the capabilities say. */
const ARGUMENTS = ["headless", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"];

/**
 * Opens a page in a fresh browser, hands over what runs expressions there and what sends commands of
 * the DevTools protocol, and ends both.
 */
export async function withPage(address, use) {
  const driver = spawn(required("CHROMEDRIVER"), ["--port=0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const port = await portOf(driver);
    const root = `http://127.0.0.1:${port}/session`;
    const { sessionId } = await send("POST", root, { capabilities: await capabilities() });
    const session = `${root}/${sessionId}`;
    try {
      await send("POST", `${session}/timeouts`, { script: 30_000, pageLoad: 30_000 });
      await send("POST", `${session}/url`, { url: address });
      const command = (cmd, params) => send("POST", `${session}/goog/cdp/execute`, { cmd, params });
      return await use((expression) => evaluated(session, expression), command);
    } finally {
      await send("DELETE", session);
    }
  } finally {
    driver.kill();
  }
}

/** What an expression comes to, awaited. */
async function evaluated(session, expression) {
  const script = `const done = arguments[arguments.length - 1];
    (async () => (${expression}))().then((value) => done({ value }), (error) => done({ error: String(error?.stack ?? error) }));`;
  const { value, error } = await send("POST", `${session}/execute/async`, { script, args: [] });
  if (error !== undefined) throw new Error(`In the browser: ${error}`);
  return value;
}

async function capabilities() {
  const { "goog:chromeOptions": options } = JSON.parse(
    await readFile(required("WEBDRIVER_CAPABILITIES"), "utf8"),
  );
  const args = [...options.args, ...ARGUMENTS];
  return { alwaysMatch: { "goog:chromeOptions": { ...options, args } } };
}

/** The driver takes a free port and prints which. */
async function portOf(driver) {
  for await (const line of createInterface({ input: driver.stdout })) {
    const port = /started successfully on port (\d+)/.exec(line)?.[1];
    if (port !== undefined) {
      driver.stdout.resume();
      return port;
    }
  }
  throw new Error("chromedriver ended before it had a port.");
}

async function send(method, url, body) {
  const response = await fetch(url, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
  return value;
}

function required(name) {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run \`cargo xtask test browser\`.`);
  return value;
}
