// watch: what changes on the disk is told, however it comes about, and the end is the end.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { describe, mock, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  defineSkill,
  type Host,
  loadSkills,
  loadSkillsSync,
  memoryHost,
  SkillError,
} from "skillshelf";
import { nodeHost, type WatchOptions, watch } from "skillshelf/node";
import { rejection } from "./support/errors.ts";
import { folder, link, write } from "./support/folder.ts";
import { validSkill } from "./support/text.ts";
import { trap } from "./support/trap.ts";
import { until, Watched, watched } from "./support/watching.ts";

const quiet = { onDiagnostic: (): void => {} };

function skill(root: string, name: string, description?: string): void {
  write(root, `${name}/SKILL.md`, validSkill(path.basename(name), description));
}

function remove(...parts: string[]): void {
  fs.rmSync(path.join(...parts), { recursive: true });
}

/** A folder with the skills `a` and `b`. */
function two(): string {
  return folder({ "a/SKILL.md": validSkill("a"), "b/SKILL.md": validSkill("b") });
}

describe("what changes is told", () => {
  test("added, changed and removed in one event, with a line for a terminal", async () => {
    const root = two();
    const shelf = await watched(root);
    const { events, catalog } = shelf;
    skill(root, "a", "new words");
    remove(root, "b");
    skill(root, "c");
    skill(root, "d");
    await shelf.count(1);
    const [event] = events;
    assert.deepEqual(event, {
      added: ["c", "d"],
      changed: ["a"],
      removed: ["b"],
      diagnostics: [],
      summary: "+ c  + d  ~ a  − b",
    });
    assert.deepEqual(catalog.names, ["a", "c", "d"]);
    assert.equal(catalog.get("a")?.description, "new words");
  });

  test("a catalog without promises", async () => {
    const root = two();
    const shelf = await Watched.of(loadSkillsSync(root));
    skill(root, "c");
    await shelf.told("+ c");
    remove(root, "a");
    await shelf.told("− a");
    assert.deepEqual(shelf.catalog.names, ["b", "c"]);
  });

  test("what has changed since the catalog was loaded comes first", async () => {
    const root = two();
    const catalog = await loadSkills(root);
    skill(root, "c");
    remove(root, "a");
    const shelf = await Watched.of(catalog);
    assert.deepEqual(shelf.summaries, ["+ c  − a"], "told when the promise is kept");
  });

  test("of many names the line has the first ten", async () => {
    const root = folder();
    const shelf = await watched(root);
    for (let index = 10; index < 25; index += 1) skill(root, `s${index}`);
    await shelf.count(1);
    const first = Array.from({ length: 10 }, (_, index) => `+ s${index + 10}`);
    assert.equal(shelf.summaries[0], [...first, "+ … 5 more"].join("  "));
    assert.equal(shelf.events[0]?.added.length, 15);
  });

  test("without a function to tell, the catalog is fresh all the same", async () => {
    const root = two();
    const catalog = await loadSkills(root);
    const watcher = await watch(catalog);
    skill(root, "c");
    await until(
      () => catalog.names.includes("c"),
      () => "for c",
    );
    await watcher.close();
  });

  test("what changes nothing of the skills is not told", async () => {
    const root = two();
    const shelf = await watched(root);
    fs.utimesSync(path.join(root, "a/SKILL.md"), new Date(), new Date());
    write(root, "a/references/notes.md", "notes");
    write(root, "notes.txt", "no skill");
    write(root, "bad/SKILL.md", "# no front matter");
    await until(
      () => shelf.catalog.diagnostics.some(({ code }) => code === "front-matter-missing"),
      () => "for the finding",
    );
    skill(root, "c");
    await shelf.named("a", "b", "c");
    assert.ok(
      shelf.events.every(
        ({ added, changed, removed }) => added.length + changed.length + removed.length > 0,
      ),
    );
    assert.equal(shelf.summaries.at(-1), "+ c");
  });

  test("a skill that breaks is a finding of the catalog, and no event", async () => {
    const root = two();
    const found: string[] = [];
    const catalog = await loadSkills(root, { onDiagnostic: ({ code }) => found.push(code) });
    const shelf = await Watched.of(catalog);
    write(root, "a/SKILL.md", "---\nname: a\n---\n");
    await until(
      () => found.includes("kept-last-good"),
      () => `for the finding; there were ${found.join(", ")}`,
    );
    assert.deepEqual(shelf.summaries, []);
    skill(root, "a", "mended");
    await shelf.told("~ a");
    assert.deepEqual(shelf.events.at(-1)?.diagnostics, []);
  });
});

