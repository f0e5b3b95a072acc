// Trying skills: the conversation and what is in it, paths, slash commands, a model of one's own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSkills, memoryHost } from "skillshelf";
import { visit } from "./person.mjs";
import { modelSite, served } from "./sites.mjs";
import { skillText, zipped } from "./skills.mjs";

const LAST = "#view-try .entry:last-child";

async function say(person, line) {
  await person.fill("#task", line);
  await person.page.focus("#task");
  await person.key("Enter");
}

function catalogOf(files) {
  return loadSkills({ host: memoryHost(files) });
}

/** What an endpoint answers that says this. */
function completion(message) {
  return { content: JSON.stringify({ choices: [{ message }] }) };
}

async function choose(person, address, { key = "" } = {}) {
  await person.press("A model at an OpenAI-compatible address");
  await person.fill("#endpoint-url", address);
  await person.fill("#endpoint-model", "tiny");
  await person.fill("#endpoint-key", key);
}

/** The task that is typed and not sent. */
function typed(person) {
  return person.page.$eval("#task", (input) => input.value);
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
    const before = (await person.texts("#view-try .entry.tool")).length;
    await say(person, task);
    await person.untilText(".loaded", "code-review");
    await person.until(`document.querySelectorAll("#view-try .entry.tool").length > ${before}`);
    await person.untilText(LAST, "only searche");
    const again = (await person.texts("#view-try .entry.tool"))[before];
    assert.ok(again.includes(await (await catalogOf(examples())).body("code-review")));

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
    await say(person, "/security-of-requests");
    await person.untilText(LAST, "These have its words: /code-review");
    assert.equal(await typed(person), "/security-of-requests");
    // What is typed next takes its place.
    await person.page.focus("#task");
    await person.page.keyboard.type("bake");
    assert.equal(await typed(person), "bake");
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
    await person.untilText(LAST, "Is the key right? It said: no such key");
    // It comes back once the turn is over.
    await person.until('document.querySelector("#task").value === "It fails sometimes"');
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
    const kept = await person.page.evaluate(everythingKept);
    assert.match(kept, /control/);
    assert.ok(!kept.includes("secret"));
    await model.close();
    await say(person, "Once more");
    await person.untilText(LAST, "could not be reached");
    await person.leave([/401/, /ERR_CONNECTION_REFUSED|NetworkError|CORS/]);
  });

  test("two tasks at once are one", async () => {
    const person = await visit(browser(), site(), { hash: "#view=try" });
    await person.page.evaluate(() => {
      for (const chip of document.querySelectorAll(".talk .chip")) chip.click();
    });
    await person.untilText(LAST, "only searche");
    assert.equal((await person.texts("#view-try .entry.user")).length, 1);
    await person.until('!document.querySelector(".talk .chip").disabled');
    await person.leave();
  });

  test("a model that is waited for can be stopped, and the conversation goes on", async () => {
    const held = deferred();
    const model = await served(async ({ body }) => {
      const said = JSON.parse(body)
        .messages.map(({ role }) => role)
        .join(" ");
      if (said === "system user") {
        return completion({ tool_calls: [call("a", "debugging"), call("b", "code-review")] });
      }
      if (said === "system user assistant tool tool") await held.promise;
      return completion({ content: `It has ${said}` });
    });
    const person = await visit(browser(), site(), { hash: "#view=try", others: [model.address] });
    await choose(person, `${model.address}/v1`);
    await say(person, "It fails sometimes");
    await person.until('document.querySelectorAll("#view-try .entry.tool").length === 2');
    await person.untilText(LAST, "Waiting for tiny");
    for (const button of ["Send", "Compact", "Unload"]) {
      assert.ok(
        await person.page.evaluate(
          (words) =>
            [...document.querySelectorAll("#view-try button")].find(
              ({ textContent }) => textContent === words,
            ).disabled,
          button,
        ),
        button,
      );
    }
    await person.press("Stop");
    await person.untilText(LAST, "You stopped it");
    assert.ok(!(await person.text("#view-try .log")).includes("Waiting for"));
    await say(person, "Go on");
    await person.untilText(LAST, "It has system user assistant tool tool user");

    // A new conversation has nothing of what still runs in the old one.
    await person.press("New conversation");
    await say(person, "It fails sometimes");
    await person.untilText(LAST, "Waiting for tiny");
    await person.until('document.querySelectorAll("#view-try .entry.tool").length === 2');
    await person.press("New conversation");
    await person.until('document.querySelectorAll("#view-try .entry").length === 1');
    held.resolve();
    await say(person, "/debugging once more");
    await person.untilText(LAST, "It has system user assistant tool tool");
    assert.equal((await person.texts("#view-try .entry")).length, 5);
    await model.close();
    await person.leave([/AbortError|aborted/i]);
  });

  test("an endpoint that sends on to another origin gets nothing there", async () => {
    const other = await served(() => completion({ content: "from elsewhere" }));
    const model = await served(() => ({
      status: 307,
      headers: { location: `${other.address}/v1/chat/completions` },
      content: "",
    }));
    const others = [model.address, other.address];
    const person = await visit(browser(), site(), { hash: "#view=try", others });
    await choose(person, `${model.address}/v1?version=1#part`, { key: "secret" });
    await say(person, "It fails sometimes");
    await person.untilText(LAST, "sends on to another address");
    assert.deepEqual(other.asked, []);
    assert.equal(model.asked[0].url, "/v1/chat/completions?version=1");
    await Promise.all([model.close(), other.close()]);
    await person.leave();
  });

  test("a key is for the address that it was typed for", async () => {
    const person = await visit(browser(), site(), { hash: "#view=try" });
    await person.press("A model at an OpenAI-compatible address");
    const key = () => person.page.$eval("#endpoint-key", (input) => input.value);
    await person.type("#endpoint-url", "http://localhost:4000/v1");
    await person.type("#endpoint-key", "secret");
    await person.type("#endpoint-url", "/more");
    await person.page.focus("#endpoint-model");
    assert.equal(await key(), "secret");
    await person.page.$eval("#endpoint-url", (input) => input.select());
    await person.page.keyboard.type("http://localhost:5000/v1");
    await person.page.focus("#endpoint-model");
    await person.until('document.querySelector("#endpoint-key").value === ""');
    await person.leave();
  });

  test("whatever an endpoint answers, the page says what is wrong, and the next task is in order", async () => {
    const answers = [
      { content: "null" },
      { content: '{"choices":{"length":5}}' },
      completion({ tool_calls: [null] }),
      completion({
        content: [
          { type: "text", text: "in " },
          { type: "text", text: "parts" },
        ],
      }),
      completion({
        tool_calls: [{ function: { name: "load_skill", arguments: { name: "debugging" } } }],
      }),
      completion({ content: { text: 1 }, tool_calls: { length: 2 } }),
    ];
    const model = await served(() => answers.shift() ?? completion({ content: "At last." }));
    const person = await visit(browser(), site(), { hash: "#view=try", others: [model.address] });
    await choose(person, `${model.address}/v1`);
    for (const told of ["without a message", "without a message", "names no tool"]) {
      await say(person, "It fails sometimes");
      await person.untilText(LAST, told);
      await person.press("New conversation");
      await person.until('document.querySelectorAll("#view-try .entry").length === 1');
    }
    await say(person, "It fails sometimes");
    await person.untilText(LAST, "in parts");
    await say(person, "It fails sometimes");
    await person.untilText(".loaded", "debugging");
    await person.until('document.querySelector(".composer button").disabled === false');
    await say(person, "Well?");
    await person.untilText(LAST, "At last.");
    const { messages } = JSON.parse(model.asked.at(-1).body);
    for (const { content, tool_calls: calls = [] } of messages) {
      assert.equal(typeof content, "string");
      for (const { id, function: made } of calls) {
        assert.equal(typeof made.arguments, "string");
        assert.ok(messages.some(({ tool_call_id }) => tool_call_id === id));
      }
    }
    await person.fill("#endpoint-key", "sec\u200bret");
    await say(person, "It fails sometimes");
    await person.untilText(LAST, "a character that no key has");
    await person.fill("#endpoint-url", `${model.address.replace("//", "//me:secret@")}/v1`);
    await say(person, "It fails sometimes");
    await person.untilText(LAST, "a password in it");
    assert.ok(!(await person.text("#view-try .log")).includes("secret"));
    await model.close();
    await person.leave();
  });

  test("a long name leaves the buttons beside it in reach, an answer is in sight, and the place in the conversation is kept", async () => {
    const person = await visit(browser(), site(), { hash: "#view=try" });
    const long = `${"very-".repeat(11)}long`;
    await person.drop(
      "long.zip",
      zipped({ [`${long}/SKILL.md`]: skillText(long, "Long", "Line.\n".repeat(12)) }),
    );
    await person.untilSkills("1 skill");
    await say(person, `/${long}`);
    await person.untilText(".loaded", long);
    const outside = await person.page.evaluate(() => {
      const { right } = document.querySelector(".side").getBoundingClientRect();
      return [...document.querySelectorAll(".side button")]
        .filter(
          (button) => button.checkVisibility() && button.getBoundingClientRect().right > right,
        )
        .map(({ textContent }) => textContent);
    });
    assert.deepEqual(outside, []);

    await person.press("Try to read a file");
    await person.press("../../etc/passwd", "#path-box");
    await person.untilText(".path-answer", "refused");
    await person.until(
      `(() => {
        const { top, bottom } = document.querySelector(".path-answer").getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      })()`,
    );

    for (let said = 2; said < 8; said += 1) {
      await say(person, `/${long} ${said}`);
      // What is said while the last one is still at work is not taken.
      await person.until(
        `document.querySelectorAll("#view-try .entry.user").length === ${said} && !document.querySelector(".composer button").disabled`,
      );
    }
    const place = () => person.page.$eval("#view-try .log", ({ scrollTop }) => scrollTop);
    await person.page.$eval("#view-try .log", (log) => log.scrollTo(0, 150));
    await person.page.evaluate(() => new Promise((seen) => requestAnimationFrame(seen)));
    await person.view("index");
    await person.until('document.querySelector("#view-try").hidden');
    await person.view("try");
    await person.until('document.querySelector("#view-try .log").scrollTop === 150');
    assert.equal(await place(), 150);
    await person.leave();
  });
}

/** All that the page's storages hold, as text; on the page. A value of its own says that they are read. */
async function everythingKept() {
  const settled = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const making = indexedDB.open("control", 1);
  making.onupgradeneeded = () => making.result.createObjectStore("values").put("control", "key");
  (await settled(making)).close();
  const values = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await settled(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      values.push(await settled(database.transaction(store).objectStore(store).getAll()));
    }
    database.close();
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    values.push(name, ...(await cache.keys()).map(({ url }) => url));
  }
  return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, values]);
}

/** A tool call of a model. */
function call(id, name) {
  return { id, function: { name: "load_skill", arguments: JSON.stringify({ name }) } };
}

/** A promise that is settled from outside. */
function deferred() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
