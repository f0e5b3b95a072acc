// Sources of every kind, their precedence, and the options of a load.

import assert from "node:assert/strict";
import path from "node:path";
import { describe, mock, test } from "node:test";
import { inspect } from "node:util";
import {
  type Diagnostic,
  defineSkill,
  type Host,
  type HostEntry,
  loadSkills,
  loadSkillsSync,
  memoryHost,
  type Progress,
  SkillError,
  type SyncHost,
} from "skillshelf";
import { nodeHost } from "skillshelf/node";
import { rejection, thrown } from "./support/errors.ts";
import { folder } from "./support/folder.ts";
import {
  countedHost,
  type Files,
  MAKES,
  missing,
  smallHost,
  withPromises,
} from "./support/hosts.ts";
import { assertSame, shelf, shelfOf, shelfWithPromises } from "./support/load.ts";
import { skillFile, toldWithPath, validSkill } from "./support/text.ts";

const onDiagnostic = (): void => {};
const defined = defineSkill({ name: "in-code", description: "From code", content: "C" });

describe("what a source may be", () => {
  const files: Files = { "a/SKILL.md": validSkill("a"), "a/x.md": "X" };
  test("a directory of the disk", async () => {
    const root = folder(files);
    using sync = loadSkillsSync(root);
    using promised = await loadSkills(root);
    assert.deepEqual(sync.names, ["a"]);
    assertSame(sync, promised);
    assert.equal(sync.get("a")?.source?.label, root);
    assert.equal(sync.get("a")?.source?.path, path.join(root, "a/SKILL.md"));
  });
  test("a directory with a separator at its end is the same", () => {
    const root = folder(files);
    assertSame(loadSkillsSync(root), loadSkillsSync(`${root}/`));
  });
  test("a host, in one of its directories", () => {
    const host = memoryHost({
      "deep/down/a/SKILL.md": validSkill("a"),
      "other/SKILL.md": validSkill("other"),
    });
    for (const path of ["deep/down", "deep/down/", "/deep/down", "./deep/down"]) {
      using catalog = loadSkillsSync({ host, path });
      assert.deepEqual(catalog.names, ["a"], path);
      assert.equal(catalog.get("a")?.source?.path, "deep/down/a/SKILL.md");
    }
  });
  test("a label is shown", () => {
    using catalog = loadSkillsSync({ host: memoryHost(files), label: "mine" });
    assert.equal(catalog.get("a")?.source?.label, "mine");
  });
  test("a skill from code", () => {
    assert.deepEqual(loadSkillsSync(defined).names, ["in-code"]);
  });
  test("a catalog, which stays linked to its files", () => {
    const edited: Record<string, string> = { "a/SKILL.md": validSkill("a") };
    using first = loadSkillsSync({ host: memoryHost(edited) });
    using second = loadSkillsSync(first);
    edited["a/SKILL.md"] = validSkill("a", "d", "Edited");
    assert.equal(second.body("a"), "Edited");
  });
  test("a skill of a catalog, which brings its files", () => {
    using first = shelf(files);
    const skill = first.get("a");
    assert.ok(skill);
    using second = loadSkillsSync([skill, defined]);
    assert.deepEqual(second.names, ["a", "in-code"]);
    assert.equal(second.call("read_skill_file", { skill: "a", path: "x.md" }).content, "X");
  });
  test("a view: only what it shows", () => {
    using all = shelf({ "a/SKILL.md": validSkill("a"), "b/SKILL.md": validSkill("b") });
    assert.deepEqual(loadSkillsSync(all.only(["b"])).names, ["b"]);
  });
  test("an asynchronous catalog, for loadSkills", async () => {
    const first = await loadSkills({ host: withPromises(smallHost(files)) });
    const second = await loadSkills([first, defined]);
    assert.deepEqual(second.names, ["a", "in-code"]);
    assert.equal(await second.body("a"), "Body");
  });
  test("none at all: an empty catalog", () => {
    using catalog = loadSkillsSync([]);
    assert.deepEqual(
      [catalog.size, catalog.isEmpty, catalog.names, catalog.prompt(), catalog.tools().length],
      [0, true, [], "", 0],
    );
  });
  test("a catalog outlives the one it came from", () => {
    const first = shelf(files);
    using second = loadSkillsSync(first);
    first.dispose();
    assert.equal(second.body("a"), "Body");
  });
});

