// How skills come onto the page, and what is told where they do not.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { READY, visit } from "./person.mjs";
import { discoverySite, served } from "./sites.mjs";
import { skillText, zipped } from "./skills.mjs";

/** In the place of the picker, which no program can press: the browser's own private storage. */
const PICKER = "window.showDirectoryPicker = () => navigator.storage.getDirectory();";
const WRITE = async (name, text) => {
  const root = await navigator.storage.getDirectory();
  const directory = await root.getDirectoryHandle(name, { create: true });
  const file = await directory.getFileHandle("SKILL.md", { create: true });
  const writable = await file.createWritable();
  await writable.write(text);
  await writable.close();
};

export function bringTests({ browser, site, name }) {
  test("the examples are there without a click", async () => {
    const person = await visit(browser(), site());
    await person.untilSkills("13 skills");
    assert.equal(await person.text("#source"), "Example skills");
    assert.ok((await person.names()).includes("code-review"));
    await person.leave();
  });

  test("a zip that is chosen, and one that is dropped", async () => {
    const person = await visit(browser(), site());
    const folder = await mkdtemp(path.join(tmpdir(), "skillshelf-zip-"));
    const zip = zipped({ "tea/SKILL.md": skillText("tea", "Brews tea") });
    await writeFile(path.join(folder, "mine.zip"), Buffer.from(zip, "base64"));
    await person.click("#open-bring");
    const input = await person.page.$("#archive-input");
    await input.uploadFile(path.join(folder, "mine.zip"));
    await person.untilSkills("1 skill");
    assert.deepEqual(await person.names(), ["tea"]);
    assert.equal(await person.text("#source"), "mine.zip");

    await person.drop(
      "two.zip",
      zipped({ "a/SKILL.md": skillText("a", "A"), "b/SKILL.md": skillText("b", "B") }),
    );
    await person.untilSkills("2 skills");
    assert.deepEqual(await person.names(), ["a", "b"]);
    await rm(folder, { recursive: true });
    await person.leave();
  });

  test("a SKILL.md that is dropped", async () => {
    const person = await visit(browser(), site());
    const text = skillText("tea", "Brews tea", "Warm the pot.");
    await person.drop("SKILL.md", Buffer.from(text).toString("base64"));
    await person.untilSkills("1 skill");
    await person.click("#skill-list .row");
    await person.untilEditor("Warm the pot.");
    await person.atLine("Warm the pot.");
    await person.page.keyboard.type(" EDITED");
    await person.untilText("#skill-list", "edited");
    await person.leave();
  });

  const droppedFolder = async () => {
    const person = await visit(browser(), site());
    const folder = await mkdtemp(path.join(tmpdir(), "skillshelf-drop-"));
    await mkdir(path.join(folder, "skills", "tea"), { recursive: true });
    await writeFile(path.join(folder, "skills", "tea", "SKILL.md"), skillText("tea", "Brews tea"));
    await person.dropPaths([path.join(folder, "skills")]);
    await person.untilSkills("1 skill");
    assert.deepEqual(await person.names(), ["tea"]);
    // What is edited on the disk is read again.
    await writeFile(
      path.join(folder, "skills", "tea", "SKILL.md"),
      skillText("tea", "Brews green tea"),
    );
    await person.click("#reload");
    await person.untilText("#index-text", "green tea");
    await rm(folder, { recursive: true });
    await person.leave();
  };
  // No program drops a folder in Firefox.
  if (name === "chromium") test("a folder that is dropped", droppedFolder);

  test("a directory that is picked is read again, and opened again on the next visit", async () => {
    const person = await visit(browser(), site(), { before: PICKER });
    await person.page.evaluate(WRITE, "tea", skillText("tea", "Brews tea"));
    await person.click("#open-bring");
    await person.click("#bring-directory");
    await person.untilSkills("1 skill");
    await person.click("#skill-list .row");
    await person.untilEditor("description: Brews tea");
    await person.page.evaluate(WRITE, "tea", skillText("tea", "Brews green tea"));
    await person.page.evaluate(WRITE, "rice", skillText("rice", "Cooks rice"));
    await person.click("#reload");
    await person.untilSkills("2 skills");
    await person.untilEditor("description: Brews green tea");
    await person.view("index");
    await person.untilText("#index-text", "green tea");
    // What is gone from the disk is gone from the editor.
    await person.page.evaluate(async () => {
      await (await navigator.storage.getDirectory()).removeEntry("tea", { recursive: true });
    });
    await person.click("#reload");
    await person.untilSkills("1 skill");
    await person.until('document.querySelector("#view-edit .edit").hidden');
    assert.equal(await person.text("#alerts"), "");

    await person.until('!document.querySelector("#bring-kept").hidden');
    await person.page.reload();
    await person.untilSkills("13 skills");
    await person.click("#open-bring");
    await person.click("#bring-kept");
    await person.untilSkills("1 skill");
    await person.leave();
  });

  test("a folder that may not be read is not, and the page says what to do", async () => {
    const before = `${PICKER}
      FileSystemDirectoryHandle.prototype.requestPermission = async () => "prompt";`;
    const person = await visit(browser(), site(), { before });
    await person.page.evaluate(WRITE, "tea", skillText("tea", "Brews tea"));
    await person.click("#open-bring");
    await person.click("#bring-directory");
    await person.untilSkills("1 skill");
    // It is kept a moment later.
    await person.until('!document.querySelector("#bring-kept").hidden');
    await person.page.reload();
    await person.untilSkills("13 skills");
    await person.click("#open-bring");
    await person.click("#bring-kept");
    await person.untilText("#alerts", "may not be read. Choose it again, and allow it.");
    await person.untilSkills("13 skills");
    await person.leave();
  });

  test("a text that is pasted opens in the editor", async () => {
    const person = await visit(browser(), site());
    await person.click("#open-bring");
    await person.fill("#paste-text", skillText("tea", "Brews tea", "Warm the pot."));
    await person.press("Use this text");
    await person.untilEditor("Warm the pot.");
    assert.deepEqual(await person.names(), ["tea"]);
    await person.leave();
  });

  test("the URL of a site that publishes skills", async () => {
    const skills = {
      tea: { description: "Brews tea", text: skillText("tea", "Brews tea", "Warm the pot.") },
    };
    const other = await discoverySite(skills);
    const person = await visit(browser(), site(), { others: [other.address] });
    await person.click("#open-bring");
    await person.fill("#site-url", other.address);
    await person.press("Open", "#site-form");
    await person.untilSkills("1 skill");
    assert.ok((await person.page.url()).includes(`site=${encodeURIComponent(other.address)}`));
    // To read each of its skills would cost requests that nobody has asked for.
    await person.untilText("#cost-pasted", "not read yet");
    // What is published later comes when it is read again.
    skills.rice = { description: "Cooks rice", text: skillText("rice", "Cooks rice") };
    await person.press("Reload");
    await person.untilSkills("2 skills");
    await other.close();
    await person.leave([/404/]);
  });

  test("a link to a site asks nothing of it before the person says so", async () => {
    const other = await discoverySite({
      tea: { description: "Brews tea", text: skillText("tea", "Brews tea", "Warm the pot.") },
    });
    const hash = `#view=edit&site=${encodeURIComponent(other.address)}&skill=tea/SKILL.md`;
    const said = `Load from ${new URL(other.address).host}`;
    const person = await visit(browser(), site(), { others: [other.address], hash });
    await person.untilSkills("13 skills");
    await person.untilText("#offer", other.address);
    const field = await person.page.$eval("#site-url", ({ value }) => value);
    assert.equal(field, new URL(other.address).href);
    // Who reads the page again is asked again.
    assert.ok(person.page.url().includes("site="));
    assert.deepEqual(await person.violations(), []);
    await person.press("Stay with these skills");
    await person.until('document.querySelector("#offer").hidden');
    await person.until('!location.hash.includes("site=")');
    assert.deepEqual(other.asked, []);

    // One that is entered while the page is open asks for the same.
    await person.page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await person.press(said);
    await person.untilSkills("1 skill");
    await person.untilEditor("Warm the pot.");
    assert.equal(await person.page.$eval("#offer", ({ hidden }) => hidden), true);
    assert.ok(person.page.url().includes(`site=${encodeURIComponent(other.address)}`));

    // Whoever sends a link has no words of their own in the question.
    await person.page.evaluate(() => {
      const address = `https://evil.example/\u202emoc.doog//:sptth ${"is yours. ".repeat(90)}`;
      location.hash = `#site=${encodeURIComponent(address)}`;
    });
    await person.untilText("#offer-take", "Load from evil.example");
    const words = await person.text("#offer-words");
    assert.doesNotMatch(words, /\u202e|is yours/);
    assert.ok(words.length < 240, words);
    await person.press("Stay with these skills");

    // What may not be asked is not offered.
    await person.page.evaluate('location.hash = "#site=http://192.168.1.1/admin"');
    await person.untilText("#alerts", "is not encrypted");
    assert.equal(await person.page.$eval("#offer", ({ hidden }) => hidden), true);
    await person.untilSkills("1 skill");
    await other.close();
    await person.leave([/404/]);
  });

  test("what cannot be opened is told in words, and what was open stays", async () => {
    const person = await visit(browser(), site());
    await person.drop("damaged.zip", Buffer.from("PK\u0003\u0004 damaged").toString("base64"));
    await person.untilText("#alerts", "damaged");
    await person.untilSkills("13 skills");
    await person.press("Dismiss");
    assert.equal(await person.text("#alerts"), "");

    const gone = await discoverySite({});
    await gone.close();
    await person.click("#open-bring");
    await person.fill("#site-url", gone.address);
    await person.press("Open", "#site-form");
    await person.untilText("#alerts", gone.address);
    await person.untilSkills("13 skills");
    await person.leave([
      /ERR_CONNECTION_REFUSED|NetworkError|CORS/,
      new RegExp(`request: ${gone.address}`),
    ]);
  });

  test("edits are lost only to those who say so, and leaving the page asks too", async () => {
    const person = await visit(browser(), site(), {
      hash: "#view=edit&skill=debugging/SKILL.md",
      before: `
        const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => {
          window.downloaded = true;
          return make(blob);
        };`,
    });
    const asked = [];
    person.page.on("dialog", async (dialog) => {
      asked.push(dialog.type());
      await dialog.accept();
    });
    const edit = async () => {
      await person.untilEditor("name: debugging");
      await person.atLine("license:");
      await person.page.keyboard.type("-EDITED");
      await person.untilText("#skill-list", "edited");
    };
    await edit();
    const tea = zipped({ "tea/SKILL.md": skillText("tea", "Brews tea") });
    await person.drop("tea.zip", tea);
    await person.untilText("#unsaved-words", "1 skill edited here: debugging");
    // While that is asked, nothing else is.
    await person.drop("tea.zip", tea);
    await person.press("Keep the edits");
    await person.untilText("#skill-list", "edited");
    await person.untilSkills("13 skills");
    await person.drop("tea.zip", tea);
    await person.until('document.querySelector("#unsaved").open');
    await person.press("Open without them");
    await person.untilSkills("1 skill");
    // Nothing is edited: nobody is asked.
    await person.click("#open-bring");
    await person.press("Use the examples");
    await person.untilSkills("13 skills");

    await person.skill("debugging");
    await edit();
    await person.page.reload();
    await person.until(READY);
    assert.deepEqual(asked, ["beforeunload"]);

    // What was downloaded as it is, is not lost.
    await person.skill("debugging");
    await edit();
    await person.press("Download all as zip");
    await person.until("window.downloaded");
    await person.drop("tea.zip", tea);
    await person.untilSkills("1 skill");
    await person.leave();
  });

  test("reading again keeps what was edited here, and says so", async () => {
    const person = await visit(browser(), site(), { before: PICKER });
    await person.page.evaluate(WRITE, "tea", skillText("tea", "Brews tea"));
    await person.click("#open-bring");
    await person.click("#bring-directory");
    await person.untilSkills("1 skill");
    await person.click("#skill-list .row");
    await person.untilEditor("description: Brews tea");
    await person.atLine("description: Brews tea");
    await person.page.keyboard.type(" well");
    await person.untilText("#skill-list", "Brews tea well");
    await person.page.evaluate(WRITE, "tea", skillText("tea", "Brews green tea"));
    await person.press("Reload");
    await person.untilText("#alerts", "What was edited here stays, whatever is there now: tea.");
    await person.untilEditor("Brews tea well");
    await person.press("Take edits back");
    await person.untilEditor("Brews green tea");
    await person.leave();
  });

  test("an archive is read again by choosing it again", async () => {
    const person = await visit(browser(), site());
    await person.drop("tea.zip", zipped({ "tea/SKILL.md": skillText("tea", "Brews tea") }));
    await person.untilSkills("1 skill");
    assert.equal(await person.text("#reload"), "Choose it again …");
    await person.page.evaluate(() => {
      document.querySelector("#archive-input").click = () => {
        window.chosen = true;
      };
    });
    await person.click("#reload");
    await person.until("window.chosen");
    await person.leave();
  });

  const chosenFolder = async () => {
    const person = await visit(browser(), site());
    const folder = await mkdtemp(path.join(tmpdir(), "skillshelf-again-"));
    const write = async (name, text) => {
      await mkdir(path.join(folder, "mine", name), { recursive: true });
      await writeFile(path.join(folder, "mine", name, "SKILL.md"), text);
    };
    await write("tea", skillText("tea", "Brews tea"));
    await person.click("#open-bring");
    const input = await person.page.$("#folder-input");
    await input.uploadFile(path.join(folder, "mine"));
    await person.untilSkills("1 skill");
    assert.equal(await person.text("#source"), "mine");
    await write("rice", skillText("rice", "Cooks rice"));
    const [chooser] = await Promise.all([
      person.page.waitForFileChooser(),
      person.press("Choose it again"),
    ]);
    await chooser.accept([path.join(folder, "mine")]);
    await person.untilSkills("2 skills");
    await rm(folder, { recursive: true });
    await person.leave();
  };
  // No program chooses a folder in Firefox.
  if (name === "chromium") {
    test("a folder of the input is read again by choosing it again", chosenFolder);
  }

  test("what has no skills takes the place of nothing, and says what would have some", async () => {
    const person = await visit(browser(), site());
    await person.drop("picture.png", Buffer.from("\u0089PNG no archive").toString("base64"));
    await person.untilText("#alerts", "archive");
    assert.doesNotMatch(await person.text("#alerts"), /directory/);
    await person.untilSkills("13 skills");
    await person.drop("notes.zip", zipped({ "notes.txt": "nothing" }));
    await person.untilText("#alerts", "There is no skill in notes.zip");
    await person.untilSkills("13 skills");
    await person.drop("skills.any", zipped({ "tea/SKILL.md": skillText("tea", "Brews tea") }));
    await person.untilSkills("1 skill");
    await person.leave();
  });

  test("an opening that does not end is stopped by its button, and by another one", async () => {
    const held = [];
    const other = await served(() => new Promise((answer) => held.push(answer)));
    const hash = `#site=${encodeURIComponent(other.address)}`;
    const person = await visit(browser(), site(), { others: [other.address], hash });
    await person.press("Load from");
    await person.until('!document.querySelector("#stop-opening").hidden');
    await person.press("Stop");
    await person.until('document.querySelector("#stop-opening").hidden');
    await person.untilSkills("13 skills");
    assert.equal(await person.text("#busy"), "");

    await person.page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await person.press("Load from");
    await person.until('!document.querySelector("#stop-opening").hidden');
    await person.drop("tea.zip", zipped({ "tea/SKILL.md": skillText("tea", "Brews tea") }));
    await person.untilSkills("1 skill");
    for (const answer of held) answer({ content: '{"skills":[]}' });
    await person.until('document.querySelector("#stop-opening").hidden');
    assert.deepEqual(await person.names(), ["tea"]);
    assert.equal(await person.text("#alerts"), "");
    await other.close();
    await person.leave([/404|aborted/i]);
  });

  test("a skill that a link names is opened, also where it is entered while the page is open", async () => {
    const person = await visit(browser(), site(), { hash: "#view=edit&skill=debugging/SKILL.md" });
    await person.untilEditor("name: debugging");
    await person.page.evaluate('location.hash = "#view=edit&skill=code-review/SKILL.md"');
    await person.untilEditor("name: code-review");
    await person.leave();
  });

  test("a text that is dropped in the editor is put there, and is no skill", async () => {
    const person = await visit(browser(), site(), {
      hash: "#view=edit&skill=debugging/SKILL.md",
    });
    await person.untilEditor("name: debugging");
    const taken = await person.page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text/plain", "words");
      const drop = { bubbles: true, cancelable: true, composed: true, dataTransfer: data };
      return !document.querySelector("#filter").dispatchEvent(new DragEvent("drop", drop));
    });
    assert.equal(taken, false);
    assert.equal(await person.text("#alerts"), "");
    await person.leave();
  });
}
