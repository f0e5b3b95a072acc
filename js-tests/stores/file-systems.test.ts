// `skillshelf/fs` over file systems that people have.

import "fake-indexeddb/auto";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import nodeFs, { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import nodePromises from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import LightningFS from "@isomorphic-git/lightning-fs";
import { fs as zenFs } from "@zenfs/core";
import { InMemoryFs } from "just-bash";
import { createFsFromVolume, type IFs, Volume } from "memfs";
import { type Host, loadSkills, loadSkillsSync, type SyncHost } from "skillshelf";
import { fsHost } from "skillshelf/fs";
import { hostConformance } from "skillshelf/testing";
import type { Files } from "../support/hosts.ts";

// Lightning-fs is made for browsers, and Node 20 has no navigator.
if (!("navigator" in globalThis)) Object.assign(globalThis, { navigator: {} });

const folders: string[] = [];

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** What puts files into a file system at once. */
interface Writer {
  mkdirSync(path: string, options: { recursive: true }): unknown;
  writeFileSync(path: string, content: string | Uint8Array): unknown;
}

function write(fs: Writer, root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    fs.mkdirSync(dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
}

function directoryOf(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), "skillshelf-fs-"));
  folders.push(folder);
  write({ mkdirSync, writeFileSync }, folder, files);
  return folder;
}

function memfs(files: Files): IFs {
  const fs = createFsFromVolume(new Volume());
  fs.mkdirSync("/skills");
  write(fs as Writer, "/skills", files);
  return fs;
}

let zenDirectories = 0;

/** ZenFS is one for all; each has a directory of its own. */
function zenRoot(files: Files): string {
  zenDirectories += 1;
  const root = `/${zenDirectories}`;
  zenFs.mkdirSync(root);
  write(zenFs as Writer, root, files);
  return root;
}

let databases = 0;

async function lightning(files: Files): Promise<LightningFS> {
  databases += 1;
  const fs = new LightningFS(`database-${databases}`);
  for (const [path, content] of Object.entries(files)) {
    const names = path.split("/").slice(0, -1);
    for (let depth = 1; depth <= names.length; depth += 1) {
      const directory = `/${names.slice(0, depth).join("/")}`;
      await fs.promises.mkdir(directory).catch(() => {});
    }
    await fs.promises.writeFile(`/${path}`, content);
  }
  return fs;
}

async function justBash(files: Files): Promise<InMemoryFs> {
  const fs = new InMemoryFs();
  for (const [path, content] of Object.entries(files)) {
    await fs.mkdir(dirname(`/skills/${path}`), { recursive: true });
    await fs.writeFile(`/skills/${path}`, content);
  }
  return fs;
}

const HOSTS: Readonly<
  Record<string, (files: Files) => Host | SyncHost | Promise<Host | SyncHost>>
> = {
  "node:fs/promises": (files) => fsHost(nodePromises, directoryOf(files)),
  "node:fs": (files) => fsHost(nodeFs, directoryOf(files)),
  "node:fs at once": (files) => fsHost.sync(nodeFs, directoryOf(files)),
  memfs: (files) => fsHost(memfs(files), "/skills"),
  "memfs, its promises": (files) => fsHost(memfs(files).promises, "/skills/"),
  "memfs at once": (files) => fsHost.sync(memfs(files), "/skills"),
  ZenFS: (files) => fsHost(zenFs, zenRoot(files)),
  "ZenFS at once": (files) => fsHost.sync(zenFs, zenRoot(files)),
  "just-bash": async (files) => fsHost(await justBash(files), "/skills"),
  "lightning-fs": async (files) => fsHost(await lightning(files)),
};

for (const [name, makeHost] of Object.entries(HOSTS)) {
  describe(name, () => {
    for (const check of hostConformance(makeHost)) test(check.name, check.run);
  });
}

const SKILL = "---\nname: pdf\ndescription: Reads PDF files.\n---\nRead `forms.md`.\n";
const QUIET = { onDiagnostic: () => {} };

async function read(host: Host | SyncHost, path: string): Promise<[string | undefined, string]> {
  const catalog = await loadSkills({ host }, QUIET);
  const { code, content } = await catalog.call("read_skill_file", { skill: "pdf", path });
  return [code, content];
}

/** File systems with a link out of the skill and one that stays in it. */
const LINKED: Readonly<Record<string, () => Promise<Host | SyncHost>>> = {
  "node:fs/promises": async () => fsHost(nodePromises, linkedDirectory()),
  "node:fs at once": async () => fsHost.sync(nodeFs, linkedDirectory()),
  memfs: async () => fsHost(linkedMemfs(), "/skills"),
  "memfs at once": async () => fsHost.sync(linkedMemfs(), "/skills"),
  ZenFS: async () => {
    const root = zenRoot({ "pdf/SKILL.md": SKILL, "pdf/forms.md": "Forms." });
    zenFs.writeFileSync("/secret.md", "secret");
    zenFs.symlinkSync("/secret.md", `${root}/pdf/out.md`);
    zenFs.symlinkSync(`${root}/pdf/forms.md`, `${root}/pdf/in.md`);
    return fsHost(zenFs, root);
  },
  "just-bash": async () => {
    const fs = await justBash({ "pdf/SKILL.md": SKILL, "pdf/forms.md": "Forms." });
    await fs.writeFile("/secret.md", "secret");
    await fs.symlink("/secret.md", "/skills/pdf/out.md");
    await fs.symlink("forms.md", "/skills/pdf/in.md");
    return fsHost(fs, "/skills");
  },
};