describe("what a source may not be", () => {
  const wrong: [title: string, source: unknown, message: RegExp][] = [
    ["nothing", undefined, /directory's path/],
    ["null", null, /directory's path/],
    ["a number", 7, /directory's path/],
    ["an object without a host", { path: "x" }, /directory's path/],
    ["a host by itself", memoryHost({}), /^sources\[0\] is a host: pass \{ host \}\.$/],
    ["a promise", Promise.resolve("skills"), /^sources\[0\] is a promise: await it\.$/],
    ["a list in a list", ["skills"], /^sources\[0\] is a list: pass one list/],
    ["a specification", { name: "a", description: "d", content: "c" }, /pass defineSkill of it/],
    ["a host without read", { host: { list: () => [] } }, /whose host has no list and read/],
    ["a copy of a skill", { ...defined }, /copy/],
    ["a path that is no text", { host: memoryHost({}), path: 7 }, /path must be text; it is 7/],
    [
      "a label that is no text",
      { host: memoryHost({}), label: 7, trusted: false },
      /label must be/,
    ],
    [
      "a misspelled member",
      { host: memoryHost({}), truted: false },
      /truted is not known; trusted/,
    ],
    ["another member", { host: memoryHost({}), recursive: true }, /known are host, path, label/],
    ["half of a surrogate pair", { host: memoryHost({}), path: "\ud800" }, /surrogate/],
    ["a set of sources", new Set(["skills"]), /directory's path/],
    ["a file URL", new URL("file:///skills"), /"file:\/\/\/skills" is a URL.*fileURLToPath\(url\)/],
    [
      "the text of a file URL",
      "file:///skills",
      /is a URL, not a path.*nodeHost\(new URL\(url\)\)/,
    ],
    [
      "the text of another URL",
      "https://example.com/skills",
      /is a URL, not a path.*httpHost\(url\) \}, from skillshelf\/http\.$/,
    ],
  ];
  for (const [title, source, message] of wrong) {
    test(title, async () => {
      const error = thrown(() => loadSkillsSync([source as never]));
      assert.equal(error.code, "SOURCE_UNSUPPORTED");
      assert.match(error.message, message);
      const rejected = await rejection(() => loadSkills([source as never]));
      assert.deepEqual([rejected.code, rejected.message], [error.code, error.message]);
    });
  }
  test("a host with promises, for loadSkillsSync", () => {
    const host = withPromises(smallHost({ "a/SKILL.md": validSkill("a") })) as unknown as SyncHost;
    const error = thrown(() => loadSkillsSync({ host }));
    assert.equal(error.code, "SOURCE_UNSUPPORTED");
    assert.match(error.message, /loadSkills/);
  });
  test("a skill linked to a host with promises, for loadSkillsSync", async () => {
    const catalog = await loadSkills({
      host: withPromises(smallHost({ "a/SKILL.md": validSkill("a") })),
    });
    const skill = catalog.get("a");
    assert.ok(skill);
    assert.equal(thrown(() => loadSkillsSync(skill)).code, "SOURCE_UNSUPPORTED");
  });
  test("a skill that is no longer in its catalog", () => {
    const files: Record<string, string> = { "a/SKILL.md": validSkill("a") };
    using catalog = loadSkillsSync({ host: memoryHost(files) });
    const skill = catalog.get("a");
    assert.ok(skill);
    delete files["a/SKILL.md"];
    catalog.refresh();
    const error = thrown(() => loadSkillsSync(skill));
    assert.equal(error.code, "SOURCE_UNSUPPORTED");
    assert.match(error.message, /"a" is no longer/);
  });
  test("a catalog that was disposed of", () => {
    const catalog = shelf({ "a/SKILL.md": validSkill("a") });
    catalog.dispose();
    assert.equal(thrown(() => loadSkillsSync(catalog)).code, "NOT_INITIALIZED");
  });
});

test("a directory that does not exist is an empty catalog without a word", async () => {
  const warn = mock.method(console, "warn", () => {});
  try {
    for (const source of [
      path.join(folder(), "absent"),
      { host: smallHost({}) },
      { host: memoryHost({ x: "" }), path: "no/where" },
    ]) {
      using sync = loadSkillsSync(source);
      using promised = await loadSkills(source);
      assert.deepEqual(
        [sync.size, sync.diagnostics, promised.size, promised.diagnostics],
        [0, [], 0, []],
      );
    }
    for (const error of [
      missing("x"),
      Object.assign(new Error("x"), { code: "ENOTDIR" }),
      Object.assign(new Error("x"), { name: "NotFoundError" }),
    ]) {
      const fail = (): never => {
        throw error;
      };
      using catalog = loadSkillsSync({ host: { list: fail, read: fail } });
      assert.deepEqual([catalog.size, catalog.diagnostics], [0, []]);
    }
    assert.equal(warn.mock.callCount(), 0);
  } finally {
    warn.mock.restore();
  }
});

test("a directory that cannot be read is a diagnostic, and the others load", () => {
  const memory = smallHost({ "good/SKILL.md": validSkill("good"), "locked/x": "" });
  const host: SyncHost = {
    ...memory,
    list: (directory) => {
      if (directory === "locked")
        throw Object.assign(new Error("EACCES: /machine/path/locked"), { code: "EACCES" });
      return memory.list(directory);
    },
  };
  const catalog = shelfOf(host);
  assert.deepEqual(catalog.names, ["good"]);
  assert.deepEqual(catalog.diagnostics.map(toldWithPath), ["error directory-unreadable locked"]);
  assert.match(catalog.diagnostics[0]?.message ?? "", /could not be read: EACCES/);
});

test("a file on the place of a source is a diagnostic that says what to pass", async () => {
  const files: Files = { "file.md": validSkill("x"), "pdf/SKILL.md": validSkill("pdf") };
  const root = folder(files);
  for (const [file, hint] of [
    ["file.md", /the directory that it is in/],
    ["pdf/SKILL.md", /the skill's directory/],
  ] as const) {
    for (const [source, shown] of [
      [path.join(root, file), path.join(root, file)],
      [{ host: memoryHost(files), path: file }, file],
      [{ host: nodeHost.sync(root), path: file }, file],
    ] as const) {
      using sync = loadSkillsSync(source, { onDiagnostic });
      assert.equal(sync.size, 0);
      const [finding, ...others] = sync.diagnostics;
      assert.deepEqual(others, []);
      assert.deepEqual(
        [finding?.code, finding?.severity, finding?.path],
        ["source-not-a-directory", "error", shown],
      );
      assert.match(finding?.hint ?? "", hint);
      using promised = await loadSkills(source, { onDiagnostic });
      assert.deepEqual(promised.diagnostics, sync.diagnostics);
    }
  }
});

describe("earlier sources win", () => {
  const first = smallHost({
    "demo/SKILL.md": validSkill("demo", "first"),
    "z/SKILL.md": validSkill("z", "only first"),
  });
  const second = smallHost({
    "a/SKILL.md": validSkill("a"),
    "demo/SKILL.md": validSkill("demo", "second", "Second"),
  });
  test("one entry, and the same winner for every call", () => {
    using catalog = loadSkillsSync(
      [
        { host: second, label: "two" },
        { host: first, label: "one" },
      ],
      { onDiagnostic },
    );
    assert.deepEqual(catalog.names, ["a", "demo", "z"]);
    assert.equal(catalog.get("demo")?.description, "second");
    assert.equal(catalog.body("demo"), "Second");
    assert.match(catalog.call("load_skill", { name: "demo" }).content, /Second/);
    assert.equal(catalog.prompt().match(/- demo:/g)?.length, 1);
  });
  test("the shadowed one is a warning that names both", () => {
    using catalog = loadSkillsSync(
      [
        { host: memoryHost({ "p/demo/SKILL.md": validSkill("demo") }), path: "p" },
        { host: memoryHost({ "u/demo/SKILL.md": validSkill("demo", "other") }), path: "u" },
      ],
      { onDiagnostic },
    );
    assert.deepEqual(catalog.diagnostics.map(toldWithPath), [
      "warning name-shadowed u/demo/SKILL.md",
    ]);
    assert.match(
      catalog.diagnostics[0]?.message ?? "",
      /p\/demo\/SKILL\.md wins over u\/demo\/SKILL\.md/,
    );
  });
  test("two hosts that have it in the same place are told by their labels", () => {
    const files = { "demo/SKILL.md": validSkill("demo") };
    const sources = ["one", "two"].map((label) => ({ host: smallHost(files), label }));
    using catalog = loadSkillsSync(sources, { onDiagnostic });
    assert.match(
      catalog.diagnostics[0]?.message ?? "",
      /: demo\/SKILL\.md of "one" wins over demo\/SKILL\.md of "two"$/,
    );
  });
  test("another version of it stays reachable", () => {
    const version = (number: string): string =>
      skillFile(
        `name: demo\ndescription: ${number}\nmetadata: {version: "${number}"}`,
        `B${number}`,
      );
    using catalog = loadSkillsSync(
      [
        { host: smallHost({ "demo/SKILL.md": version("1") }) },
        { host: smallHost({ "demo/SKILL.md": version("2") }) },
      ],
      { onDiagnostic },
    );
    assert.deepEqual([catalog.body("demo"), catalog.body("demo@2"), catalog.size], ["B1", "B2", 1]);
  });
  test("one host under two paths of the same directory is one source", () => {
    const host = memoryHost({ "s/demo/SKILL.md": validSkill("demo") });
    using catalog = loadSkillsSync(
      [
        { host, path: "s" },
        { host, path: "s/" },
      ],
      { onDiagnostic },
    );
    assert.deepEqual([catalog.names, catalog.diagnostics], [["demo"], []]);
  });
  test("a directory and one inside it are no conflict", () => {
    const root = folder({ "g/demo/SKILL.md": validSkill("demo") });
    using catalog = loadSkillsSync([root, path.join(root, "g")], { onDiagnostic });
    assert.deepEqual([catalog.names, catalog.diagnostics], [["demo"], []]);
  });
});

describe("trusted: false", () => {
  for (const [make, hostOf] of Object.entries(MAKES)) {
    test(`loads nothing, says so, and calls nothing: ${make}`, async () => {
      const calls: string[] = [];
      const host = new Proxy(hostOf({ "a/SKILL.md": validSkill("a") }), {
        get: (target, key, receiver) => {
          const value = Reflect.get(target, key, receiver);
          if (typeof value !== "function") return value;
          return (...args: unknown[]) => {
            calls.push(String(key));
            return Reflect.apply(value, target, args);
          };
        },
      });
      using catalog = loadSkillsSync([{ host, trusted: false, label: "project" }, defined]);
      assert.deepEqual(catalog.names, ["in-code"]);
      assert.deepEqual(catalog.diagnostics.map(toldWithPath), ["info source-untrusted project"]);
      assert.match(catalog.diagnostics[0]?.hint ?? "", /trusted: true/);
      assert.deepEqual(calls, []);
    });
  }
  test("whatever else stands there was not meant as trust", () => {
    for (const trusted of [null, 0, 1, "", "no", "true", Number.NaN, () => true, {}, [true]]) {
      const source = {
        host: smallHost({ "a/SKILL.md": validSkill("a") }),
        trusted: trusted as never,
      };
      assert.equal(loadSkillsSync(source).size, 0, String(trusted));
    }
  });
  test("also where it is inherited", () => {
    class Project {
      host = smallHost({ "a/SKILL.md": validSkill("a") });
      get trusted(): boolean {
        return false;
      }
    }
    assert.equal(loadSkillsSync(new Project()).size, 0);
  });
  test("what the host found is not told", () => {
    const diagnostics: Diagnostic[] = [{ code: "own", severity: "warning", message: "own" }];
    const host = { ...smallHost({}), diagnostics };
    const catalog = loadSkillsSync({ host, trusted: false, label: "project" });
    assert.deepEqual(catalog.diagnostics.map(toldWithPath), ["info source-untrusted project"]);
  });
  test("is no fault where faults throw", () => {
    using catalog = loadSkillsSync({ host: memoryHost({}), trusted: false }, { invalid: "throw" });
    assert.equal(catalog.size, 0);
  });
});

describe('invalid: "throw"', () => {
  const good = { "a/SKILL.md": validSkill("a") };
  const throwing: [title: string, files: Files, code: string, path: string][] = [
    [
      "a skill without a description",
      { ...good, "b/SKILL.md": skillFile("name: b") },
      "description-missing",
      "b/SKILL.md",
    ],
    [
      "a file that is no skill",
      { ...good, "b/SKILL.md": "# x" },
      "front-matter-missing",
      "b/SKILL.md",
    ],
    [
      "a duplicate within a source",
      { ...good, "b/SKILL.md": validSkill("a") },
      "name-duplicate",
      "b/SKILL.md",
    ],
    [
      "a loose file with front matter",
      { ...good, "b.md": skillFile("name: b") },
      "description-missing",
      "b.md",
    ],
  ];
  for (const [title, files, code, path] of throwing) {
    test(title, async () => {
      const error = thrown(() => shelf(files, { invalid: "throw" }));
      assert.deepEqual([error.code, error.path], ["SKILL_INVALID", path]);
      assert.ok(error.diagnostics.some((found) => found.code === code && found.path === path));
      assert.ok(error.message.startsWith(`${path}:`), error.message);
      const rejected = await rejection(() =>
        loadSkills({ host: withPromises(smallHost(files)) }, { invalid: "throw", onDiagnostic }),
      );
      assert.deepEqual(rejected.diagnostics, error.diagnostics);
    });
  }
  test("a directory that cannot be read", () => {
    const host: SyncHost = {
      read: (file) => {
        throw missing(file);
      },
      list: () => {
        throw Object.assign(new Error("no"), { code: "EACCES" });
      },
    };
    const error = thrown(() => shelfOf(host, { invalid: "throw" }));
    assert.deepEqual(
      [error.code, error.diagnostics[0]?.code],
      ["SKILL_INVALID", "directory-unreadable"],
    );
  });
  const passing: [title: string, load: () => unknown][] = [
    [
      "shadowing across sources",
      () =>
        loadSkillsSync([{ host: smallHost(good) }, { host: smallHost(good) }], {
          invalid: "throw",
          onDiagnostic,
        }),
    ],
    [
      "ignored folders",
      () => shelf({ ...good, "drafts/b/SKILL.md": "" }, { invalid: "throw", ignore: ["drafts"] }),
    ],
    [
      "loose files without front matter",
      () => shelf({ ...good, "README.md": "# x" }, { invalid: "throw" }),
    ],
    [
      "warnings",
      () =>
        shelf(
          { "a/SKILL.md": skillFile("name: Other Name\ndescription: d") },
          { invalid: "throw" },
        ),
    ],
    [
      "a missing directory",
      () => loadSkillsSync({ host: smallHost({}), path: "no" }, { invalid: "throw" }),
    ],
  ];
  for (const [title, load] of passing) {
    test(`does not throw for ${title}`, () => {
      load();
    });
  }
  test("strict: what strict calls an error throws", () => {
    const error = thrown(() =>
      shelf({ "a/SKILL.md": validSkill("b") }, { invalid: "throw", mode: "strict" }),
    );
    assert.deepEqual(
      [error.diagnostics[0]?.code, error.line, error.column],
      ["name-directory-mismatch", 2, 7],
    );
  });
});

describe("who is told", () => {
  const files = {
    "a/SKILL.md": validSkill("Other"),
    "b/SKILL.md": skillFile("name: [x\ndescription:"),
    "c/SKILL.md": "",
    "README.md": "# x",
    "d/SKILL.md": validSkill("d"),
  };
  test("onDiagnostic hears everything, the console nothing", () => {
    const warn = mock.method(console, "warn", () => {});
    const heard: Diagnostic[] = [];
    const catalog = shelf(files, { onDiagnostic: (found) => heard.push(found) });
    assert.deepEqual(heard, catalog.diagnostics);
    assert.equal(warn.mock.callCount(), 0);
    warn.mock.restore();
  });
  test("else one console.warn a skipped skill", async () => {
    const warn = mock.method(console, "warn", () => {});
    loadSkillsSync({ host: smallHost(files) });
    const said = warn.mock.calls.map(({ arguments: [text] }) => String(text));
    assert.equal(said.length, 2, said.join("\n"));
    assert.ok(
      said.some((text) => text.includes("b/SKILL.md")) &&
        said.some((text) => text.includes("c/SKILL.md: the file is empty")),
    );
    for (const text of said)
      assert.match(text, /^skillshelf: [bc]\/SKILL\.md(:\d+:\d+)?: [^;]+; [^;]+$/);
    await loadSkills({ host: smallHost(files) });
    assert.equal(warn.mock.callCount(), 4);
    warn.mock.restore();
  });
  test("what is said is a line, whatever is in a path or in what a host found", () => {
    const warn = mock.method(console, "warn", () => {});
    const diagnostics: Diagnostic[] = [
      {
        code: "host-own",
        severity: "error",
        message: "half \ud800\nof \u001b[2J",
        path: "x\u202ey",
      },
      { code: "host-own", severity: "warning", message: "not told" },
    ];
    loadSkillsSync({ host: { ...smallHost({ "e\u001b[2J/SKILL.md": "" }), diagnostics } });
    const said = warn.mock.calls.map(({ arguments: [text] }) => String(text));
    warn.mock.restore();
    assert.equal(said.length, 2, said.join("\n"));
    assert.match(said[0] ?? "", /^skillshelf: e\[2J\/SKILL\.md: the file is empty; /);
    assert.equal(said[1], "skillshelf: xy: half \ufffd of [2J");
  });
  test("a clean load says nothing", () => {
    const warn = mock.method(console, "warn", () => {});
    loadSkillsSync({ host: smallHost({ "d/SKILL.md": validSkill("d") }) });
    assert.equal(warn.mock.callCount(), 0);
    warn.mock.restore();
  });
  test("what a host itself found is there too, after each operation", () => {
    const found: Diagnostic = { code: "host-own", severity: "warning", message: "own" };
    const diagnostics: Diagnostic[] = [];
    const catalog = shelfOf({ ...smallHost({ "d/SKILL.md": validSkill("d") }), diagnostics });
    assert.deepEqual(catalog.diagnostics, []);
    diagnostics.push(found);
    assert.deepEqual(catalog.diagnostics, [found]);
    assert.deepEqual(catalog.refresh().diagnostics, [found]);
  });
});

describe("progress", () => {
  const files: Files = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [
      `g${index % 3}/s${index}/SKILL.md`,
      validSkill(`s${index}`),
    ]),
  );
  test("grows to the whole, with promises as without", async () => {
    const sync: Progress[] = [];
    const promised: Progress[] = [];
    shelf(files, { onProgress: (progress) => sync.push(progress) });
    await loadSkills(
      { host: withPromises(smallHost(files)) },
      { onProgress: (progress) => promised.push(progress) },
    );
    for (const told of [sync, promised]) {
      const last = told.at(-1);
      assert.ok((last?.files ?? 0) >= 300 && (last?.directories ?? 0) >= 304, JSON.stringify(last));
      for (const [index, { files, directories }] of told.entries()) {
        const before = told[index - 1] ?? { files: 0, directories: 0 };
        assert.ok(files >= before.files && directories >= before.directories);
      }
    }
    assert.deepEqual(promised, sync);
  });
});

describe("a signal", () => {
  test("is that of the load alone, not of what is done with the catalog later", async () => {
    const controller = new AbortController();
    const host = smallHost({ "a/SKILL.md": validSkill("a") });
    const catalog = await loadSkills({ host }, { signal: controller.signal });
    controller.abort();
    assert.deepEqual((await catalog.refresh()).added, []);
    assert.equal(await catalog.body("a"), "Body");
  });
  test("that was given already stops before the first call", async () => {
    const { host, calls } = countedHost(smallHost({}));
    const signal = AbortSignal.abort("own reason");
    const error = await rejection(() => loadSkills({ host }, { signal }));
    assert.deepEqual([error.code, error.cause, calls], ["ABORTED", "own reason", []]);
    assert.equal(thrown(() => loadSkillsSync({ host }, { signal })).code, "ABORTED");
  });
  test("ends a load on a host that never answers", async () => {
    const never = (): Promise<never> => new Promise(() => {});
    const controller = new AbortController();
    const loading = rejection(() =>
      loadSkills({ host: { list: never, read: never } }, { signal: controller.signal }),
    );
    setImmediate(() => controller.abort());
    assert.equal((await loading).code, "ABORTED");
  });
  test("given in the middle lets no further call begin", async () => {
    const controller = new AbortController();
    const memory = smallHost(
      Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [`s${index}/SKILL.md`, validSkill(`s${index}`)]),
      ),
    );
    let after = 0;
    const host: Host = {
      ...withPromises(memory),
      read: async (file) => {
        if (controller.signal.aborted) after += 1;
        if (file.startsWith("s")) controller.abort();
        await null;
        return memory.read(file);
      },
    };
    const error = await rejection(() =>
      loadSkills({ host }, { signal: controller.signal, limits: { concurrency: 1 } }),
    );
    assert.equal(error.code, "ABORTED");
    await new Promise(setImmediate);
    assert.equal(after, 0);
  });
  test("in the progress function, without promises", () => {
    const controller = new AbortController();
    const error = thrown(() =>
      shelf(
        { "a/SKILL.md": validSkill("a") },
        { signal: controller.signal, onProgress: () => controller.abort() },
      ),
    );
    assert.equal(error.code, "ABORTED");
  });
  test("leaves no listener behind", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const adding = mock.method(signal, "addEventListener");
    const removing = mock.method(signal, "removeEventListener");
    await loadSkills({ host: smallHost({ "a/SKILL.md": validSkill("a") }) }, { signal });
    assert.ok(adding.mock.callCount() > 0);
    assert.equal(removing.mock.callCount(), adding.mock.callCount());
  });
});

describe("the number of requests at the same time", () => {
  for (const [title, limits, most] of [
    ["64 by default", undefined, 64],
    ["as limits say", { concurrency: 3 }, 3],
    ["one", { concurrency: 1 }, 1],
  ] as const) {
    test(title, async () => {
      const memory = smallHost(
        Object.fromEntries(
          Array.from({ length: 200 }, (_, index) => [
            `s${index}/SKILL.md`,
            validSkill(`s${index}`),
          ]),
        ),
      );
      let running = 0;
      let highest = 0;
      const busy = async <T>(work: () => T): Promise<T> => {
        running += 1;
        highest = Math.max(highest, running);
        await new Promise(setImmediate);
        running -= 1;
        return work();
      };
      const host: Host = {
        list: (directory) => busy(() => memory.list(directory)),
        read: (file) => busy(() => memory.read(file)),
      };
      const catalog = await loadSkills({ host }, limits === undefined ? {} : { limits });
      assert.equal(catalog.size, 200);
      assert.equal(highest, most);
    });
  }
  test("calls and refreshes keep to it too", async () => {
    const memory = smallHost(
      Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [`s${index}/SKILL.md`, validSkill(`s${index}`)]),
      ),
    );
    let running = 0;
    let highest = 0;
    const host: Host = {
      list: async (directory) => memory.list(directory),
      read: async (file) => {
        running += 1;
        highest = Math.max(highest, running);
        await new Promise(setImmediate);
        running -= 1;
        return memory.read(file);
      },
    };
    const catalog = await loadSkills({ host }, { limits: { concurrency: 2 } });
    assert.equal(highest, 2);
    highest = 0;
    await catalog.only(["s*"]).refresh();
    assert.equal(highest, 2);
  });
  for (const concurrency of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    test(`${concurrency} is refused`, async () => {
      const host = smallHost({ "a/SKILL.md": validSkill("a") });
      const error = await rejection(() => loadSkills({ host }, { limits: { concurrency } }));
      assert.equal(error.code, "SOURCE_UNSUPPORTED");
      assert.match(
        error.message,
        /limits\.concurrency must be a whole number from 1 to 4294967295/,
      );
    });
  }
});

