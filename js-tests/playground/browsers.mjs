// Chromium and Firefox, headless, each with a fresh profile.

import puppeteer from "puppeteer-core";

/** Nothing but the pages: no first run, no updates, no reports. */
const CHROMIUM = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const FIREFOX = {
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
};

/** Light or dark, and with less motion in the dark one, is chosen when a browser starts: not all of them can be told later. */
export function launched(name, proxy, { dark = false } = {}) {
  if (name === "chromium") {
    const args = [...CHROMIUM, `--proxy-server=127.0.0.1:${proxy}`];
    if (dark) args.push("--force-dark-mode", "--force-prefers-reduced-motion");
    return puppeteer.launch({
      executablePath: required("CHROMIUM"),
      args,
      protocolTimeout: 60_000,
    });
  }
  const extraPrefsFirefox = {
    ...FIREFOX,
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": proxy,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": proxy,
    "layout.css.prefers-color-scheme.content-override": dark ? 0 : 1,
    "ui.prefersReducedMotion": dark ? 1 : 0,
  };
  return puppeteer.launch({
    browser: "firefox",
    executablePath: required("FIREFOX"),
    extraPrefsFirefox,
    protocolTimeout: 60_000,
  });
}

function required(name) {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`${name} is not set: run \`cargo xtask test playground\`.`);
  }
  return value;
}
