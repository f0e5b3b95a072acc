// `skillshelf/unstorage` over stores that people have, a Redis server among them.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Redis } from "ioredis";
import { type Catalog, loadSkills } from "skillshelf";
import { hostConformance } from "skillshelf/testing";
import { unstorageHost } from "skillshelf/unstorage";
import { createStorage, type Driver, prefixStorage, type Storage } from "unstorage";
import fsDriver from "unstorage/drivers/fs-lite";
import localStorageDriver from "unstorage/drivers/localstorage";
import lruCacheDriver from "unstorage/drivers/lru-cache";
import memoryDriver from "unstorage/drivers/memory";
import redisDriver from "unstorage/drivers/redis";
import type { Files } from "../support/hosts.ts";

const REPOSITORY = process.env["SKILLSHELF_REPOSITORY"];
assert(REPOSITORY, "SKILLSHELF_REPOSITORY is not set: `cargo xtask test js` sets it");
const example = pathToFileURL(join(REPOSITORY, "examples/shared-store/redis-server.mjs"));

let redis: { url: string; close(): Promise<void> };
const storages: Storage[] = [];
const folders: string[] = [];

before(async () => {
  const { startRedis } = await import(example.href);
  redis = await startRedis();
});

after(async () => {
  for (const storage of storages) await storage.dispose();
  for (const folder of folders) rmSync(folder, { recursive: true });
  await redis.close();
});

function storageOf(driver: Driver): Storage {
  const storage = createStorage({ driver });
  storages.push(storage);
  return storage;
}

let databases = 0;

/** A part of the server with no other's keys. */
function redisStorage(): Storage {
  databases += 1;
  return storageOf(redisDriver({ url: redis.url, base: `test-${databases}` }));
}

function directory(): string {
  const folder = mkdtempSync(join(tmpdir(), "skillshelf-unstorage-"));
  folders.push(folder);
  return folder;
}

/** What `localStorage` is in browsers: text alone. */
function webStorage(): globalThis.Storage {
  const items: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => items[key] ?? null,
    setItem: (key: string, value: string) => {
      items[key] = String(value);
    },
  };
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(items, name, { value, enumerable: false });
  }
  return items as unknown as globalThis.Storage;
}

const DRIVERS: Readonly<Record<string, () => Storage>> = {
  memory: () => storageOf(memoryDriver()),
  redis: redisStorage,
  "fs-lite": () => storageOf(fsDriver({ base: directory() })),
  localstorage: () => storageOf(localStorageDriver({ storage: webStorage() })),
  "lru-cache": () => storageOf(lruCacheDriver({})),
};

async function write(storage: Storage, files: Files, base = ""): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await storage.setItemRaw(`${base}${path}`, content);
  }
}

for (const [name, makeStorage] of Object.entries(DRIVERS)) {
  describe(name, () => {
    const checks = hostConformance(async (files) => {
      const storage = makeStorage();
      await write(storage, { "skillset/a": "", "other/skills/b": "" });
      await write(storage, files, "skills/");
      return unstorageHost(storage, { base: "skills" });
    });
    for (const check of checks) test(check.name, check.run);
  });
}

describe("bases", () => {
  const forms: Readonly<Record<string, (storage: Storage) => ReturnType<typeof unstorageHost>>> = {
    "none, of all keys": (storage) => unstorageHost(prefixStorage(storage, "team:skills")),
    "of several names": (storage) => unstorageHost(storage, { base: "team:skills" }),
    "as a path": (storage) => unstorageHost(storage, { base: "/team/skills/" }),
    "of a storage with a prefix": (storage) =>
      unstorageHost(prefixStorage(storage, "team"), { base: "skills:" }),
  };
  for (const [name, makeHost] of Object.entries(forms)) {
    describe(name, () => {
      const checks = hostConformance(async (files) => {
        const storage = storageOf(memoryDriver());
        await write(storage, files, "team/skills/");
        return makeHost(storage);
      });
      for (const check of checks) test(check.name, check.run);
    });
  }
  test("below a mount", async () => {
    const storage = storageOf(memoryDriver());
    const inner = memoryDriver();
    storage.mount("team", inner);
    await storage.setItemRaw("team:skills:pdf:SKILL.md", SKILL);
    const catalog = await load(storage, "team:skills");
    assert.deepEqual(catalog.names, ["pdf"]);
  });
  test("what is none, and other options", () => {
    const storage = storageOf(memoryDriver());
    for (const base of ["a?b", "a:..:b", ".", "a\0", 7, null]) {
      assert.throws(() => unstorageHost(storage, { base: base as never }), {
        name: "TypeError",
        message: /^base of unstorageHost is/,
      });
    }
    assert.throws(() => unstorageHost(storage, { bsae: "a" } as never), {
      message: 'unstorageHost has no option "bsae"; its one option is base.',
    });
    assert.throws(() => unstorageHost(storage, "a:skills" as never), {
      message: 'unstorageHost takes options: { base: "a:skills" }.',
    });
    for (const value of [undefined, null, {}, "redis://127.0.0.1", new Map()]) {
      assert.throws(() => unstorageHost(value as never), {
        name: "TypeError",
        message: /^unstorageHost takes a storage with getKeys and getItemRaw/,
      });
    }
  });
});