describe("limits and options that cannot be meant are refused with a code", () => {
  const wrong: [string, object, RegExp][] = [
    ["mode", { mode: "loose" }, /mode must be "lenient" or "strict"; it is "loose"/],
    ["invalid", { invalid: "ignore" }, /"skip" or "throw"/],
    ["links", { links: "some" }, /links must be/],
    ["ignore", { ignore: "drafts" }, /ignore must be a list of text; it is "drafts"/],
    ["a limit below zero", { limits: { body: -1 } }, /limits\.body must be a whole number.*-1/],
    ["a limit that is text", { limits: { body: "1" } }, /limits\.body/],
    ["a limit that is no number", { limits: { body: Number.NaN } }, /limits\.body.*"NaN"/],
    [
      "an endless limit",
      { limits: { page: Number.POSITIVE_INFINITY } },
      /limits\.page.*"Infinity"/,
    ],
    ["a large integer", { limits: { body: 10n } }, /limits\.body/],
    ["a function where text is expected", { mode: () => "strict" }, /mode must be/],
    ["cyclic data", { ignore: cyclic() }, /circular|cyclic/i],
    ["a misspelled option", { mod: "strict" }, /mod is not known; mode is/],
    ["a misspelled function", { onDiagnostics: () => {} }, /onDiagnostics is not known; onDiag/],
    ["a misspelled limit", { limits: { dept: 1 } }, /limits\.dept is not known; depth is/],
    ["another one's option", { recursive: true }, /recursive is not known; known are.* mode,/],
    ["a function that is none", { onDiagnostic: "log" }, /onDiagnostic must be a function/],
    ["progress that is no function", { onProgress: 1 }, /onProgress must be a function; it is 1/],
    ["a signal that is none", { signal: "now" }, /signal must be an AbortSignal/],
  ];
  for (const [title, options, message] of wrong) {
    test(title, async () => {
      const error = thrown(() => loadSkillsSync([], options));
      assert.equal(error.code, "SOURCE_UNSUPPORTED");
      assert.match(error.message, message);
      assert.equal(
        (await rejection(() => loadSkills([], options))).message,
        error.message,
        "the same with promises",
      );
    });
  }
  test("what is undefined or null is absent", async () => {
    const nothing = { mod: undefined, mode: null, limits: { body: null }, signal: null };
    const options = { ...nothing, onProgress: null, onDiagnostic: undefined } as object;
    const source = { host: memoryHost({ "a/SKILL.md": validSkill("a") }) };
    assert.deepEqual(loadSkillsSync(source, options).names, ["a"]);
    assert.deepEqual((await loadSkills(source, options)).names, ["a"]);
    using catalog = loadSkillsSync(source, null as never);
    assert.deepEqual([catalog.tools(null as never).length, catalog.size], [2, 1]);
    assert.equal(catalog.prompt(null as never), catalog.prompt());
  });
  test("of an index and of tools", () => {
    using catalog = shelf({ "a/SKILL.md": validSkill("a") });
    for (const [use, message] of [
      [() => catalog.prompt({ styl: "xml" } as object), /styl is not known; style is/],
      [() => catalog.index({ budgt: { tokens: 9 } } as object), /budgt is not known; budget is/],
      [() => catalog.tools({ wraper: "none" } as object), /wraper is not known; wrapper is/],
      [() => catalog.tools({ rename: { lod_skill: "x" } } as object), /rename\.lod_skill is not/],
      [() => catalog.tools({ taken: "load_skill" }), /taken must be a list of text/],
      [() => catalog.tools({ taken: 7 } as object), /taken must be a list of text; it is 7/],
    ] as const) {
      const error = thrown(use);
      assert.equal(error.code, "SOURCE_UNSUPPORTED");
      assert.match(error.message, message);
    }
  });
});