/** How programs save a file: each writes `text` to `file`. */
const SAVES: Record<string, (file: string, text: string) => void> = {
  "in place": (file, text) => fs.writeFileSync(file, text),
  "in place, byte by byte": (file, text) => {
    const descriptor = fs.openSync(file, "w");
    for (const letter of text) fs.writeSync(descriptor, letter);
    fs.closeSync(descriptor);
  },
  "a temporary file over it": (file, text) => {
    const temporary = path.join(path.dirname(file), `.${path.basename(file)}.tmp-4711`);
    fs.writeFileSync(temporary, text);
    fs.fsyncSync(fs.openSync(temporary, "r"));
    fs.renameSync(temporary, file);
  },
  "a temporary file of another directory over it": (file, text) => {
    const temporary = path.join(path.dirname(file), "..", "..", `tmp-${path.basename(file)}`);
    fs.writeFileSync(temporary, text);
    fs.renameSync(temporary, file);
  },
  "renamed away, written anew, the backup kept": (file, text) => {
    fs.renameSync(file, `${file}~`);
    fs.writeFileSync(file, text);
  },
  "renamed away, written anew, the backup deleted": (file, text) => {
    fs.writeFileSync(path.join(path.dirname(file), "4913"), "");
    fs.unlinkSync(path.join(path.dirname(file), "4913"));
    fs.renameSync(file, `${file}~`);
    fs.writeFileSync(file, text);
    fs.unlinkSync(`${file}~`);
  },
  "deleted and written anew": (file, text) => {
    fs.unlinkSync(file);
    fs.writeFileSync(file, text);
  },
  "the directory deleted and made anew": (file, text) => {
    fs.rmSync(path.dirname(file), { recursive: true });
    fs.mkdirSync(path.dirname(file));
    fs.writeFileSync(file, text);
  },
  "the directory renamed away and another in its place": (file, text) => {
    const directory = path.dirname(file);
    const away = fs.mkdtempSync(path.join(path.dirname(path.dirname(directory)), "away-"));
    fs.mkdirSync(path.join(away, "new"));
    fs.writeFileSync(path.join(away, "new", path.basename(file)), text);
    fs.renameSync(directory, path.join(away, "old"));
    fs.renameSync(path.join(away, "new"), directory);
  },
  "a link to the new version": (file, text) => {
    const directory = path.dirname(file);
    const version = fs.mkdtempSync(path.join(directory, "v-"));
    fs.writeFileSync(path.join(version, "text.md"), text);
    fs.symlinkSync(path.join(path.basename(version), "text.md"), path.join(directory, "next"));
    fs.renameSync(path.join(directory, "next"), file);
  },
};

describe("however a file is saved, and again and again", () => {
  for (const [how, save] of Object.entries(SAVES)) {
    test(how, async () => {
      const root = path.join(folder({ "s/a/SKILL.md": validSkill("a") }), "s");
      const shelf = await watched(root);
      for (const words of ["one", "two", "three"]) {
        save(path.join(root, "a/SKILL.md"), validSkill("a", words));
        await shelf.described("a", words);
      }
      assert.deepEqual(shelf.errors, []);
    });
  }

  test("in place, the file that a link leads to", async () => {
    const root = folder({ "a/v1/text.md": validSkill("a") });
    link(root, "a/SKILL.md", "v1/text.md");
    const shelf = await watched(root);
    for (const words of ["one", "two"]) {
      write(root, "a/v1/text.md", validSkill("a", words));
      await shelf.described("a", words);
    }
  });

  test("a loose file, and a source that is one skill", async () => {
    const root = folder({ "loose.md": validSkill("loose"), "one/SKILL.md": validSkill("one") });
    const shelf = await watched([path.join(root, "one"), root]);
    SAVES["a temporary file over it"]?.(path.join(root, "loose.md"), validSkill("loose", "1"));
    await shelf.described("loose", "1");
    SAVES["a temporary file over it"]?.(path.join(root, "one/SKILL.md"), validSkill("one", "1"));
    await shelf.described("one", "1");
  });
});

