// Files of unusual kinds, at unusual places, and file systems that take two names for one.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { describe, test } from "node:test";
import {
  type LoadOptions,
  loadSkills,
  loadSkillsSync,
  memoryHost,
  type SyncCatalog,
  type SyncHost,
  type ToolResult,
} from "skillshelf";
import { nodeHost } from "skillshelf/node";
import { folder, link, write } from "./support/folder.ts";
import { validSkill } from "./support/text.ts";

const onUnix = process.platform === "win32" ? { skip: "needs Unix" } : {};
const onLinux = process.platform === "linux" ? {} : { skip: "needs Linux" };
const options: LoadOptions = { onDiagnostic: () => {} };

/** How a process ends that may not mount. */
const NOT_MOUNTED = 9;

const read = (catalog: SyncCatalog, file: string, skill = "demo"): ToolResult =>
  catalog.call("read_skill_file", { skill, path: file });
const listed = (catalog: SyncCatalog): string =>
  catalog.call("list_skill_resources", { skill: "demo" }).content;
const demo = (more: Record<string, string> = {}): { root: string; skills: string } => {
  const root = folder({ "skills/demo/SKILL.md": validSkill("demo"), ...more });
  return { root, skills: path.join(root, "skills") };
};

describe("kinds of files", onUnix, () => {
  test("a hard link is a file like any other, and as large", () => {
    const { root, skills } = demo({ "other/text.md": "text" });
    fs.linkSync(path.join(root, "other/text.md"), path.join(skills, "demo/hard.md"));
    const catalog = loadSkillsSync(skills, options);
    assert.equal(read(catalog, "hard.md").content, "text");
    // No link leads from it: what it is in is no secret that it could tell.
    assert.equal(read(catalog, "../../other/text.md").code, "PATH_REFUSED");
  });
  test("a socket is refused, not listed, and nobody is connected to", async () => {
    const { skills } = demo();
    let connections = 0;
    const server = net.createServer(() => {
      connections += 1;
    });
    server.listen(path.join(skills, "demo/s.sock"));
    await once(server, "listening");
    try {
      const catalog = loadSkillsSync(skills, options);
      assert.equal(read(catalog, "s.sock").code, "PATH_REFUSED");
      const promised = await loadSkills(skills, options);
      const result = await promised.call("read_skill_file", { skill: "demo", path: "s.sock" });
      assert.equal(result.code, "PATH_REFUSED");
      assert.doesNotMatch(listed(catalog), /s\.sock/);
      assert.equal(connections, 0);
    } finally {
      server.close();
    }
  });
  for (const device of ["/dev/null", "/dev/zero"]) {
    test(`a link to ${device} is refused, which is there`, async () => {
      const { root, skills } = demo();
      link(root, "skills/demo/d.md", device);
      const catalog = loadSkillsSync(skills, options);
      assert.equal(read(catalog, "d.md").code, "PATH_REFUSED");
      assert.doesNotMatch(listed(catalog), /d\.md/);
      const promised = await loadSkills(skills, options);
      const result = await promised.call("read_skill_file", { skill: "demo", path: "d.md" });
      assert.equal(result.code, "PATH_REFUSED");
    });
  }
  for (const device of ["/dev/tty", "/dev/stdin", "/dev/fd/0"]) {
    test(`a link to ${device}, which may not be there, is refused`, () => {
      const { root, skills } = demo();
      link(root, "skills/demo/d.md", device);
      const catalog = loadSkillsSync(skills, options);
      const { isError, code } = read(catalog, "d.md");
      // What is not there in this place is not found.
      assert.ok(isError && ["PATH_REFUSED", "FILE_NOT_FOUND", "HOST_FAILED"].includes(code ?? ""));
      assert.doesNotMatch(listed(catalog), /d\.md/);
    });
  }
  for (const file of ["self/environ", "self/cwd", "self/root/etc/passwd", "self/fd/0", "version"]) {
    test(`a link to /proc/${file} is refused`, onLinux, () => {
      const { root, skills } = demo();
      link(root, "skills/demo/p.md", `/proc/${file}`);
      link(root, "skills/piped/SKILL.md", `/proc/${file}`);
      const catalog = loadSkillsSync(skills, options);
      assert.deepEqual(catalog.names, ["demo"]);
      assert.equal(read(catalog, "p.md").isError, true);
      assert.doesNotMatch(listed(catalog), /p\.md/);
    });
  }
  test("a magic link back to the skill's own directory opens only what is its own", onLinux, () => {
    const { root, skills } = demo({ "skills/demo/a.md": "A", "secret.md": "SECRET" });
    const descriptor = fs.openSync(root, fs.constants.O_RDONLY);
    try {
      link(root, "skills/demo/m", `/proc/self/fd/${descriptor}`);
      const catalog = loadSkillsSync(skills, options);
      assert.equal(read(catalog, "m/secret.md").code, "PATH_REFUSED");
      assert.equal(read(catalog, "m/skills/demo/a.md").content, "A");
    } finally {
      fs.closeSync(descriptor);
    }
  });
  test("a sparse file costs a page of it, and a skill file of its size is too large", () => {
    const { skills } = demo();
    const at = path.join(skills, "demo/sparse.md");
    fs.closeSync(fs.openSync(at, "w"));
    fs.truncateSync(at, 2 ** 40);
    fs.truncateSync(path.join(skills, "demo/SKILL.md"), 2 ** 40);
    const before = process.memoryUsage().arrayBuffers;
    const catalog = loadSkillsSync(skills, options);
    assert.equal(read(catalog, "sparse.md").isError, true);
    assert.equal(catalog.call("load_skill", { name: "demo" }).code, "FILE_TOO_LARGE");
    assert.ok(process.memoryUsage().arrayBuffers - before < 32_000_000);
  });
  test("a file that grows with each read ends", () => {
    const { skills } = demo({ "skills/demo/log.md": "x".repeat(10) });
    const disk = nodeHost.sync(skills);
    const grow = (): void => fs.appendFileSync(path.join(skills, "demo/log.md"), "y".repeat(1_000));
    const host: SyncHost = {
      list: (directory) => disk.list(directory),
      read: (file, range) => {
        grow();
        return disk.read(file, range);
      },
      stat: (file) => disk.stat?.(file),
      ranges: true,
    };
    const catalog = loadSkillsSync({ host }, options);
    const first = read(catalog, "log.md");
    assert.match(first.content, /^x{10}y+/);
    assert.equal(first.isError, false);
  });
  test("a file that was replaced between list and read is what it is now, or refused", () => {
    const { root, skills } = demo({ "skills/demo/a.md": "A", "secret.md": "SECRET" });
    const at = path.join(skills, "demo/a.md");
    const catalog = loadSkillsSync(skills, options);
    const swaps: [swap: () => void, code: string | undefined][] = [
      [() => write(root, "skills/demo/a.md", "B"), undefined],
      [() => fs.symlinkSync(path.join(root, "secret.md"), at), "PATH_REFUSED"],
      [() => fs.mkdirSync(at), "PATH_REFUSED"],
      [() => execFileSync("mkfifo", [at]), "PATH_REFUSED"],
      [() => {}, "FILE_NOT_FOUND"],
    ];
    for (const [swap, code] of swaps) {
      listed(catalog);
      fs.rmSync(at, { recursive: true, force: true });
      swap();
      const result = read(catalog, "a.md");
      assert.equal(result.code, code, result.content);
      assert.doesNotMatch(result.content, /SECRET/);
    }
  });
  test("what is mounted into a skill is its own", onLinux, (context) => {
    const { root } = demo({ "other/text.md": "text", "secret.md": "SECRET" });
    fs.mkdirSync(path.join(root, "skills/demo/mounted"));
    const told = mounted(root);
    if (told === undefined) {
      context.skip("nothing may be mounted here, by root or in a namespace of one's own");
      return;
    }
    // Who may mount is who may copy; its real path is in the skill.
    assert.deepEqual(told, ["text", "PATH_REFUSED"]);
  });
});