function cyclic(): unknown[] {
  const list: unknown[] = [];
  list.push(list);
  return list;
}

test("limits: the front matter", () => {
  const files = { "a/SKILL.md": skillFile(`name: a\ndescription: ${"x".repeat(500)}`) };
  const catalog = shelf(files, { limits: { frontMatter: 300 } });
  assert.deepEqual(
    catalog.diagnostics.map(({ code }) => code),
    ["front-matter-too-large"],
  );
  assert.match(catalog.diagnostics[0]?.message ?? "", /300 bytes/);
});

test("limits: nesting", () => {
  const catalog = shelf(
    { "a/SKILL.md": skillFile("name: a\ndescription: d\nx: [[[1]]]") },
    { limits: { yamlDepth: 2 } },
  );
  assert.deepEqual(
    catalog.diagnostics.map(({ code }) => code),
    ["yaml-too-deep"],
  );
});

test("strip leaves hidden characters out of bodies and text fields", () => {
  const text = skillFile("name: a\ndescription: b\u{200b}c", "d\u{202e}e");
  const catalog = shelf({ "a/SKILL.md": text }, { strip: true });
  assert.deepEqual([catalog.get("a")?.description, catalog.body("a")], ["bc", "de"]);
  const kept = shelf({ "a/SKILL.md": text });
  assert.deepEqual([kept.get("a")?.description, kept.body("a")], ["b\u{200b}c", "d\u{202e}e"]);
});

