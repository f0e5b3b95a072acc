import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { type Host, type HostEntry, loadSkillsSync, type SyncHost } from "skillshelf";
import { nodeHost } from "skillshelf/node";

const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "skillshelf-disk-")));
after(() => fs.rmSync(scratch, { recursive: true }));

const onLinux = process.platform === "linux" ? {} : { skip: "needs Linux" };
const onUnix = process.platform === "win32" ? { skip: "needs Unix" } : {};

/** A fresh directory with these files in it. */
function directory(files: Record<string, string | Uint8Array> = {}): string {
  const root = fs.mkdtempSync(path.join(scratch, "d-"));
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), content);
  }
  return root;
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const code = (wanted: string) => (error: unknown) => (error as { code?: unknown }).code === wanted;
const whole = { offset: 0, length: 1_000_000 };

function sorted(entries: readonly HostEntry[]): string[] {
  return entries.map(({ name, kind }) => `${kind} ${name}`).sort();
}

/** The synchronous host behind promises, so that one test is for both: what throws, rejects. */
function behindPromises(host: SyncHost): Required<Omit<Host, "diagnostics">> {
  return {
    ranges: host.ranges ?? false,
    list: async (directory) => host.list(directory),
    read: async (file, range) => host.read(file, range),
    stat: async (at) => host.stat?.(at),
    realPath: async (at) => host.realPath?.(at) ?? "",
    open: async (file, options) => {
      const opened = host.open?.(file, options);
      assert.ok(opened);
      const { kind, size, version, realPath } = opened;
      return {
        kind,
        size,
        ...(version !== undefined && { version }),
        ...(realPath !== undefined && { realPath }),
        read: async (range) => opened.read(range),
        close: async () => opened.close(),
      };
    },
  };
}

const hosts: [string, (root: string | URL) => Required<Omit<Host, "diagnostics">>][] = [
  ["nodeHost", (root) => nodeHost(root) as Required<Omit<Host, "diagnostics">>],
  ["nodeHost.sync", (root) => behindPromises(nodeHost.sync(root))],
];

