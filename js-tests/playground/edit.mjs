// Editing a skill: what is told of it follows as it is typed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { unzipSync } from "fflate";
import { loadSkills } from "skillshelf";
import { archiveHost } from "skillshelf/archive";
import { visit } from "./person.mjs";
import { served } from "./sites.mjs";
import { skillText, zipped } from "./skills.mjs";

async function paste(person, text) {
  await person.click("#open-bring");
  await person.fill("#paste-text", text);
  await person.press("Use this text");
}

/** The bytes of what is downloaded next. */
const CATCH = `
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    window.downloaded = blob.arrayBuffer().then((bytes) => {
      let text = "";
      for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
      return btoa(text);
    });
    return make(blob);
  };`;

/** Holds what is edited, and taken back, from the engine, as a slow one would, until it is let go. */
const HOLD = `
  const post = Worker.prototype.postMessage;
  const held = [];
  Worker.prototype.postMessage = function (message, ports) {
    if (window.holds && /edit|revert/.test(message.method)) held.push(() => post.call(this, message, ports));
    else post.call(this, message, ports);
  };
  window.letGo = () => {
    window.holds = false;
    for (const go of held.splice(0)) go();
  };`;

/** A person who has typed `ONE` in code-review while answers are held: the first key is under way, the others wait for it. */
async function whileHeld(browser, site) {
  const person = await visit(browser, site, {
    before: HOLD,
    hash: "#view=edit&skill=code-review/SKILL.md",
  });
  await person.untilEditor("# Code review");
  await person.page.evaluate("window.holds = true");
  await person.atLine("# Code review");
  await person.page.keyboard.type(" ONE");
  return person;
}

/** Tells the longest time in which the page did nothing of what waited. */
const STALLS = `
  window.longest = 0;
  let last = performance.now();
  setInterval(() => {
    window.longest = Math.max(window.longest, performance.now() - last);
    last = performance.now();
  }, 20);`;

/** What a program may not read in every browser: the clipboard. */
const CLIPBOARD = `
  Object.defineProperty(navigator, "clipboard", {
    value: { writeText: async (text) => { window.copied = text; } },
  });`;

const UDON = { "udon/SKILL.md": skillText("udon", "Cooks udon. Use when somebody is hungry.") };