describe("directories that come and go", () => {
  test("the source is deleted and made anew, again and again", async () => {
    const root = two();
    const shelf = await watched(root);
    for (const name of ["x", "y", "z"]) {
      remove(root);
      await shelf.named();
      skill(root, name);
      await shelf.named(name);
      skill(root, name, "edited");
      await shelf.described(name, "edited");
    }
  });

  test("the source is deleted and made anew within one burst", async () => {
    const root = two();
    const shelf = await watched(root);
    for (const words of ["one", "two", "three"]) {
      remove(root);
      skill(root, "a", words);
      await shelf.described("a", words);
    }
  });

  test("the source and what is above it are deleted and made anew", async () => {
    const root = folder({ "p/q/skills/a/SKILL.md": validSkill("a") });
    const shelf = await watched(path.join(root, "p/q/skills"));
    for (const words of ["one", "two"]) {
      remove(root, "p");
      await shelf.named();
      skill(root, "p/q/skills/a", words);
      await shelf.described("a", words);
    }
  });

  test("the source is renamed away, and another one takes its place", async () => {
    const root = folder({ "s/a/SKILL.md": validSkill("a"), "t/b/SKILL.md": validSkill("b") });
    const shelf = await watched(path.join(root, "s"));
    fs.renameSync(path.join(root, "s"), path.join(root, "old"));
    await shelf.named();
    fs.renameSync(path.join(root, "t"), path.join(root, "s"));
    await shelf.named("b");
    skill(root, "old/a", "nobody looks here");
    skill(root, "s/c");
    await shelf.told("+ c");
  });

  test("what is above the source is renamed away, and another one takes its place", async () => {
    const root = folder({ "p/s/a/SKILL.md": validSkill("a"), "q/s/b/SKILL.md": validSkill("b") });
    const shelf = await watched(path.join(root, "p/s"));
    fs.renameSync(path.join(root, "p"), path.join(root, "old"));
    fs.renameSync(path.join(root, "q"), path.join(root, "p"));
    await shelf.named("b");
  });

  test("a source that does not exist yet, nor what is above it", async () => {
    const root = folder();
    const shelf = await watched(path.join(root, "p/q/skills"));
    fs.mkdirSync(path.join(root, "p"));
    fs.mkdirSync(path.join(root, "p/q"));
    await until(
      () => shelf.watcher.directories.includes(path.join(root, "p/q")),
      () => `for p/q among ${shelf.watcher.directories.join(" ")}`,
    );
    skill(root, "p/q/skills/a");
    await shelf.told("+ a");
    skill(root, "p/q/skills/a", "edited");
    await shelf.described("a", "edited");
  });

  test("a source that does not exist yet comes all at once", async () => {
    const root = folder();
    const shelf = await watched(path.join(root, "p/q/skills"));
    skill(root, "p/q/skills/a");
    await shelf.told("+ a");
  });

  test("a source that is a file at first", async () => {
    const root = folder({ skills: "a file" });
    const shelf = await watched(path.join(root, "skills"));
    remove(root, "skills");
    skill(root, "skills/a");
    await shelf.told("+ a");
  });

  test("groups in groups, made while watching", async () => {
    const root = folder();
    const shelf = await watched(root);
    fs.mkdirSync(path.join(root, "group"));
    await until(
      () => shelf.watcher.directories.includes(path.join(root, "group")),
      () => "for the group",
    );
    skill(root, "group/of/groups/a");
    await shelf.told("+ a");
    skill(root, "group/of/b");
    await shelf.told("+ b");
    fs.renameSync(path.join(root, "group"), path.join(root, "other"));
    skill(root, "other/of/b", "edited");
    await shelf.described("b", "edited");
    remove(root, "other/of/groups");
    await shelf.told("− a");
  });
});

describe("links", () => {
  test("a linked skill is edited where it is, and where it leads is replaced", async () => {
    const root = folder({ "far/a/SKILL.md": validSkill("a") });
    link(root, "s/a", "../far/a");
    const shelf = await watched(path.join(root, "s"));
    skill(root, "far/a", "edited");
    await shelf.described("a", "edited");
    remove(root, "far/a");
    await shelf.named();
    skill(root, "far/a", "back");
    await shelf.described("a", "back");
    remove(root, "far");
    await shelf.named();
    skill(root, "far/a", "back again");
    await shelf.described("a", "back again");
  });

  test("a link is pointed elsewhere, and what it leads to now is watched", async () => {
    const root = folder({
      "one/a/SKILL.md": validSkill("a", "one"),
      "two/a/SKILL.md": validSkill("a", "two"),
    });
    link(root, "s/a", "../one/a");
    const shelf = await watched(path.join(root, "s"));
    link(root, "s/next", "../two/a");
    fs.renameSync(path.join(root, "s/next"), path.join(root, "s/a"));
    await shelf.described("a", "two");
    skill(root, "two/a", "edited");
    await shelf.described("a", "edited");
  });

  test("where a link leads is renamed, and watched by its own name as well", async () => {
    const root = folder({ "releases/1/skills/a/SKILL.md": validSkill("a") });
    link(root, "current", "releases/1");
    const [first, second] = ["releases/1", "releases/2"].map((name) => path.join(root, name));
    assert.ok(first && second);
    const direct = await watched(first);
    const shelf = await watched(path.join(root, "current/skills"));
    fs.renameSync(first, second);
    await Promise.all([shelf.named(), direct.named()]);
    fs.renameSync(second, first);
    await Promise.all([shelf.named("a"), direct.named("a")]);
  });

  test("a link that leads nowhere yet", async () => {
    const root = folder();
    link(root, "s/a", "../far/away/a");
    const shelf = await watched(path.join(root, "s"));
    skill(root, "far/away/a");
    await shelf.told("+ a");
  });

  test("links in a circle", async () => {
    const root = folder({ "s/b/SKILL.md": validSkill("b") });
    link(root, "s/x", "y");
    link(root, "s/y", "x");
    const shelf = await watched(path.join(root, "s"));
    remove(root, "s/y");
    skill(root, "s/y");
    await until(
      () => shelf.catalog.names.includes("y"),
      () => "for y",
    );
  });

  test("a release is put in the place of another by a link above the source", async () => {
    const root = folder({
      "releases/1/skills/a/SKILL.md": validSkill("a", "first"),
      "releases/2/skills/a/SKILL.md": validSkill("a", "second"),
    });
    link(root, "current", "releases/1");
    const shelf = await watched(path.join(root, "current/skills"));
    link(root, "next", "releases/2");
    fs.renameSync(path.join(root, "next"), path.join(root, "current"));
    await shelf.described("a", "second");
    skill(root, "releases/2/skills/a", "edited");
    await shelf.described("a", "edited");
  });

  test("by the policy of the catalog: never, and all", async () => {
    const root = folder({
      "far/group/a/SKILL.md": validSkill("a"),
      "s/b/SKILL.md": validSkill("b"),
    });
    link(root, "s/group", "../far/group");
    const source = path.join(root, "s");
    const never = await Watched.of(await loadSkills(source, { links: "never", ...quiet }));
    const all = await Watched.of(await loadSkills(source, { links: "all", ...quiet }));
    skill(root, "far/group/a", "edited");
    await all.described("a", "edited");
    skill(root, "far/group/c");
    await all.told("+ c");
    skill(root, "s/d");
    await Promise.all([never.named("b", "d"), all.named("a", "b", "c", "d")]);
    assert.deepEqual(never.summaries, ["+ d"]);
    assert.ok(!never.watcher.directories.some((directory) => directory.includes("far")));
  });
});

