// The files beside a skill, as whoever wrote the program is told of them.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Catalog,
  defineSkill,
  loadSkills,
  loadSkillsSync,
  type SyncCatalog,
  type SyncHost,
} from "skillshelf";
import { rejection, thrown } from "./support/errors.ts";
import { folder } from "./support/folder.ts";
import { type Files, MAKES, smallHost, withPromises } from "./support/hosts.ts";
import { validSkill } from "./support/text.ts";

const FILES: Files = {
  "tea/SKILL.md": validSkill("tea", "Brews tea."),
  "tea/references/pots.md": "Pots.",
  "tea/assets/pot.bin": Uint8Array.of(1),
  "tea/.hidden": "Hidden.",
  "tea/node_modules/a/index.js": "Another's.",
  "alone/SKILL.md": validSkill("alone", "Has none."),
  "loose.md": validSkill("loose", "Has no directory."),
};
const quiet = { onDiagnostic: (): void => {} };
const BESIDE_TEA = { files: ["assets/pot.bin", "references/pots.md"], more: false, unread: false };
const NONE = { files: [], more: false, unread: false };

/** Catalogs of every kind over the same skills. */
const KINDS: Record<string, () => Promise<Catalog | SyncCatalog>> = {
  "of a host without promises": async () => loadSkillsSync({ host: smallHost(FILES) }, quiet),
  "of a host with promises": () => loadSkills({ host: withPromises(smallHost(FILES)) }, quiet),
  "of another catalog": async () =>
    loadSkills(await loadSkills({ host: smallHost(FILES) }, quiet), quiet),
  "of another catalog, without promises": async () =>
    loadSkillsSync(loadSkillsSync({ host: smallHost(FILES) }, quiet), quiet),
  "a view": async () =>
    (await loadSkills({ host: withPromises(smallHost(FILES)) }, quiet)).only(["*e*"]),
  "a view, without promises": async () =>
    loadSkillsSync({ host: smallHost(FILES) }, quiet).only(["*e*"]),
};

describe("the files beside a skill", () => {
  for (const [kind, load] of Object.entries(KINDS)) {
    test(`those that a model is told of: a catalog ${kind}`, async () => {
      const catalog = await load();
      assert.deepEqual(await catalog.files("tea"), BESIDE_TEA);
      assert.deepEqual(await catalog.files("alone"), NONE);
      assert.deepEqual(await catalog.files("loose"), NONE);
      const { content } = await catalog.call("list_skill_resources", { skill: "tea" });
      for (const file of BESIDE_TEA.files) assert.ok(content.includes(file), content);
    });
  }

  for (const [make, hostOf] of Object.entries(MAKES)) {
    test(`whatever a host can: ${make}`, async () => {
      const host = hostOf(FILES);
      assert.deepEqual(loadSkillsSync({ host }, quiet).files("tea"), BESIDE_TEA);
      const promised = await loadSkills({ host: withPromises(host) }, quiet);
      assert.deepEqual(await promised.files("tea"), BESIDE_TEA);
    });
  }

  test("of a skill from code: those of its directory, or none", async () => {
    const directory = folder({ "a.md": "A.", "deep/b.md": "B." });
    const about = { description: "From code.", content: "Do it." };
    const catalog = await loadSkills(
      [
        defineSkill({ name: "with", directory, ...about }),
        defineSkill({ name: "without", ...about }),
      ],
      quiet,
    );
    assert.deepEqual(await catalog.files("with"), {
      files: ["a.md", "deep/b.md"],
      more: false,
      unread: false,
    });
    assert.deepEqual(await catalog.files("without"), NONE);
  });

  test("of many it says that there are more", () => {
    const many = Object.fromEntries(
      Array.from({ length: 1_001 }, (_, at): [string, string] => [`tea/f${at}.md`, ""]),
    );
    const catalog = loadSkillsSync({ host: smallHost({ ...FILES, ...many }) }, quiet);
    const { files, more } = catalog.files("tea");
    assert.equal(files.length, 1_000);
    assert.equal(more, true);
  });

  test("of a directory that cannot be read it says that its files are missing", async () => {
    const honest = smallHost(FILES);
    const host: SyncHost = {
      ...honest,
      read: (file, range) => honest.read(file, range),
      list: (directory) => {
        if (directory === "tea/references") throw new Error("no access");
        return honest.list(directory);
      },
    };
    const told = { files: ["assets/pot.bin"], more: false, unread: true };
    assert.deepEqual(loadSkillsSync({ host }, quiet).files("tea"), told);
    const promised = await loadSkills({ host: withPromises(host) }, quiet);
    assert.deepEqual(await promised.files("tea"), told);
  });

  test("an unknown skill, and one that a view leaves out, is an error", async () => {
    const sync = loadSkillsSync({ host: smallHost(FILES) }, quiet);
    const promised = await loadSkills({ host: smallHost(FILES) }, quiet);
    for (const name of ["te", ""]) {
      assert.equal(thrown(() => sync.files(name)).code, "SKILL_NOT_FOUND");
      assert.equal((await rejection(() => promised.files(name))).code, "SKILL_NOT_FOUND");
    }
    assert.equal(thrown(() => sync.only(["loose"]).files("tea")).code, "SKILL_NOT_FOUND");
  });
});
