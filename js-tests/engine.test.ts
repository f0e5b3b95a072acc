// A module that has failed: what was made before says so, what is made after works at once.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import {
  type Catalog,
  defineSkill,
  loadSkills,
  loadSkillsSync,
  memoryHost,
  parseSkill,
  type SyncCatalog,
  stringifySkill,
  validateSkill,
} from "skillshelf";
import { rejection, thrown } from "./support/errors.ts";
import { withPromises } from "./support/hosts.ts";
import { validSkill } from "./support/text.ts";
import { trap } from "./support/trap.ts";

const spec = { name: "in-code", description: "d", content: "C" };

interface Made {
  files: Record<string, string>;
  sync: SyncCatalog;
  promised: Catalog;
  view: SyncCatalog;
}

async function make(): Promise<Made> {
  const files: Record<string, string> = {
    "a/SKILL.md": validSkill("a"),
    "b/SKILL.md": validSkill("b"),
  };
  const sync = loadSkillsSync([{ host: memoryHost(files) }, defineSkill(spec)]);
  const promised = await loadSkills({ host: withPromises(memoryHost(files)) });
  return { files, sync, promised, view: sync.only(["a"]) };
}

test("what is made after a trap works at once", async () => {
  trap();
  assert.equal(parseSkill(validSkill("a")).skill?.name, "a");
  assert.deepEqual(validateSkill({ "SKILL.md": validSkill("a") }), []);
  assert.match(stringifySkill(spec), /^---\nname: in-code\n/);
  const { sync, promised } = await make();
  assert.deepEqual(
    [sync.names, promised.names],
    [
      ["a", "b", "in-code"],
      ["a", "b"],
    ],
  );
});

test("a skill from code that was made before is loaded after", () => {
  const skill = defineSkill(spec);
  trap();
  assert.equal(loadSkillsSync(skill).body("in-code"), "C");
});

describe("a catalog from before throws INTERNAL until it is refreshed", () => {
  const uses: [title: string, use: (catalog: SyncCatalog) => unknown][] = [
    ["size", (catalog) => catalog.size],
    ["names", (catalog) => catalog.names],
    ["diagnostics", (catalog) => catalog.diagnostics],
    ["iteration", (catalog) => [...catalog]],
    ["get", (catalog) => catalog.get("a")],
    ["body", (catalog) => catalog.body("a")],
    ["prompt", (catalog) => catalog.prompt()],
    ["index", (catalog) => catalog.index()],
    ["tools", (catalog) => catalog.tools()],
    ["only", (catalog) => catalog.only(["a"])],
    ["as a source", (catalog) => loadSkillsSync(catalog)],
  ];
  for (const [title, use] of uses) {
    test(title, async () => {
      const { sync, view } = await make();
      trap();
      for (const catalog of [sync, view]) {
        const error = thrown(() => use(catalog));
        assert.equal(error.code, "INTERNAL");
        assert.match(error.message, /refresh\(\)/);
      }
    });
  }
  test("call gives it as a result", async () => {
    const { sync, promised } = await make();
    const tools = sync.tools();
    trap();
    for (const result of [
      sync.call("load_skill", { name: "a" }),
      await promised.call("load_skill", { name: "a" }),
      tools.call("load_skill", { name: "a" }),
    ]) {
      assert.deepEqual([result.isError, result.code], [true, "INTERNAL"]);
      assert.match(result.content, /\(INTERNAL\).*calling again will not help: go on without them/);
      // Those are the developer's remedies.
      assert.doesNotMatch(result.content, /refresh\(\)|loadSkills|WebAssembly|report/);
    }
  });
  test("a skill of it as a source", async () => {
    const { sync } = await make();
    const skill = sync.get("a");
    assert.ok(skill);
    trap();
    assert.equal(thrown(() => loadSkillsSync(skill)).code, "INTERNAL");
  });
  test("with promises too", async () => {
    const { promised } = await make();
    trap();
    assert.equal((await rejection(() => promised.body("a"))).code, "INTERNAL");
    assert.equal(thrown(() => promised.names).code, "INTERNAL");
  });
});

test("refresh brings it back, with what is there now", async () => {
  const { files, sync, promised, view } = await make();
  const tools = sync.tools();
  trap();
  files["c/SKILL.md"] = validSkill("c", "d", "New one");
  delete files["b/SKILL.md"];
  assert.deepEqual(sync.refresh().added, ["a", "c", "in-code"]);
  assert.deepEqual((await promised.refresh()).added, ["a", "c"]);
  assert.deepEqual(
    [sync.names, promised.names, view.names],
    [["a", "c", "in-code"], ["a", "c"], ["a"]],
  );
  assert.match(tools.call("load_skill", { name: "c" }).content, /New one/);
  assert.equal(sync.body("in-code"), "C");
});

