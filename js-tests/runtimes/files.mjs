// What the hosts of skillshelf/web must come to in a browser: apps/files.mjs.

import assert from "node:assert/strict";

const EXPECTED = {
  edits: {
    before: "Warm the pot.",
    after: "Warm up the pot.",
    added: ["mate"],
    changed: ["tea"],
    removed: ["tea"],
    again: ["tea"],
    names: ["mate", "tea"],
  },
  quickEdits: 4,
  mistakes: Array.from({ length: 6 }, () => "TypeError"),
  collisions: { root: ["tea", "x", "x (2)"], tea: ["SKILL.md", "SKILL.md (2)"], x: ["y"] },
};

/** Throws for another answer of the page; gives how many checks of a host have passed. */
export function checkFiles(answer) {
  const { handles, lists, forbidden, ...others } = JSON.parse(answer);
  for (const outcomes of [handles, lists]) {
    assert.ok(Object.keys(outcomes).length > 10);
    const failed = Object.entries(outcomes).filter(([, outcome]) => outcome !== "passed");
    assert.deepEqual(failed, []);
  }
  const [finding, ...more] = forbidden;
  assert.deepEqual([finding.code, finding.path, more], ["directory-unreadable", "picked", []]);
  assert.deepEqual(others, EXPECTED);
  return Object.keys(handles).length + Object.keys(lists).length;
}