test("what strip leaves out is what Unicode lets nobody see", () => {
  const unseen =
    /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Noncharacter_Code_Point}\u2800\u2d7f\u{1107f}\u{16fe4}\u{1d159}]/u;
  const isText = (code: number) => code !== 0 && (code < 0xd800 || code > 0xdfff);
  const STEP = 0x8000;
  for (let first = 0; first <= 0x10ffff; first += STEP) {
    const codes = Array.from({ length: STEP }, (_, place) => first + place).filter(isText);
    // Between letters of ASCII none has a proper use.
    const body = codes.map((code) => `x${String.fromCodePoint(code)}x`).join("");
    const files = { "a/SKILL.md": skillFile("name: a\ndescription: d", body) };
    const kept = new Set(shelf(files, { strip: true }).body("a"));
    const left = codes.filter((code) => !kept.has(String.fromCodePoint(code)));
    const expected = codes.filter((code) => {
      const character = String.fromCodePoint(code);
      return unseen.test(character) && !/\p{White_Space}/u.test(character);
    });
    assert.deepEqual(left, expected);
  }
});

describe("a view", () => {
  const catalog = shelf(
    Object.fromEntries(
      ["pdf", "pdf-forms", "review", "hidden"].map((name) => [
        `${name}/SKILL.md`,
        name === "hidden"
          ? skillFile("name: hidden\ndescription: d\ndisable-model-invocation: true")
          : validSkill(name),
      ]),
    ),
  );
  const cases: [patterns: string[], names: string[]][] = [
    [["pdf"], ["pdf"]],
    [["pdf*"], ["pdf", "pdf-forms"]],
    [["pdf-*"], ["pdf-forms"]],
    [
      ["*", "!pdf"],
      ["hidden", "pdf-forms", "review"],
    ],
    [["!pdf-*"], ["hidden", "pdf", "review"]],
    [["nothing"], []],
    [[], []],
    [
      ["review", "hidden"],
      ["hidden", "review"],
    ],
  ];
  for (const [patterns, names] of cases) {
    test(JSON.stringify(patterns), () => assert.deepEqual(catalog.only(patterns).names, names));
  }
  test("what it leaves out is absent everywhere", () => {
    const view = catalog.only(["!pdf"]);
    assert.equal(view.get("pdf"), undefined);
    assert.equal(thrown(() => view.body("pdf")).code, "SKILL_NOT_FOUND");
    for (const [tool, args] of [
      ["load_skill", { name: "pdf" }],
      ["read_skill_file", { skill: "pdf", path: "x" }],
    ] as const) {
      const result = view.call(tool, args);
      assert.equal(result.code, "SKILL_NOT_FOUND");
      assert.doesNotMatch(result.content, /Available skills:.*pdf,/);
    }
    assert.doesNotMatch(view.prompt(), /- pdf:/);
    assert.deepEqual(
      [...view].map(({ name }) => name),
      ["hidden", "pdf-forms", "review"],
    );
  });
  test("patterns that are no list are the developer's mistake", () => {
    for (const patterns of ["pdf", undefined, null, { 0: "pdf" }]) {
      assert.equal(thrown(() => catalog.only(patterns as never)).code, "SOURCE_UNSUPPORTED");
    }
  });
  test("a view of a view satisfies both", () => {
    assert.deepEqual(catalog.only(["pdf*"]).only(["!pdf"]).names, ["pdf-forms"]);
  });
  test("a view without skills has neither prompt nor tools", () => {
    const view = catalog.only(["hidden"]);
    assert.deepEqual([view.size, view.prompt(), view.tools().length], [1, "", 0]);
  });
});

