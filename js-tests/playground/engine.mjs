// The engine, without a worker and without a browser.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { afterEach, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { unzipSync } from "fflate";
import { loadSkills, memoryHost } from "skillshelf";
import { hostConformance } from "skillshelf/testing";
import { installed, part } from "./parts.mjs";
import { many, skillText } from "./skills.mjs";

const OPTIONS = { style: "markdown" };
const quiet = { onDiagnostic() {} };

let Shelf;
let Conversation;
let heard;
let serve;

before(async () => {
  const { init } = await installed("skillshelf/slim");
  const module = import.meta.resolve("skillshelf/skillshelf.wasm");
  await init(await readFile(fileURLToPath(module)));
  ({ Shelf } = await part("src/engine/shelf.ts"));
  ({ Conversation } = await part("src/engine/conversation.ts"));
  ({ heard } = await part("src/engine/telling.ts"));
  ({ serve } = await part("src/engine/rpc.ts"));
});

const ports = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

/** A folder of the page, and what it was asked for; `hold` makes it slow until it is let go. */
function folder(files, label = "folder") {
  const host = memoryHost(files);
  const asked = [];
  let held = Promise.resolve();
  const waiting = (method) => async (path, range) => {
    asked.push(`${method} ${path}`);
    await held;
    return host[method](path, range);
  };
  const { port1, port2 } = new MessageChannel();
  ports.push(port1);
  const served = { list: waiting("list"), read: waiting("read"), stat: waiting("stat") };
  serve(port1, served, ["list", "read", "stat"]);
  return {
    given: { kind: "host", label, port: port2 },
    asked,
    hold() {
      let letGo;
      held = new Promise((resolve) => {
        letGo = resolve;
      });
      return letGo;
    },
  };
}

/** A shelf whose updates are put together to what a page shows, as a page does; these are `updates`. */
function followed() {
  const shelf = new Shelf("http://localhost/", () => {});
  const updates = [];
  let shown;
  const take = (update) => {
    if (update === undefined) return undefined;
    updates.push(structuredClone(update));
    shown = heard(shown, updates.at(-1));
    return { ...update, ...shown };
  };
  const asked = {
    open: async (given) => take(await shelf.open(given, OPTIONS)),
    edit: async (path, text) => take(await shelf.edit(path, text, OPTIONS, shown)),
    revert: async (path) => take(await shelf.revert(path, OPTIONS, shown)),
    reload: async () => take(await shelf.reload(OPTIONS, shown)),
    measure: async () => take(await shelf.measure(OPTIONS, shown)),
  };
  const member = (_, name) => {
    const own = asked[name] ?? shelf[name];
    return typeof own === "function" ? own.bind(shelf) : own;
  };
  return { shelf: new Proxy(shelf, { get: member }), updates };
}

async function shelfOf(files) {
  const one = folder(files);
  const { shelf, updates } = followed();
  const shown = await shelf.open(one.given);
  return { shelf, shown, one, updates };
}

/** A host whose texts are all edits, over others of the same names. */
async function allEdited(files) {
  const { EditedHost } = await part("src/engine/edited-host.ts");
  const texts = Object.entries(files).filter(([, content]) => typeof content === "string");
  const before = Object.fromEntries(texts.map(([path]) => [path, "as it was"]));
  const host = new EditedHost(memoryHost({ ...files, ...before }));
  for (const [path, text] of texts) await host.edit(path, text);
  return host;
}

describe("a host of edits does what every host must", () => {
  for (const { name, run } of hostConformance(allEdited)) test(name, run);
});

const named = ({ rows }) => rows.map(({ name, path, skipped }) => [name, path, skipped]);

