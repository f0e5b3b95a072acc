// What many catalogs leave behind, what many calls at once see, and a module whose memory has run out.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { loadSkills, loadSkillsSync, memoryHost, parseSkill } from "skillshelf";
import { thrown } from "./support/errors.ts";
import { withPromises } from "./support/hosts.ts";
import { validSkill } from "./support/text.ts";

const dist = path.dirname(fileURLToPath(import.meta.resolve("skillshelf")));

/** The glue, which is private and has no declaration in the package. Started, it gives what it started. */
interface Glue {
  initSync(module: object): { memory: Memory };
}
interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
const glue: Glue = await import(path.join(dist, "core/skillshelf.js"));

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

function memory(): Memory {
  parseSkill("x");
  return glue.initSync({}).memory;
}

/** Collects garbage, and lets what waits for that run. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    collect();
    await new Promise(setImmediate);
  }
}

const FILES: Record<string, string> = {};
for (let index = 0; index < 20; index += 1) {
  FILES[`s${index}/SKILL.md`] = validSkill(`s${index}`, "d".repeat(500), "b".repeat(2_000));
}

async function cycle(disposes: boolean): Promise<void> {
  const catalog = loadSkillsSync({ host: memoryHost(FILES) });
  const promised = await loadSkills({ host: memoryHost(FILES) });
  for (const one of [catalog, promised]) {
    const session = one.session();
    await session.load("s1");
    await one.call("load_skill", { name: "s2" });
    await one.search("d", { bodies: true });
    one.prompt();
    const view = one.only(["s1"]);
    view.tools();
    if (!disposes) continue;
    view.dispose();
    one.dispose();
  }
}

for (const disposes of [true, false]) {
  test(`1,000 catalogs, ${disposes ? "disposed of" : "left to the collector"}, leave memory flat`, async (context) => {
    const used: { module: number; heap: number }[] = [];
    for (let round = 0; round < 500; round += 1) {
      await cycle(disposes);
      if (round % 25 !== 24) continue;
      await settle();
      used.push({
        module: memory().buffer.byteLength,
        heap: process.memoryUsage().heapUsed,
      });
    }
    const [first, last] = [used[3], used.at(-1)];
    assert.ok(first && last);
    context.diagnostic(`${JSON.stringify(first)} after 200, ${JSON.stringify(last)} after 1,000`);
    // Kept, 800 catalogs of 20 skills would be far more than either.
    assert.ok(last.module <= first.module + 1_048_576, JSON.stringify(used));
    assert.ok(last.heap <= first.heap + 8_000_000, JSON.stringify(used));
  });
}

test("10,000 calls while a catalog is refreshed see the old one or the new one", async () => {
  const files: Record<string, string> = {};
  const write = (from: number, to: number, words: string): void => {
    for (let index = from; index < to; index += 1) {
      files[`s${index}/SKILL.md`] = validSkill(`s${index}`, words);
    }
  };
  write(0, 20, "old words");
  const catalog = await loadSkills({ host: withPromises(memoryHost(files)) });
  const call = (tool: string, args: object): Promise<string> =>
    catalog.call(tool, args).then(({ content }) => content);
  // Each tells of all skills in one answer.
  const ways: (() => Promise<string>)[] = [
    () => call("list_skills", {}),
    () => call("search_skills", { query: "words", limit: 50 }),
    () => Promise.resolve(catalog.prompt()),
    () => catalog.search("words", { limit: 50 }).then((hits) => JSON.stringify(hits)),
  ];
  const all = (): Promise<string[]> => Promise.all(ways.map((way) => way()));
  const old = await all();
  for (const name of Object.keys(files)) delete files[name];
  write(10, 30, "new words");
  let isRefreshed = false;
  const refreshing = catalog.refresh().then(() => {
    isRefreshed = true;
  });
  const seen: Promise<string[]>[] = [];
  let meanwhile = 0;
  while (seen.length < 1_250) {
    for (let count = 0; count < 10; count += 1) seen.push(all());
    if (!isRefreshed) meanwhile = seen.length;
    await Promise.resolve();
  }
  await refreshing;
  while (seen.length < 2_500) seen.push(all());
  const fresh = await all();
  assert.ok(meanwhile > 0);
  for (const text of fresh) assert.ok(text.includes("s29") && !text.includes("old words"));
  const contents = await Promise.all(seen);
  for (const way of ways.keys()) {
    const given = contents.map((answers) => answers[way]);
    assert.deepEqual(new Set(given), new Set([old[way], fresh[way]]));
    // Who has seen the new one does not see the old one again.
    assert.ok(given.lastIndexOf(old[way]) < given.indexOf(fresh[way]));
  }
});

/** Leaves the module no memory to grow into. Only its address space is taken, none of the machine's. */
function exhaust(): void {
  const whole = memory();
  for (let pages = 65_536; pages >= 1; ) {
    try {
      whole.grow(pages);
    } catch {
      pages = Math.floor(pages / 2);
    }
  }
}

test("a module that runs out of memory is INTERNAL, and what comes after works", async () => {
  const files: Record<string, string> = { "a/SKILL.md": validSkill("a") };
  const sync = loadSkillsSync({ host: memoryHost(files) });
  const promised = await loadSkills({ host: withPromises(memoryHost(files)) });
  const large = "x".repeat(64 * 1_048_576);
  exhaust();
  const error = thrown(() => parseSkill(large));
  assert.equal(error.code, "INTERNAL");
  assert.match(error.message, /started anew.*report/);
  assert.equal((error.cause as Error).name, "RuntimeError");
  // New ones at once, old ones after a refresh.
  assert.deepEqual(loadSkillsSync({ host: memoryHost(files) }).names, ["a"]);
  assert.equal(thrown(() => sync.names).code, "INTERNAL");
  files["b/SKILL.md"] = validSkill("b");
  sync.refresh();
  await promised.refresh();
  assert.deepEqual(
    [sync.names, promised.names],
    [
      ["a", "b"],
      ["a", "b"],
    ],
  );

  exhaust();
  assert.equal(thrown(() => sync.expand(`/b ${large}`)).code, "INTERNAL");
  const result = sync.call("load_skill", { name: "b" });
  assert.deepEqual([result.isError, result.code], [true, "INTERNAL"]);
  sync.refresh();
  assert.equal(sync.call("load_skill", { name: "b" }).isError, false);

  exhaust();
  const crowd = Array.from({ length: 1_000_000 }, (_, index) => ({
    name: `a-name-that-takes-its-room-${index}`,
    kind: "directory",
  }));
  const host = { list: () => crowd, read: () => new Uint8Array(0) };
  assert.equal(thrown(() => loadSkillsSync({ host })).code, "INTERNAL");
  await promised.refresh();
  assert.equal(await promised.body("a"), "Body");
});