describe("a catalog that is logged", () => {
  const names = Array.from({ length: 12 }, (_, index) => `s${index + 10}`);
  const host = smallHost(
    Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, validSkill(name)])),
  );
  const catalog = shelfOf(host);
  test("tells how many skills it has, and the first names", async () => {
    assert.equal(
      inspect(catalog),
      `SyncCatalog { 12 skills: ${names.slice(0, 10).join(", ")}, … }`,
    );
    assert.equal(inspect(catalog.only(["s11", "s12"])), "SyncCatalog { 2 skills: s11, s12 }");
    assert.equal(inspect(catalog.only(["s11"])), "SyncCatalog { 1 skill: s11 }");
    assert.equal(inspect(catalog.only([])), "SyncCatalog { 0 skills }");
    assert.match(inspect(await loadSkills({ host })), /^Catalog \{ 12 skills: /);
    assert.equal(String(catalog), "[object SyncCatalog]");
  });
  test("shows nothing that is private, in no form", () => {
    assert.deepEqual(Reflect.ownKeys(catalog), []);
    assert.equal(JSON.stringify(catalog), "{}");
    assert.equal(inspect(catalog, { showHidden: true, depth: 9 }), inspect(catalog));
    assert.equal(inspect({ catalog }), `{\n  catalog: ${inspect(catalog)}\n}`);
  });
});

