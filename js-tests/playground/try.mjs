// Trying skills: the conversation and what is in it, paths, slash commands, a model of one's own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSkills, memoryHost } from "skillshelf";
import { visit } from "./person.mjs";
import { modelSite } from "./sites.mjs";

const LAST = "#view-try .entry:last-child";

async function say(person, line) {
  await person.fill("#task", line);
  await person.page.focus("#task");
  await person.key("Enter");
}

export function tryTests({ browser, site, examples }) {
  test("a task loads the skill that fits, and a file beside it; the chooser says that it is no model", async () => {
    const person = await visit(browser(), site(), { hash: "#view=try" });
    await person.until('document.querySelector("#view-try .entry.system pre") !== null');
    const catalog = await loadSkills({ host: memoryHost(examples()) });
    assert.ok((await person.text("#view-try .entry.system pre")).includes(catalog.prompt()));
    await say(person, "Review my pull request for security problems");
    await person.untilText(LAST, "only searche");
    const calls = await person.texts("#view-try .entry.tool code");
    assert.match(calls[0], /^load_skill \{"name":"code-review"\}$/);
    assert.match(calls[1], /^read_skill_file \{"skill":"code-review","path":"references\//);
    const body = await catalog.body("code-review");
    assert.ok((await person.text("#view-try .entry.tool pre")).includes(body));
    assert.deepEqual(await person.texts(".loaded .row-name"), ["code-review"]);
    await person.leave();
  });

  test("a repeated load is one line, an unloaded skill is told again, a compaction keeps what fits", async () => {
    const person = await visit(browser(), site(), { hash: "#view=try" });
    const task = "Review my pull request for security problems";
    await say(person, task);
    await person.untilText(LAST, "only searche");
    await say(person, task);
    await person.until('document.querySelectorAll("#view-try .entry.tool").length >= 3');
    await person.untilText("#view-try", "loaded already: one line");
    await person.untilText(LAST, "only searche");

    await person.press("Unload");
    await person.untilText(".loaded", "No skill is loaded.");
    await person.untilText(LAST, "You unloaded a skill");
    await say(person, task);
    await person.untilText(".loaded", "code-review");
    await person.untilText(LAST, "only searche");

    await person.press("Compact");
    await person.untilText(LAST, "Kept word for word: code-review");
    await person.fill("#keep", "0");
    await person.press("Compact");
    await person.untilText(LAST, "A line in its place: code-review");
    await person.untilText(".loaded", "dropped");
    await person.press("New conversation");
    await person.untilText(".loaded", "No skill is loaded.");
    assert.equal((await person.texts("#view-try .entry")).length, 1);
    await person.leave();
  });

  test("where the index names no skills, the chooser searches as it says", async () => {
    const person = await visit(browser(), site(), { hash: "#view=try&budget=70" });
    await say(person, "Fill in a PDF form");
    await person.untilText(LAST, "only searche");
    const calls = await person.texts("#view-try .entry.tool code");
    assert.match(calls[0], /^search_skills /);
    assert.match(calls[1], /^load_skill \{"name":"pdf-forms"\}$/);
    await person.leave();
  });

  test("slash commands complete as one types, load a skill, and say what is near", async () => {
    const person = await visit(browser(), site(), { hash: "#view=try" });
    await person.type("#task", "/co");
    await person.until('document.querySelectorAll("#completions li").length > 1');
    const offered = await person.texts("#completions .row-name");
    assert.ok(offered.includes("/compact") && offered.includes("/code-review"), String(offered));
    await person.fill("#task", "");
    await person.type("#task", "/cut");
    await person.untilText("#completions li:first-child", "/cut-release");
    await person.key("ArrowDown");
    assert.equal(
      await person.page.$eval("#task", (input) => input.getAttribute("aria-activedescendant")),
      "completion-0",
    );
    await person.key("Enter");
    assert.equal(await person.page.$eval("#task", (input) => input.value), "/cut-release ");
    await person.page.keyboard.type("1.2.0");
    await person.key("Enter");
    // Only a person may load it.
    await person.untilText(".loaded", "cut-release");
    await say(person, "/code-reviw");
    await person.untilText(LAST, "code-review");
    await say(person, "/new");
    await person.untilText(".loaded", "No skill is loaded.");
    await person.leave();
  });

  test("each path that leads out is refused with its reason, one that does not is read", async () => {
    const person = await visit(browser(), site(), { hash: "#view=try" });
    await person.press("Try to read a file");
    const catalog = await loadSkills({ host: memoryHost(examples()) });
    await person.page.select("#path-skill", "code-review");
    const hostile = await person.texts("#path-box .chip");
    assert.ok(hostile.length > 5);
    for (const path of [...hostile, "references/security.md", "references/secruity.md"]) {
      const { content, isError, code } = await catalog.call("read_skill_file", {
        skill: "code-review",
        path,
      });
      await person.fill("#path", path);
      await person.press("Read", "#path-box");
      await person.untilText(".path-answer .badge", isError ? `refused: ${code}` : "read");
      await person.until(
        `document.querySelector(".path-answer pre").textContent === ${JSON.stringify(content.slice(0, 4_000))}`,
      );
    }
    await person.leave();
  });

  test("a model of one's own picks skills; its key is in no storage and no address", async () => {
    const calls = [
      ["load_skill", { name: "debugging" }],
      ["load_skill", { name: "nothing-like-it" }],
      ["read_skill_file", { skill: "debugging", path: "../code-review/SKILL.md" }],
    ];
    const model = await modelSite(calls, "The cause is a race.");
    const person = await visit(browser(), site(), { hash: "#view=try", others: [model.address] });
    await person.press("A model at an OpenAI-compatible address");
    await say(person, "It fails sometimes");
    await person.untilText(LAST, "Give the address of the endpoint");
    await person.fill("#endpoint-url", "http://models.example/v1");
    await person.fill("#endpoint-model", "tiny");
    await say(person, "It fails sometimes");
    await person.untilText(LAST, "Give an address with https");
    await person.fill("#endpoint-url", `${model.address}/v1`);
    await person.fill("#endpoint-model", "tiny");
    await person.fill("#endpoint-key", "wrong");
    await say(person, "It fails sometimes");
    await person.untilText(LAST, "Is the key right?");
    await person.fill("#endpoint-key", "secret");
    await say(person, "It fails sometimes");
    await person.untilText(LAST, "The cause is a race.");
    assert.deepEqual(await person.texts("#view-try .entry.tool .badge"), [
      "SKILL_NOT_FOUND",
      "PATH_REFUSED",
    ]);

    const { messages, tools } = JSON.parse(model.asked.at(-1).body);
    assert.equal(messages[0].role, "system");
    assert.match(messages[0].content, /- debugging: /);
    assert.ok(tools.some(({ function: { name } }) => name === "load_skill"));
    const kept = await person.page.evaluate(async () => {
      const databases = await indexedDB.databases();
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, databases]);
    });
    assert.ok(!kept.includes("secret"));
    await model.close();
    await say(person, "Once more");
    await person.untilText(LAST, "could not be reached");
    await person.leave([/401/, /ERR_CONNECTION_REFUSED|NetworkError|CORS/]);
  });
}