describe("much at once", () => {
  test("200 skills are one event, made, changed and deleted as by a checkout", async () => {
    const root = folder();
    const shelf = await watched(root);
    const names = Array.from({ length: 200 }, (_, index) => `s${1000 + index}`);
    for (const name of names) skill(root, name);
    await shelf.count(1);
    assert.deepEqual(shelf.events[0]?.added, names);
    const third = (rest: number): string[] => names.filter((_, index) => index % 3 === rest);
    for (const name of third(0)) remove(root, name);
    for (const name of third(1)) {
      SAVES["deleted and written anew"]?.(
        path.join(root, name, "SKILL.md"),
        validSkill(name, "edited"),
      );
    }
    for (const name of third(2)) {
      fs.renameSync(path.join(root, name), path.join(root, `${name}-new`));
    }
    for (const name of third(2)) skill(root, `${name}-new`, "moved");
    await shelf.count(2);
    const [, event] = shelf.events;
    assert.deepEqual(event?.changed, third(1));
    assert.deepEqual(event?.removed, [...third(0), ...third(2)].sort());
    assert.deepEqual(
      event?.added,
      third(2).map((name) => `${name}-new`),
    );
    assert.equal(shelf.events.length, 2);
  });

  test("changes that do not end are told while they go on", async () => {
    const root = two();
    const shelf = await watched(root, { debounce: 100 });
    let edits = 0;
    const timer = setInterval(() => {
      edits += 1;
      skill(root, "a", `edit ${edits}`);
    }, 5);
    try {
      await shelf.count(1);
    } finally {
      clearInterval(timer);
    }
    assert.ok(edits > 10, `${edits} edits are many for one event`);
    await shelf.described("a", `edit ${edits}`);
  });

  test("events that do not count are passed over, unless there may have been too many", async () => {
    const root = path.join(folder({ "s/a/SKILL.md": validSkill("a") }), "s");
    const shelf = await watched(root);
    const refreshes = countRefreshes(shelf.catalog);
    for (let index = 0; index < 50; index += 1) write(root, "../beside.txt", `${index}`);
    for (let index = 0; index < 50; index += 1) write(root, "a/output.log", `${index}`);
    await sleep(60);
    skill(root, "b");
    await shelf.told("+ b");
    assert.equal(refreshes(), 1);
    const beside = ["../beside.txt", "../other.txt"].map((name) => path.join(root, name));
    for (const file of beside) fs.writeFileSync(file, "");
    for (let index = 0; index < 4200; index += 1) {
      fs.utimesSync(beside[index % 2] ?? "", index, index);
    }
    await until(
      () => refreshes() > 1,
      () => "for a refresh after 4200 events",
    );
  });
});

/** Counts the refreshes of a catalog from now on. */
function countRefreshes(catalog: { refresh(): unknown }): () => number {
  const refresh = mock.method(catalog, "refresh");
  return () => refresh.mock.callCount();
}

/** A host of a directory whose listings wait where they are held up. */
class HeldHost {
  /** Listings under way, and how many there were at most. */
  waiting = 0;
  most = 0;
  #held: Promise<void> | undefined;
  release = (): void => {};
  readonly host: Host;