const SKILL = "---\nname: pdf\ndescription: Reads PDF files.\n---\nRead `forms.md`.\n";

function load(storage: Storage, base = "skills"): Promise<Catalog> {
  return loadSkills(
    { host: unstorageHost(storage, { base }), label: "team" },
    { onDiagnostic: () => {} },
  );
}

describe("names that keys cannot hold", () => {
  test("reach nothing, least of all another item", async () => {
    const storage = storageOf(memoryDriver());
    await write(storage, { "pdf/SKILL.md": SKILL, "pdf/a": "a", "pdf/a/b": "b" }, "skills/");
    await storage.setMeta("skills:pdf:a", { secret: true });
    const host = unstorageHost(storage, { base: "skills" });
    for (const path of ["pdf/a?b", "pdf:a", "pdf\\a", "pdf/a$", "pdf/a?", "pdf/:a"]) {
      await assert.rejects(host.read(path), { code: "ENOENT" }, path);
      await assert.rejects(host.list(path), { code: "ENOENT" }, path);
    }
    assert.deepEqual(await host.list("pdf"), [
      { name: "SKILL.md", kind: "file" },
      { name: "a", kind: "directory" },
    ]);
  });
  test("keys that no path leads to are left out", async () => {
    const keys = [
      "s:pdf:SKILL.md",
      "s:..:x",
      "s:a:.:x",
      "s::x",
      "s:a?b",
      "s:a\\b",
      "s:m$",
      "t:x",
      7,
    ];
    const host = unstorageHost(
      { getKeys: async () => keys as string[], getItemRaw: async () => null },
      { base: "s" },
    );
    assert.deepEqual(await host.list(""), [{ name: "pdf", kind: "directory" }]);
  });
});

describe("items", () => {
  const bytes = Uint8Array.from([0, 255, 128, 10]);
  for (const [what, value] of Object.entries({
    "a Uint8Array": bytes,
    "a Buffer": Buffer.from(bytes),
    "an ArrayBuffer": bytes.buffer,
    "a view of a part": new DataView(Uint8Array.from([9, ...bytes, 9]).buffer, 1, 4),
    "a Blob": new Blob([bytes]),
  })) {
    test(`${what} is its bytes`, async () => {
      const host = unstorageHost({ getKeys: async () => ["a"], getItemRaw: async () => value });
      assert.deepEqual([...(await host.read("a"))], [...bytes]);
    });
  }
  test("what is neither text nor bytes is an error", async () => {
    for (const value of [{ a: 1 }, 7, true, [1, 2]]) {
      const host = unstorageHost({ getKeys: async () => ["a"], getItemRaw: async () => value });
      await assert.rejects(host.read("a"), { code: "EIO" });
    }
  });
  test("a store that lists no keys is an error", async () => {
    const host = unstorageHost({
      getKeys: async () => null as never,
      getItemRaw: async () => null,
    });
    await assert.rejects(host.list(""), { code: "EIO" });
  });
  test("a store that fails is a diagnostic of its source, and the others load", async () => {
    const failing = unstorageHost({
      getKeys: () => Promise.reject(new Error("connection lost")),
      getItemRaw: () => Promise.reject(new Error("connection lost")),
    });
    const storage = storageOf(memoryDriver());
    await storage.setItemRaw("pdf:SKILL.md", SKILL);
    const catalog = await loadSkills(
      [
        { host: failing, label: "lost" },
        { host: unstorageHost(storage), label: "there" },
      ],
      { onDiagnostic: () => {} },
    );
    assert.deepEqual(catalog.names, ["pdf"]);
    assert.match(catalog.diagnostics.map(({ message }) => message).join(), /connection lost/);
  });
});