for (const [title, makeHost] of hosts) {
  describe(title, () => {
    test("lists kinds without following links", onUnix, async () => {
      const root = directory({ file: "x", "sub/inner": "y" });
      fs.symlinkSync("file", path.join(root, "link"));
      fs.symlinkSync("nowhere", path.join(root, "dangling"));
      execFileSync("mkfifo", [path.join(root, "pipe")]);
      const host = makeHost(root);
      assert.deepEqual(sorted(await host.list("")), [
        "directory sub",
        "file file",
        "link dangling",
        "link link",
        "other pipe",
      ]);
      assert.deepEqual(sorted(await host.list("sub")), ["file inner"]);
    });

    test("what is not there is ENOENT, and below a file ENOTDIR", async () => {
      const host = makeHost(directory({ file: "x" }));
      await assert.rejects(host.list("no"), code("ENOENT"));
      await assert.rejects(host.read("no"), code("ENOENT"));
      await assert.rejects(host.open("no"), code("ENOENT"));
      await assert.rejects(host.open("no", { noFollow: true }), code("ENOENT"));
      await assert.rejects(host.realPath("no"), code("ENOENT"));
      await assert.rejects(host.list("file"), code("ENOTDIR"));
      await assert.rejects(host.open("file/below", { noFollow: true }), code("ENOTDIR"));
      assert.equal(await host.stat("no"), undefined);
      assert.equal(await host.stat("file/below"), undefined);
      await assert.rejects(makeHost(path.join(scratch, "absent")).list(""), code("ENOENT"));
    });

    test("what cannot be read says why", async (context) => {
      const root = directory({ "locked/file": "x" });
      fs.symlinkSync("two", path.join(root, "one"));
      fs.symlinkSync("one", path.join(root, "two"));
      const host = makeHost(root);
      await assert.rejects(host.list("one"), code("ELOOP"));
      await assert.rejects(host.open("one"), code("ELOOP"));
      await assert.rejects(host.read("one"), code("ELOOP"));
      await assert.rejects(host.stat("one"), code("ELOOP"));
      await assert.rejects(host.open("n".repeat(300)), code("ENAMETOOLONG"));
      if (process.getuid?.() === 0) {
        context.diagnostic("root may read everything: EACCES is not tried");
        return;
      }
      fs.chmodSync(path.join(root, "locked"), 0);
      await assert.rejects(host.list("locked"), code("EACCES"));
      await assert.rejects(host.open("locked/file"), code("EACCES"));
      fs.chmodSync(path.join(root, "locked"), 0o700);
    });

    test("reads the range that was asked for", async () => {
      const content = Uint8Array.from({ length: 1_000 }, (_, index) => index % 251);
      const host = makeHost(directory({ file: content, empty: "" }));
      assert.equal(host.ranges, true);
      const opened = await host.open("file", { noFollow: true });
      for (const range of [
        { offset: 0, length: 10 },
        { offset: 990, length: 10 },
        { offset: 990, length: 4_096 },
        { offset: 1_000, length: 1 },
        { offset: 5_000, length: 1 },
        { offset: 7, length: 0 },
        { offset: 0, length: 2 ** 40 },
      ]) {
        const wanted = content.slice(range.offset, range.offset + range.length);
        for (const bytes of [await host.read("file", range), await opened.read(range)]) {
          assert.deepEqual(bytes, wanted, JSON.stringify(range));
          assert.equal(bytes.buffer.byteLength, wanted.length, "no memory but its own");
        }
      }
      for (const range of [
        { offset: -1, length: 1 },
        { offset: 0, length: -1 },
      ]) {
        await assert.rejects(host.read("file", range), { name: "RangeError", code: "EINVAL" });
        await assert.rejects(opened.read(range), { name: "RangeError", code: "EINVAL" });
      }
      await opened.close();
      assert.deepEqual(await host.read("file"), content);
      assert.deepEqual(await host.read("empty"), new Uint8Array(0));
    });

    test("reads no more than was asked for", onLinux, async () => {
      const host = makeHost(directory({ file: new Uint8Array(8_000_000) }));
      const taken = (): number =>
        Number(/^rchar: (\d+)$/m.exec(fs.readFileSync("/proc/self/io", "utf8"))?.[1]);
      await host.read("file", { offset: 0, length: 1 });
      const before = taken();
      await host.read("file", { offset: 4_000_000, length: 16 });
      assert.ok(taken() - before < 65_536, `${taken() - before} bytes`);
    });

    test("reads files that tell no size", onLinux, async () => {
      const host = makeHost("/proc/self");
      const status = await host.read("status");
      assert.match(text(status), /^Name:/);
      assert.equal(status.buffer.byteLength, status.length, "no memory but its own");
      assert.equal(text(await host.read("status", { offset: 0, length: 5 })), "Name:");
      // Larger than any first guess.
      const environment = "x".repeat(100_000);
      const args = ["-e", "setTimeout(() => {}, 60_000)"];
      const child = spawn(process.execPath, args, { env: { LARGE: environment }, stdio: "ignore" });
      try {
        await once(child, "spawn");
        const large = await makeHost(`/proc/${child.pid}`).read("environ");
        assert.ok(text(large).includes(environment));
      } finally {
        child.kill();
      }
    });

    test("stat follows links and sees every replacement", onUnix, async () => {
      const root = directory({ file: "one", "sub/x": "" });
      const at = path.join(root, "file");
      fs.symlinkSync("file", path.join(root, "link"));
      const host = makeHost(root);
      const version = async (): Promise<string> => {
        const stat = await host.stat("link");
        assert.ok(stat);
        assert.deepEqual([stat.kind, stat.size], ["file", 3]);
        return stat.version;
      };
      assert.equal((await host.stat("sub"))?.kind, "directory");
      assert.equal((await host.stat(""))?.kind, "directory");

      const versions = [await version()];
      assert.equal(await version(), versions[0], "nothing has changed");
      const opened = await host.open("file", { noFollow: true });
      assert.equal(opened.version, versions[0], "open tells the same");
      await opened.close();

      const time = new Date(1_700_000_000_000);
      fs.utimesSync(at, time, time);
      versions.push(await version());
      // As many bytes, and the same time of modification: first in place, then by another file.
      await new Promise((resolve) => setTimeout(resolve, 20));
      fs.writeFileSync(at, "two");
      fs.utimesSync(at, time, time);
      versions.push(await version());
      fs.writeFileSync(`${at}.new`, "six");
      fs.utimesSync(`${at}.new`, time, time);
      fs.renameSync(`${at}.new`, at);
      versions.push(await version());
      assert.equal(new Set(versions).size, versions.length, versions.join(" "));
    });

    test("realPath resolves links, and open tells where it has been led", onUnix, async () => {
      const root = directory({ "real/file": "x" });
      fs.symlinkSync("real", path.join(root, "linked"));
      fs.symlinkSync("linked/file", path.join(root, "link"));
      const host = makeHost(root);
      const real = path.join(root, "real/file");
      for (const at of ["real/file", "linked/file", "link"]) {
        assert.equal(await host.realPath(at), real);
        const opened = await host.open(at);
        assert.deepEqual([opened.realPath, opened.kind, opened.size], [real, "file", 1]);
        assert.equal(text(await opened.read(whole)), "x");
        await opened.close();
      }
      assert.equal(await host.realPath(""), root);
      const below = makeHost(path.join(root, "linked"));
      assert.equal(await below.realPath(""), path.join(root, "real"));
    });

    test("noFollow refuses a link, and asks for no real path", onUnix, async () => {
      const root = directory({ file: "x" });
      fs.symlinkSync("file", path.join(root, "link"));
      fs.symlinkSync("nowhere", path.join(root, "dangling"));
      const host = makeHost(root);
      for (const at of ["link", "dangling"]) {
        await assert.rejects(host.open(at, { noFollow: true }), code("ELOOP"));
      }
      const opened = await host.open("file", { noFollow: true });
      assert.equal(opened.realPath, undefined);
      assert.equal(text(await opened.read(whole)), "x");
      await opened.close();
    });

    test("a directory opens, and cannot be read", async () => {
      const root = directory({ "sub/x": "" });
      const host = makeHost(root);
      for (const options of [{}, { noFollow: true }]) {
        const opened = await host.open("sub", options);
        assert.equal(opened.kind, "directory");
        await assert.rejects(opened.read(whole), code("EISDIR"));
        await opened.close();
      }
      await assert.rejects(host.read("sub"), code("EISDIR"));
    });

    test("nothing waits on a pipe, a device or a socket", {
      ...onUnix,
      timeout: 10_000,
    }, async () => {
      const root = directory();
      execFileSync("mkfifo", [path.join(root, "pipe")]);
      fs.symlinkSync("pipe", path.join(root, "linked-pipe"));
      fs.symlinkSync("/dev/zero", path.join(root, "zero"));
      fs.symlinkSync("/dev/tty", path.join(root, "terminal"));
      const server = net.createServer();
      // A socket's path is short: the host may be anywhere below a long temporary folder.
      const here = process.cwd();
      process.chdir(root);
      server.listen("socket");
      process.chdir(here);
      await new Promise((resolve) => server.once("listening", resolve));
      try {
        const host = makeHost(root);
        for (const at of ["pipe", "linked-pipe", "zero", "terminal", "socket"]) {
          const opened = await host.open(at);
          assert.equal(opened.kind, "other", at);
          await assert.rejects(opened.read(whole), /not a regular file/, at);
          await opened.close();
          await assert.rejects(host.read(at), /not a regular file/, at);
          assert.equal((await host.stat(at))?.kind, "other", at);
        }
        for (const at of ["pipe", "socket"]) {
          const opened = await host.open(at, { noFollow: true });
          assert.equal(opened.kind, "other", at);
          await opened.close();
        }
      } finally {
        server.close();
      }
    });

    test("an open file is what was opened, whatever takes its place", onUnix, async () => {
      const root = directory({ file: "before" });
      const at = path.join(root, "file");
      const host = makeHost(root);
      const opened = await host.open("file");
      fs.writeFileSync(`${at}.new`, "after!");
      fs.renameSync(`${at}.new`, at);
      assert.equal(text(await opened.read(whole)), "before");
      await opened.close();
      assert.equal(text(await host.read("file")), "after!");
    });

    test("a name that ends as the kernel marks removed files is a name", onLinux, async () => {
      const root = directory({ "file (deleted)": "x", file: "y" });
      const opened = await makeHost(root).open("file (deleted)");
      assert.equal(opened.realPath, path.join(root, "file (deleted)"));
      await opened.close();
    });

    test("names that are not UTF-8 are listed, and lead nowhere", onLinux, async () => {
      const root = directory({ "skill/file": "x", "\ufffd/file": "y" });
      const odd = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x61, 0xff])]);
      fs.mkdirSync(odd);
      fs.writeFileSync(Buffer.concat([odd, Buffer.from("/file")]), "z");
      fs.symlinkSync(odd, path.join(root, "link"));
      const host = makeHost(root);
      assert.deepEqual(sorted(await host.list("")), [
        "directory a\ufffd",
        "directory skill",
        "directory \ufffd",
        "link link",
      ]);
      await assert.rejects(host.open("a\ufffd/file"), code("ENOENT"));
      await assert.rejects(host.list("a\ufffd"), code("ENOENT"));
      // One string for two directories would let one pass for the other.
      await assert.rejects(host.realPath("link"), code("EILSEQ"));
      await assert.rejects(host.open("link/file"), code("EILSEQ"));
      assert.equal(await host.realPath("\ufffd/file"), path.join(root, "\ufffd/file"));
    });

    test("paths that are none are refused by every method", async () => {
      const host = makeHost(directory({ "a/b": "x" }));
      for (const at of ["..", "../x", "/etc", "./a", "a/", "a//b", "a/../a", "a/..", "a\0b"]) {
        for (const call of [
          () => host.list(at),
          () => host.read(at),
          () => host.stat(at),
          () => host.realPath(at),
          () => host.open(at),
          () => host.open(at, { noFollow: true }),
        ]) {
          await assert.rejects(call, { name: "TypeError", code: "EINVAL" }, JSON.stringify(at));
        }
      }
      await assert.rejects(host.list(1 as never), TypeError);
    });

    test("the root is a path or a file URL, taken once", async () => {
      const root = directory({ "sub dir/file": "x" });
      const url = pathToFileURL(path.join(root, "sub dir"));
      const byUrl = makeHost(url);
      assert.deepEqual(await makeHost(url.href).list(""), await byUrl.list(""), "its text");
      assert.equal(text(await byUrl.read("file")), "x");
      const here = process.cwd();
      process.chdir(root);
      const relative = makeHost("sub dir/../sub dir/");
      process.chdir(here);
      assert.equal(text(await relative.read("file")), "x");
      const top = makeHost(path.parse(root).root);
      const fromTop = path.relative(path.parse(root).root, root).replaceAll(path.sep, "/");
      assert.equal(text(await top.read(`${fromTop}/sub dir/file`)), "x");
      for (const wrong of ["", "a\0b", 1, undefined, new URL("https://example.com/skills")]) {
        assert.throws(() => makeHost(wrong as string), TypeError);
      }
      assert.throws(() => makeHost(null as never), /path of a directory or a file: URL.* null\.$/);
    });

    test("closing twice is once, and what was closed is not read", async () => {
      const host = makeHost(directory({ one: "1", two: "2" }));
      const one = await host.open("one");
      await one.close();
      // The number of the first descriptor is the second file's now.
      const two = await host.open("two");
      await one.close();
      await assert.rejects(one.read(whole), code("EBADF"));
      assert.equal(text(await two.read(whole)), "2");
      await two.close();
    });

    test("no descriptor is left open, on any way", onLinux, async () => {
      const root = directory({ file: "x", "sub/x": "" });
      fs.symlinkSync("file", path.join(root, "link"));
      fs.symlinkSync("link", path.join(root, "loop-to"));
      fs.symlinkSync(Buffer.from([0xff]), path.join(root, "odd"));
      fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]), "x");
      execFileSync("mkfifo", [path.join(root, "pipe")]);
      const host = makeHost(root);
      const descriptors = (): number => fs.readdirSync("/proc/self/fd").length;
      const ways: (() => Promise<unknown>)[] = [
        () => host.open("file", { noFollow: true }).then((opened) => opened.close()),
        () => host.open("loop-to").then((opened) => opened.close()),
        () => host.read("file"),
        // Nobody closes these: there is nothing to close.
        () => host.open("sub"),
        () => host.open("pipe"),
        () => assert.rejects(host.read("sub")),
        () => assert.rejects(host.read("pipe")),
        () => assert.rejects(host.open("link", { noFollow: true })),
        () => assert.rejects(host.open("odd"), code("EILSEQ")),
        () => assert.rejects(host.open("absent")),
        () => assert.rejects(host.read("file", { offset: -1, length: 1 })),
      ];
      await Promise.all(ways.map((way) => way()));
      const before = descriptors();
      for (let round = 0; round < 1_000; round += 1) {
        await Promise.all(ways.map((way) => way()));
      }
      assert.equal(descriptors(), before);
    });
  });
}

