// Reading of a disk with promises: at once while it answers quickly, and never for long.

import assert from "node:assert/strict";
import fs from "node:fs";
import { describe, type TestContext, test } from "node:test";
import { loadSkills } from "skillshelf";
import { nodeHost } from "skillshelf/node";
import { folder } from "./support/folder.ts";
import { validSkill } from "./support/text.ts";

const COUNT = 300;

function manySkills(): string {
  const names = Array.from({ length: COUNT }, (_, index) => `skill-${index}`);
  return folder(Object.fromEntries(names.map((it) => [`${it}/SKILL.md`, validSkill(it)])));
}

/**
 * Counts what is opened at once and by threads, by a clock that only this moves on: by so many
 * milliseconds for each that is opened at once, and with each look at it.
 */
function clock(
  context: TestContext,
  { atOnce = 0, look = 0 },
): Record<"atOnce" | "byThread", number> {
  const opened = { atOnce: 0, byThread: 0 };
  let now = performance.now() + 60_000;
  context.mock.method(performance, "now", () => {
    now += look;
    return now;
  });
  const { open, openSync } = fs;
  context.mock.method(fs, "openSync", (...given: Parameters<typeof openSync>) => {
    opened.atOnce += 1;
    now += atOnce;
    return openSync(...given);
  });
  const later = (path: string, flags: number, done: (error: unknown, file?: number) => void) => {
    opened.byThread += 1;
    open(path, flags, done);
  };
  context.mock.method(fs, "open", later as typeof open);
  return opened;
}

describe("a disk is read with promises", () => {
  test("at once, and no longer than a slice until everything else has its turn", async (context) => {
    const root = manySkills();
    const opened = clock(context, { atOnce: 1 });
    let seen = 0;
    let most = 0;
    let isOver = false;
    const look = (): void => {
      most = Math.max(most, opened.atOnce - seen);
      seen = opened.atOnce;
      if (!isOver) setImmediate(look);
    };
    look();
    const catalog = await loadSkills(root);
    isOver = true;
    assert.equal(catalog.size, COUNT);
    assert.ok(opened.atOnce > COUNT / 2, `${opened.atOnce} were opened at once`);
    assert.ok(most <= 5, `${most} milliseconds without a turn`);
  });

  test("by threads, where it lets one wait", async (context) => {
    const root = manySkills();
    const opened = clock(context, { look: 50 });
    assert.equal((await loadSkills(root)).size, COUNT);
    assert.deepEqual([opened.atOnce, opened.byThread > COUNT], [0, true]);
  });

  test("by threads again, once it lets one wait", async (context) => {
    const root = manySkills();
    const opened = clock(context, { atOnce: 50 });
    assert.equal((await loadSkills(root)).size, COUNT);
    assert.ok(opened.atOnce <= opened.byThread, JSON.stringify(opened));
  });

  test("by the method that somebody has put in the place of its own", async () => {
    const host = nodeHost(manySkills());
    await loadSkills({ host });
    let asked = 0;
    const { open } = host;
    host.open = (...given) => {
      asked += 1;
      return open?.apply(host, given) as ReturnType<NonNullable<typeof open>>;
    };
    assert.equal((await loadSkills({ host })).size, COUNT);
    assert.ok(asked >= COUNT, `${asked} asked`);
  });

  test("also where a test has put its own clock in the place of the runtime's", async (context) => {
    const root = manySkills();
    context.mock.timers.enable({ apis: ["setImmediate", "setTimeout", "Date"] });
    const catalog = await loadSkills(root);
    assert.equal(catalog.size, COUNT);
    assert.equal((await catalog.refresh()).added.length, 0);
  });
});