test("a skill is the same object each time, and frozen", () => {
  const catalog = shelf({ "a/SKILL.md": validSkill("a") });
  assert.equal(catalog.get("a"), [...catalog][0]);
  assert.ok(Object.isFrozen(catalog.get("a")));
  assert.ok(Object.isFrozen(catalog.get("a")?.source));
});

test("get takes whatever it is given", () => {
  const catalog = shelf({ "a/SKILL.md": skillFile("name: a\ndescription: d\nversion: 1") });
  for (const value of [undefined, null, 7, {}, [], Symbol("s"), 1n]) {
    assert.equal(catalog.get(value as never), undefined);
  }
  assert.equal(catalog.get("a", 1 as never)?.name, "a");
  assert.equal(catalog.get("a", {} as never), undefined);
});

test("what a catalog hands out can be edited without harm", () => {
  const catalog = shelf({ "a/SKILL.md": validSkill("a"), "b/SKILL.md": "" });
  (catalog.names as string[]).push("x");
  (catalog.diagnostics as Diagnostic[]).length = 0;
  assert.deepEqual([catalog.names, catalog.diagnostics.length], [["a"], 1]);
});

test("a call that is under way outlives its catalog", async () => {
  const catalog = await shelfWithPromises(smallHost({ "a/SKILL.md": validSkill("a") }));
  const call = catalog.call("load_skill", { name: "a" });
  catalog.dispose();
  assert.equal((await call).isError, false);
});

test("a catalog that was disposed of says so, twice is no fault", () => {
  const catalog = shelf({ "a/SKILL.md": validSkill("a") });
  catalog.dispose();
  catalog[Symbol.dispose]();
  for (const use of [
    () => catalog.names,
    () => catalog.prompt(),
    () => catalog.tools(),
    () => catalog.get("a"),
    () => catalog.body("a"),
    () => catalog.refresh(),
    () => catalog.only(["a"]),
    () => [...catalog],
  ]) {
    assert.equal(thrown(use).code, "NOT_INITIALIZED");
  }
  assert.deepEqual(catalog.call("load_skill", { name: "a" }).code, "NOT_INITIALIZED");
});

test("names that other code gives a meaning are names", async () => {
  const names = ["__proto__", "constructor", "hasOwnProperty", "toString", "then"];
  const files: Record<string, string> = Object.create(null);
  for (const name of names)
    files[`${name}/SKILL.md`] = skillFile(
      `name: ${name}\ndescription: D of ${name}`,
      `B of ${name}`,
    );
  const catalog = shelfOf(memoryHost({ ...files }));
  assert.deepEqual(catalog.names, [...names].sort());
  for (const name of names) {
    assert.equal(catalog.get(name)?.description, `D of ${name}`);
    assert.equal(catalog.body(name), `B of ${name}`);
  }
  assert.equal(catalog.get("valueOf"), undefined);
});

