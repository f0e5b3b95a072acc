import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { ByteRange, Host, SyncHost } from "skillshelf";
import { memoryHost } from "skillshelf";
import { archiveHost } from "skillshelf/archive";
import { nodeHost } from "skillshelf/node";
import { hostConformance } from "skillshelf/testing";
import { tarOf, zipOf } from "./support/archives.ts";
import { type Files, MAKES, withPromises } from "./support/hosts.ts";

const folders: string[] = [];

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A directory of the disk with these files. */
function directoryOf(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), "skillshelf-conformance-"));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}

const HOSTS: Readonly<Record<string, (files: Files) => Host | SyncHost>> = {
  ...MAKES,
  "with promises": (files) => withPromises(memoryHost(files)),
  nodeHost: (files) => nodeHost(directoryOf(files)),
  "nodeHost.sync": (files) => nodeHost.sync(directoryOf(files)),
  "archiveHost of a zip": (files) => archiveHost(zipOf(files)),
  "archiveHost of a tar": (files) => archiveHost(tarOf(files)),
  "archiveHost of a tar in gzip": (files) => archiveHost(gzipSync(tarOf(files))),
};

for (const [name, makeHost] of Object.entries(HOSTS)) {
  describe(name, () => {
    for (const check of hostConformance(makeHost)) test(check.name, check.run);
  });
}

/** Hosts that do one thing wrong, and the check that must tell. */
const FAULTS: Readonly<Record<string, [RegExp, (host: SyncHost) => Partial<SyncHost>]>> = {
  "names a file twice": [
    /^list gives each/,
    (host) => ({
      list: (directory) => [...host.list(directory), ...host.list(directory).slice(0, 1)],
    }),
  ],
  "leaves a file out": [
    /^list gives each/,
    (host) => ({
      list: (directory) => host.list(directory).slice(1),
    }),
  ],
  "has nothing where there is nothing": [
    /^list of what is not there/,
    (host) => ({
      list: (directory) => (directory.includes("none") ? [] : host.list(directory)),
    }),
  ],
  "throws another error for what is missing": [
    /^read of what is not there/,
    (host) => ({
      read: (path, range) => {
        try {
          return host.read(path, range);
        } catch {
          throw new Error("no");
        }
      },
    }),
  ],
  "reads text instead of bytes": [
    /^read gives the bytes/,
    (host) => ({
      read: (path) => new TextEncoder().encode(new TextDecoder().decode(host.read(path))),
    }),
  ],
  "says that it has ranges": [
    /^read of a range/,
    (host) => ({
      ranges: true,
      read: (path) => host.read(path),
    }),
  ],
  "gives out its own memory": [
    /^what read gave/,
    (host) => {
      const kept = new Map<string, Uint8Array>();
      return {
        read: (path) => {
          const bytes = kept.get(path) ?? host.read(path);
          kept.set(path, bytes);
          return bytes;
        },
      };
    },
  ],
  "takes away what leaves": [
    /^paths that leave/,
    (host) => ({
      read: (path, range) => host.read(path.replace(/^\.\.\//, ""), range),
    }),
  ],
  "opens what leaves": [
    /^paths that leave/,
    (host) => ({
      open: (path) => {
        const bytes = host.read(path.replace(/^\.\.\//, ""));
        const read = ({ offset, length }: ByteRange) => bytes.slice(offset, offset + length);
        return { kind: "file", size: bytes.length, read, close() {} };
      },
    }),
  ],
  "lists what leaves": [
    /^paths that leave/,
    (host) => ({ list: (directory) => host.list(directory.replace(/^\.\.$/, "")) }),
  ],
  "gives out the memory of what it opens": [
    /^what read gave/,
    (host) => ({
      open: (path) => {
        const bytes = host.read(path);
        const read = ({ offset, length }: ByteRange) => bytes.subarray(offset, offset + length);
        return { kind: "file", size: bytes.length, read, close() {} };
      },
    }),
  ],
  "tells another version each time": [
    /^stat/,
    (host) => {
      let count = 0;
      return {
        stat: (path) => {
          const stat = host.stat?.(path);
          count += 1;
          return stat && { ...stat, version: String(count) };
        },
      };
    },
  ],
};

describe("a host that", () => {
  for (const [fault, [told, mend]] of Object.entries(FAULTS)) {
    test(`${fault} is told so`, async () => {
      const checks = hostConformance((files) => {
        const host = memoryHost(files);
        const sound: SyncHost = {
          list: (directory) => host.list(directory),
          read: (path) => host.read(path),
          stat: (path) => host.stat?.(path),
        };
        return Object.assign(sound, mend(host));
      });
      const failed: string[] = [];
      for (const { name, run } of checks) {
        await run().catch((error: Error) => {
          assert.match(error.message, /^The host does not conform: /);
          failed.push(name);
        });
      }
      assert.equal(
        failed.some((name) => told.test(name)),
        true,
        failed.join("; "),
      );
    });
  }
});

test("what a failed check says names the first difference, and what is no entry", async () => {
  const message = async (change: (host: SyncHost) => Partial<SyncHost>, check: RegExp) => {
    const checks = hostConformance((files) => {
      const host = memoryHost(files);
      return { list: host.list.bind(host), read: host.read.bind(host), ...change(host) };
    });
    const found = checks.find(({ name }) => check.test(name));
    const error = await found?.run().then(
      () => undefined,
      (reason: Error) => reason,
    );
    return error?.message ?? "";
  };
  const names = (host: SyncHost): Partial<SyncHost> => ({
    list: (directory) => host.list(directory).map(({ name }) => name) as never,
  });
  assert.match(
    await message(names, /^list gives each/),
    /gave "[^"]+", which is no entry \{ name, kind/,
  );
  const other = (host: SyncHost): Partial<SyncHost> => ({
    read: (file) =>
      file.endsWith("SKILL.md") ? new TextEncoder().encode("---\nname: x\n---\n") : host.read(file),
  });
  const said = await message(other, /^its catalog is the same/);
  assert.match(said, /^The host does not conform: the catalog is .*where .* was expected/);
  assert.ok(said.length < 1000, `${said.length}: ${said}`);
});