  constructor(root: string) {
    const disk = nodeHost(root);
    this.host = {
      ...boundTo(disk),
      list: async (directory) => {
        this.waiting += 1;
        this.most = Math.max(this.most, this.waiting);
        const entries = await disk.list(directory);
        await this.#held;
        this.waiting -= 1;
        return entries;
      },
    };
  }

  /** Holds up listings until `release`. */
  hold(): void {
    this.#held = new Promise((resolve) => {
      this.release = resolve;
    });
  }

  /** Waits until a listing is under way. */
  listing(): Promise<void> {
    return until(
      () => this.waiting > 0,
      () => "for a listing",
    );
  }
}

/** A host that hands everything to another one. */
function boundTo(disk: Host): Host {
  return {
    list: (directory) => disk.list(directory),
    read: (file, range) => disk.read(file, range),
    ranges: true,
    stat: async (at) => disk.stat?.(at),
    realPath: async (at) => (await disk.realPath?.(at)) ?? "",
  };
}

describe("a change while a refresh is under way", () => {
  test("leads to one more, after it", async () => {
    const root = two();
    const held = new HeldHost(root);
    const shelf = await watched({ host: held.host });
    const refreshes = countRefreshes(shelf.catalog);
    held.hold();
    skill(root, "c");
    await held.listing();
    for (const words of ["one", "two", "three"]) skill(root, "a", words);
    skill(root, "d");
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    assert.deepEqual([shelf.summaries, refreshes()], [[], 1]);
    held.release();
    await shelf.named("a", "b", "c", "d");
    assert.equal(shelf.catalog.get("a")?.description, "three");
    assert.deepEqual(
      shelf.events.flatMap(({ added }) => added),
      ["c", "d"],
    );
    assert.deepEqual([refreshes(), held.most], [2, 1]);
  });

  test("nothing is lost at any moment of it", async () => {
    const root = two();
    const shelf = await watched(root, { debounce: 0 });
    for (let round = 0; round < 60; round += 1) {
      skill(root, "a", `round ${round}`);
      if (round % 2 === 0) skill(root, `new-${round}`);
      else remove(root, `new-${round - 1}`);
      for (let turn = 0; turn < round % 7; turn += 1) await new Promise(setImmediate);
    }
    await shelf.named("a", "b");
    await shelf.described("a", "round 59");
  });
});

describe("several watchers, and others who refresh", () => {
  test("a view is told of what it shows", async () => {
    const root = folder({ "pdf/SKILL.md": validSkill("pdf"), "doc/SKILL.md": validSkill("doc") });
    const catalog = await loadSkills(root);
    const view = await Watched.of(catalog.only(["pdf*"]));
    const all = await Watched.of(catalog);
    skill(root, "doc", "edited");
    skill(root, "doc-forms");
    await all.told("+ doc-forms  ~ doc");
    skill(root, "pdf-forms");
    await Promise.all([all.told("+ pdf-forms"), view.told("+ pdf-forms")]);
    assert.deepEqual(view.summaries, ["+ pdf-forms"]);
  });

  test("a refresh by the caller takes no event away", async () => {
    const root = two();
    const shelf = await watched(root);
    skill(root, "c");
    assert.deepEqual((await shelf.catalog.refresh()).added, ["c"]);
    await shelf.told("+ c");
  });

  test("catalogs among the sources are refreshed too, also those that were disposed of", async () => {
    const [inner, outer, lone] = [two(), folder(), folder({ "l/SKILL.md": validSkill("l") })];
    const first = loadSkillsSync(inner);
    const second = await loadSkills(first);
    const gone = await loadSkills(lone);
    const shelf = await watched([second, outer, gone]);
    const heard = await Watched.of(first);
    gone.dispose();
    skill(inner, "c");
    await shelf.told("+ c");
    await heard.told("+ c");
    skill(outer, "d");
    skill(lone, "l", "edited");
    await shelf.named("a", "b", "c", "d", "l");
    await shelf.described("l", "edited");
    assert.deepEqual(shelf.errors, []);
  });

  test("a host that wraps the disk is watched", async () => {
    const root = two();
    const shelf = await watched({ host: boundTo(nodeHost(root)) });
    skill(root, "c");
    await shelf.told("+ c");
  });
});

