// Parts of the page that need no browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { part } from "./parts.mjs";

test("of what is given while one is under way, the last about each thing is done next", async () => {
  const { OneAtATime } = await part("src/latest.ts");
  const done = [];
  const steps = [];
  const work = ({ path, text }) =>
    new Promise((resolve) => {
      done.push(`${path} ${text}`);
      steps.push(resolve);
    });
  const edits = new OneAtATime(work, ({ path }) => path);
  const all = edits.do({ path: "a", text: "1" });
  for (const [path, text] of [
    ["a", "2"],
    ["a", "3"],
    ["b", "1"],
    ["b", "2"],
  ]) {
    await edits.do({ path, text });
  }
  assert.deepEqual(done, ["a 1"]);
  while (steps.length > 0) {
    steps.shift()();
    await new Promise(setImmediate);
  }
  await all;
  assert.deepEqual(done, ["a 1", "a 3", "b 2"]);
});

test("what is under way or waits about a thing is known, and what waits can be dropped", async () => {
  const { OneAtATime } = await part("src/latest.ts");
  const done = [];
  const steps = [];
  const edits = new OneAtATime(
    ({ path, text }) =>
      new Promise((resolve) => {
        done.push(`${path} ${text}`);
        steps.push(resolve);
      }),
    ({ path }) => path,
  );
  const all = edits.do({ path: "a", text: "1" });
  const latest = () => ["a", "b"].map((path) => edits.latest(path)?.text);
  assert.deepEqual(latest(), ["1", undefined]);
  await edits.do({ path: "a", text: "2" });
  await edits.do({ path: "b", text: "3" });
  assert.deepEqual(latest(), ["2", "3"]);
  edits.drop("a");
  assert.deepEqual(latest(), ["1", "3"]);
  steps.shift()();
  await new Promise(setImmediate);
  assert.deepEqual(latest(), [undefined, "3"]);
  steps.shift()();
  await all;
  assert.deepEqual(latest(), [undefined, undefined]);
  assert.deepEqual(done, ["a 1", "b 3"]);
});

test("what fails leaves nothing behind that waits for ever", async () => {
  const { OneAtATime } = await part("src/latest.ts");
  const done = [];
  const edits = new OneAtATime(async (given) => {
    done.push(given);
    if (given === 1) throw new Error("no");
  });
  await assert.rejects(edits.do(1), /no/);
  await edits.do(2);
  assert.deepEqual(done, [1, 2]);
});

test("of several runs only the latest counts", async () => {
  const { Latest } = await part("src/latest.ts");
  const latest = new Latest();
  const first = latest.begin();
  assert.equal(first(), true);
  const second = latest.begin();
  assert.deepEqual([first(), second(), second()], [false, true, true]);
});

test("who watches a part of the state is called at once, and when that part is another", async () => {
  const { Store } = await part("src/store.ts");
  const store = new Store();
  const seen = [];
  store.watch(
    ({ budget, selected }) => [budget, selected?.path],
    ({ budget, selected }) => seen.push([budget, selected?.path]),
  );
  const before = store.state;
  store.set({ budget: 7 });
  store.set({ view: "edit" });
  store.set({ selected: { path: "a" } });
  store.set({ selected: { path: "a", place: { line: 1, column: 1 } } });
  assert.deepEqual(seen, [
    [undefined, undefined],
    [7, undefined],
    [7, "a"],
  ]);
  assert.equal(before.budget, undefined);
});
