// Where what was opened does not tell where it is: a file, or the directory above it, is a link or is not at
// each call of the file system that opening makes, in every order there can be.

import "./support/without-proc.ts";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import type { Host, SyncHost } from "skillshelf";
import { fsHost } from "skillshelf/fs";
import { nodeHost } from "skillshelf/node";
import { folder } from "./support/folder.ts";
import { whileSwapping } from "./support/swapping.ts";

const onUnix = process.platform === "win32" ? { skip: "needs Unix" } : {};
const { lstatSync, renameSync, symlinkSync, unlinkSync, utimesSync } = fs;

/** The names of calls that take a path, of `node:fs` and of `fs.promises`. */
const BY_PATH = ["stat", "lstat", "realpath", "open", "readFile"];

/** Called before each call that takes a path. */
let beforeCall = (): void => {};

/** The same with calls that are told of. */
function watched<T extends object>(calls: T, names: readonly string[]): T {
  const copy = { ...calls } as Record<string, unknown>;
  for (const name of names) {
    const call = copy[name] as (...args: unknown[]) => unknown;
    copy[name] = (...args: unknown[]) => {
      beforeCall();
      return call(...args);
    };
  }
  return copy as T;
}

// The disk's own calls, by the object that the package has them from.
const disk = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
const original = { ...fs, promises: { ...fs.promises } };
const { native } = fs.realpathSync;
const watchDisk = (): void => {
  Object.assign(fs.realpathSync, {
    native: (...args: Parameters<typeof native>) => {
      beforeCall();
      return native(...args);
    },
  });
  for (const name of ["open", "openSync", "statSync", "lstatSync"]) {
    const call = disk[name] as (...args: unknown[]) => unknown;
    disk[name] = (...args) => {
      beforeCall();
      return call(...args);
    };
  }
};
watchDisk();

const SYNC_NAMES = BY_PATH.map((name) => `${name}Sync`);
const HOSTS: Record<string, (root: string) => Host | SyncHost> = {
  "the disk": (root) => nodeHost.sync(root),
  "the disk with promises": (root) => nodeHost(root),
  "a file system": (root) => fsHost.sync(watched(original, SYNC_NAMES), root),
  "a file system with promises": (root) => fsHost(watched(original.promises, BY_PATH), root),
  "a file system that reads files whole": (root) => {
    const { openSync: _, ...whole } = watched(original, SYNC_NAMES);
    return fsHost.sync(whole, root);
  },
};

/** What is swapped for a link to what. */
interface Swapped {
  place: string;
  target: string;
}

/** Makes `place` a link or what it was, and its directory one that was changed at another time. */
function swapper({ place, target }: Swapped, aside: string): (isLink: boolean) => void {
  let time = 1_000_000_000;
  return (isLink) => {
    if (lstatSync(place).isSymbolicLink() === isLink) return;
    if (isLink) {
      renameSync(place, aside);
      symlinkSync(target, place);
    } else {
      unlinkSync(place);
      renameSync(aside, place);
    }
    // Whatever the clock of this file system is like.
    time += 1;
    utimesSync(path.dirname(place), time, time);
  };
}

/** What came of opening and reading, and the real path that was told. */
async function opened(
  host: Host | SyncHost,
  noFollow: boolean,
): Promise<{ content?: string; realPath?: string | undefined; code?: string }> {
  try {
    const file = await host.open?.("x/a.md", noFollow ? { noFollow } : undefined);
    assert.ok(file);
    const { realPath } = file;
    const content = await file.read({ offset: 0, length: 100 });
    await file.close();
    return { content: Buffer.from(content).toString(), realPath };
  } catch (error) {
    return { code: String((error as { code?: unknown }).code) };
  }
}