describe("an edit", () => {
  test("comes to what the library says of such files, whichever name it takes", async () => {
    const files = {
      "a/SKILL.md": skillText("a", "First"),
      "b/SKILL.md": skillText("b", "Second"),
      "c/SKILL.md": skillText("c", "Third"),
    };
    const { shelf } = await shelfOf({ ...files });
    const catalog = await loadSkills({ host: memoryHost(files), label: "folder" }, quiet);
    const edits = [
      ["a/SKILL.md", skillText("b", "Takes the name of another")],
      ["b/SKILL.md", skillText("b", "Keeps it, as its folder has it")],
      ["b/SKILL.md", skillText("c", "Gives it up")],
      ["c/SKILL.md", "no front matter"],
      ["c/SKILL.md", skillText("c", "Mended")],
      ["a/SKILL.md", files["a/SKILL.md"]],
    ];
    for (const [path, text] of edits) {
      files[path] = text;
      const { overview, indexed } = await shelf.edit(path, text);
      await catalog.refresh();
      assert.deepEqual(overview.problems, [...catalog.diagnostics], text);
      const loaded = overview.rows.filter(({ skipped }) => !skipped);
      assert.deepEqual(
        loaded.map(({ name, path }) => [name, path]),
        [...catalog].map(({ name, source }) => [name, source.path]),
      );
      assert.equal(indexed.report.text, catalog.prompt(), text);
    }
    const reverted = await shelf.revert("b/SKILL.md");
    assert.deepEqual(named(reverted.overview), [
      ["a", "a/SKILL.md", false],
      ["b", "b/SKILL.md", false],
      ["c", "c/SKILL.md", false],
    ]);
  });

  test("asks for its own skill alone, among however many", async () => {
    const { shelf, one } = await shelfOf(many(300));
    one.asked.length = 0;
    const path = "group-7/skill-00007/SKILL.md";
    await shelf.edit(path, skillText("skill-00007", "Edited"));
    const others = one.asked.filter((call) => !call.includes("group-7/skill-00007"));
    assert.deepEqual(others, []);
  });

  test("is told of its own skills alone, though others are opened meanwhile", async () => {
    const { shelf, one } = await shelfOf({ "tea/SKILL.md": skillText("tea", "Brews tea") });
    const two = folder({ "rice/SKILL.md": skillText("rice", "Cooks rice") });
    const letGo = one.hold();
    const edit = shelf.edit("tea/SKILL.md", skillText("tea", "Edited"));
    const opened = await shelf.open(two.given);
    assert.deepEqual(named(opened.overview), [["rice", "rice/SKILL.md", false]]);
    letGo();
    assert.equal(await edit, undefined);
    assert.deepEqual(shelf.catalog.names, ["rice"]);
  });

  test("counts in what is being measured", async () => {
    const { shelf, one } = await shelfOf(many(40));
    const letGo = one.hold();
    const measure = shelf.measure();
    const path = "group-7/skill-00007/SKILL.md";
    const edit = shelf.edit(path, skillText("skill-00007", "Edited", "Longer than it was."));
    letGo();
    const [{ overview, measured }, { measured: meanwhile }] = [await measure, await edit];
    const size = ({ rows }) => rows.find((row) => row.path === path).size.characters;
    const body = "Longer than it was.";
    assert.equal(size(overview), body.length);
    assert.equal(overview.rows.filter((row) => row.size).length, 40);
    assert.equal(meanwhile, undefined);
    // Where all are known, an edit knows them too.
    const again = await shelf.edit(path, skillText("skill-00007", "Edited", "Short."));
    assert.equal(size(again.overview), "Short.".length);
    const difference = body.length - "Short.".length;
    assert.equal(again.measured.all.characters, measured.all.characters - difference);
  });

  test("tells of its own skill alone, and of the index where it is another", async () => {
    const { shelf, updates } = await shelfOf(many(300));
    await shelf.measure();
    const [path, name] = ["group-7/skill-00007/SKILL.md", "skill-00007"];
    const told = async (text) => {
      await shelf.edit(path, text);
      const { rows, problems, indexed } = updates.at(-1);
      return { rows: rows.come.map((row) => row.name), problems: problems.come.length, indexed };
    };
    const first = await told(skillText(name, "Edited"));
    assert.deepEqual(first.rows, [name]);
    assert.match(first.indexed.report.text, /skill-00007: Edited/);
    const alone = { rows: [name], problems: 0, indexed: undefined };
    assert.deepEqual(await told(skillText(name, "Edited", "Another body.")), alone);
    assert.deepEqual(await told(`${skillText(name, "Edited")}\n# More\n`), alone);
    const hidden = skillText(name, "Edited\ndisable-model-invocation: true");
    assert.doesNotMatch((await told(hidden)).indexed.report.text, /skill-00007/);
  });

  test("of skills that others have replaced, whatever is known of it by now, is none of these", async () => {
    const shelf = new Shelf("http://localhost/", () => {});
    const opened = await shelf.open(
      folder({ "tea/SKILL.md": skillText("tea", "Tea") }).given,
      OPTIONS,
    );
    await shelf.open(folder({ "tea/SKILL.md": skillText("tea", "Another") }).given, OPTIONS);
    const late = await shelf.edit(
      "tea/SKILL.md",
      skillText("tea", "Late"),
      OPTIONS,
      opened.edition,
    );
    assert.equal(late, undefined);
    assert.equal(shelf.catalog.get("tea").description, "Another");
  });

  test("of a skill that the conversation has is told anew, and the next load is one line again", async () => {
    const { shelf } = await shelfOf({ "tea/SKILL.md": skillText("tea", "Brews tea") });
    const conversation = new Conversation(shelf);
    const load = () => conversation.call("load_skill", { name: "tea" });
    assert.match((await load()).result.content, /Do it well\./);
    assert.equal((await load()).repeated, true);
    await shelf.edit("tea/SKILL.md", skillText("tea", "Brews tea", "Warm the pot."));
    const edited = await load();
    assert.match(edited.result.content, /Warm the pot\./);
    assert.equal(edited.repeated, false);
    assert.equal((await load()).repeated, true);
    assert.deepEqual(
      conversation.loaded().map(({ name }) => name),
      ["tea"],
    );
    conversation.compact(0);
    assert.equal((await load()).repeated, false);
  });
});

