// refresh: what changed is read again and told; what broke stays as it last was.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, mock, test } from "node:test";
import fc from "fast-check";
import {
  type Changes,
  type Diagnostic,
  type Host,
  loadSkills,
  loadSkillsSync,
  memoryHost,
  type SyncHost,
} from "skillshelf";
import { rejection, thrown } from "./support/errors.ts";
import { folder, write } from "./support/folder.ts";
import {
  countedHost,
  MAKES,
  openHost,
  smallHost,
  statHost,
  withPromises,
} from "./support/hosts.ts";
import { account, shelfOf } from "./support/load.ts";
import { skillFile, toldWithPath, validSkill } from "./support/text.ts";

const onDiagnostic = (): void => {};
const told = ({ added, changed, removed }: Changes): [string[], string[], string[]] => [
  added,
  changed,
  removed,
];

describe("a new, a changed, a removed and a broken skill", () => {
  for (const [make, hostOf] of Object.entries(MAKES)) {
    test(`all at once: ${make}`, async () => {
      const start = () =>
        ({
          "a/SKILL.md": validSkill("a"),
          "c/SKILL.md": validSkill("c"),
          "d/SKILL.md": validSkill("d", "still here"),
          "e/SKILL.md": validSkill("e"),
        }) as Record<string, string>;
      const edit = (files: Record<string, string>): void => {
        files["a/SKILL.md"] = validSkill("a", "new words");
        files["b/SKILL.md"] = validSkill("b");
        delete files["c/SKILL.md"];
        files["d/SKILL.md"] = "---\nname: d\n---\n";
      };
      const syncFiles = start();
      const sync = shelfOf(hostOf(syncFiles));
      const promisedFiles = start();
      const promised = await loadSkills(
        { host: withPromises(hostOf(promisedFiles)) },
        { onDiagnostic },
      );
      edit(syncFiles);
      edit(promisedFiles);
      const changes = sync.refresh();
      assert.deepEqual(told(changes), [["b"], ["a"], ["c"]]);
      assert.deepEqual(await promised.refresh(), changes);
      assert.deepEqual(sync.names, ["a", "b", "d", "e"]);
      assert.equal(sync.get("a")?.description, "new words");
      assert.equal(sync.get("d")?.description, "still here", "the last good one");
      assert.deepEqual(changes.diagnostics.map(toldWithPath).sort(), [
        "error description-missing d/SKILL.md",
        "warning kept-last-good d/SKILL.md",
      ]);
      assert.deepEqual(sync.diagnostics, changes.diagnostics);
      assert.deepEqual(account(promised), account(sync));
    });
  }
});

test("a skill that broke is no change", () => {
  const files: Record<string, string> = { "d/SKILL.md": validSkill("d") };
  const catalog = shelfOf(smallHost(files));
  files["d/SKILL.md"] = "";
  assert.deepEqual(told(catalog.refresh()), [[], [], []]);
});

test("nothing new: nothing told", () => {
  for (const [make, hostOf] of Object.entries(MAKES)) {
    const catalog = shelfOf(
      hostOf({ "a/SKILL.md": validSkill("a"), "b.md": validSkill("b"), "bad/SKILL.md": "" }),
    );
    const before = account(catalog);
    const skill = catalog.get("a");
    assert.deepEqual(told(catalog.refresh()), [[], [], []], make);
    assert.deepEqual(account(catalog), before);
    assert.equal(catalog.get("a"), skill, "the same object");
  }
});

test("a changed skill is another object, an unchanged one the same", () => {
  const files: Record<string, string> = {
    "a/SKILL.md": validSkill("a"),
    "b/SKILL.md": validSkill("b"),
  };
  const catalog = shelfOf(statHost(files));
  const [a, b] = [catalog.get("a"), catalog.get("b")];
  files["a/SKILL.md"] = validSkill("a", "new");
  catalog.refresh();
  assert.notEqual(catalog.get("a"), a);
  assert.equal(catalog.get("b"), b);
});