function linkedDirectory(): string {
  const folder = directoryOf({
    "secret.md": "secret",
    "skills/pdf/SKILL.md": SKILL,
    "skills/pdf/forms.md": "Forms.",
  });
  symlinkSync(join(folder, "secret.md"), join(folder, "skills/pdf/out.md"));
  symlinkSync("forms.md", join(folder, "skills/pdf/in.md"));
  return join(folder, "skills");
}

function linkedMemfs(): IFs {
  const fs = memfs({ "pdf/SKILL.md": SKILL, "pdf/forms.md": "Forms." });
  fs.writeFileSync("/secret.md", "secret");
  fs.symlinkSync("/secret.md", "/skills/pdf/out.md");
  fs.symlinkSync("/skills/pdf/forms.md", "/skills/pdf/in.md");
  return fs;
}

describe("links", () => {
  for (const [name, makeHost] of Object.entries(LINKED)) {
    test(`${name}: one that leaves is refused, one that stays is followed`, async () => {
      const host = await makeHost();
      const [code, refused] = await read(host, "out.md");
      assert.deepEqual([code, refused.includes("secret\n")], ["PATH_REFUSED", false]);
      assert.equal((await read(host, "in.md"))[1], "Forms.");
    });
  }

  test("lightning-fs, which does not tell where they lead: none is followed", async () => {
    const fs = await lightning({ "pdf/SKILL.md": SKILL, "other/forms.md": "Forms." });
    await fs.promises.symlink("/other/forms.md", "/pdf/in.md");
    await fs.promises.symlink("/other", "/pdf/directory");
    const host = fsHost(fs);
    for (const path of ["in.md", "directory/forms.md"]) {
      assert.deepEqual((await read(host, path))[0], "HOST_FAILED", path);
    }
    await assert.rejects(host.read("pdf/directory/forms.md"), { code: "ELOOP" });
    await assert.rejects(host.list("pdf/directory"), { code: "ELOOP" });
    assert.deepEqual((await host.list("pdf")).map(({ name, kind }) => [name, kind]).sort(), [
      ["SKILL.md", "file"],
      ["directory", "link"],
      ["in.md", "link"],
    ]);
  });

  test("what was opened decides, not what the path means a moment later", async () => {
    const root = linkedDirectory();
    const swapped = {
      ...nodePromises,
      open: (path: string, flags?: string) =>
        nodePromises.open(path.endsWith("forms.md") ? join(root, "../secret.md") : path, flags),
    };
    const host = fsHost(swapped, root);
    await assert.rejects(host.open?.("pdf/forms.md") ?? Promise.resolve(), { code: "ESTALE" });
    const noFollow = host.open?.("pdf/forms.md", { noFollow: true });
    await assert.rejects(noFollow ?? Promise.resolve(), { code: "ESTALE" });
    const [code, content] = await read(host, "forms.md");
    assert.deepEqual([code, content.includes("secret")], ["HOST_FAILED", false]);
  });

  test("a share of a network has nothing above it that could be asked for", () => {
    const inMemory = memfs({ "pdf/forms.md": "Forms." });
    const share = "\\\\server\\share";
    const asked: string[] = [];
    const local = (path: string): string => {
      asked.push(path);
      const below = path.replaceAll("\\", "/");
      if (!below.startsWith("//server/share/") || /^\/\/[^/]*$/.test(below)) {
        throw Object.assign(new Error("EINVAL"), { code: "EINVAL" });
      }
      return below.slice("//server/share".length);
    };
    const host = fsHost.sync(
      {
        readdirSync: (path) => inMemory.readdirSync(local(path)),
        readFileSync: (path) => inMemory.readFileSync(local(path)),
        statSync: (path) => inMemory.statSync(local(path.replace(/^C:/, share))),
        lstatSync: (path) => inMemory.lstatSync(local(`${path}/`)),
        // The folder of the skill is a link to it.
        realpathSync: (path) =>
          (path.includes("pdf") ? path.replace(/^C:/, share) : path).replaceAll("/", "\\"),
      },
      "C:/skills",
    );
    const opened = host.open?.("pdf/forms.md");
    assert.equal(opened?.realPath, "//server/share/skills/pdf/forms.md");
    assert.ok(asked.every((path) => path.replaceAll("\\", "/").startsWith("//server/share/")));
  });

  test("a link is not opened where none is to be followed", async () => {
    const opened = fsHost(linkedMemfs(), "/skills").open?.("pdf/in.md", { noFollow: true });
    await assert.rejects(opened ?? Promise.resolve(), { code: "ELOOP" });
  });
});