test("a file that is replaced right after it was opened keeps its own path", onLinux, () => {
  const root = directory({ file: "before", other: "after" });
  const opening = fs.openSync;
  const replaced = (act: () => void): [string | undefined, string] => {
    fs.openSync = (...args) => {
      const descriptor = opening(...args);
      act();
      return descriptor;
    };
    syncBuiltinESMExports();
    try {
      const opened = nodeHost.sync(root).open?.("file");
      assert.ok(opened);
      const content = text(opened.read(whole));
      opened.close();
      return [opened.realPath, content];
    } finally {
      fs.openSync = opening;
      syncBuiltinESMExports();
    }
  };
  const at = path.join(root, "file");
  assert.deepEqual(
    replaced(() => fs.renameSync(path.join(root, "other"), at)),
    [at, "before"],
  );
  assert.deepEqual(
    replaced(() => fs.renameSync(at, path.join(root, "moved"))),
    [path.join(root, "moved"), "after"],
  );
  fs.writeFileSync(at, "gone");
  assert.deepEqual(
    replaced(() => fs.rmSync(at)),
    [at, "gone"],
  );
});

test("a directory that was just changed has no version to be recognized by", (context) => {
  const root = directory({ file: "x" });
  const host = nodeHost.sync(root);
  const version = (name: string): unknown => host.stat?.(name)?.version;
  const { ctimeMs } = fs.statSync(root);
  const now = context.mock.method(Date, "now", () => Math.floor(ctimeMs) + 1);
  assert.notEqual(version(""), version(""));
  assert.equal(version("file"), version("file"));
  now.mock.mockImplementation(() => Math.floor(ctimeMs) + 10_000);
  assert.equal(version(""), version(""));
});