describe("what is open", () => {
  test("is what was asked for last, however long something before it takes", async () => {
    const [slow, quick] = [folder(many(3)), folder({ "tea/SKILL.md": skillText("tea", "Tea") })];
    const { shelf } = followed();
    const letGo = slow.hold();
    const first = shelf.open(slow.given);
    await shelf.open(quick.given);
    await shelf.edit("tea/SKILL.md", skillText("tea", "Edited"));
    letGo();
    assert.equal(await first, undefined);
    assert.equal(shelf.catalog.get("tea").description, "Edited");
  });

  test("stays where what was asked for later cannot be read, and comes though it is late", async () => {
    const slow = folder({ "tea/SKILL.md": skillText("tea", "Tea") });
    const { shelf } = followed();
    const letGo = slow.hold();
    const first = shelf.open(slow.given);
    const damaged = { kind: "archive", label: "x.zip", archive: new Blob(["PK\u0003\u0004"]) };
    await assert.rejects(shelf.open(damaged), /damaged|archive/i);
    letGo();
    assert.deepEqual(named((await first).overview), [["tea", "tea/SKILL.md", false]]);
  });

  test("is read again with its edits", async () => {
    const files = { "tea/SKILL.md": skillText("tea", "Tea"), "tea/a.md": "A" };
    const { shelf } = await shelfOf(files);
    await shelf.edit("tea/a.md", "Edited");
    files["rice/SKILL.md"] = skillText("rice", "Rice");
    files["tea/SKILL.md"] = skillText("tea", "Green tea");
    const { overview } = await shelf.reload(OPTIONS);
    assert.deepEqual(
      overview.rows.map(({ name, description, edited }) => [name, description, edited]),
      [
        ["rice", "Rice", false],
        ["tea", "Green tea", true],
      ],
    );
    assert.equal(await shelf.text("tea/a.md"), "Edited");
  });

  test("is measured without what is gone since it was read again", async () => {
    const files = {
      "tea/SKILL.md": skillText("tea", "Tea", "Warm the pot."),
      "rice/SKILL.md": skillText("rice", "Rice", "Boil."),
    };
    const { shelf } = await shelfOf(files);
    const both = (await shelf.measure()).measured.all.characters;
    assert.equal(both, "Warm the pot.".length + "Boil.".length);
    delete files["rice/SKILL.md"];
    await shelf.reload();
    const { measured } = await shelf.measure();
    assert.equal(measured.all.characters, "Warm the pot.".length);
    assert.equal(measured.typical.characters, "Warm the pot.".length);
  });

  test("is what a zip has, or there is none where the page means others", async () => {
    const { shelf, shown } = await shelfOf({ "tea/SKILL.md": skillText("tea", "Tea") });
    assert.notEqual(await shelf.zip(shown), undefined);
    await shelf.open(folder({ "rice/SKILL.md": skillText("rice", "Rice") }).given);
    assert.equal(await shelf.zip(shown), undefined);
  });

  test("has no edit where a file is typed to what it was, unless that is another by now", async () => {
    const text = skillText("tea", "Tea");
    const files = { "tea/SKILL.md": text };
    const { shelf } = await shelfOf(files);
    const isEdited = async (typed) => {
      const edited = await shelf.edit("tea/SKILL.md", typed, OPTIONS);
      assert.equal(edited.overview.rows[0].edited, edited.isEdited);
      return edited.isEdited;
    };
    assert.equal(await isEdited(`${text}x`), true);
    assert.equal(await isEdited(text), false);
    assert.equal(await isEdited(`${text}x`), true);
    files["tea/SKILL.md"] = skillText("tea", "Green tea");
    await shelf.reload(OPTIONS);
    assert.equal(await isEdited(text), true);
    await shelf.revert("tea/SKILL.md", OPTIONS);
    assert.equal(await shelf.text("tea/SKILL.md"), files["tea/SKILL.md"]);
  });

  test("is told of where a file was edited here and, since then, where it comes from", async () => {
    const files = { "tea/SKILL.md": skillText("tea", "Tea"), "tea/a.md": "A", "tea/b.md": "B" };
    const { shelf } = await shelfOf(files);
    await shelf.edit("tea/a.md", "Edited");
    await shelf.edit("tea/b.md", "Edited");
    files["tea/a.md"] = "Another";
    await shelf.edit("tea/a.md", "Edited again");
    assert.deepEqual((await shelf.reload(OPTIONS)).changedBelow, ["tea/a.md"]);
    assert.equal(await shelf.text("tea/a.md"), "Edited again");
    assert.deepEqual((await shelf.reload(OPTIONS)).changedBelow, []);
    await shelf.revert("tea/a.md");
    assert.equal(await shelf.text("tea/a.md"), "Another");
  });

  test("cannot be read: the host says so in its own words", async () => {
    const { shelf } = followed();
    const { port1, port2 } = new MessageChannel();
    ports.push(port1);
    const refused = async () => {
      throw Object.assign(new Error("Nobody may look here."), { code: "EACCES" });
    };
    serve(port1, { list: refused, read: refused, stat: refused }, ["list", "read", "stat"]);
    const given = { kind: "host", label: "shut", port: port2 };
    await assert.rejects(shelf.open(given), { message: "Nobody may look here." });
  });
});