describe("hosts that lie", () => {
  const good = smallHost({
    "good/SKILL.md": validSkill("good"),
    "secret/SKILL.md": validSkill("secret"),
    "top.txt": "t",
  });
  const entry = (name: unknown, kind: unknown = "directory"): HostEntry =>
    ({ name, kind }) as HostEntry;
  const listings: [title: string, entries: unknown, names?: string[]][] = [
    ["names with separators", [entry("a/b"), entry("../secret"), entry("good")], ["good"]],
    ["names that are dots", [entry("."), entry(".."), entry("good")], ["good"]],
    ["names with a backslash or NUL", [entry("a\\b"), entry("a\0b"), entry("good")], ["good"]],
    ["an empty name", [entry(""), entry("good")], ["good"]],
    ["a name twice", [entry("good"), entry("good")], ["good"]],
    ["a wrong kind", [entry("good", "file"), entry("top.txt", "directory")], []],
    [
      "kinds that are no text",
      [entry("good"), entry("x", 7), entry("y", null), entry("z", Symbol("k")), entry("w", {})],
      ["good"],
    ],
    ["no array", { 0: entry("good"), length: 1 }],
    ["nothing", undefined],
    ["null", null],
    ["text", "good"],
    ["an entry that is null", [null]],
    ["an entry without a name", [{ kind: "file" }]],
    ["holes", new Array(3)],
    ["half of a surrogate pair", [entry("\ud800"), entry("good")], ["good"]],
    [
      "a getter that throws",
      [
        Object.defineProperty({}, "name", {
          get: () => {
            throw new Error("no");
          },
        }),
      ],
    ],
    ["a kind that cannot be text", [entry("x", Object.create(null))]],
  ];
  for (const [title, entries, names] of listings) {
    test(`list: ${title}`, async () => {
      const host: SyncHost = {
        list: (directory) => (directory === "" ? (entries as HostEntry[]) : good.list(directory)),
        read: (file) => good.read(file),
      };
      const sync = shelfOf(host);
      assertSame(sync, await loadSkills({ host: withPromises(host) }, { onDiagnostic }));
      assert.deepEqual(sync.names, names ?? []);
      if (names === undefined)
        assert.deepEqual(
          sync.diagnostics.map(({ code }) => code),
          ["directory-unreadable"],
        );
    });
  }
  const bytes: [title: string, bytes: unknown][] = [
    ["text", validSkill("a")],
    ["an array", [45, 45, 45]],
    ["nothing", undefined],
    ["null", null],
    ["a buffer", new ArrayBuffer(8)],
    ["a view of another kind", new DataView(new ArrayBuffer(8))],
    ["wider numbers", new Uint16Array([45, 45, 45, 10])],
    ["an object of that length", { length: 4 }],
    ["an endless length", { length: Number.POSITIVE_INFINITY }],
  ];
  for (const [title, value] of bytes) {
    test(`read: ${title}`, async () => {
      for (const ranges of [false, true]) {
        const host: SyncHost = {
          ranges,
          list: (directory) =>
            directory === "" ? [entry("a"), entry("good")] : [entry("SKILL.md", "file")],
          read: (file) => (file === "a/SKILL.md" ? (value as Uint8Array) : good.read(file)),
        };
        const sync = shelfOf(host);
        assert.deepEqual(sync.names, ["good"]);
        assert.deepEqual(sync.diagnostics.map(toldWithPath), ["error file-unreadable a/SKILL.md"]);
        assertSame(sync, await loadSkills({ host: withPromises(host) }, { onDiagnostic }));
      }
    });
  }
  test("read: more bytes than were asked for are cut", () => {
    const host: SyncHost = { ranges: true, list: good.list, read: (file) => good.read(file) };
    assert.equal(shelfOf(host).body("good"), "Body");
  });
  for (const size of [Number.POSITIVE_INFINITY, Number.NaN, -1, 2 ** 60, "12", undefined, 0.5]) {
    test(`open: a size of ${String(size)}`, async () => {
      const host: SyncHost = {
        list: good.list,
        read: good.read,
        open: (file) => {
          const whole = good.read(file);
          return {
            kind: "file",
            size: size as number,
            realPath: `/${file}`,
            read: ({ offset, length }) => whole.slice(offset, offset + length),
            close: () => {},
          };
        },
      };
      const catalog = shelfOf(host);
      assert.deepEqual(catalog.names, ["good", "secret"]);
      const result = catalog.call("load_skill", { name: "good" });
      assert.ok(!result.isError || result.code === "FILE_TOO_LARGE", result.content);
    });
  }
  test("stat: a version that is no text", () => {
    const host: SyncHost = {
      ...good,
      stat: () => ({ kind: "file", size: 1, version: 7 }) as never,
    };
    const catalog = shelfOf(host);
    assert.deepEqual(catalog.names, ["good", "secret"]);
    assert.deepEqual(catalog.refresh().changed, []);
  });
  for (const value of [
    undefined,
    null,
    "text",
    7,
    Symbol("s"),
    Object.create(null),
    new Error(""),
    new SkillError({ code: "ARCHIVE_REFUSED", message: "no" }),
    { code: { toString: null } },
    Object.defineProperty({}, "code", {
      get: () => {
        throw new Error("no");
      },
    }),
  ]) {
    test(`throws ${typeof value === "symbol" ? "a symbol" : (JSON.stringify(value) ?? "undefined")} ${Object.prototype.toString.call(value)}`, async () => {
      const fail = (): never => {
        throw value;
      };
      const host: SyncHost = {
        list: (directory) => (directory === "" ? [entry("a"), entry("good")] : fail()),
        read: (file) => (file.startsWith("a") ? fail() : good.read(file)),
      };
      const sync = shelfOf(host);
      assert.deepEqual(sync.names, ["good"]);
      assertSame(sync, await loadSkills({ host: withPromises(host) }, { onDiagnostic }));
      assert.deepEqual(sync.diagnostics.map(toldWithPath), ["error directory-unreadable a"]);
    });
  }
  test("open: close throws after a good read", () => {
    const host = nodeHost.sync(folder({ "a/SKILL.md": validSkill("a") }));
    const catalog = shelfOf({
      list: (directory) => host.list(directory),
      read: (file, range) => host.read(file, range),
      open: (file, options) => {
        const opened = host.open?.(file, options);
        assert.ok(opened);
        return {
          kind: opened.kind,
          size: opened.size,
          read: (range) => opened.read(range),
          close: () => {
            opened.close();
            throw new Error("no");
          },
        };
      },
    });
    assert.ok(catalog.size === 1 || catalog.diagnostics[0]?.code === "file-unreadable");
  });
  test("every file that was opened is closed", async () => {
    const root = folder({ "a/SKILL.md": validSkill("a"), "b/SKILL.md": "", "a/x.md": "X" });
    const host = nodeHost.sync(root);
    let open = 0;
    const counting: SyncHost = {
      list: (directory) => host.list(directory),
      read: (file, range) => host.read(file, range),
      stat: (path) => host.stat?.(path),
      realPath: (path) => host.realPath?.(path) ?? "",
      open: (file, options) => {
        const opened = host.open?.(file, options);
        assert.ok(opened);
        open += 1;
        return {
          kind: opened.kind,
          size: opened.size,
          ...(opened.realPath && { realPath: opened.realPath }),
          read: (range) => opened.read(range),
          close: () => {
            open -= 1;
            opened.close();
          },
        };
      },
    };
    const catalog = shelfOf(counting);
    catalog.call("load_skill", { name: "a" });
    catalog.call("read_skill_file", { skill: "a", path: "x.md" });
    catalog.refresh();
    assert.equal(open, 0);
  });
});