describe("a broken skill that keeps its last good entry", () => {
  test("is whole again when it is mended", () => {
    const files: Record<string, string> = { "d/SKILL.md": validSkill("d", "one") };
    const catalog = shelfOf(statHost(files));
    files["d/SKILL.md"] = "# oops";
    catalog.refresh();
    assert.equal(
      catalog.call("load_skill", { name: "d" }).code,
      "SKILL_INVALID",
      "its body is what it is now",
    );
    catalog.refresh();
    assert.equal(catalog.get("d")?.description, "one", "it stays at each refresh");
    files["d/SKILL.md"] = validSkill("d", "two");
    assert.deepEqual(catalog.refresh().changed, ["d"]);
    assert.deepEqual([catalog.get("d")?.description, catalog.diagnostics], ["two", []]);
  });
  test("goes when its file goes", () => {
    const files: Record<string, string> = { "d/SKILL.md": validSkill("d") };
    const catalog = shelfOf(smallHost(files));
    files["d/SKILL.md"] = "";
    catalog.refresh();
    delete files["d/SKILL.md"];
    assert.deepEqual(told(catalog.refresh()), [[], [], ["d"]]);
  });
  test("a load anew has nothing to keep", () => {
    const files: Record<string, string> = { "d/SKILL.md": "" };
    assert.equal(shelfOf(smallHost(files)).size, 0);
  });
  test("strict: what strict calls an error breaks it", () => {
    const files: Record<string, string> = { "d/SKILL.md": validSkill("d") };
    const catalog = shelfOf(smallHost(files), { mode: "strict" });
    files["d/SKILL.md"] = validSkill("other");
    assert.deepEqual(
      catalog
        .refresh()
        .diagnostics.map(({ code }) => code)
        .sort(),
      ["kept-last-good", "name-directory-mismatch"],
    );
    assert.deepEqual(catalog.names, ["d"]);
    const lenient = shelfOf(smallHost(files));
    assert.deepEqual(lenient.names, ["other"]);
  });
});

test("a renamed skill is one removed and one added", () => {
  const files: Record<string, string> = { "a/SKILL.md": validSkill("a") };
  const catalog = shelfOf(smallHost(files));
  files["a/SKILL.md"] = validSkill("b");
  assert.deepEqual(told(catalog.refresh()), [["b"], [], ["a"]]);
});

test("a skill that was shadowed comes back when the winner goes", () => {
  const first: Record<string, string> = { "demo/SKILL.md": validSkill("demo", "first") };
  const second = { "demo/SKILL.md": validSkill("demo", "second") };
  const catalog = loadSkillsSync([{ host: memoryHost(first) }, { host: memoryHost(second) }], {
    onDiagnostic,
  });
  delete first["demo/SKILL.md"];
  assert.deepEqual(told(catalog.refresh()), [[], ["demo"], []]);
  assert.deepEqual([catalog.get("demo")?.description, catalog.diagnostics], ["second", []]);
});

test("a changed body shows in what changed, where all of a file was read or the host tells versions", () => {
  for (const hostOf of [smallHost, statHost, openHost, memoryHost]) {
    const files: Record<string, string> = {
      "a/SKILL.md": validSkill("a", "d", "one"),
      "b/SKILL.md": validSkill("b"),
    };
    const catalog = shelfOf(hostOf(files));
    files["a/SKILL.md"] = validSkill("a", "d", "two");
    assert.deepEqual(catalog.refresh().changed, ["a"]);
  }
});

describe("only what changed is read again", () => {
  const many = (): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`s${index}/SKILL.md`, validSkill(`s${index}`)]),
    );
  for (const [make, hostOf] of [
    ["stat", statHost],
    ["open", openHost],
    ["memoryHost", memoryHost],
  ] as const) {
    test(`with ${make}: one stat a skill, one read`, async () => {
      const files = many();
      const { host, calls } = countedHost(hostOf(files));
      const catalog = shelfOf(host);
      files["s7/SKILL.md"] = validSkill("s7", "new");
      calls.length = 0;
      assert.deepEqual(catalog.refresh().changed, ["s7"]);
      const reads = calls.filter((call) => /^(?:read|open) s/.test(call));
      assert.deepEqual(reads, [make === "open" ? "open s7/SKILL.md" : "read s7/SKILL.md"]);
      const lists = calls.filter((call) => call.startsWith("list"));
      assert.deepEqual(lists, ["list "]);
      const stats = calls.filter((call) => /^stat s\d+\/SKILL\.md$/.test(call));
      assert.ok(stats.length <= 101, `${stats.length}`);
    });
  }
  test("on the disk, told by its own counts", () => {
    const root = folder(many());
    const catalog = loadSkillsSync(root);
    write(root, "s3/SKILL.md", validSkill("s3", "new on the disk"));
    fs.rmSync(path.join(root, "s4"), { recursive: true });
    write(root, "new/SKILL.md", validSkill("new"));
    assert.deepEqual(told(catalog.refresh()), [["new"], ["s3"], ["s4"]]);
  });
});