test("only what the catalog looks into is watched", async () => {
  const root = folder({
    "s/a/SKILL.md": validSkill("a"),
    "s/a/references/deep/er.md": "x",
    "s/node_modules/x/SKILL.md": validSkill("x"),
    "s/.git/x/SKILL.md": validSkill("x"),
    "s/drafts/x/SKILL.md": validSkill("x"),
    "s/group/b/SKILL.md": validSkill("b"),
    "u/c/SKILL.md": validSkill("c"),
  });
  const catalog = await loadSkills(
    [path.join(root, "s"), { host: nodeHost(path.join(root, "u")), trusted: false }],
    { ignore: ["drafts"], ...quiet },
  );
  const read: string[] = [];
  const shelf = await Watched.of(catalog, {
    onChange: async () => {
      const args = { skill: "a", path: "references/deep/er.md" };
      read.push((await catalog.call("read_skill_file", args)).content);
    },
  });
  // What is above the source tells of its coming and going.
  const below = (): string =>
    shelf.watcher.directories
      .map((directory) => path.relative(root, directory))
      .filter((directory) => directory !== "" && !directory.startsWith(".."))
      .join(" ");
  assert.equal(below(), "s s/a s/group s/group/b");
  skill(root, "s/group/d");
  await until(
    () => read.length > 0,
    () => "for the file",
  );
  assert.equal(read[0], "x");
  assert.equal(below(), "s s/a s/group s/group/b s/group/d", "not what others read meanwhile");
  // A skill has no skills below it.
  skill(root, "s/group");
  await shelf.named("a", "group");
  await until(
    () => below() === "s s/a s/group",
    () => `for less than ${below()}`,
  );
});

describe("where the system does not watch", () => {
  for (const code of ["ENOSPC", "EMFILE"]) {
    test(`${code}: the catalog is polled instead, and that is told`, async () => {
      const root = two();
      let left = 3;
      const real = fs.watch;
      const failing = mock.method(fs, "watch", (...given: unknown[]) => {
        left -= 1;
        if (left < 0) throw Object.assign(new Error(`${code}: no more`), { code });
        return Reflect.apply(real, fs, given) as unknown;
      });
      syncBuiltinESMExports();
      try {
        const shelf = await watched(root);
        assert.deepEqual(shelf.watcher.directories, [], "nor are those that could be watched");
        const [error] = shelf.errors;
        assert.ok(SkillError.isInstance(error));
        assert.equal(error.code, "HOST_FAILED");
        assert.match(
          error.message,
          new RegExp(`${code}.*every 1000 milliseconds.*max_user_watches`),
        );
        assert.equal((error.cause as NodeJS.ErrnoException).code, code);
        skill(root, "c");
        await shelf.told("+ c");
        assert.equal(shelf.errors.length, 1);
        await shelf.watcher.close();
      } finally {
        failing.mock.restore();
        syncBuiltinESMExports();
      }
    });
  }

  test("a watcher that fails later is made anew", async () => {
    const root = two();
    const made: fs.FSWatcher[] = [];
    const real = fs.watch;
    const spying = mock.method(fs, "watch", (...given: unknown[]) => {
      const watcher = Reflect.apply(real, fs, given) as fs.FSWatcher;
      made.push(watcher);
      return watcher;
    });
    syncBuiltinESMExports();
    try {
      const shelf = await watched(root);
      const directories = shelf.watcher.directories;
      for (const watcher of [...made]) watcher.emit("error", new Error("EPERM"));
      assert.deepEqual(shelf.watcher.directories, []);
      await until(
        () => shelf.watcher.directories.length === directories.length,
        () => "for the watchers",
      );
      skill(root, "a", "edited");
      await shelf.described("a", "edited");
    } finally {
      spying.mock.restore();
      syncBuiltinESMExports();
    }
  });

  test("asked to poll, any host will do, and nothing is watched", async () => {
    const files: Record<string, string> = { "a/SKILL.md": validSkill("a") };
    const root = two();
    const shelf = await watched([{ host: memoryHost(files) }, root], { poll: 10 });
    assert.deepEqual(shelf.watcher.directories, []);
    files["m/SKILL.md"] = validSkill("m");
    await shelf.told("+ m");
    skill(root, "c");
    await shelf.told("+ c");
    assert.deepEqual(shelf.errors, []);
  });

  test("nothing on the disk and not asked to poll: that is told, and not an error", async () => {
    const inCode = defineSkill({ name: "in-code", description: "d", content: "C" });
    const shelf = await watched([{ host: memoryHost({}) }, inCode]);
    const [error] = shelf.errors;
    assert.ok(SkillError.isInstance(error));
    assert.equal(error.code, "SOURCE_UNSUPPORTED");
    assert.match(error.message, /nothing tells of changes.*`poll`/s);
    assert.deepEqual(shelf.watcher.directories, []);
  });
});

