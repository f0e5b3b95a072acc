import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSkills, loadSkillsSync } from "skillshelf";

import { timed } from "../clock.mjs";

/** Refreshes a loaded catalog: nothing changed, then one front matter edited, and put back. */
export async function run({ directory, asynchronous }) {
  const catalog = asynchronous ? await loadSkills(directory) : loadSkillsSync(directory);
  const unchanged = await timed(() => catalog.refresh());
  expectChanges(unchanged.value, 0);

  const file = join(directory, catalog.names[0], "SKILL.md");
  const original = readFileSync(file, "utf8");
  writeFileSync(file, original.replace("\n", "\nbench-edit: one more key\n"));
  const edited = await timed(() => catalog.refresh());
  writeFileSync(file, original);
  expectChanges(edited.value, 1);
  expectChanges(await catalog.refresh(), 1);
  return { unchangedMs: unchanged.ms, editedMs: edited.ms };
}

function expectChanges({ added, changed, removed }, count) {
  if (added.length !== 0 || changed.length !== count || removed.length !== 0) {
    const found = `${added.length} added, ${changed.length} changed, ${removed.length} removed`;
    throw new Error(`refresh after ${count} edits says ${found}`);
  }
}