test("the signal of the first load does not keep it away", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const source = { host: memoryHost({ "a/SKILL.md": validSkill("a") }) };
  const sync = loadSkillsSync(source, { signal });
  const promised = await loadSkills(source, { signal });
  controller.abort();
  trap();
  assert.deepEqual(sync.refresh().added, ["a"]);
  assert.deepEqual((await promised.refresh()).added, ["a"]);
});

test("a refresh of a view brings its catalog back", async () => {
  const { sync, view } = await make();
  trap();
  assert.deepEqual(view.refresh().added, ["a"]);
  assert.deepEqual(sync.names, ["a", "b", "in-code"]);
});

test("skills that were had before are still plain data", async () => {
  const { sync } = await make();
  const skill = sync.get("a");
  trap();
  assert.equal(skill?.description, "What a does.");
  sync.refresh();
  assert.deepEqual(sync.get("a"), skill);
});

test("a view of a catalog that came back shows what is there now", async () => {
  const { files, sync, view } = await make();
  assert.equal(view.get("a")?.description, "What a does.");
  trap();
  files["0/SKILL.md"] = validSkill("0");
  files["a/SKILL.md"] = validSkill("a", "new words");
  sync.refresh();
  assert.deepEqual(
    [...view].map(({ name, description }) => [name, description]),
    [["a", "new words"]],
  );
});

test("a skill from before, as a source after a refresh, is the one of its name", async () => {
  const { files, sync } = await make();
  const skills = [...sync];
  trap();
  files["0/SKILL.md"] = validSkill("0");
  files["1/SKILL.md"] = validSkill("1");
  sync.refresh();
  assert.deepEqual(
    skills.map((skill) => loadSkillsSync(skill).names),
    [["a"], ["b"], ["in-code"]],
  );
});

describe("catalogs of catalogs come back", () => {
  interface Linked {
    files: Record<string, string>;
    inner: SyncCatalog;
    ofCatalog: SyncCatalog;
    ofView: SyncCatalog;
    ofSkill: SyncCatalog;
    promised: Catalog;
  }
  async function link(): Promise<Linked> {
    const files: Record<string, string> = {
      "a/SKILL.md": validSkill("a"),
      "b/SKILL.md": validSkill("b"),
    };
    const inner = loadSkillsSync({ host: memoryHost(files) });
    const skill = inner.get("a");
    assert.ok(skill);
    return {
      files,
      inner,
      ofCatalog: loadSkillsSync([inner, defineSkill(spec)]),
      ofView: loadSkillsSync(inner.only(["b"])),
      ofSkill: loadSkillsSync(skill),
      promised: await loadSkills([inner, skill]),
    };
  }
  test("each throws INTERNAL until it is refreshed, and only then", async () => {
    const { inner, ofCatalog, ofView, ofSkill, promised } = await link();
    trap();
    for (const catalog of [inner, ofCatalog, ofView, ofSkill, promised]) {
      assert.equal(thrown(() => catalog.names).code, "INTERNAL");
    }
    inner.refresh();
    assert.deepEqual(inner.names, ["a", "b"]);
    for (const catalog of [ofCatalog, ofView, ofSkill, promised]) {
      assert.equal(thrown(() => catalog.names).code, "INTERNAL", "that was another's refresh");
    }
    assert.deepEqual(ofCatalog.refresh().added, ["a", "b", "in-code"]);
    assert.deepEqual(ofView.refresh().added, ["b"]);
    assert.deepEqual(ofSkill.refresh().added, ["a"]);
    assert.deepEqual((await promised.refresh()).added, ["a", "b"]);
  });
  for (const [title, of, names] of [
    ["a catalog", ({ ofCatalog }) => ofCatalog, ["a", "b", "in-code"]],
    ["a view", ({ ofView }) => ofView, ["b"]],
    ["a skill", ({ ofSkill }) => ofSkill, ["a"]],
    ["both, with promises", ({ promised }) => promised, ["a", "b"]],
  ] as [string, (linked: Linked) => SyncCatalog | Catalog, string[]][]) {
    test(`the refresh of one of ${title} brings back what it is of`, async () => {
      const linked = await link();
      const outer = of(linked);
      trap();
      linked.files["a/SKILL.md"] = validSkill("a", "new words", "New");
      await outer.refresh();
      assert.deepEqual(outer.names, names);
      if (names.includes("a")) {
        assert.equal(outer.get("a")?.description, "new words");
        assert.equal(await outer.body("a"), "New");
      }
      assert.deepEqual(linked.inner.names, ["a", "b"]);
    });
  }
  test("but not one that was disposed of, and the error says so", async () => {
    const { inner, ofCatalog, ofSkill, promised } = await link();
    inner.dispose();
    assert.deepEqual(ofCatalog.names, ["a", "b", "in-code"], "as long as the module is there");
    trap();
    for (const catalog of [ofCatalog, ofSkill, promised]) {
      const error = await rejection(() => catalog.refresh());
      assert.equal(error.code, "NOT_INITIALIZED");
      assert.match(error.message, /that this one was loaded from was disposed of/);
    }
  });
});