test("a refresh is seen at once or not at all", async () => {
  const files: Record<string, string> = { "a/SKILL.md": validSkill("a") };
  const memory = withPromises(smallHost(files));
  const seen: (readonly string[])[] = [];
  let isRefreshing = false;
  const catalog = await loadSkills(
    {
      host: {
        list: memory.list,
        read: async (file) => {
          if (isRefreshing) seen.push(catalog.names);
          return memory.read(file);
        },
      },
    },
    { onDiagnostic },
  );
  files["b/SKILL.md"] = validSkill("b");
  delete files["a/SKILL.md"];
  isRefreshing = true;
  await catalog.refresh();
  assert.ok(seen.length > 0);
  for (const names of seen) assert.deepEqual(names, ["a"]);
  assert.deepEqual(catalog.names, ["b"]);
});

test("a refresh that fails changes nothing", async () => {
  const files: Record<string, string> = { "a/SKILL.md": validSkill("a") };
  const catalog = loadSkillsSync({ host: memoryHost(files) }, { invalid: "throw" });
  files["b/SKILL.md"] = "";
  const error = thrown(() => catalog.refresh());
  assert.deepEqual([error.code, error.path], ["SKILL_INVALID", "b/SKILL.md"]);
  assert.deepEqual(catalog.names, ["a"]);
  assert.equal(catalog.body("a"), "Body");
});

test("a skill that was good when it was loaded throws once it breaks, where faults throw", async () => {
  const files: Record<string, string> = { "a/SKILL.md": validSkill("a") };
  const catalog = await loadSkills({ host: withPromises(smallHost(files)) }, { invalid: "throw" });
  files["a/SKILL.md"] = "";
  assert.equal((await rejection(() => catalog.refresh())).diagnostics[0]?.code, "file-empty");
  assert.deepEqual(catalog.names, ["a"]);
});

test("two refreshes at once end in the same state", async () => {
  const files: Record<string, string> = { "a/SKILL.md": validSkill("a") };
  const catalog = await loadSkills({ host: withPromises(memoryHost(files)) }, { onDiagnostic });
  files["b/SKILL.md"] = validSkill("b");
  await Promise.all([
    catalog.refresh(),
    catalog.refresh(),
    catalog.call("load_skill", { name: "a" }),
  ]);
  assert.deepEqual(catalog.names, ["a", "b"]);
});

test("a call that is under way keeps the state it began with", async () => {
  const files: Record<string, string> = { "a/SKILL.md": validSkill("a", "d", "Still there") };
  const memory = smallHost(files);
  const gate = { isClosed: false, open: (): void => {} };
  const host: Host = {
    list: async (directory) => memory.list(directory),
    read: async (file) => {
      const bytes = memory.read(file);
      if (gate.isClosed) {
        gate.isClosed = false;
        await new Promise<void>((resolve) => {
          gate.open = resolve;
        });
      }
      return bytes;
    },
  };
  const catalog = await loadSkills({ host }, { onDiagnostic });
  gate.isClosed = true;
  const call = catalog.call("load_skill", { name: "a" });
  while (gate.isClosed) await new Promise(setImmediate);
  delete files["a/SKILL.md"];
  await catalog.refresh();
  assert.deepEqual(catalog.names, []);
  gate.open();
  assert.match((await call).content, /Still there/);
});

test("who is told: only what is new since", () => {
  const heard: Diagnostic[] = [];
  const files: Record<string, string> = { "bad/SKILL.md": "", "a/SKILL.md": validSkill("a") };
  const catalog = loadSkillsSync(
    { host: memoryHost(files) },
    { onDiagnostic: (found) => heard.push(found) },
  );
  assert.deepEqual(heard.map(toldWithPath), ["error file-empty bad/SKILL.md"]);
  heard.length = 0;
  files["worse/SKILL.md"] = "# x";
  const { diagnostics } = catalog.refresh();
  assert.deepEqual(heard.map(toldWithPath), ["error front-matter-missing worse/SKILL.md"]);
  assert.deepEqual(diagnostics.map(toldWithPath), [
    "error file-empty bad/SKILL.md",
    "error front-matter-missing worse/SKILL.md",
  ]);
  heard.length = 0;
  catalog.refresh();
  assert.deepEqual(heard, []);
});