describe("calls over a port", () => {
  const ends = async (served, methods) => {
    const { connect } = await part("src/engine/rpc.ts");
    const { port1, port2 } = new MessageChannel();
    ports.push(port1);
    serve(port1, served, methods);
    return connect(port2);
  };

  test("come back in whatever order they are answered", async () => {
    const waiting = [];
    const served = { ask: (what) => new Promise((resolve) => waiting.push(() => resolve(what))) };
    const remote = await ends(served, ["ask"]);
    const answers = [remote.ask(1), remote.ask({ two: [2] })];
    while (waiting.length < 2) await new Promise(setImmediate);
    for (const answer of waiting.reverse()) answer();
    assert.deepEqual(await Promise.all(answers), [1, { two: [2] }]);
  });

  test("fail as they failed, with name and code", async () => {
    const served = {
      fail() {
        const error = Object.assign(new Error("no such file"), { code: "ENOENT" });
        error.name = "NotFoundError";
        throw error;
      },
    };
    const remote = await ends(served, ["fail"]);
    await assert.rejects(remote.fail(), {
      name: "NotFoundError",
      message: "no such file",
      code: "ENOENT",
    });
  });

  test("reach what is served and nothing else", async () => {
    const remote = await ends({ open: () => 1, shut: () => 2 }, ["open"]);
    assert.equal(await remote.open(), 1);
    for (const method of ["shut", "toString", "constructor", "__proto__"]) {
      await assert.rejects(remote[method](), /There is no method/);
    }
  });
});