export function editTests({ browser, site }) {
  test("diagnostics, index and meter follow the keys", async () => {
    const person = await visit(browser(), site());
    await paste(
      person,
      skillText("tea", "Brews tea. Use when somebody is thirsty.", "Warm the pot."),
    );
    await person.untilEditor("Warm the pot.");
    await person.untilText(".edit .facts", "nothing is off");
    await person.untilText("#note-used", "tea");
    const before = await person.text("#cost-always");

    await person.atLine("description:");
    await person.page.keyboard.type(" And green tea too");
    await person.until(
      `document.querySelector("#cost-always").textContent !== ${JSON.stringify(before)}`,
    );
    await person.until(
      'document.querySelector("#skill-list .row-text").textContent.endsWith("green tea too")',
    );
    await person.view("index");
    await person.untilText(
      "#index-text",
      "- tea: Brews tea. Use when somebody is thirsty. And green tea too",
    );
    await person.view("try");
    await person.untilText("#view-try", "thirsty. And green tea too");
    await person.view("edit");

    await person.atLine("Warm the pot.");
    await person.page.keyboard.type(" Then wait for four minutes.");
    await person.untilText(
      "#cost-used",
      `${"Warm the pot. Then wait for four minutes.".length} characters`,
    );

    await person.atLine("name: tea");
    await person.page.keyboard.type("X");
    await person.untilText(".found", "SKILL.md:2:");
    await person.until(
      'document.querySelector(".editor").shadowRoot.querySelector(".cm-lint-marker-error") !== null',
    );
    await person.key("Backspace");
    await person.untilText(".edit .facts", "nothing is off");
    await person.leave();
  });

  test("what follows a key is drawn in the row of its skill alone", async () => {
    const person = await visit(browser(), site(), {
      hash: "#view=edit&skill=code-review/SKILL.md",
    });
    await person.untilText("#cost-pasted", "tokens");
    await person.untilEditor("# Code review");
    await person.untilText(".edit .facts", "nothing is off");
    const drawn = () =>
      person.page.$$eval("#skill-list .row", (rows) => {
        const anew = rows.filter((row) => row.dataset.known === undefined);
        for (const row of anew) row.dataset.known = "";
        return anew.map((row) => row.querySelector(".row-name").textContent);
      });
    assert.ok((await drawn()).length > 5);
    await person.atLine("# Code review");
    await person.page.keyboard.type("!");
    await person.untilText("#skill-list .badge", "edited");
    assert.deepEqual(await drawn(), ["code-review"]);
    await person.leave();
  });

  test("what is typed over a selection takes its place, and the ring is around all of the editor", async () => {
    const person = await visit(browser(), site());
    await paste(person, skillText("tea", "Brews tea. Use when somebody is thirsty."));
    await person.untilEditor("name: tea");
    await person.atLine("name: tea");
    await person.page.keyboard.down("Shift");
    await person.key("Home");
    await person.page.keyboard.up("Shift");
    // A browser would keep the look of it by a style, which is refused and told in the console.
    await person.page.keyboard.type("name: green");
    await person.untilText("#skill-list", "green");
    assert.equal(
      await person.page.$eval(".editor", (frame) => getComputedStyle(frame).outlineStyle),
      "solid",
    );
    await person.leave();
  });

  test("a skill that breaks is told of alike in each view, and what is again as it was is not edited", async () => {
    const person = await visit(browser(), site(), {
      hash: "#view=edit&skill=writing/changelog/SKILL.md",
    });
    await person.untilText("#cost-pasted", "tokens");
    await person.untilEditor("name: changelog");
    await person.untilText("#judged", "It loads here.");
    await person.atLine("---");
    await person.page.keyboard.type("X");
    await person.untilText("#judged", "does not load here either, until the file is right");
    const badges = () =>
      person.page.$$eval('#skill-list [aria-selected="true"] .badge', (all) =>
        all.map(({ textContent, title }) => [textContent, title]),
      );
    const [[broken, meaning], ...others] = await badges();
    assert.equal(broken, "broken now");
    assert.match(meaning, /as it last was.*cannot be loaded.*once the file is right/);
    assert.deepEqual(
      others.map(([words]) => words),
      ["edited"],
    );
    await person.untilText("#note-pasted", "every skill that can be read");
    await person.view("index");
    await person.untilText("#index-kept", "as it last was: changelog.");
    await person.view("problems");
    await person.type("#problem-words", "as it last was");
    await person.untilText("#problem-list", "it comes back once the file is right");
    assert.doesNotMatch(await person.text("#problem-list"), /refresh/);
    await person.view("edit");
    await person.atLine("---X");
    await person.key("Backspace");
    await person.untilText("#judged", "Checked strictly. It loads here.");
    await person.until(
      '![...document.querySelectorAll("#skill-list .badge")].some(({ textContent }) => /broken|edited/.test(textContent))',
    );
    assert.ok(
      await person.page.evaluate(() =>
        [...document.querySelectorAll(".edit .controls button")].some(
          ({ textContent, hidden }) => textContent === "Take edits back" && hidden,
        ),
      ),
    );
    await person.view("index");
    await person.until('document.querySelector("#index-kept").textContent === ""');
    await person.leave();
  });

  test("what can safely be mended is mended by a button, and that can be undone", async () => {
    const person = await visit(browser(), site());
    await paste(person, skillText("tea", "Use when: thirsty"));
    await person.untilText(".edit .controls", "Mend quotes");
    assert.match(await person.text("#judged"), /It loads here; a strict client refuses it\./);
    await person.press("Mend quotes");
    await person.untilText("#judged", "Checked strictly. It loads here.");
    await person.untilEditor('description: "Use when: thirsty"');
    await person.until(
      '!document.querySelector(".edit .controls").textContent.includes("Mend") || [...document.querySelectorAll(".edit .controls button")].find((button) => button.textContent.startsWith("Mend")).hidden',
    );
    await person.atLine("description:");
    await person.page.keyboard.down("Control");
    await person.key("z");
    await person.page.keyboard.up("Control");
    await person.untilEditor("description: Use when: thirsty");
    await person.leave();
  });

  test("a conversation goes on over a skill that was edited, whose text is new to it", async () => {
    const person = await visit(browser(), site(), { hash: "#view=try" });
    const task = "Review my pull request for security problems";
    const calls = () => person.texts("#view-try .entry.tool");
    const say = async () => {
      const before = (await calls()).length;
      await person.fill("#task", task);
      await person.press("Send");
      await person.until(`document.querySelectorAll("#view-try .entry.tool").length > ${before}`);
      await person.untilText("#view-try .entry:last-child", "only searche");
      return (await calls())[before];
    };
    assert.match(await say(), /# Code review/);
    assert.match(await say(), /loaded already/);
    await person.skill("code-review");
    await person.untilEditor("# Code review");
    await person.atLine("# Code review");
    await person.page.keyboard.type(" EDITED");
    await person.untilText("#skill-list", "edited");
    await person.view("try");
    assert.deepEqual(await person.texts(".loaded .row-name"), ["code-review"]);
    const again = await say();
    assert.match(again, /# Code review EDITED/);
    assert.doesNotMatch(again, /loaded already/);
    assert.deepEqual(await person.texts(".loaded .row-name"), ["code-review"]);
    await person.leave();
  });

  test("a file beside a skill is edited too, and who reads it is given what was edited", async () => {
    const person = await visit(browser(), site(), {
      hash: "#view=edit&skill=code-review/SKILL.md",
    });
    await person.untilEditor("# Code review");
    await person.page.select("#edit-file", "code-review/references/security.md");
    await person.until(
      '!document.querySelector(".editor").shadowRoot.textContent.includes("name: code-review")',
    );
    const first = (await person.editorText()).split("\n", 1)[0];
    await person.atLine(first);
    await person.page.keyboard.type(" EDITED");
    await person.untilText("#skill-list", "edited");
    await person.view("try");
    await person.press("Try to read a file");
    await person.page.select("#path-skill", "code-review");
    await person.fill("#path", "references/security.md");
    await person.press("Read", "#path-box");
    await person.untilText(".path-answer pre", `${first} EDITED`);

    // What was edited can be taken back.
    await person.view("edit");
    await person.press("Take edits back");
    await person.until('!document.querySelector("#skill-list").textContent.includes("edited")');
    await person.until(
      '!document.querySelector(".editor").shadowRoot.textContent.includes("EDITED")',
    );
    await person.view("try");
    await person.press("Read", "#path-box");
    await person.until(
      '!document.querySelector(".path-answer pre").textContent.includes("EDITED")',
    );
    await person.leave();
  });

  test("what is typed in one file stays in it, though another one is chosen and typed in meanwhile", async () => {
    const person = await whileHeld(browser(), site());
    const choose = async (file, words) => {
      await person.page.select("#edit-file", `code-review/${file}`);
      await person.untilEditor(words);
    };
    await choose("references/security.md", "# Security");
    await person.atLine("# Security");
    await person.page.keyboard.type(" TWO");
    // Whoever goes back before the engine has taken it finds what was typed.
    await choose("SKILL.md", "# Code review ONE");
    await choose("references/security.md", " TWO");
    await person.page.evaluate("window.letGo()");
    await person.untilText("#skill-list", "edited");
    await choose("SKILL.md", "# Code review ONE");
    assert.doesNotMatch(await person.editorText(), /TWO/);
    await choose("references/security.md", "TWO");
    assert.doesNotMatch(await person.editorText(), /ONE/);
    await person.leave();
  });

  test("what is taken back does not come again with a key that was on its way", async () => {
    const person = await whileHeld(browser(), site());
    await person.press("Take edits back");
    await person.page.evaluate("window.letGo()");
    await person.until(
      `![...document.querySelector(".editor").shadowRoot.querySelectorAll(".cm-line")].some((line) => line.textContent.includes("ONE"))`,
    );
    await person.page.select("#edit-file", "code-review/references/security.md");
    await person.untilEditor("# Security");
    await person.page.select("#edit-file", "code-review/SKILL.md");
    await person.untilEditor("# Code review");
    assert.doesNotMatch(await person.editorText(), /ONE/);
    assert.doesNotMatch(await person.text("#skill-list"), /edited/);
    await person.leave();
  });

  test("what is typed in one skill is nothing to another one that has its place meanwhile", async () => {
    const person = await whileHeld(browser(), site());
    const other = skillText("code-review", "Reviews", "# Another review");
    await person.drop("other.zip", zipped({ "code-review/SKILL.md": other }));
    // What is on its way is not lost without a word either.
    await person.untilText("#unsaved-words", "edited here just now");
    await person.press("Open without them");
    await person.untilSkills("1 skill");
    await person.skill("code-review");
    await person.untilEditor("# Another review");
    await person.page.evaluate("window.letGo()");
    await person.atLine("# Another review");
    await person.page.keyboard.type(" TWO");
    await person.untilText("#skill-list .badge", "edited");
    assert.match(await person.editorText(), /# Another review TWO/);
    await person.view("index");
    await person.untilText("#index-text", "code-review: Reviews");
    await person.view("edit");
    assert.doesNotMatch(await person.editorText(), /ONE/);
    await person.leave();
  });

  test("a finding of another file leads to that file, and one in this file to its place", async () => {
    const person = await visit(browser(), site());
    const text = skillText("teaX", "Brews tea. Use when somebody is thirsty.");
    await person.drop(
      "tea.zip",
      zipped({ ...UDON, "tea/SKILL.md": text, "tea/a/pot.md": "# Pots\n" }),
    );
    await person.untilSkills("2 skills");
    await person.click("#skill-list .row");
    await person.untilText(".found", "tea/a/pot.md");
    await person.press("tea/SKILL.md:2:7", ".found");
    await person.page.keyboard.type("HERE");
    await person.untilEditor("name: HEREteaX");
    await person.press("tea/a/pot.md", ".found");
    await person.untilEditor("# Pots");
    await person.leave();
  });

  test("a file keeps the ends of its lines through an edit, and what is off in it is marked at once", async () => {
    const person = await visit(browser(), site(), { before: CATCH });
    const text = skillText("teaX", "Brews tea. Use when somebody is thirsty.").replaceAll(
      "\n",
      "\r\n",
    );
    await person.drop("tea.zip", zipped({ "tea/SKILL.md": text }));
    await person.untilSkills("1 skill");
    await person.click("#skill-list .row");
    await person.until(
      'document.querySelector(".editor")?.shadowRoot?.querySelector(".cm-lint-marker-error") != null',
    );
    await person.atLine("Do it well.");
    await person.page.keyboard.type("!");
    await person.untilText("#skill-list", "edited");
    await person.press("Download all as zip");
    await person.until("window.downloaded !== undefined");
    const bytes = Buffer.from(await person.page.evaluate("window.downloaded"), "base64");
    const packed = unzipSync(new Uint8Array(bytes));
    const expected = text.replace("well.", "well.!");
    assert.equal(Buffer.from(packed["tea/SKILL.md"]).toString("utf8"), expected);
    await person.leave();
  });

  test("a very long line with much that is off holds nothing up, and is without colors as long as it is long", async () => {
    const person = await visit(browser(), site(), { before: STALLS });
    const links = Array.from({ length: 70_000 }, (_, at) => `[a](x${at}.md)`).join(" ");
    const files = {
      "a/SKILL.md": skillText("a", "A", links),
      "b/SKILL.md": skillText("b", "B", `Ends **here** ${"x".repeat(9_986)}`),
    };
    await person.drop("long.zip", zipped(files));
    await person.untilSkills("2 skills");
    await person.skill("a");
    await person.untilText(".found", 'there is no file "x1.md"');
    await person.untilText("#view-edit", "shown without colors");
    await person.atLine("name: a");
    await person.page.keyboard.type("X");
    await person.untilText(".found", "SKILL.md:2:");
    const longest = await person.page.evaluate("window.longest");
    assert.ok(longest < 10_000, `held up for ${Math.round(longest)} ms`);
    const marked = await person.page.evaluate(() =>
      [...document.querySelector(".editor").shadowRoot.querySelectorAll(".cm-lintRange")]
        .map(({ textContent }) => textContent.length)
        .reduce((sum, length) => sum + length, 0),
    );
    assert.ok(marked > 0 && marked < 100_000, `${marked} characters are marked`);

    const note = (hidden) =>
      person.until(
        `[...document.querySelectorAll("#view-edit .note")].find(({ textContent }) => textContent.includes("without colors")).hidden === ${hidden}`,
      );
    const strong = (there) =>
      person.until(
        `[...document.querySelector(".editor").shadowRoot.querySelectorAll(".cm-line span")].some(({ textContent }) => textContent === "here") === ${there}`,
      );
    await person.skill("b");
    await person.untilEditor("Ends");
    await note(true);
    await strong(true);
    await person.atLine("Ends");
    await person.page.keyboard.type("y");
    await note(false);
    await strong(false);
    await person.key("Backspace");
    await note(true);
    await strong(true);
    await person.leave();
  });

  test("in the place of a file that cannot be read no other one is shown or edited", async () => {
    const person = await visit(browser(), site());
    const files = {
      "a/SKILL.md": skillText("a", "A"),
      "/abs/SKILL.md": skillText("abs", "Outside"),
    };
    await person.drop("two.zip", zipped(files));
    await person.untilText("#source", "two.zip");
    await person.skill("a");
    await person.untilEditor("name: a");
    await person.skill("abs");
    await person.untilText("#view-edit", "This file cannot be read.");
    await person.untilText("#alerts", "/abs/SKILL.md");
    assert.equal(await person.page.$eval("#edit-file", ({ value }) => value), "/abs/SKILL.md");
    assert.equal(await person.page.$eval(".editor", (editor) => editor.checkVisibility()), false);
    await person.page.keyboard.type("LOST");
    await person.skill("a");
    await person.until('document.querySelector(".editor").checkVisibility()');
    await person.untilEditor("name: a");
    assert.doesNotMatch(await person.editorText(), /LOST/);
    assert.doesNotMatch(await person.text("#skill-list"), /edited/);
    await person.leave();
  });

  test("reading again leaves the cursor where it is, also while somebody types", async () => {
    const texts = { "SKILL.md": skillText("tea", "Brews tea", "Warm the pot.") };
    let gate = Promise.resolve();
    const publisher = await served(async ({ url }) => {
      await gate;
      if (url === "/.well-known/skills/index.json") {
        const skills = [{ name: "tea", description: "Brews tea", files: Object.keys(texts) }];
        return { content: JSON.stringify({ skills }) };
      }
      const content = texts[url.split("/").at(-1)];
      return content === undefined ? { status: 404, content: "" } : { content };
    });
    const person = await visit(browser(), site(), {
      others: [publisher.address],
      hash: `#site=${encodeURIComponent(publisher.address)}`,
    });
    const readAgain = async () => {
      await person.click("#reload");
      await person.untilText("#busy", "Reading again");
    };
    const isRead = () => person.until('!document.querySelector("#busy").textContent');
    await person.press("Load from");
    await person.untilSkills("1 skill");
    await person.skill("tea");
    await person.untilEditor("Warm the pot.");
    await person.untilText(".edit .facts", "token");

    // Changed where it comes from, above the cursor.
    await person.atLine("Warm the pot.");
    texts["SKILL.md"] = skillText("tea", "Brews green tea", "Warm the pot.");
    await person.click("#reload");
    await person.untilEditor("Brews green tea");
    await person.focusEditor();
    await person.page.keyboard.type(" Wait.");
    await person.untilEditor("Warm the pot. Wait.");
    await person.untilText("#skill-list", "edited");

    let open;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    await readAgain();
    await person.focusEditor();
    await person.page.keyboard.type(" Pour");
    open();
    await person.page.keyboard.type(" it into", { delay: 40 });
    await isRead();
    await person.page.keyboard.type(" cups.");
    await person.untilEditor("Warm the pot. Wait. Pour it into cups.");
    await person.leave([/404/]);
    await publisher.close();
  });

  test("a file beside a skill may have any name", async () => {
    const person = await visit(browser(), site());
    const body = "See [one](__proto__), [two](constructor) and [three](none.md).";
    const files = {
      "a/SKILL.md": skillText("a", "A", body),
      "a/__proto__": "1",
      "a/constructor": "2",
    };
    await person.drop("names.zip", zipped(files));
    await person.untilText("#source", "names.zip");
    await person.skill("a");
    await person.untilText(".found", 'there is no file "none.md"');
    assert.doesNotMatch(await person.text(".found"), /no file "(__proto__|constructor)"/);
    await person.leave();
  });

  test("all files are downloaded as a zip, edits included, and it loads as it is", async () => {
    const person = await visit(browser(), site(), {
      before: CATCH,
      hash: "#view=edit&skill=debugging/SKILL.md",
    });
    await person.untilEditor("name: debugging");
    await person.atLine("license:");
    await person.page.keyboard.type("-EDITED");
    await person.untilText("#skill-list", "edited");
    await person.press("Download all as zip");
    await person.until("window.downloaded !== undefined");
    const bytes = Buffer.from(await person.page.evaluate("window.downloaded"), "base64");
    const catalog = await loadSkills(
      { host: archiveHost(new Uint8Array(bytes)) },
      { onDiagnostic() {} },
    );
    assert.equal(catalog.size, 13);
    assert.match(catalog.get("debugging").license, /-EDITED$/);
    const picture = await catalog.call("read_skill_file", {
      skill: "pdf-forms",
      path: "assets/check.png",
    });
    assert.equal(picture.mediaType, "image/png");
    await person.leave();
  });

  test("the code for an agent says what is open and how the index looks", async () => {
    const person = await visit(browser(), site(), {
      hash: "#view=edit&style=xml&budget=300",
      before: CLIPBOARD,
    });
    await person.press("The same in an agent's code");
    const code = await person.text("#code-box pre");
    assert.match(code, /loadSkills\("\.\/skills"\)/);
    assert.match(code, /prompt\(\{ style: "xml", budget: \{ tokens: 300 \} \}\)/);
    await person.press("Copy", "#code-box");
    await person.untilText("#code-box button", "Copied");
    assert.equal(await person.page.evaluate("window.copied"), code);
    await person.leave();
  });

  test("findings and the code beside them never lie over each other", async () => {
    const person = await visit(browser(), site());
    const text = `---\nname: Tea Pot\ndescription: "<b>"\nallowed-tools: Read, Write\nversion: 1\n---\n`;
    await paste(person, text);
    await person.until('document.querySelectorAll(".found li").length > 3');
    await person.press("The same in an agent's code");
    const boxes = await person.page.evaluate(() =>
      [".editor", ".found", "#code-box"].map((part) => {
        const { top, bottom } = document.querySelector(part).getBoundingClientRect();
        return [top, bottom];
      }),
    );
    const [editor, found, code] = boxes;
    assert.ok(editor[1] - editor[0] >= 200, String(editor));
    assert.ok(editor[1] <= found[0] && found[1] <= code[0], JSON.stringify(boxes));
    const inner = await person.page.$eval(
      ".found",
      (list) => list.scrollHeight - list.clientHeight,
    );
    assert.equal(inner, 0);
    await person.leave();
  });
}