test("without a function to tell, the console hears of a skill that is newly skipped", () => {
  const warn = mock.method(console, "warn", () => {});
  const files: Record<string, string> = { "a/SKILL.md": validSkill("a") };
  const catalog = loadSkillsSync({ host: memoryHost(files) });
  files["b/SKILL.md"] = "";
  catalog.refresh();
  catalog.refresh();
  assert.equal(warn.mock.callCount(), 1);
  warn.mock.restore();
});

test("a view tells of what it shows, and shows what is new", () => {
  const files: Record<string, string> = {
    "pdf/SKILL.md": validSkill("pdf"),
    "x/SKILL.md": validSkill("x"),
  };
  const catalog = loadSkillsSync({ host: memoryHost(files) });
  const view = catalog.only(["pdf*"]);
  files["pdf-forms/SKILL.md"] = validSkill("pdf-forms");
  files["y/SKILL.md"] = validSkill("y");
  assert.deepEqual(told(view.refresh()), [["pdf-forms"], [], []]);
  assert.deepEqual(
    [view.names, catalog.names],
    [
      ["pdf", "pdf-forms"],
      ["pdf", "pdf-forms", "x", "y"],
    ],
  );
});

test("a catalog made of a catalog is refreshed by itself", () => {
  const files: Record<string, string> = { "a/SKILL.md": validSkill("a", "one") };
  const first = loadSkillsSync({ host: memoryHost(files) });
  const second = loadSkillsSync(first);
  files["a/SKILL.md"] = validSkill("a", "two");
  assert.deepEqual(second.refresh().changed, ["a"]);
  assert.equal(second.get("a")?.description, "two");
});

test("a host that fails for a moment takes no skill away", () => {
  const memory = statHost({ "a/SKILL.md": validSkill("a"), "b/SKILL.md": validSkill("b") });
  let isBroken = false;
  const failing = <T>(work: () => T): T => {
    if (isBroken) throw Object.assign(new Error("EIO"), { code: "EIO" });
    return work();
  };
  const host: SyncHost = {
    list: (directory) => memory.list(directory),
    read: (file) => failing(() => memory.read(file)),
    stat: (path) => failing(() => memory.stat?.(path)),
  };
  const catalog = shelfOf(host);
  isBroken = true;
  const { diagnostics } = catalog.refresh();
  assert.ok(diagnostics.some(({ code }) => code === "file-unreadable"));
  assert.deepEqual(catalog.names, ["a", "b"]);
});

test("limits and options hold for a refresh too", () => {
  const files: Record<string, string> = { "a/SKILL.md": validSkill("a") };
  const catalog = loadSkillsSync(
    { host: memoryHost(files) },
    { ignore: ["drafts"], onDiagnostic, limits: { frontMatter: 200 } },
  );
  files["drafts/b/SKILL.md"] = validSkill("b");
  files["c/SKILL.md"] = skillFile(`name: c\ndescription: ${"x".repeat(300)}`);
  assert.deepEqual(told(catalog.refresh()), [[], [], []]);
  assert.deepEqual(
    catalog.diagnostics.map(({ code }) => code),
    ["front-matter-too-large"],
  );
});

