// A headless browser with a fresh profile, on one page of a server; what the page answers.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { end, start, within } from "./process.mjs";
import { serve } from "./server.mjs";

const LIMIT = 90_000;

/** Nothing but the page: no first run, no updates, no reports. */
const PREFERENCES = {
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "browser.aboutwelcome.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
};

export const chromium = {
  name: "chromium",
  program: required("CHROMIUM"),
  prepare() {},
  options: (profile) => [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    `--user-data-dir=${profile}`,
  ],
};

export const firefox = {
  name: "firefox",
  program: required("FIREFOX"),
  prepare(profile) {
    const lines = Object.entries(PREFERENCES).map(
      ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`,
    );
    writeFileSync(path.join(profile, "user.js"), lines.join(""));
  },
  options: (profile) => ["--headless", "--no-remote", "--profile", profile],
};

/** What a page of `contentOf` answers in a browser. */
export async function answerIn(browser, folder, contentOf, headers) {
  const server = await serve(contentOf, headers);
  const profile = mkdtempSync(path.join(folder, "profile-"));
  browser.prepare(profile);
  const child = start(browser.program, [...browser.options(profile), server.address], {
    env: { ...process.env, HOME: profile },
  });
  const lost = new Promise((_, reject) => {
    child.on("error", reject);
    child.on("exit", () => reject(new Error(`${browser.name} ended: ${child.printed}`)));
  });
  lost.catch(() => {});
  try {
    const late = () => `${browser.name} has not answered; it printed:\n${child.printed}`;
    return await within(LIMIT, late, Promise.race([server.answer, lost]));
  } finally {
    await end(child);
    await server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

function required(name) {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set: run \`cargo xtask test runtimes\`.`);
  return value;
}
