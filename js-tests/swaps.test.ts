// Where what was opened does not tell where it is: a file, or the directory above it, is a link or is not at
// each call of the file system that opening makes, in every order there can be.

import { pauses } from "./support/no-pauses.ts";
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

/** Without the calls of these names, as some file systems are. */
function lacking<T extends object>(calls: T, ...names: string[]): T {
  return Object.fromEntries(Object.entries(calls).filter(([name]) => !names.includes(name))) as T;
}

/** What tells no file from another. */
function withoutIno<T extends object>(calls: T): T {
  const told = (stats: fs.Stats): unknown => {
    const { ino: _, ...rest } = stats;
    return Object.assign(Object.create(Object.getPrototypeOf(stats) as object), rest);
  };
  const copy = { ...calls } as Record<string, unknown>;
  for (const name of ["statSync", "lstatSync", "fstatSync"]) {
    const call = copy[name] as (...args: unknown[]) => fs.Stats;
    copy[name] = (...args: unknown[]) => told(call(...args));
  }
  return copy as T;
}

const SYNC_NAMES = BY_PATH.map((name) => `${name}Sync`);
const HOSTS: Record<string, (root: string) => Host | SyncHost> = {
  "the disk": (root) => nodeHost.sync(root),
  "the disk with promises": (root) => nodeHost(root),
  "a file system": (root) => fsHost.sync(watched(original, SYNC_NAMES), root),
  "a file system with promises": (root) => fsHost(watched(original.promises, BY_PATH), root),
  "a file system that reads files whole": (root) =>
    fsHost.sync(lacking(watched(original, SYNC_NAMES), "openSync"), root),
};

/** Those that do not tell where links lead, so that none is followed. */
const WITHOUT_REAL_PATHS: typeof HOSTS = {
  "a file system without realpath": (root) =>
    fsHost.sync(lacking(watched(original, SYNC_NAMES), "realpathSync"), root),
  "a file system with promises, without realpath": (root) =>
    fsHost(lacking(watched(original.promises, BY_PATH), "realpath"), root),
  "a file system without realpath that reads files whole": (root) =>
    fsHost.sync(lacking(watched(original, SYNC_NAMES), "realpathSync", "openSync"), root),
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
      await neverOutside(hostOf, "x/a.md", (host) => opened(host, true));
    });
  });
}

for (const [title, hostOf] of Object.entries(WITHOUT_REAL_PATHS)) {
  describe(title, onUnix, () => {
    for (const swapped of ["x/a.md", "x"]) {
      test(`${swapped} is swapped in between, at every call`, async () => {
        await neverOutside(hostOf, swapped, (host) => opened(host, false));
        await neverOutside(hostOf, swapped, (host) => opened(host, true));
      });
    }
    test("a directory is swapped in between, and listed", async () => {
      await neverOutside(hostOf, "x", listed);
    });
  });
}

for (const [title, hostOf] of Object.entries({ ...HOSTS, ...WITHOUT_REAL_PATHS })) {
  describe(`${title}, and somebody writes beside it`, onUnix, () => {
    const busy = (): {
      host: Host | SyncHost;
      writeAt: (isTime: (call: number) => boolean) => void;
    } => {
      const source = folder({ "x/a.md": "inside" });
      let time = 1_000_000_000;
      const writeAt = (isTime: (call: number) => boolean): void => {
        let call = 0;
        beforeCall = () => {
          call += 1;
          if (!isTime(call)) return;
          fs.writeFileSync(path.join(source, "x", `${time}`), "");
          time += 1;
          utimesSync(path.join(source, "x"), time, time);
        };
      };
      return { host: hostOf(source), writeAt };
    };
    test("once, at any call: it is read", async () => {
      const { host, writeAt } = busy();
      for (let at = 1; at < 30; at += 1) {
        writeAt((call) => call === at);
        assert.equal((await opened(host, false)).content, "inside", `${at}`);
      }
    });
    test("for a while: it is read, after pauses that grow", async () => {
      const { host, writeAt } = busy();
      let calls = 0;
      writeAt(() => {
        calls += 1;
        return false;
      });
      await opened(host, false);
      // Each try that fails has at most as many calls as one that does not.
      writeAt((call) => call < calls * 5);
      pauses.length = 0;
      assert.equal((await opened(host, false)).content, "inside");
      if (title.includes("promises")) {
        assert.deepEqual(pauses.slice(0, 5), [0, 1, 2, 4, 8]);
      }
    });
    test("without an end: it is told", async () => {
      const { host, writeAt } = busy();
      writeAt(() => true);
      assert.equal((await opened(host, false)).code, "ESTALE");
    });
  });
}

/** The name of the file in a directory, or how listing ended. */
async function listed(host: Host | SyncHost): ReturnType<typeof opened> {
  try {
    const names = (await host.list("x")).map(({ name }) => name);
    return { content: names.includes("outside.md") ? "outside" : "inside" };
  } catch (error) {
    return { code: String((error as { code?: unknown }).code) };
  }
}

/** Whatever is swapped at whichever calls, what is read is inside, or refused, and there is both. */
async function neverOutside(
  hostOf: (root: string) => Host | SyncHost,
  swapped: string,
  use: (host: Host | SyncHost) => ReturnType<typeof opened>,
): Promise<void> {
  const root = folder({
    "s/x/a.md": "inside",
    "away/x/a.md": "outside",
    "away/x/outside.md": "outside",
  });
  const source = path.join(root, "s");
  const place = { place: path.join(source, swapped), target: path.join(root, "away", swapped) };
  const swap = swapper(place, path.join(root, "aside"));
  const host = hostOf(source);
  let calls = 0;
  beforeCall = () => {
    calls += 1;
  };
  await use(host);
  const total = calls;
  const seen = { inside: 0, refused: 0 };
  for (let pattern = 0; pattern < 2 ** total; pattern += 1) {
    let call = 0;
    beforeCall = () => {
      swap(((pattern >> (call % total)) & 1) === 1);
      call += 1;
    };
    const { content, code } = await use(host);
    beforeCall = () => {};
    swap(false);
    if (code === undefined) assert.equal(content, "inside", pattern.toString(2));
    else assert.match(code, /^(ELOOP|ESTALE)$/, pattern.toString(2));
    seen[code === undefined ? "inside" : "refused"] += 1;
  }
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 0, what);
}

for (const [title, names] of [
  ["opens files", []],
  ["reads files whole", ["openSync"]],
] as const) {
  test(
    `a link that has come to stay is not followed where files have no number: ${title}`,
    onUnix,
    () => {
      const root = folder({ "s/x/a.md": "inside", "away/a.md": "outside" });
      const swap = swapper(
        { place: path.join(root, "s/x/a.md"), target: path.join(root, "away/a.md") },
        path.join(root, "aside"),
      );
      const calls = withoutIno(lacking(watched(original, SYNC_NAMES), ...names));
      const host = fsHost.sync(calls, path.join(root, "s"));
      for (let at = 0; ; at += 1) {
        let call = 0;
        beforeCall = () => {
          swap(call >= at);
          call += 1;
        };
        let content: string | undefined;
        let code: unknown;
        try {
          const file = host.open?.("x/a.md", { noFollow: true });
          content = Buffer.from(file?.read({ offset: 0, length: 100 }) ?? []).toString();
          file?.close();
        } catch (error) {
          code = (error as { code?: unknown }).code;
        }
        beforeCall = () => {};
        swap(false);
        if (code === undefined) assert.equal(content, "inside", `${at}`);
        else assert.match(String(code), /^(ELOOP|ESTALE)$/, `${at}`);
        if (call <= at) break;
      }
    },
  );
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
