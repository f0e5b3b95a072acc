// The disk, whose k-th call fails, for every k of every operation: too many open files, and a broken disk.

import assert from "node:assert/strict";
import fs from "node:fs";
import { describe, test } from "node:test";
import { loadSkills, loadSkillsSync } from "skillshelf";
import { type Any, ending, endingOfFailing, USES } from "./support/endings.ts";
import { folder } from "./support/folder.ts";
import { validSkill } from "./support/text.ts";

const onUnix = process.platform === "win32" ? { skip: "needs Unix" } : {};
const onDiagnostic = (): void => {};

/** Counts down with each call of `node:fs`; the one that comes to 0 fails. */
let left = Infinity;
let code = "";

function failsNow(): Error | undefined {
  left -= 1;
  return left === 0 ? Object.assign(new Error(`${code}: it fails, call`), { code }) : undefined;
}

type Call = (...args: unknown[]) => unknown;

/** Puts calls that can fail in the place of those of an object. Closing closes first. */
function breakCalls(object: object, names: readonly string[]): void {
  const calls = object as Record<string, Call>;
  for (const name of names) {
    const call = calls[name] as Call;
    calls[name] = (...args) => {
      const error = failsNow();
      if (error === undefined) return call(...args);
      const done = args.at(-1);
      if (name === "closeSync") call(...args);
      if (typeof done !== "function") throw error;
      return setImmediate(() => done(error));
    };
  }
}

// The object that the package has its calls from.
breakCalls(fs.realpathSync, ["native"]);
breakCalls(fs.realpath, ["native"]);
breakCalls(fs, ["openSync", "readSync", "closeSync", "fstatSync", "statSync", "lstatSync"]);
breakCalls(fs, ["readdirSync", "readlinkSync", "open", "read", "stat", "readdir"]);

const LOADS: Record<string, (directory: string) => Any | Promise<Any>> = {
  "at once": (directory) => loadSkillsSync(directory, { onDiagnostic }),
  "with promises": (directory) => loadSkills(directory, { onDiagnostic }),
};

const place = (): string =>
  folder({
    "one/SKILL.md": validSkill("one"),
    "one/a.md": "A",
    "group/two/SKILL.md": validSkill("two"),
    "loose.md": validSkill("loose"),
  });

/**
 * A result is the right one, an error, or says that something could not be read. A search that cannot
 * read a body finds the skill by the rest of it, or not.
 */
function assertRightOrTold(
  ended: Awaited<ReturnType<typeof ending>>,
  right: Awaited<ReturnType<typeof ending>>,
  message: string,
): void {
  const text = JSON.stringify(ended);
  if (text === JSON.stringify(right) || ended.code !== undefined) return;
  if (message.startsWith("search")) {
    const names = namesOf(right);
    assert.ok(
      namesOf(ended).every((name) => names.includes(name)),
      `${message}: ${text}`,
    );
    return;
  }
  assert.match(text, TOLD, `${message}: ${text}, not ${JSON.stringify(right)}`);
}

const TOLD =
  /"isError":true|"severity":"(?:error|warning)"|could not be (?:read|listed)|EMFILE|EIO/;

function namesOf({ result }: Awaited<ReturnType<typeof ending>>): string[] {
  return (result as { skill: { name: string } }[]).map(({ skill }) => skill.name);
}

const openDescriptors = (): number | undefined =>
  process.platform === "linux" ? fs.readdirSync("/proc/self/fd").length : undefined;

for (const [title, load] of Object.entries(LOADS)) {
  describe(title, onUnix, () => {
    for (const fault of ["EMFILE", "EIO"]) {
      test(`a scan, with ${fault}`, async () => {
        const root = place();
        const whole = (await load(root)).names;
        const before = openDescriptors();
        let k = 1;
        for (let failed = true; failed; k += 1) {
          [left, code] = [k, fault];
          const { result } = await endingOfFailing(() => load(root));
          failed = left <= 0;
          left = Infinity;
          const catalog = (result as Any | undefined) ?? (await load(root));
          for (const { name } of catalog) assert.ok(whole.includes(name), `${k}: ${name}`);
          const lacks = catalog.names.length < whole.length;
          assert.ok(!lacks || catalog.diagnostics.length > 0, `${k}: ${catalog.names}, no finding`);
          await catalog.refresh();
          assert.deepEqual(catalog.names, whole, `at ${k}`);
          catalog.dispose();
        }
        assert.ok(k > 10, `${k} calls`);
        assert.equal(openDescriptors(), before);
      });
      test(`all else, with ${fault}`, async () => {
        const root = place();
        const before = openDescriptors();
        for (const [name, use] of Object.entries(USES)) {
          const right = await ending(async () => use(await load(root)));
          for (let k = 1, failed = true; failed; k += 1) {
            const catalog = await load(root);
            [left, code] = [k, fault];
            const ended = await endingOfFailing(() => use(catalog));
            failed = left <= 0;
            left = Infinity;
            assertRightOrTold(ended, right, `${name} at ${k}`);
            await catalog.refresh();
            assert.deepEqual(await ending(() => use(catalog)), right, `${name} at ${k}`);
            catalog.dispose();
          }
        }
        assert.equal(openDescriptors(), before);
      });
    }
  });
}