test("closing waits for the reads that are under way", async () => {
  const content = new Uint8Array(4_000_000).fill(1);
  const host = nodeHost(directory({ one: content, two: new Uint8Array(4_000_000).fill(2) }));
  for (let round = 0; round < 20; round += 1) {
    const one = await host.open?.("one");
    assert.ok(one);
    const reads = [one.read({ offset: 0, length: 4_000_000 }), one.read({ offset: 5, length: 9 })];
    const closing = one.close();
    await assert.rejects(one.read(whole), code("EBADF"));
    const two = await host.open?.("two");
    assert.deepEqual(await reads[0], content);
    assert.deepEqual(await reads[1], content.slice(5, 14));
    await closing;
    await two?.close();
  }
});

test("without the kernel's help, a path is compared with what was opened", onUnix, () => {
  const root = directory({ "real/file": "before" });
  fs.symlinkSync("real", path.join(root, "linked"));
  fs.symlinkSync("file", path.join(root, "real/link"));
  const told = onPlatform(
    "darwin",
    `
    const host = nodeHost.sync(${JSON.stringify(root)});
    const opened = host.open("linked/link");
    opened.close();
    const opening = fs.openSync;
    fs.openSync = (...args) => {
      const descriptor = opening(...args);
      fs.writeFileSync(${JSON.stringify(root)} + "/other", "after");
      fs.renameSync(${JSON.stringify(root)} + "/other", ${JSON.stringify(root)} + "/real/file");
      return descriptor;
    };
    syncBuiltinESMExports();
    let error;
    try { host.open("linked/link"); } catch (thrown) { error = thrown.code; }
    tell({ realPath: opened.realPath, error });
    `,
  );
  assert.deepEqual(told, { realPath: path.join(root, "real/file"), error: "ESTALE" });
});