for (const [title, hostOf] of Object.entries(HOSTS)) {
  describe(title, onUnix, () => {
    for (const swapped of ["x/a.md", "x"]) {
      test(`${swapped} is swapped in between, at every call`, async () => {
        const root = folder({ "s/x/a.md": "inside", "away/x/a.md": "outside" });
        const source = path.join(root, "s");
        const place = {
          place: path.join(source, swapped),
          target: path.join(root, "away", swapped),
        };
        const swap = swapper(place, path.join(root, "aside"));
        const host = hostOf(source);
        let calls = 0;
        beforeCall = () => {
          calls += 1;
        };
        await opened(host, false);
        const total = calls;
        const seen = { inside: 0, outside: 0, stale: 0 };
        for (let pattern = 0; pattern < 2 ** total; pattern += 1) {
          let call = 0;
          beforeCall = () => {
            swap(((pattern >> (call % total)) & 1) === 1);
            call += 1;
          };
          const { content, realPath, code } = await opened(host, false);
          beforeCall = () => {};
          swap(false);
          if (code !== undefined) {
            assert.equal(code, "ESTALE", pattern.toString(2));
            seen.stale += 1;
          } else {
            const isInside = realPath === path.join(source, "x/a.md");
            assert.equal(content, isInside ? "inside" : "outside", pattern.toString(2));
            seen[isInside ? "inside" : "outside"] += 1;
          }
        }
        for (const [what, count] of Object.entries(seen)) assert.ok(count > 0, what);
      });
    }
    test("a file is swapped in between, and no link is to be followed", async () => {
      const root = folder({ "s/x/a.md": "inside", "away/a.md": "outside" });
      const source = path.join(root, "s");
      const place = path.join(source, "x/a.md");
      const swap = swapper(
        { place, target: path.join(root, "away/a.md") },
        path.join(root, "aside"),
      );
      const host = hostOf(source);
      let calls = 0;
      beforeCall = () => {
        calls += 1;
      };
      await opened(host, true);
      const total = calls;
      for (let pattern = 0; pattern < 2 ** total; pattern += 1) {
        let call = 0;
        beforeCall = () => {
          swap(((pattern >> (call % total)) & 1) === 1);
          call += 1;
        };
        const { content } = await opened(host, true);
        beforeCall = () => {};
        swap(false);
        assert.notEqual(content, "outside", pattern.toString(2));
      }
    });
  });
}

test(
  "a file that is swapped for a pipe before it is opened is waited for by nobody",
  onUnix,
  () => {
    const script = `
    import { execFileSync } from "node:child_process";
    import fs from "node:fs";
    import { fsHost } from "skillshelf/fs";
    const [root] = process.argv.slice(1);
    const place = root + "/a.md";
    const swap = () => {
      fs.rmSync(place, { force: true });
      execFileSync("mkfifo", [place]);
    };
    const swapping = (open) => (...args) => {
      swap();
      return open(...args);
    };
    const host = fsHost.sync({ ...fs, openSync: swapping(fs.openSync) }, root);
    const promised = fsHost({ ...fs.promises, open: swapping(fs.promises.open) }, root);
    const kinds = [];
    for (const one of [host, promised]) {
      fs.rmSync(place, { force: true });
      fs.writeFileSync(place, "text");
      const opened = await one.open("a.md");
      kinds.push(opened.kind);
      await opened.close();
    }
    process.stdout.write(JSON.stringify(kinds));`;
    const args = ["--input-type=module", "--eval", script, folder({ "a.md": "text" })];
    const options = { cwd: import.meta.dirname, encoding: "utf8", timeout: 30_000 } as const;
    assert.deepEqual(JSON.parse(execFileSync(process.execPath, args, options)), ["other", "other"]);
  },
);

test("who waits for swaps of a thread that has ended is told", onUnix, async () => {
  const absent = [{ path: "absent", target: "absent" }];
  let swaps = 0;
  const waiting = whileSwapping(folder(), absent, async (swapped) => {
    while (swaps === 0) swaps = swapped();
  });
  await assert.rejects(waiting, { code: "ENOENT" });
  assert.equal(swaps, 0);
});
