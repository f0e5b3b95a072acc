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
  assert.equal(edits.isIdle, true);
});

test("what waits is done though what was under way fails, of which is told at the end", async () => {
  const { OneAtATime } = await part("src/latest.ts");
  const done = [];
  const steps = [];
  const work = ({ path }) =>
    new Promise((resolve, reject) => {
      done.push(path);
      steps.push(path === "a" ? () => reject(new Error("no")) : resolve);
    });
  const edits = new OneAtATime(work, ({ path }) => path);
  const all = edits.do({ path: "a" });
  await edits.do({ path: "b" });
  assert.equal(edits.isIdle, false);
  steps.shift()();
  await new Promise(setImmediate);
  assert.deepEqual(done, ["a", "b"]);
  steps.shift()();
  await assert.rejects(all, /no/);
  assert.equal(edits.isIdle, true);
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

test("who watches a part of the state only at times is told afterwards what has become of it", async () => {
  const { Store } = await part("src/store.ts");
  const store = new Store();
  const seen = [];
  store.watch(
    ({ view, budget }) => view === "try" && [budget],
    ({ budget }) => seen.push(budget),
  );
  store.set({ budget: 1 });
  store.set({ budget: 2 });
  assert.deepEqual(seen, []);
  store.set({ view: "try" });
  store.set({ view: "edit" });
  store.set({ view: "try" });
  assert.deepEqual(seen, [2]);
});

test("a splice makes of a list what it has become, and says no more than has changed", async () => {
  const { difference, spliced } = await part("src/engine/splice.ts");
  const lists = [
    "",
    "a",
    "abc",
    "abcabc",
    "aabc",
    "abbc",
    "xbc",
    "abx",
    "cba",
    "abcd",
    "aaaa",
    "aa",
  ];
  const same = (one, other) => one === other;
  for (const before of lists) {
    for (const after of lists) {
      const [from, to] = [[...before], [...after]];
      const splice = difference(from, to, same);
      const made = spliced(from, splice);
      assert.deepEqual(made, to, `${before} to ${after}`);
      assert.equal(made === from, before === after);
      assert.ok(splice.come.length <= to.length);
    }
  }
  assert.deepEqual(difference([..."abcde"], [..."abxde"], same), { at: 2, gone: 1, come: ["x"] });
});

test("an update that comes late, or is about what was never heard of, changes nothing", async () => {
  const { heard } = await part("src/engine/telling.ts");
  const all = (edition, come) => ({
    opened: 1,
    edition,
    label: "x",
    near: true,
    changes: 0,
    rows: { at: 0, gone: 0, come },
    problems: { at: 0, gone: 0, come: [] },
    indexed: { of: edition },
  });
  const first = heard(undefined, all(1, ["a", "b"]));
  const { indexed: _, ...later } = all(2, []);
  const rows = { at: 1, gone: 1, come: ["c"] };
  const second = heard(first, { ...later, since: 1, rows });
  assert.deepEqual(second.overview.rows, ["a", "c"]);
  assert.equal(second.overview.problems, first.overview.problems);
  assert.equal(second.indexed, first.indexed);
  assert.equal(heard(second, all(1, ["old"])), second);
  assert.equal(heard(second, { ...later, edition: 4, since: 3, rows }), second);
  assert.equal(heard(undefined, { ...later, since: 1, rows }), undefined);
});