test("without /proc a path is compared; one that is not told just now is an error", onLinux, () => {
  const root = directory({ file: "x" });
  const told = (firstCode: string | undefined): unknown =>
    onPlatform(
      "linux",
      `
      const host = nodeHost.sync(${JSON.stringify(root)});
      const { readlinkSync } = fs;
      let code = ${JSON.stringify(firstCode)};
      fs.readlinkSync = (...args) => {
        if (code === undefined) return readlinkSync(...args);
        throw Object.assign(new Error(code), { code });
      };
      const told = [];
      for (code of [code, "ENOENT", "EACCES"]) {
        for (const look of [() => host.open("file"), () => host.list("")]) {
          try {
            const found = look();
            found.close?.();
            told.push(found.realPath ?? found.length);
          } catch (error) {
            told.push(error.code);
          }
        }
      }
      tell(told);
      `,
    );
  const found = [path.join(root, "file"), 1];
  assert.deepEqual(told("ENOENT"), [...found, ...found, ...found]);
  assert.deepEqual(told(undefined), [...found, "EIO", "EIO", "EACCES", "EACCES"]);
});

test("whether there is /proc is asked again after an error that does not tell", onLinux, () => {
  const root = directory({ file: "x" });
  const told = (code: string): unknown =>
    onPlatform(
      "linux",
      `
      const host = nodeHost.sync(${JSON.stringify(root)});
      const { readlinkSync, realpathSync } = fs;
      const native = realpathSync.native;
      let asked = 0;
      realpathSync.native = (...args) => {
        asked += 1;
        return native(...args);
      };
      fs.readlinkSync = () => {
        throw Object.assign(new Error("no"), { code: ${JSON.stringify(code)} });
      };
      const told = [];
      for (const each of [1, 2]) {
        asked = 0;
        const opened = host.open("file");
        opened.close();
        told.push([opened.realPath, asked > 0]);
        fs.readlinkSync = readlinkSync;
      }
      tell(told);
      `,
    );
  const real = path.join(root, "file");
  // By its way first, then by what the kernel tells.
  for (const code of ["EMFILE", "ENFILE", "ENOMEM", "EIO", "EINTR"]) {
    assert.deepEqual(
      told(code),
      [
        [real, true],
        [real, false],
      ],
      code,
    );
  }
  assert.deepEqual(told("ENOENT"), [
    [real, true],
    [real, true],
  ]);
});