describe("how often the store is asked", () => {
  /** The commands that a server was sent by some work. */
  async function commandsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
    const client = new Redis(redis.url);
    await client.config("RESETSTAT");
    await work();
    const stats = await client.info("commandstats");
    await client.quit();
    const counts: Record<string, number> = {};
    for (const [, command = "", calls] of stats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)) {
      if (["get", "scan", "mget", "exists", "keys"].includes(command)) {
        counts[command] = Number(calls);
      }
    }
    return counts;
  }

  const COUNT = 1000;

  async function manySkills(group = ""): Promise<Storage> {
    databases += 1;
    const base = `test-${databases}`;
    const storage = storageOf(redisDriver({ url: redis.url, base, scanCount: 100_000 }));
    const client = new Redis(redis.url);
    await client.flushall();
    await client.quit();
    const names = Array.from({ length: COUNT }, (_, index) => `skill-${index}`);
    await Promise.all(
      names.flatMap((name) => [
        storage.setItemRaw(`skills:${group}${name}:SKILL.md`, SKILL.replace("pdf", name)),
        storage.setItemRaw(`skills:${group}${name}:forms.md`, "Forms."),
      ]),
    );
    return storage;
  }

  test("a scan lists once and gets each skill file once", async () => {
    const storage = await manySkills();
    let catalog: Catalog | undefined;
    const first = await commandsOf(async () => {
      catalog = await load(storage);
    });
    assert.equal(catalog?.names.length, COUNT);
    // One of the source itself, one that asks whether case counts.
    assert.deepEqual(first, { get: COUNT + 2, scan: 1 });
    assert.deepEqual(await commandsOf(async () => catalog?.refresh()), first);
  });

  test("groups cost a get each and no listing", async () => {
    const storage = await manySkills("a:b:");
    const counts = await commandsOf(() => load(storage));
    assert.deepEqual(counts, { get: COUNT + 4, scan: 1 });
  });

  test("loading a skill and reading a file list its directory once", async () => {
    const storage = await manySkills();
    const catalog = await load(storage);
    const loading = await commandsOf(() => catalog.call("load_skill", { name: "skill-7" }));
    assert.deepEqual(loading, { get: 1, scan: 1 });
    const reading = await commandsOf(() =>
      catalog.call("read_skill_file", { skill: "skill-7", path: "forms.md" }),
    );
    assert.deepEqual(reading, { get: 1, scan: 1 });
  });
});

describe("edits", () => {
  test("show in the next operation, listings too", async () => {
    const storage = redisStorage();
    await write(storage, { "pdf/SKILL.md": SKILL }, "skills/");
    const catalog = await load(storage);
    await storage.setItemRaw("skills:pdf:new.md", "New.");
    const read = () => catalog.call("read_skill_file", { skill: "pdf", path: "new.md" });
    assert.equal((await read()).content, "New.");
    await storage.removeItem("skills:pdf:new.md");
    assert.equal((await read()).code, "FILE_NOT_FOUND");
    await storage.setItemRaw("skills:notes:SKILL.md", SKILL.replace("pdf", "notes"));
    await storage.removeItem("skills:pdf:SKILL.md");
    const { added, removed } = await catalog.refresh();
    assert.deepEqual([added, removed], [["notes"], ["pdf"]]);
  });
  test("show to whom asks the host itself, an operation under way or not", async () => {
    const storage = storageOf(memoryDriver());
    await write(storage, { "pdf/SKILL.md": SKILL }, "skills/");
    let goOn = (): void => {};
    const waiting = new Promise<void>((done) => {
      goOn = done;
    });
    let listings = 0;
    const host = unstorageHost(
      {
        getKeys: (base) => {
          listings += 1;
          return storage.getKeys(base);
        },
        getItemRaw: async (key) => {
          if (listings > 0) await waiting;
          return storage.getItemRaw(key);
        },
      },
      { base: "skills" },
    );
    const loading = loadSkills({ host }, { onDiagnostic: () => {} });
    while (listings === 0) await new Promise((done) => setImmediate(done));
    await storage.setItemRaw("skills:notes:SKILL.md", SKILL.replace("pdf", "notes"));
    assert.equal((await host.list("")).length, 2);
    goOn();
    const catalog = await loading;
    assert.deepEqual([catalog.names, listings], [["pdf"], 2]);
    await catalog.refresh();
    assert.deepEqual(catalog.names, ["notes", "pdf"]);
  });
});