describe("what goes wrong", () => {
  test("a refresh that fails is told once, and watching goes on", async () => {
    const root = two();
    const shelf = await Watched.of(await loadSkills(root, { invalid: "throw" }), { poll: 5 });
    const refreshes = countRefreshes(shelf.catalog);
    write(root, "c/SKILL.md", "# no front matter");
    await until(
      () => shelf.errors.length > 0,
      () => "for the error",
    );
    const seen = refreshes();
    await until(
      () => refreshes() > seen + 3,
      () => "for some refreshes",
    );
    assert.equal(shelf.errors.length, 1);
    const [error] = shelf.errors;
    assert.ok(SkillError.isInstance(error));
    assert.deepEqual([error.code, error.path], ["SKILL_INVALID", path.join(root, "c/SKILL.md")]);
    skill(root, "c");
    await shelf.told("+ c");
    write(root, "c/SKILL.md", "# no front matter");
    await until(
      () => shelf.errors.length > 1,
      () => "for the error to be told again",
    );
  });

  test("a file that made a refresh fail is watched until it is mended", async () => {
    const root = two();
    const catalog = await loadSkills(root, { invalid: "throw" });
    write(root, "c/SKILL.md", "# no front matter");
    const shelf = await Watched.of(catalog);
    assert.equal(shelf.errors.length, 1, "also the first refresh may fail");
    skill(root, "c");
    await shelf.told("+ c");
    assert.equal(shelf.errors.length, 1);
  });

  test("without a function to tell, the console hears of it, on one line", async () => {
    const warn = mock.method(console, "warn", () => {});
    const root = two();
    const catalog = await loadSkills(root);
    const watcher = await watch(catalog, {
      debounce: 0,
      onChange: () => {
        throw new Error("no\nmore\u001b[2J");
      },
    });
    skill(root, "c");
    await until(
      () => warn.mock.callCount() > 0,
      () => "for the warning",
    );
    const [line, thrown] = warn.mock.calls[0]?.arguments ?? [];
    assert.equal(
      line,
      "skillshelf: onChange failed: no more [2J. Watching goes on: mend the function.",
    );
    assert.match((thrown as Error).stack ?? "", /watch\.test\.js:/, "where it was thrown");
    warn.mock.restore();
    await watcher.close();
  });

  for (const [how, fail] of Object.entries({
    throws: () => {
      throw new Error("mine");
    },
    rejects: () => Promise.reject(new Error("mine")),
  })) {
    test(`a function of the caller that ${how} stops nothing`, async () => {
      const root = two();
      const told: string[] = [];
      const shelf = await watched(root, {
        onChange: ({ summary }) => {
          told.push(summary);
          return fail();
        },
      });
      for (const name of ["c", "d"]) {
        skill(root, name);
        await until(
          () => told.at(-1) === `+ ${name}`,
          () => `for ${name} after ${told.join(" | ")}`,
        );
      }
      await until(
        () => shelf.errors.length === 2,
        () => `for two errors; there were ${shelf.errors.length}`,
      );
      for (const error of shelf.errors as SkillError[]) {
        assert.equal(error.code, "HOST_FAILED");
        assert.match(error.message, /^onChange failed: mine\. /);
        assert.equal(String(error.cause), "Error: mine");
      }
    });
    test(`nor does an onError that ${how}`, async () => {
      const warn = mock.method(console, "warn", () => {});
      const root = two();
      const watcher = await watch(await loadSkills(root), {
        debounce: 0,
        onChange: fail,
        onError: fail,
      });
      for (const calls of [1, 2]) {
        skill(root, `new-${calls}`);
        await until(
          () => warn.mock.callCount() === calls,
          () => `for warning ${calls}`,
        );
      }
      const [line, thrown] = warn.mock.calls[0]?.arguments ?? [];
      assert.match(String(line), /^skillshelf: onError failed: mine\. /);
      assert.equal(String(thrown), "Error: mine");
      warn.mock.restore();
      await watcher.close();
    });
  }

  test("the module is started anew: the catalog is loaded again, and everything is new", async () => {
    const root = two();
    const shelf = await watched(root);
    trap();
    skill(root, "c");
    await shelf.told("+ a  + b  + c");
    remove(root, "a");
    await shelf.told("− a");
    assert.deepEqual(shelf.errors, []);
  });

  test("a catalog that is disposed of is no longer watched", async () => {
    const root = two();
    const shelf = await watched(root);
    shelf.catalog.dispose();
    skill(root, "c");
    await until(
      () => shelf.errors.length > 0,
      () => "for the error",
    );
    assert.equal((shelf.errors[0] as SkillError).code, "NOT_INITIALIZED");
    assert.deepEqual(shelf.watcher.directories, []);
  });

  test("mistakes of the caller are typed errors", async () => {
    const catalog = await loadSkills(two());
    const refused = async (work: () => unknown, message: RegExp): Promise<void> => {
      const error = await rejection(work);
      assert.equal(error.code, "SOURCE_UNSUPPORTED");
      assert.match(error.message, message);
    };
    await refused(() => watch("./skills" as never), /Only a catalog can be watched/);
    const options = (wrong: object) => () => watch(catalog, wrong as WatchOptions);
    await refused(options({ debounce: "fast" }), /debounce must be a whole number.*"fast"/);
    await refused(options({ poll: -1 }), /poll must be a whole number/);
    await refused(options({ persistent: 0 }), /persistent must be true or false/);
    await refused(options({ onChange: "log" }), /onChange must be a function/);
    await refused(options({ onchange: () => {} }), /onchange is not known; onChange is/);
    const gone = await loadSkills(two());
    gone.dispose();
    assert.equal((await rejection(() => watch(gone))).code, "NOT_INITIALIZED");
  });
});