describe("what is edited", () => {
  for (const [name, makeHost] of [
    ["memfs", (fs: IFs) => fsHost(fs, "/skills")],
    ["memfs at once", (fs: IFs) => fsHost.sync(fs, "/skills")],
    [
      "memfs without open",
      ({ promises: { readdir, readFile, stat } }: IFs) =>
        fsHost({ readdir, readFile, stat }, "/skills"),
    ],
  ] as const) {
    test(`${name}: within one millisecond, to a text as long`, async () => {
      const fs = memfs({ "pdf/SKILL.md": SKILL });
      const file = "/skills/pdf/SKILL.md";
      fs.utimesSync(file, 1000, 1000);
      const catalog = await loadSkills({ host: makeHost(fs) }, QUIET);
      fs.writeFileSync(file, SKILL.replace("Reads", "Edits"));
      fs.utimesSync(file, 1000, 1000);
      const { changed } = await catalog.refresh();
      assert.deepEqual(changed, ["pdf"]);
      assert.match(catalog.prompt(), /Edits PDF files/);
    });
  }
});

test("a catalog at once, of a volume in memory", () => {
  const catalog = loadSkillsSync({
    host: fsHost.sync(memfs({ "pdf/SKILL.md": SKILL }), "/skills"),
  });
  assert.equal(catalog.body("pdf"), "Read `forms.md`.");
});

test("a pipe is told, not opened", { skip: process.platform === "win32" }, async () => {
  const root = directoryOf({ "pdf/SKILL.md": SKILL });
  execFileSync("mkfifo", [join(root, "pdf/pipe.md")]);
  for (const host of [fsHost(nodeFs, root), fsHost.sync(nodeFs, root)]) {
    assert.equal((await read(host, "pipe.md"))[0], "PATH_REFUSED");
    await assert.rejects(async () => host.read("pdf/pipe.md"), { code: "EINVAL" });
  }
});

describe("what is no file system", () => {
  const missing = (names: string) => ({
    name: "TypeError",
    message: `fsHost takes a file system that is shaped like fs.promises; what it was given has no ${names}.`,
  });
  test("has no methods", () => {
    for (const value of [undefined, null, "/skills", {}, { promises: null }]) {
      assert.throws(() => fsHost(value as never), missing("readdir, readFile, stat"));
    }
    assert.throws(() => fsHost({ readdir() {} } as never), missing("readFile, stat"));
    assert.throws(() => fsHost.sync(nodePromises as never), {
      message:
        "fsHost.sync takes a file system that answers at once, as node:fs does; what it was given has no readdirSync, readFileSync, statSync.",
    });
  });
  test("a root is a path", () => {
    for (const root of ["", "a\0b", 7]) {
      assert.throws(() => fsHost(nodePromises, root as never), { name: "TypeError" });
    }
  });
  test("gives what it should not", async () => {
    const file = { isFile: () => true, size: 3, mtimeMs: 0.5 };
    const fs = {
      readdir: async (): Promise<unknown> => ["a"],
      readFile: async (): Promise<unknown> => new Uint8Array(3),
      stat: async (): Promise<unknown> => file,
      realpath: async (): Promise<unknown> => "/a",
      open: async (): Promise<unknown> => 3,
    };
    const host = (changed: Partial<typeof fs>) => fsHost({ ...fs, ...changed });
    const gave = (what: string) => ({
      code: "EIO",
      message: new RegExp(`did not give ${what}: "/`),
    });
    await assert.rejects(host({ readdir: async () => "a" }).list(""), gave("a list"));
    await assert.rejects(host({ readdir: async () => [{}] }).list(""), gave("names"));
    await assert.rejects(host({ stat: async () => ({}) }).list(""), gave("a kind"));
    await assert.rejects(host({}).read("a"), gave("an open file"));
    const { open: _, ...withoutOpen } = fs;
    const text = fsHost({ ...withoutOpen, readFile: async () => "abc" });
    await assert.rejects(text.read("a"), gave("bytes"));
    await assert.rejects(
      host({ realpath: async () => 1 }).realPath?.("a") ?? text.list(""),
      gave("a path"),
    );
    await assert.rejects(
      host({ realpath: async () => "/\ufffd" }).realPath?.("a") ?? text.list(""),
      { code: "EILSEQ" },
    );
  });
  test("gives promises where it should answer at once", () => {
    const { readdir, readFile, stat } = nodePromises;
    const host = fsHost.sync({ readdirSync: readdir, readFileSync: readFile, statSync: stat });
    assert.throws(() => host.list(""), { code: "EIO" });
  });
});