/**
 * What is read of a directory that is mounted into a skill, and beside it, in a process that may mount: in
 * a namespace of its own, where one may be had, else as whoever runs this.
 */
function mounted(root: string): unknown {
  const script = `
    import { execFileSync, spawnSync } from "node:child_process";
    import { loadSkillsSync } from "skillshelf";
    const [root] = process.argv.slice(1);
    const target = root + "/skills/demo/mounted";
    try {
      execFileSync("mount", ["--bind", root + "/other", target], { stdio: "ignore" });
    } catch {
      process.exit(${NOT_MOUNTED});
    }
    try {
      const catalog = loadSkillsSync(root + "/skills", { onDiagnostic() {} });
      const read = (path) => catalog.call("read_skill_file", { skill: "demo", path });
      const told = [read("mounted/text.md").content, read("mounted/../../../secret.md").code];
      process.stdout.write(JSON.stringify(told));
    } finally {
      execFileSync("umount", [target]);
    }`;
  const node = [process.execPath, "--input-type=module", "--eval", script, root];
  for (const [program = "", ...args] of [
    ["unshare", "--map-root-user", "--mount", ...node],
    node,
  ]) {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: import.meta.dirname,
      encoding: "utf8",
    });
    if (status === 0) return JSON.parse(stdout);
    const isRefused = status === null || status === NOT_MOUNTED || stderr.startsWith("unshare");
    assert.ok(isRefused, stderr);
  }
  return undefined;
}

