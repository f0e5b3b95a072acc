// Good to use: by keys alone, for screen readers, in any width, without a network, for hostile skills.

import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { READY, visit } from "./person.mjs";
import { HOSTILE, many, skillText, zipped } from "./skills.mjs";

const VIEWS = ["index", "try", "edit", "problems"];
const BOX = "document.scrollingElement.scrollWidth <= document.scrollingElement.clientWidth";

/** The status of the answer to an address that is sent as it is. */
function statusOf(port, path) {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on("error", reject);
  });
}

export function useTests({ name, browser, darkBrowser, site, sources, serveAnew }) {
  for (const [look, chosen, width] of [
    ["light and wide", browser, 1400],
    ["dark and narrow", darkBrowser, 360],
  ]) {
    test(`no rule of accessibility is broken: ${look}`, async () => {
      const person = await visit(chosen(), site(), { width, height: 800 });
      const scheme = await person.page.evaluate(
        'matchMedia("(prefers-color-scheme: dark)").matches',
      );
      assert.equal(scheme, look.startsWith("dark"));
      await person.drop(
        "hostile.zip",
        zipped({ ...HOSTILE, "tea/SKILL.md": skillText("tea", "Use when: thirsty") }),
      );
      await person.untilText("#source", "hostile.zip");
      await person.untilText("#cost-pasted", "tokens");
      for (const view of VIEWS) {
        await person.view(view);
        if (view === "try") {
          await person.press("Try to read a file");
          await person.press("Read", "#path-box");
          await person.untilText(".path-answer", "refused");
          await person.fill("#task", "tea for the thirsty");
          await person.press("Send");
          await person.untilText("#view-try .entry:last-child", "only searche");
          await person.press("A model at an OpenAI-compatible address");
          await person.type("#task", "/t");
          await person.untilText("#completions", "/tea");
        }
        if (view === "edit") {
          await person.fill("#filter", "thirsty");
          await person.untilSkills("1 of");
          await person.click("#skill-list .row");
          await person.untilText(".edit .controls", "Mend");
          await person.until(
            'document.querySelector("#views").getBoundingClientRect().top < innerHeight / 2',
          );
          await person.press("The same in an agent's code");
        }
        assert.deepEqual(await person.violations(), [], view);
        assert.ok(await person.page.evaluate(BOX), `${view} is wider than the page`);
      }
      await person.click("#open-bring");
      assert.deepEqual(await person.violations(), [], "the dialog");
      await person.leave();
    });
  }

  // Only Chromium lets a program say that a person has chosen such colors.
  const emulated = async (person, name, value) => {
    const session = await person.page.createCDPSession();
    await session.send("Emulation.setEmulatedMedia", { features: [{ name, value }] });
    assert.ok(await person.page.evaluate(`matchMedia("(${name}: ${value})").matches`));
  };
  const broken = "---\nname: Broken Name\ndescription: Brews tea. Use when thirsty.\n---\nx\n";

  const chosenColors = async () => {
    const person = await visit(browser(), site());
    await emulated(person, "forced-colors", "active");
    await person.drop("SKILL.md", Buffer.from(broken).toString("base64"));
    await person.untilSkills("1 skill");
    await person.untilText("#cost-pasted", "token");
    /** Whether something looks different in two places. */
    const differ = (member, one, other) =>
      person.page.evaluate(
        (member, one, other) => {
          const found = [one, other].map((selector) => {
            const roots = [document, document.querySelector(".editor")?.shadowRoot];
            return roots.map((root) => root?.querySelector(selector)).find((element) => element);
          });
          const [a, b] = found.map((element) => getComputedStyle(element)[member]);
          return a !== b;
        },
        member,
        one,
        other,
      );
    await person.skill("Broken Name");
    await person.until(
      'document.querySelector(".editor")?.shadowRoot?.querySelector(".cm-lint-marker-error")',
    );
    for (const [member, one, other] of [
      ["borderBottomColor", "#tab-edit", "#tab-index"],
      ["backgroundColor", "input:checked + span", "input:not(:checked) + span"],
      ["backgroundColor", "#bar-always", ".track"],
      ["backgroundColor", "#bar-pasted", ".track"],
      ["borderTopWidth", ".track", "main"],
      ["outlineStyle", '#skill-list [aria-selected="true"]', "main"],
      ["backgroundColor", ".cm-lint-marker-error", ".cm-gutters"],
    ]) {
      assert.ok(await differ(member, one, other), `${member} of ${one}`);
    }
    // Below the text of others a browser would lay the color of the page.
    for (const filled of ["button.primary", "input:checked + span"]) {
      const adjusts = (element) => getComputedStyle(element).forcedColorAdjust;
      assert.equal(await person.page.$eval(filled, adjusts), "none");
    }
    await person.view("try");
    await person.type("#task", "/");
    await person.untilText("#completions", "/");
    await person.key("ArrowDown");
    assert.ok(await differ("outlineStyle", '#completions [aria-selected="true"]', "main"));
    assert.deepEqual(await person.violations(), []);
    await person.leave();
  };
  if (name === "chromium") {
    test("where a person has chosen all colors, nothing is told by another one", chosenColors);
  }

  const moreContrast = async () => {
    for (const chosen of [browser, darkBrowser]) {
      const person = await visit(chosen(), site());
      await emulated(person, "prefers-contrast", "more");
      await person.drop("SKILL.md", Buffer.from(broken).toString("base64"));
      await person.untilSkills("1 skill");
      await person.skill("Broken Name");
      await person.untilText(".found", "SKILL.md:2");
      for (const view of VIEWS) {
        await person.view(view);
        const faint = await person.violations(["color-contrast", "color-contrast-enhanced"]);
        assert.deepEqual(faint, [], view);
      }
      await person.leave();
    }
  };
  if (name === "chromium") test("who wants more contrast has it", moreContrast);

  test("a text that is longer than the editor breaks no rule of accessibility", async () => {
    const person = await visit(browser(), site());
    const long = skillText("long", "A long one", "One more line.\n\n".repeat(300));
    await person.drop("long.zip", zipped({ "long/SKILL.md": long }));
    await person.untilSkills("1 skill");
    await person.skill("long");
    await person.untilEditor("One more line.");
    await person.untilText(".edit .facts", "token");
    assert.deepEqual(await person.violations(), []);
    await person.leave();
  });

  test("twice as large, everything is still there, and nothing is wider than the page", async () => {
    // A browser that shows everything twice as large has half as many pixels.
    const person = await visit(browser(), site(), { width: 640, height: 450 });
    for (const view of VIEWS) {
      await person.view(view);
      if (view === "edit") await person.skill("agent-builder");
      assert.ok(await person.page.evaluate(BOX), `${view} is wider than the page`);
      const [panel, height] = await person.page.$eval(`#view-${view}`, (panel) => [
        panel.getBoundingClientRect().height,
        innerHeight,
      ]);
      assert.ok(panel > height / 2, `${view} has ${panel} of ${height}`);
    }
    await person.leave();
  });

  test("everything is reached and done by keys alone", async () => {
    const person = await visit(browser(), site());
    const focused = () =>
      person.page.evaluate(
        "document.activeElement.id || document.activeElement.getAttribute('aria-label')",
      );
    const tabTo = async (wanted) => {
      for (let presses = 0; presses < 40; presses += 1) {
        if ((await focused()) === wanted) return;
        await person.key("Tab");
      }
      assert.fail(`Tab does not lead to ${wanted}`);
    };
    await tabTo("open-bring");
    await person.key("Enter");
    await person.until('document.querySelector("#bring").open');
    await person.key("Escape");
    await person.until('!document.querySelector("#bring").open');
    await tabTo("filter");
    await person.page.keyboard.type("review");
    await person.untilSkills("of 13 skills");
    await person.key("ArrowDown");
    assert.equal(await focused(), "Skills");
    await person.until(
      'document.querySelector(\'#skill-list [aria-selected="true"]\')?.id === document.querySelector("#skill-list [role=listbox]").getAttribute("aria-activedescendant")',
    );
    await person.key("Enter");
    await person.until('!document.querySelector("#view-edit").hidden');
    await tabTo("tab-edit");
    await person.key("ArrowRight");
    assert.equal(await focused(), "tab-problems");
    await person.key("Home");
    assert.equal(await focused(), "tab-index");
    await person.until('!document.querySelector("#view-index").hidden');
    await tabTo("budget");
    await person.key("ArrowLeft");
    await person.untilText("#budget-value", "at most");
    await person.leave();
  });

  test("nobody who wants less motion sees any", async () => {
    // The dark browser is the one that wants less of it.
    for (const [chosen, less] of [
      [browser, false],
      [darkBrowser, true],
    ]) {
      const person = await visit(chosen(), site());
      const moving = await person.page.evaluate(
        () =>
          [...document.querySelectorAll("*")].filter((element) => {
            const { transitionDuration, animationName } = getComputedStyle(element);
            return (
              animationName !== "none" ||
              transitionDuration.split(", ").some((time) => time !== "0s")
            );
          }).length,
      );
      const wants = await person.page.evaluate(
        'matchMedia("(prefers-reduced-motion: reduce)").matches',
      );
      assert.equal(wants, less);
      assert.equal(moving === 0, less, `${moving} move`);
      await person.leave();
    }
  });

  test("how things look is in the address, what a person brings is not", async () => {
    const person = await visit(browser(), site(), { hash: "#view=try&style=xml&budget=200" });
    await person.until('!document.querySelector("#view-try").hidden');
    assert.equal(await person.page.$eval('input[value="xml"]', (input) => input.checked), true);
    await person.view("index");
    assert.equal(await person.text("#budget-value"), "at most 200 tokens");
    await person.page.evaluate('location.hash = "#style=json"');
    await person.until('!document.querySelector("#view-index").hidden');
    await person.untilText("#index-text", '{"');
    await person.drop(
      "private.zip",
      zipped({ "secret-plan/SKILL.md": skillText("secret-plan", "Of us alone") }),
    );
    await person.untilSkills("1 skill");
    await person.click("#skill-list .row");
    await person.untilEditor("secret-plan");
    assert.ok(!/secret|private/.test(person.page.url()), person.page.url());
    await person.leave();
  });

  test("text of skills is text, whatever it says", async () => {
    const person = await visit(browser(), site());
    await person.drop("hostile.zip", zipped(HOSTILE));
    await person.untilText("#source", "hostile.zip");
    await person.untilText("#cost-pasted", "tokens");
    for (const view of VIEWS) {
      await person.view(view);
      for (const name of ["markup", "bold", "broken", "huge"]) {
        await person.fill("#filter", name);
        await person.until('document.querySelector("#skill-list .row") !== null');
        if (view === "edit") {
          await person.click("#skill-list .row");
          await person.untilEditor("---");
        }
      }
    }
    await person.view("try");
    await person.fill("#task", "Look at the markup");
    await person.press("Send");
    await person.untilText("#view-try .entry:last-child", "only searche");
    const { hacked, elements } = await person.page.evaluate(() => ({
      hacked: window.hacked,
      elements: document.querySelectorAll("main img, main script, main b, main a, dialog b").length,
    }));
    assert.equal(hacked, undefined);
    assert.equal(elements, 0);
    await person.leave();
  });

  test("the policy lets no script run but the page's own", async () => {
    const person = await visit(browser(), site());
    await person.page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.hacked = 1";
      document.body.append(script);
      const button = document.createElement("button");
      button.setAttribute("onclick", "window.hacked = 1");
      document.body.append(button);
      button.click();
    });
    assert.equal(await person.page.evaluate("window.hacked"), undefined);
    const policy = await person.page.$eval("meta[http-equiv]", (meta) => meta.content);
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self' 'wasm-unsafe-eval';/);
    assert.ok(!/'unsafe-(inline|eval|hashes)'/.test(policy));
    await person.leave([/Content.Security.Policy/i]);
  });

  test("five thousand skills: no more rows than are in sight, and everything works", async () => {
    const person = await visit(browser(), site());
    await person.page.evaluate(() => {
      window.told = [];
      const busy = document.querySelector("#busy");
      new MutationObserver(() => window.told.push(busy.textContent)).observe(busy, {
        childList: true,
      });
    });
    await person.drop("many.zip", zipped(many(5_000)));
    await person.untilSkills("5,000 skills");
    const told = await person.page.evaluate("window.told");
    assert.ok(
      told.some((words) => /^Reading skills: [\d,]+ files/.test(words)),
      String(told),
    );
    const rows = () => person.page.$$eval("#skill-list .row", (all) => all.length);
    assert.ok((await rows()) < 60);
    await person.page.focus("#skill-list [role=listbox]");
    await person.key("End");
    await person.untilText("#skill-list", "skill-04999");
    assert.ok((await rows()) < 60);
    await person.fill("#filter", "task 4242");
    await person.untilSkills("1 of 5,000 skills");
    await person.page.select("#filter-mode", "task");
    await person.fill("#filter", "4242");
    await person.until(
      'document.querySelector("#skill-list .row-name")?.textContent === "skill-04242"',
    );
    await person.page.focus("#budget");
    for (let presses = 0; presses < 3; presses += 1) await person.key("PageDown");
    await person.untilText("#index-form", "Groups");
    await person.untilText("#index-text", "group-7");
    await person.untilText("#skill-list .badge", "left out");
    await person.untilText("#cost-pasted", "tokens");
    await person.click("#skill-list .row");
    await person.untilEditor("name: skill-04242");
    await person.atLine("Step by step.");
    await person.page.keyboard.type(" EDITED");
    await person.untilText("#skill-list", "edited");
    await person.leave();
  });

  test("after the first visit it works without a network, also below another folder", async () => {
    const own = await serveAnew("/some/folder/");
    const person = await visit(browser(), own);
    await person.page.evaluate("navigator.serviceWorker.ready.then(() => true)");
    await own.close();
    await person.page.reload();
    await person.untilSkills("13 skills");
    await person.view("edit");
    await person.click("#skill-list .row");
    await person.untilEditor("name: agent-builder");
    await person.drop("two.zip", zipped({ "a/SKILL.md": skillText("a", "A") }));
    await person.untilSkills("1 skill");
    await person.page.goto(`${own.address}index.html`);
    await person.untilSkills("13 skills");
    await person.leave([/ERR_CONNECTION_REFUSED/]);
  });

  test("a newer version waits for pages of the older one, and then replaces it whole", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "skillshelf-site-"));
    await cp(sources, folder, { recursive: true });
    const asset = async (name) =>
      `assets/${(await readdir(path.join(folder, "assets"))).find((file) => file.startsWith(name))}`;
    // As many hosts say it: for ten minutes the browser need not ask again.
    const own = await serveAnew("/", { folder, cached: "max-age=600" });
    const person = await visit(browser(), own);
    await person.page.evaluate("navigator.serviceWorker.ready.then(() => true)");

    // The newer version has another title, and no editor any more.
    const editor = await asset("editor-");
    const replaced = async (name, change) => {
      const file = path.join(folder, name);
      await writeFile(file, change(await readFile(file, "utf8")));
    };
    await replaced("index.html", (page) => page.replace("<title>", "<title>newer "));
    await replaced("service-worker.js", (worker) =>
      worker.replace(/\b[0-9a-f]{16}\b/, "0".repeat(16)).replace(`"${editor}",`, ""),
    );
    await rm(path.join(folder, editor));
    await person.page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update();
    });
    await person.until(
      "navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting !== null)",
    );
    await person.view("edit");
    await person.click("#skill-list .row");
    await person.untilEditor("name: agent-builder");

    const page = await person.context.newPage();
    await person.page.close();
    person.page = page;
    await page.goto(own.address);
    for (let visits = 0; visits < 10 && !(await page.title()).startsWith("newer"); visits += 1) {
      await page.goto("about:blank");
      await page.goto(own.address);
    }
    assert.match(await page.title(), /^newer/);
    await person.until(READY);
    const kept = await page.evaluate(() => caches.keys());
    assert.equal(kept.filter((name) => name.includes(own.address)).length, 1);
    await own.close();
    await page.reload();
    await person.untilSkills("13 skills");
    assert.match(await page.title(), /^newer/);
    await rm(folder, { recursive: true });
    await person.leave([/ERR_CONNECTION_REFUSED/]);
  });

  test("the server of the site answers whatever it is asked for, and nothing beside the site", async () => {
    const own = await serveAnew("/some/folder/");
    const { port } = new URL(own.address);
    for (const [asked, status] of [
      ["/some/folder/", 200],
      ["/some/folder/icon.svg?x#y", 200],
      ["/some/folder/%E0%A4%A", 404],
      ["//", 404],
      ["/some/folder/..%2f..%2fpackage.json", 404],
      ["/some/folder/%00", 404],
      ["/other/", 404],
    ]) {
      assert.equal(await statusOf(port, asked), status, asked);
    }
    await own.close();
  });
}
