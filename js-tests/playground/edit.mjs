// Editing a skill: what is told of it follows as it is typed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { unzipSync } from "fflate";
import { loadSkills } from "skillshelf";
import { archiveHost } from "skillshelf/archive";
import { visit } from "./person.mjs";
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

/** Holds what is edited back from the engine, as a slow one would, until it is let go. */
const HOLD = `
  const post = Worker.prototype.postMessage;
  const held = [];
  Worker.prototype.postMessage = function (message, ports) {
    if (window.holds && message.method === "edit") held.push(() => post.call(this, message, ports));
    else post.call(this, message, ports);
  };
  window.letGo = () => {
    window.holds = false;
    for (const go of held.splice(0)) go();
  };`;

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
    await person.untilText(
      "#index-text",
      "- tea: Brews tea. Use when somebody is thirsty. And green tea too",
    );
    await person.until(
      `document.querySelector("#cost-always").textContent !== ${JSON.stringify(before)}`,
    );
    await person.until(
      'document.querySelector("#skill-list .row-text").textContent.endsWith("green tea too")',
    );

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

  test("what can safely be mended is mended by a button, and that can be undone", async () => {
    const person = await visit(browser(), site());
    await paste(person, skillText("tea", "Use when: thirsty"));
    await person.untilText(".edit .controls", "Mend quotes");
    await person.press("Mend quotes");
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
    const person = await visit(browser(), site(), {
      before: HOLD,
      hash: "#view=edit&skill=code-review/SKILL.md",
    });
    const choose = async (file, words) => {
      await person.page.select("#edit-file", `code-review/${file}`);
      await person.untilEditor(words);
    };
    await person.untilEditor("# Code review");
    await person.page.evaluate("window.holds = true");
    await person.atLine("# Code review");
    await person.page.keyboard.type(" ONE");
    await choose("references/security.md", "# Security");
    await person.atLine("# Security");
    await person.page.keyboard.type(" TWO");
    await person.page.evaluate("window.letGo()");
    await person.untilText("#skill-list", "edited");
    await choose("SKILL.md", "# Code review ONE");
    assert.doesNotMatch(await person.editorText(), /TWO/);
    await choose("references/security.md", "TWO");
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
