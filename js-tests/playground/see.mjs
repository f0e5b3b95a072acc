// What is seen of skills: the list, what is off, the index, what it all costs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSkills, memoryHost } from "skillshelf";
import { visit } from "./person.mjs";
import { skillText, zipped } from "./skills.mjs";

export function seeTests({ browser, site, examples }) {
  test("what is paid always, on demand, and if all were pasted in", async () => {
    const person = await visit(browser(), site());
    await person.untilText("#cost-pasted", "tokens");
    const tokens = async (id) =>
      Number((await person.text(`#cost-${id} strong`)).replace(/\D/g, ""));
    const catalog = await loadSkills({ host: memoryHost(examples()) });
    const bodies = await Promise.all(catalog.names.map((skill) => catalog.body(skill)));
    assert.match(
      await person.text("#note-always"),
      new RegExp(`one line a skill ${catalog.index().tokens} `),
    );
    assert.ok((await tokens("always")) > catalog.index().tokens);
    const characters = bodies.reduce(
      (sum, body) => sum + [...body].length,
      catalog.index().characters,
    );
    assert.match(await person.text("#cost-pasted"), new RegExp(characters.toLocaleString("en-US")));
    assert.ok((await tokens("pasted")) > 5 * (await tokens("always")));
    assert.match(await person.text("#headline"), /always sees one line a skill.*\d times less/);
    // One skill is chosen: what it costs.
    await person.press("Index", ".tabs");
    await person.click("#skill-list .row:nth-child(2)");
    await person.untilText("#note-used", "api-design");
    await person.leave();
  });

  test("a skill for a person alone is counted apart from those of the index, and its badge says why", async () => {
    const person = await visit(browser(), site());
    await person.untilText("#index-facts", "12 of 12 named");
    assert.equal(await person.text("#index-own"), " · 1 for a person alone");
    await person.type("#filter", "cut-release");
    await person.untilSkills("1 of 13 skills");
    const titles = await person.page.$$eval("#skill-list .badge", (all) =>
      all.map(({ title }) => title),
    );
    assert.ok(titles.includes("Only a person may load it: the model is not told of it."));
    await person.leave();
  });

  test("what becomes of a task is one press away: the skill that fits is read whole", async () => {
    const person = await visit(browser(), site());
    await person.press("See that happen");
    await person.untilText("#view-try .loaded", "code-review");
    await person.untilText("#view-try .entry:last-child", "only searche");
    assert.equal(await person.page.evaluate("document.activeElement.id"), "tab-try");
    // A conversation that there is goes on as it was.
    const entries = () => person.page.$$eval("#view-try .entry", (all) => all.length);
    const before = await entries();
    await person.view("index");
    await person.press("See that happen");
    await person.until('!document.querySelector("#view-try").hidden');
    assert.equal(await entries(), before);
    await person.leave();
  });

  test("the index in each style is what the library gives an agent", async () => {
    const person = await visit(browser(), site());
    const catalog = await loadSkills({ host: memoryHost(examples()) });
    for (const style of ["markdown", "plain", "xml", "json"]) {
      await person.click(`input[value="${style}"] + span`);
      const text = catalog.prompt({ style });
      await person.until(
        `document.querySelector("#index-text").textContent === ${JSON.stringify(text)}`,
      );
    }
    await person.leave();
  });

  test("a budget shortens and leaves out, and says so", async () => {
    const person = await visit(browser(), site());
    const catalog = await loadSkills({ host: memoryHost(examples()) });
    await person.page.focus("#budget");
    const seen = new Set();
    for (let step = 0; step < 10; step += 1) {
      await person.key("PageDown");
      const words = await person.text("#budget-value");
      const budget = { tokens: Number(words.replace(/\D/g, "")) };
      const report = catalog.index({ budget });
      await person.until(
        `document.querySelector("#index-text").textContent === ${JSON.stringify(report.text)}`,
      );
      const facts = await person.text("#index-facts");
      assert.ok(facts.includes(`${report.shortened.length} shortened`), facts);
      assert.ok(facts.includes(`${report.omitted.length} left out`), facts);
      if (seen.size < seen.add(report.form).size && report.form === "shortened") {
        assert.ok((await person.texts("#skill-list .badge")).includes("cut"));
      }
    }
    assert.ok(seen.has("shortened") && seen.has("none"), [...seen].join());
    assert.match(person.page.url(), /budget=40/);
    // Of an index that is not there nothing is said.
    await person.until('document.querySelector("#index-text").textContent === ""');
    assert.equal(
      await person.text("#index-lead"),
      "Nothing of the skills is in the system prompt.",
    );
    const isSeen = (id) => person.page.$eval(id, (element) => element.checkVisibility());
    assert.deepEqual([await isSeen("#see-task"), await isSeen("#budget-note")], [false, true]);
    await person.key("End");
    await person.untilText("#index-form", "Every skill, whole.");
    await person.untilText("#index-lead", "fits one of its lines");
    assert.deepEqual([await isSeen("#see-task"), await isSeen("#budget-note")], [true, false]);
    await person.leave();
  });

  test("problems at line and column lead to their place", async () => {
    const person = await visit(browser(), site());
    const text =
      "---\nname: tea\ndescription: Brews tea\nallowed-tools: Read, Write\n---\nWarm the pot.\n";
    const files = {
      "tea/SKILL.md": text,
      "none/SKILL.md": "---\nname: none\n---\nNothing says what for.\n",
    };
    await person.drop("two.zip", zipped(files));
    await person.untilSkills("2 skills");
    assert.deepEqual(await person.texts("#skill-list .badge.bad"), ["not loaded"]);
    // They are counted at once, and listed where they are seen.
    assert.ok(Number(await person.text("#problem-count")) > 1);
    assert.equal((await person.texts("#problem-list .row")).length, 0);
    await person.view("problems");
    const places = await person.texts("#problem-list .place");
    const { diagnostics } = await loadSkills({ host: memoryHost(files) }, { onDiagnostic() {} });
    assert.equal(places.length, diagnostics.length);
    for (const { path, line, column } of diagnostics) {
      const place = [path, line, column].filter((part) => part !== undefined).join(":");
      assert.ok(places.includes(place), `${place} in ${places}`);
    }
    assert.ok(places.some((place) => /^none\/SKILL\.md:\d+/.test(place)));
    const at = places.findIndex((place) => place.startsWith("tea/SKILL.md:4:"));
    await person.click(`#problem-list .row:nth-child(${at + 1})`);
    await person.untilEditor("name: tea");
    await person.until(
      `(() => {
        const { shadowRoot } = document.querySelector(".editor");
        const lines = [...shadowRoot.querySelectorAll(".cm-line")];
        const at = lines.findIndex((line) => line.classList.contains("cm-activeLine"));
        return at === 3 && shadowRoot.activeElement !== null;
      })()`,
    );
    // What is chosen there is the active one in the list too.
    assert.equal(await person.text('#skill-list [aria-selected="true"] .row-name'), "tea");
    await person.leave();
  });

  test("problems are found by their words and by what they are, and none is cut where it is narrow", async () => {
    const files = {
      "tea/SKILL.md": skillText("tea", "Brews tea").replace(
        "---\n",
        "---\nallowed-tools: Read, Write\nversion: 1\n",
      ),
      [`${"long-".repeat(12)}x/SKILL.md`]: "---\nname: none\n---\nNothing says what for.\n",
      "broken/SKILL.md": "no front matter",
    };
    const { diagnostics } = await loadSkills({ host: memoryHost(files) }, { onDiagnostic() {} });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    for (const width of [360, 1280]) {
      const person = await visit(browser(), site(), { width, hash: "#view=problems" });
      await person.drop("some.zip", zipped(files));
      await person.untilText("#problem-summary", `${diagnostics.length} findings`);
      const cut = await person.page.$$eval("#problem-list .row", (rows) =>
        rows
          .filter((row) => row.scrollHeight > row.clientHeight || row.scrollWidth > row.clientWidth)
          .map(({ textContent }) => textContent),
      );
      assert.deepEqual(cut, [], String(width));
      await person.page.select("#problem-severity", "error");
      await person.untilText("#problem-summary", `${errors.length} of ${diagnostics.length}`);
      await person.page.select("#problem-severity", "");
      await person.type("#problem-words", "allowed-tools");
      await person.until('document.querySelectorAll("#problem-list .row").length === 1');
      await person.leave();
    }
  });

  test("a filter that nothing fits says so, and leads back", async () => {
    const person = await visit(browser(), site());
    await person.type("#filter", "zzzz");
    await person.untilText("#nothing-found", "No skill fits these words.");
    await person.press("Show all skills");
    await person.untilSkills("13 skills");
    await person.until('document.querySelector("#nothing-found").hidden');
    await person.leave();
  });

  test("where nothing may be loaded, and where pasting costs less, the page says that", async () => {
    const person = await visit(browser(), site());
    const own = skillText("tea", "Brews tea").replace(
      "---\n",
      "---\ndisable-model-invocation: true\n",
    );
    await person.drop("own.zip", zipped({ "tea/SKILL.md": own }));
    await person.untilText("#index-form", "there is no skill that a model may load");
    assert.match(await person.text("#headline"), /sees nothing.*only a person may load/);
    await person.drop("none.zip", zipped({ "tea/SKILL.md": "just some words" }));
    await person.untilText("#headline", "Nothing here loads.");
    assert.doesNotMatch(await person.text("#headline"), /cost less|few/);
    await person.drop("few.zip", zipped({ "tea/SKILL.md": skillText("tea", "Brews tea") }));
    await person.untilText("#headline", "pasted in would cost less");
    await person.leave();
  });

  test("the list is filtered by words, searched by a task, and cut to problems", async () => {
    const person = await visit(browser(), site());
    await person.type("#filter", "form pdf");
    await person.untilSkills("1 of 13 skills");
    assert.deepEqual(await person.names(), ["pdf-forms"]);
    await person.page.select("#filter-mode", "task");
    await person.fill("#filter", "my program crashes only sometimes");
    await person.until(
      'document.querySelector("#skill-list .row-name")?.textContent === "debugging"',
    );
    await person.fill("#filter", "");
    await person.page.select("#filter-mode", "problems");
    await person.untilSkills("of 13 skills");
    await person.fill("#filter", "");
    await person.page.select("#filter-mode", "words");
    await person.untilSkills("13 skills");
    await person.drop(
      "broken.zip",
      zipped({ "a/SKILL.md": skillText("a", "A"), "b/SKILL.md": "no front matter" }),
    );
    await person.untilSkills("2 skills");
    await person.page.select("#filter-mode", "problems");
    await person.untilSkills("1 of 2 skills");
    assert.deepEqual(await person.names(), ["b"]);
    await person.leave();
  });
}
