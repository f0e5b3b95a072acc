// What a person does on the page, and what went wrong meanwhile.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const AXE = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
export const READY = 'document.documentElement.dataset.ready === "true"';
/** Not by frames, as is usual: a page that is not in front has none. */
const LIMIT = { timeout: 30_000, polling: 40 };

/** A page with the playground, in storage of its own. */
export async function visit(
  browser,
  site,
  { hash = "", width = 1280, height = 900, others = [], before } = {},
) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.bringToFront();
  await page.setViewport({ width, height });
  const person = new Person(page, context, site, others);
  if (before) await page.evaluateOnNewDocument(before);
  await page.goto(site.address + hash);
  await person.until(READY);
  return person;
}

export class Person {
  /** What no page may have at its end. */
  faults = [];
  #folders = [];

  constructor(page, context, site, others) {
    this.page = page;
    this.context = context;
    this.site = site;
    const allowed = [
      new URL(site.address).origin,
      ...others.map((address) => new URL(address).origin),
    ];
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type()))
        this.faults.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.faults.push(`error: ${error.message}`));
    page.on("request", (request) => {
      const url = request.url();
      const own = /^(data|blob|chrome|resource|moz-extension|about):/.test(url);
      if (!own && !allowed.includes(new URL(url).origin)) this.faults.push(`request: ${url}`);
    });
  }

  /** Ends the visit; nothing may have gone wrong but what is expected. */
  async leave(expected = []) {
    await this.context.close();
    for (const folder of this.#folders) await rm(folder, { recursive: true });
    const faults = this.faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)));
    assert.deepEqual(faults, []);
  }

  /** Waits until an expression is true on the page. */
  async until(expression) {
    try {
      await this.page.waitForFunction(expression, LIMIT);
    } catch (error) {
      const alerts = await this.text("#alerts").catch(() => "");
      throw new Error(`Not so: ${expression}. ${alerts} ${this.faults.join(" ")}`, {
        cause: error,
      });
    }
  }

  /** Waits until an element has these words. */
  untilText(selector, words) {
    return this.until(
      `(document.querySelector(${JSON.stringify(selector)})?.textContent ?? "").includes(${JSON.stringify(words)})`,
    );
  }

  /** Waits until so many skills are listed. */
  untilSkills(words) {
    return this.untilText("#skill-count", words);
  }

  text(selector) {
    return this.page.$eval(selector, (element) => element.textContent);
  }

  texts(selector) {
    return this.page.$$eval(selector, (elements) => elements.map((element) => element.textContent));
  }

  click(selector) {
    return this.page.locator(selector).setTimeout(LIMIT.timeout).click();
  }

  /** The button or summary with these words; the new one where it is made anew before it is pressed. */
  async press(words, within = "body") {
    const found = await this.page.evaluateHandle(
      (words, within) =>
        [...document.querySelectorAll(`${within} :is(button, summary, label)`)].find(
          (element) => element.checkVisibility() && element.textContent.trim().startsWith(words),
        ),
      words,
      within,
    );
    const element = found.asElement();
    assert.ok(element, `no button "${words}"`);
    try {
      await element.click();
    } catch (error) {
      if (await element.evaluate((element) => element.isConnected)) throw error;
      await this.press(words, within);
    }
  }

  /** Chooses a skill of the list that is in sight. */
  async skill(name) {
    const at = (await this.names()).indexOf(name);
    assert.ok(at >= 0, `no skill "${name}"`);
    await this.click(`#skill-list .row:nth-child(${at + 1})`);
  }

  async type(selector, text) {
    await this.page.focus(selector);
    await this.page.keyboard.type(text);
  }

  /** Puts a text in the place of what a field has, as pasting it does. */
  async fill(selector, text) {
    await this.page.$eval(
      selector,
      (element, text) => {
        element.value = text;
        element.dispatchEvent(new Event("input", { bubbles: true }));
      },
      text,
    );
  }

  key(name) {
    return this.page.keyboard.press(name);
  }

  view(name) {
    return this.click(`#tab-${name}`);
  }

  /** The names in the list that are in sight. */
  names() {
    return this.texts("#skill-list .row-name");
  }

  /** What is in the editor, line by line as it is shown. */
  editorText() {
    return this.page.evaluate(() =>
      [...document.querySelector(".editor").shadowRoot.querySelectorAll(".cm-line")]
        .map((line) => line.textContent)
        .join("\n"),
    );
  }

  untilEditor(words) {
    return this.until(
      `[...(document.querySelector(".editor")?.shadowRoot?.querySelectorAll(".cm-line") ?? [])].some((line) => line.textContent.includes(${JSON.stringify(words)}))`,
    );
  }

  /** Goes back to the editor, whose cursor is where it was. */
  focusEditor() {
    return this.page.evaluate(() =>
      document.querySelector(".editor").shadowRoot.querySelector(".cm-content").focus(),
    );
  }

  /** Puts the cursor at the end of a line of the editor. */
  async atLine(words) {
    const line = await this.page.evaluateHandle(
      (words) =>
        [...document.querySelector(".editor").shadowRoot.querySelectorAll(".cm-line")].find(
          (line) => line.textContent.includes(words),
        ),
      words,
    );
    await line.asElement().click();
    await this.key("End");
  }

  /** Drops files and folders of the disk on the page; only Chromium lets a program do so. */
  async dropPaths(files) {
    const session = await this.page.createCDPSession();
    const data = { items: [], files, dragOperationsMask: 1 };
    const drag = (type) => session.send("Input.dispatchDragEvent", { type, x: 200, y: 200, data });
    await drag("dragEnter");
    await drag("dragOver");
    // The page says that it takes them.
    await this.until('document.body.classList.contains("dropping")');
    await drag("drop");
  }

  /** Drops a file on the page, as far as a program can. */
  async drop(name, base64) {
    if (/chrom/i.test(await this.page.browser().version())) {
      const folder = await mkdtemp(path.join(tmpdir(), "skillshelf-drop-"));
      this.#folders.push(folder);
      await writeFile(path.join(folder, name), Buffer.from(base64, "base64"));
      return this.dropPaths([path.join(folder, name)]);
    }
    return this.page.evaluate(
      (name, base64) => {
        const data = new DataTransfer();
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name));
        for (const type of ["dragenter", "dragover", "drop"]) {
          const event = new DragEvent(type, {
            bubbles: true,
            cancelable: true,
            dataTransfer: data,
          });
          document.body.dispatchEvent(event);
        }
      },
      name,
      base64,
    );
  }

  /** Rules of accessibility that the page breaks now, with where; of all, or of these. */
  async violations(rules = RULES) {
    await this.page.evaluate(AXE);
    return this.page.evaluate(async (runOnly) => {
      const { violations } = await globalThis.axe.run(document, {
        resultTypes: ["violations"],
        runOnly,
      });
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`,
      );
    }, rules);
  }
}