/** A host that takes names for one another: `fold` gives what the disk has. */
function foldingHost(files: Record<string, string>, fold: (path: string) => string): SyncHost {
  const memory = memoryHost(files);
  const keys = new Map<string, string>();
  for (const file of Object.keys(files)) {
    const parts = file.split("/");
    parts.forEach((_, index) => {
      const own = parts.slice(0, index + 1).join("/");
      keys.set(fold(own), own);
    });
  }
  const own = (name: string): string => keys.get(fold(name)) ?? name;
  return {
    list: (directory) => memory.list(own(directory)),
    read: (file, range) => memory.read(own(file), range),
    stat: (name) => memory.stat?.(own(name)),
    realPath: (name) => {
      if (memory.stat?.(own(name)) === undefined) {
        throw Object.assign(new Error("not there"), { code: "ENOENT" });
      }
      return `/${own(name)}`;
    },
  };
}

describe("file systems that take two names for one", () => {
  const files = {
    "demo/SKILL.md": validSkill("demo"),
    "demo/Read.md": "text",
    "demo/caf\u00e9.md": "coffee",
    "hidden/SKILL.md": validSkill("hidden", "d", "SECRET"),
    "hidden/key.md": "SECRET",
  };
  test("case: another spelling is not found, and the right one is named", () => {
    const host = foldingHost(files, (name) => name.toLowerCase());
    const catalog = loadSkillsSync({ host }, options);
    assert.equal(read(catalog, "Read.md").content, "text");
    const other = read(catalog, "READ.MD");
    assert.equal(other.code, "FILE_NOT_FOUND");
    assert.match(other.content, /Read\.md/);
    assert.equal(read(catalog, "read.md").code, "FILE_NOT_FOUND");
    const view = catalog.only(["!hidden"]);
    for (const file of ["../hidden/key.md", "../HIDDEN/KEY.md"]) {
      assert.equal(read(view, file).code, "PATH_REFUSED");
    }
    assert.equal(read(view, "key.md", "HIDDEN").code, "SKILL_NOT_FOUND");
  });
  test("Unicode: a name in another form is one file, by one name", () => {
    const host = foldingHost(files, (name) => name.normalize("NFD"));
    const catalog = loadSkillsSync({ host }, options);
    assert.equal(read(catalog, "caf\u00e9.md").content, "coffee");
    assert.equal(read(catalog, "cafe\u0301.md").code, "FILE_NOT_FOUND");
    assert.equal(catalog.size, 2);
  });
  test("Windows: what its names could mean is refused before the host is asked", () => {
    const asked: string[] = [];
    const memory = memoryHost(files);
    const host: SyncHost = {
      list: (directory) => memory.list(directory),
      read: (file, range) => {
        asked.push(file);
        return memory.read(file, range);
      },
    };
    const catalog = loadSkillsSync({ host }, options);
    asked.length = 0;
    for (const file of [
      "Read.md:stream",
      "Read.md::$DATA",
      "SKILL.md:hidden:$DATA",
      "C:Read.md",
      "C:\\Windows\\win.ini",
      "\\\\server\\share\\x",
      "\\\\?\\C:\\x",
      "\\\\.\\pipe\\x",
      "//./COM1",
      "CON",
      "nul",
      "AUX.md",
      "sub/COM1.txt",
      "LPT9",
      "COM\u00b9",
      "..\\hidden\\key.md",
    ]) {
      assert.equal(read(catalog, file).code, "PATH_REFUSED", file);
    }
    assert.deepEqual(asked, []);
    // Names that Windows takes for shorter ones are names that nothing here has.
    for (const file of ["Read.md.", "Read.md ", "READ~1.MD"]) {
      assert.equal(read(catalog, file).isError, true, file);
    }
  });
});