describe("the files of a skill", () => {
  const FILES = {
    "tea/SKILL.md": skillText("tea", "Brews tea. Use when somebody is thirsty.", "See a/pot.md."),
    "tea/a/pot.md": "Pots.",
    "tea/.hidden": "Hidden.",
    "tea/node_modules/x.js": "Another's.",
    "green/SKILL.md": skillText("tea", "Has lost its name to the other"),
    "green/leaf.md": "Leaves.",
    "broken/SKILL.md": "no front matter",
    "broken/why.md": "Why.",
    "loose.md": skillText("loose", "Has no folder"),
  };

  test("are those that a model is told of, and no hidden ones, whether it loads or not", async () => {
    const { shelf } = await shelfOf(FILES);
    const files = async (path) => (await shelf.files(path)).paths;
    assert.deepEqual(await files("tea/SKILL.md"), ["tea/SKILL.md", "tea/a/pot.md"]);
    assert.deepEqual(await files("green/SKILL.md"), ["green/SKILL.md", "green/leaf.md"]);
    assert.deepEqual(await files("broken/SKILL.md"), ["broken/SKILL.md", "broken/why.md"]);
    assert.deepEqual(await files("loose.md"), ["loose.md"]);
  });

  test("are all in the zip, as they were edited", async () => {
    const { shelf } = await shelfOf(FILES);
    await shelf.edit("broken/why.md", "Edited.");
    const { zip, incomplete } = await shelf.zip();
    const packed = unzipSync(new Uint8Array(await zip.arrayBuffer()));
    const texts = Object.fromEntries(
      Object.entries(packed).map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]),
    );
    const expected = { ...FILES, "broken/why.md": "Edited." };
    delete expected["tea/.hidden"];
    delete expected["tea/node_modules/x.js"];
    assert.deepEqual(texts, expected);
    assert.deepEqual(incomplete, []);
  });

  test("are told of where there are more than are counted", async () => {
    const files = { ...FILES };
    for (let at = 0; at <= 1_000; at += 1) files[`tea/f${at}.md`] = "";
    const { shelf } = await shelfOf(files);
    assert.equal((await shelf.files("tea/SKILL.md")).more, true);
    assert.deepEqual((await shelf.zip()).incomplete, ["tea/SKILL.md"]);
  });

  test("are checked as files of their folder; what else is edited has nothing to be judged by", async () => {
    const { shelf } = await shelfOf(FILES);
    const codes = async (path, text) =>
      (await shelf.check(path, text)).diagnostics.map(({ code, path }) => [code, path]);
    assert.deepEqual(await codes("tea/SKILL.md", FILES["tea/SKILL.md"]), []);
    const text = skillText("other", "Use when it is another one.");
    assert.deepEqual(await codes("tea/SKILL.md", text), [
      ["name-directory-mismatch", "tea/SKILL.md"],
      ["file-not-mentioned", "tea/a/pot.md"],
    ]);
    assert.deepEqual(await codes("broken/SKILL.md", "still none"), [
      ["front-matter-missing", "broken/SKILL.md"],
      ["file-not-mentioned", "broken/why.md"],
    ]);
    assert.deepEqual(await codes("loose.md", skillText("loose", "Use when loose.")), []);
    assert.deepEqual(await codes("tea/a/pot.md", "---\nnothing"), []);
  });
});