test("without O_NOFOLLOW, noFollow refuses a link all the same", onUnix, () => {
  const root = directory({ file: "x" });
  fs.symlinkSync("file", path.join(root, "link"));
  const told = onPlatform(
    "win32",
    `
    const host = nodeHost.sync(${JSON.stringify(root)});
    const opened = host.open("file", { noFollow: true });
    const content = Buffer.from(opened.read({ offset: 0, length: 10 })).toString();
    opened.close();
    let error;
    try { host.open("link", { noFollow: true }); } catch (thrown) { error = thrown.code; }
    tell({ content, error });
    `,
  );
  assert.deepEqual(told, { content: "x", error: "ELOOP" });
});

/** What `script` tells in a process that takes itself to run on another platform. */
function onPlatform(platform: string, script: string): unknown {
  const source = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    Object.defineProperty(process, "platform", { value: ${JSON.stringify(platform)} });
    const { nodeHost } = await import("skillshelf/node");
    const tell = (value) => process.stdout.write(JSON.stringify(value));
    ${script}`;
  const args = ["--input-type=module", "--eval", source];
  return JSON.parse(
    execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" }),
  );
}

test("the types of the two hosts are their own", () => {
  const asynchronous: Host = nodeHost(scratch);
  const synchronous: SyncHost = nodeHost.sync(scratch);
  assert.ok(asynchronous.list("") instanceof Promise);
  assert.ok(Array.isArray(synchronous.list("")));
});

test("a scan asks the open that somebody has put in the place of the host's own", () => {
  const root = directory({ "a/SKILL.md": "---\nname: a\ndescription: A.\n---\nBody" });
  const host = nodeHost.sync(root);
  const own = host.open?.bind(host);
  const asked: string[] = [];
  host.open = (file, options) => {
    asked.push(file);
    assert.ok(own);
    return own(file, options);
  };
  assert.deepEqual(loadSkillsSync({ host }).names, ["a"]);
  assert.ok(asked.includes("a/SKILL.md"));
});
