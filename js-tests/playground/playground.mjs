// The playground in Chromium and in Firefox, as a person uses it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { bringTests } from "./bring.mjs";
import { launched } from "./browsers.mjs";
import { editTests } from "./edit.mjs";
import { closedProxy } from "./proxy.mjs";
import { seeTests } from "./see.mjs";
import { LEAK } from "./skills.mjs";
import { tryTests } from "./try.mjs";
import { useTests } from "./use.mjs";

const folder = process.env.PLAYGROUND_SITE;
if (folder === undefined) {
  throw new Error("PLAYGROUND_SITE is not set: run `cargo xtask test playground`.");
}
const { serve } = await import(pathToFileURL(path.join(folder, "../serve.mjs")).href);
const serveAnew = (base, given = {}) => serve(given.folder ?? folder, { ...given, base });

/** The example skills, as the site has them. */
function examples() {
  const packed = JSON.parse(readFileSync(path.join(folder, "examples.json"), "utf8"));
  return Object.fromEntries(
    Object.entries(packed).map(([file, content]) => [
      file,
      typeof content === "string" ? content : Buffer.from(content.base64, "base64"),
    ]),
  );
}

/** All tests in one browser. */
export function playgroundTests(name) {
  describe(`the playground in ${name}`, () => {
    let site;
    let proxy;
    let browser;
    let darkBrowser;
    before(async () => {
      [site, proxy] = await Promise.all([serveAnew("/sub/path/"), closedProxy()]);
      [browser, darkBrowser] = await Promise.all([
        launched(name, proxy.port),
        launched(name, proxy.port, { dark: true }),
      ]);
    });
    after(async () => {
      await Promise.all([browser?.close(), darkBrowser?.close(), site?.close(), proxy?.close()]);
    });
    const given = {
      name,
      site: () => site,
      browser: () => browser,
      darkBrowser: () => darkBrowser,
      sources: folder,
      serveAnew,
      examples,
    };
    bringTests(given);
    seeTests(given);
    tryTests(given);
    editTests(given);
    useTests(given);
    test("no place that a skill names was asked for anything", async () => {
      // The proxy sees what is asked.
      const page = await browser.newPage();
      await page.goto("http://control.example/").catch(() => {});
      await page.close();
      assert.ok(proxy.asked.some((address) => address.includes("control.example")));
      assert.deepEqual(
        // What browsers ask their makers on their own is not the page's.
        proxy.asked.filter((address) => address.includes(LEAK)),
        [],
      );
    });
  });
}