describe("what was disposed of before stays so", () => {
  test("a catalog, and its view", async () => {
    const { sync, promised, view } = await make();
    sync.dispose();
    promised.dispose();
    trap();
    for (const use of [
      () => sync.names,
      () => sync.refresh(),
      () => view.names,
      () => view.refresh(),
      () => promised.names,
      () => promised.refresh(),
    ]) {
      assert.equal((await rejection(use)).code, "NOT_INITIALIZED");
    }
  });
  test("a view, but not its catalog", async () => {
    const { sync, view } = await make();
    view.dispose();
    trap();
    sync.refresh();
    assert.equal(thrown(() => view.names).code, "NOT_INITIALIZED");
    assert.deepEqual(sync.names, ["a", "b", "in-code"]);
  });
});

test("a view of a view follows its catalog, and tools made before work on", async () => {
  const { files, sync, promised } = await make();
  const view = sync.only(["a", "b", "c"]).only(["!b"]);
  const tools = view.tools();
  const later = promised.only(["a"]).tools();
  trap();
  assert.equal(thrown(() => view.names).code, "INTERNAL");
  assert.equal(tools.call("load_skill", { name: "a" }).code, "INTERNAL");
  assert.equal((await later.call("load_skill", { name: "a" })).code, "INTERNAL");
  files["c/SKILL.md"] = validSkill("c");
  sync.refresh();
  await promised.refresh();
  assert.deepEqual(view.names, ["a", "c"]);
  assert.equal(tools.call("load_skill", { name: "c" }).isError, false);
  assert.equal(tools.call("load_skill", { name: "b" }).code, "SKILL_NOT_FOUND");
  assert.equal((await later.call("load_skill", { name: "a" })).isError, false);
  assert.equal((await later.call("load_skill", { name: "c" })).code, "SKILL_NOT_FOUND");
});

test("two refreshes at once both bring a catalog back", async () => {
  const { promised } = await make();
  trap();
  const changes = await Promise.all([promised.refresh(), promised.refresh()]);
  assert.deepEqual(
    changes.map(({ added }) => added),
    [
      ["a", "b"],
      ["a", "b"],
    ],
  );
  assert.equal(await promised.body("a"), "Body");
});

test("a catalog that is lost or disposed of can be looked at", async () => {
  const { sync, promised, view } = await make();
  trap();
  assert.equal(inspect(sync), "SyncCatalog { lost with its module: refresh() it }");
  assert.equal(inspect(promised), "Catalog { lost with its module: refresh() it }");
  sync.dispose();
  assert.equal(inspect(view), "SyncCatalog { disposed of }");
});

test("a catalog from before can be disposed of", async () => {
  const { sync, promised, view } = await make();
  trap();
  for (const catalog of [view, sync, promised]) catalog.dispose();
  assert.equal(thrown(() => sync.names).code, "NOT_INITIALIZED");
});

test("an operation under way when another fails ends with INTERNAL, and the next works", async () => {
  const files: Record<string, string> = { "a/SKILL.md": validSkill("a") };
  const memory = memoryHost(files);
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const loading = rejection(() =>
    loadSkills({
      host: {
        list: async (directory) => {
          await gate;
          return memory.list(directory);
        },
        read: async (file) => memory.read(file),
      },
    }),
  );
  await new Promise(setImmediate);
  trap();
  release();
  assert.equal((await loading).code, "INTERNAL");
  assert.deepEqual(loadSkillsSync({ host: memory }).names, ["a"]);
});

test("many traps in a row do no harm", async () => {
  for (let round = 0; round < 20; round += 1) {
    trap();
    assert.deepEqual((await make()).sync.names, ["a", "b", "in-code"]);
  }
});