describe("the end", () => {
  const ends: Record<string, (shelf: Watched, abort: AbortController) => unknown> = {
    close: ({ watcher }) => watcher.close(),
    "close, twice": ({ watcher }) => Promise.all([watcher.close(), watcher.close()]),
    "Symbol.dispose": ({ watcher }) => watcher[Symbol.dispose](),
    "Symbol.asyncDispose": ({ watcher }) => watcher[Symbol.asyncDispose](),
    "the signal": (_, abort) => abort.abort(),
  };
  for (const [how, end] of Object.entries(ends)) {
    test(`${how}: no event comes any more`, async () => {
      const root = two();
      const abort = new AbortController();
      const shelf = await watched(root, { signal: abort.signal, debounce: 0 });
      const other = await Watched.of(shelf.catalog.only(["*"]), { debounce: 0 });
      skill(root, "c");
      await end(shelf, abort);
      assert.deepEqual(shelf.watcher.directories, []);
      await other.told("+ c");
      skill(root, "d");
      await other.told("+ d");
      assert.deepEqual(shelf.summaries, []);
    });
  }

  test("close waits for the refresh that is under way, and nothing of it is told", async () => {
    const root = two();
    const held = new HeldHost(root);
    const shelf = await watched({ host: held.host });
    held.hold();
    skill(root, "c");
    await held.listing();
    let isClosed = false;
    const closed = shelf.watcher.close().then(() => {
      isClosed = true;
    });
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    assert.equal(isClosed, false);
    held.release();
    await closed;
    assert.deepEqual(shelf.catalog.names, ["a", "b", "c"], "it was not cut off");
    assert.deepEqual([shelf.summaries, shelf.errors], [[], []]);
  });

  test("close in the function that is told", async () => {
    const root = two();
    const closed: Promise<void>[] = [];
    const shelf: Watched = await watched(root, {
      onChange: async () => {
        closed.push(shelf.watcher.close());
        await closed[0];
      },
    });
    skill(root, "c");
    await until(
      () => closed.length > 0,
      () => "for the event",
    );
    await closed[0];
    assert.deepEqual(shelf.errors, []);
  });

  test("a signal that was aborted before, or while the first refresh is under way", async () => {
    const root = two();
    const catalog = await loadSkills(root);
    const reason = new Error("enough");
    const aborted = await rejection(() => watch(catalog, { signal: AbortSignal.abort(reason) }));
    assert.deepEqual([aborted.code, aborted.cause], ["ABORTED", reason]);
    const abort = new AbortController();
    const watching = watch(catalog, { signal: abort.signal });
    abort.abort();
    assert.equal((await rejection(() => watching)).code, "ABORTED");
  });

  /** Runs a program beside the installed package until it ends; gives its code and what it said. */
  async function run(program: string, root: string): Promise<{ code: number; printed: string }> {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program, root], {
      cwd: import.meta.dirname,
      timeout: 30_000,
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        printed += chunk;
      });
    }
    const [code] = (await once(child, "close")) as [number];
    return { code, printed };
  }

  const head = `
    import { mkdirSync, writeFileSync } from "node:fs";
    import { loadSkills } from "skillshelf";
    import { watch } from "skillshelf/node";
    const root = process.argv[1];
    const catalog = await loadSkills(root);
    const add = (name) => {
      mkdirSync(root + "/" + name);
      writeFileSync(root + "/" + name + "/SKILL.md", "---\\nname: " + name + "\\ndescription: d\\n---\\nB");
    };
  `;

  test("a process ends by itself after close, and not before", async () => {
    const program = `${head}
      let isTold = false;
      const watcher = await watch(catalog, {
        onChange: async ({ summary }) => {
          console.log(summary);
          await watcher.close();
          isTold = true;
        },
      });
      setTimeout(() => add("c"), 20).unref();
      process.on("beforeExit", () => console.log("told", isTold));
    `;
    const { code, printed } = await run(program, two());
    assert.equal(code, 0, printed);
    assert.equal(printed, "+ c\ntold true\n");
  });

  for (const options of ["{ persistent: false }", "{ persistent: false, poll: 5 }"]) {
    test(`with ${options} a process ends by itself, watching`, async () => {
      const program = `${head}
        await watch(catalog, { ...${options}, onChange: ({ summary }) => console.log(summary) });
        add("c");
        setTimeout(() => {}, 300);
      `;
      const { code, printed } = await run(program, two());
      assert.equal(code, 0, printed);
      assert.equal(printed, "+ c\n");
    });
  }
});