describe("a refresh comes to what a load anew would", () => {
  const place = fc.constantFrom(
    "a/SKILL.md",
    "a/skill.md",
    "b/SKILL.md",
    "g/c/SKILL.md",
    "g/SKILL.md",
    "g/d/Skill.MD",
    "l.md",
    "SKILL.md",
    "a/x/SKILL.md",
    "a/notes.md",
    "g/c/r/x.md",
    "node_modules/p/SKILL.md",
    ".h/SKILL.md",
  );
  const content = fc.oneof(
    fc
      .tuple(
        fc.constantFrom("a", "b", "c", "Other"),
        fc.constantFrom("one", "two"),
        fc.constantFrom("B", "C"),
      )
      .map(([name, description, body]) => validSkill(name, description, body)),
    fc
      .tuple(fc.constantFrom("a", "b"), fc.constantFrom("1", "2"))
      .map(([name, version]) =>
        skillFile(`name: ${name}\ndescription: d\nmetadata: {version: "${version}"}`),
      ),
    fc.constant(skillFile("name: a\ndescription: d\ndisable-model-invocation: true")),
  );
  const edit = fc.tuple(place, fc.option(content, { nil: undefined }));
  const apply = (
    files: Record<string, string>,
    edits: readonly [string, string | undefined][],
  ): void => {
    for (const [name, text] of edits) {
      if (text === undefined) delete files[name];
      else files[name] = text;
    }
  };
  for (const [make, hostOf] of Object.entries(MAKES)) {
    for (const nested of [false, true]) {
      test(`${make}${nested ? ", nested" : ""}`, () => {
        fc.assert(
          fc.property(
            fc.array(edit, { maxLength: 8 }),
            fc.array(fc.array(edit, { maxLength: 3 }), { maxLength: 3 }),
            (first, later) => {
              const files: Record<string, string> = {};
              apply(files, first);
              using catalog = shelfOf(hostOf(files), { nested });
              for (const edits of later) {
                const before = new Map(
                  [...catalog].map((skill) => [skill.name, JSON.stringify(skill)]),
                );
                apply(files, edits);
                const { added, changed, removed } = catalog.refresh();
                using anew = shelfOf(hostOf(files), { nested });
                assert.deepEqual(account(catalog), account(anew));
                for (const { name } of anew) {
                  assert.equal(catalog.body(name), anew.body(name));
                  assert.equal(added.includes(name), !before.has(name), `${name} added`);
                  const isOther =
                    before.has(name) && before.get(name) !== JSON.stringify(catalog.get(name));
                  assert.ok(!isOther || changed.includes(name), `${name} changed`);
                }
                assert.deepEqual(
                  removed,
                  [...before.keys()]
                    .filter((name) => anew.get(name)?.name !== name || !anew.names.includes(name))
                    .sort(),
                );
              }
            },
          ),
          { numRuns: 150, seed: 2 },
        );
      });
    }
  }
});

describe("a refresh of some files", () => {
  const files = (): Record<string, string> => ({
    "a/SKILL.md": validSkill("a", "First."),
    "b/SKILL.md": validSkill("b", "Second."),
  });

  for (const [make, hostOf] of Object.entries(MAKES)) {
    test(`sees these, and what their names do to others: ${make}`, async () => {
      const held = files();
      const catalogs = [
        loadSkillsSync({ host: hostOf(held) }, { onDiagnostic }),
        await loadSkills({ host: withPromises(hostOf(held)) }, { onDiagnostic }),
      ];
      const views = catalogs.map((catalog) => catalog.only(["b"]));
      held["a/SKILL.md"] = validSkill("b", "Takes the name.");
      held["b/SKILL.md"] = validSkill("b", "Edited too.");
      held["c/SKILL.md"] = validSkill("c", "New.");
      for (const [at, catalog] of catalogs.entries()) {
        const changes = await catalog.refresh({ files: ["a/SKILL.md"] });
        assert.deepEqual(told(changes), [[], [], ["a"]]);
        assert.deepEqual(catalog.names, ["b"]);
        // The one whose directory has the name, though the other is the earlier.
        assert.equal(catalog.get("b")?.description, "Second.");
        const duplicate = catalog.diagnostics.find(({ code }) => code === "name-duplicate");
        assert.equal(duplicate?.path, "a/SKILL.md");
        assert.deepEqual(told(await catalog.refresh({ files: [] })), [[], [], []]);
        const seen = await views[at]?.refresh({ files: ["b/SKILL.md"] });
        assert.deepEqual(seen && told(seen), [[], ["b"], []]);
        assert.equal(catalog.get("b")?.description, "Edited too.");
        assert.deepEqual(told(await catalog.refresh()), [["c"], [], []]);
      }
    });
  }

  test("asks the host for these alone", async () => {
    const held: Record<string, string> = {};
    for (let at = 0; at < 300; at += 1) held[`s${at}/SKILL.md`] = validSkill(`s${at}`, "One.");
    const { host, calls } = countedHost(statHost(held));
    const catalog = await loadSkills({ host }, { onDiagnostic });
    held["s7/SKILL.md"] = validSkill("s7", "Edited.");
    const before = calls.length;
    assert.deepEqual(told(await catalog.refresh({ files: ["s7/SKILL.md"] })), [[], ["s7"], []]);
    assert.ok(calls.length - before <= 3, `${calls.length - before} calls`);
  });

  test("options that cannot be used are refused, and nothing is read", async () => {
    const catalog = await loadSkills({ host: memoryHost(files()) });
    for (const options of [{ files: "a/SKILL.md" }, { files: [1] }, { file: ["a/SKILL.md"] }]) {
      const { code, message } = await rejection(() => catalog.refresh(options as never));
      assert.equal(code, "SOURCE_UNSUPPORTED");
      assert.match(message, /files/);
    }
  });
});
