// Links, pipes and devices on a real disk.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import {
  type LoadOptions,
  loadSkills,
  loadSkillsSync,
  type SyncCatalog,
  type ToolResult,
} from "skillshelf";
import { nodeHost } from "skillshelf/node";
import { folder, link, write } from "./support/folder.ts";
import { assertSame } from "./support/load.ts";
import { validSkill } from "./support/text.ts";

const onUnix = process.platform === "win32" ? { skip: "needs Unix" } : {};
const onDiagnostic = (): void => {};

/** Loads both ways, which must come to the same. */
async function load(root: string, options: LoadOptions = {}): Promise<SyncCatalog> {
  const sync = loadSkillsSync(root, { onDiagnostic, ...options });
  assertSame(sync, await loadSkills(root, { onDiagnostic, ...options }));
  return sync;
}

/** `severity code path`, relative to `root`. */
function told(catalog: SyncCatalog, root: string): string[] {
  return catalog.diagnostics.map(
    ({ severity, code, path: file = "" }) => `${severity} ${code} ${path.relative(root, file)}`,
  );
}

const read = (catalog: SyncCatalog, skill: string, path: string): ToolResult =>
  catalog.call("read_skill_file", { skill, path });

describe("a linked skill directory", onUnix, () => {
  const make = (): { root: string; skills: string } => {
    const root = folder({
      "shared/demo/SKILL.md": validSkill("demo"),
      "shared/demo/a.md": "A",
      "shared/secret.md": "S",
      "skills/own/SKILL.md": validSkill("own"),
    });
    link(root, "skills/demo", "../shared/demo");
    return { root, skills: path.join(root, "skills") };
  };
  test("is followed wherever it leads, and its files are read", async () => {
    const { root, skills } = make();
    const catalog = await load(skills);
    assert.deepEqual([catalog.names, told(catalog, skills)], [["demo", "own"], []]);
    assert.equal(catalog.get("demo")?.source?.directory, path.join(root, "shared/demo"));
    assert.equal(catalog.get("demo")?.source?.path, path.join(skills, "demo/SKILL.md"));
    assert.equal(catalog.body("demo"), "Body");
    assert.equal(read(catalog, "demo", "a.md").content, "A");
    assert.equal(read(catalog, "demo", "../secret.md").code, "PATH_REFUSED");
    assert.match(catalog.call("load_skill", { name: "demo" }).content, /<file>a\.md<\/file>/);
  });
  test("links: all follows it too", async () => {
    assert.deepEqual((await load(make().skills, { links: "all" })).names, ["demo", "own"]);
  });
  test("links: never does not, and says so", async () => {
    const { skills } = make();
    const catalog = await load(skills, { links: "never" });
    assert.deepEqual(
      [catalog.names, told(catalog, skills)],
      [["own"], ["warning link-refused demo"]],
    );
  });
  test("one that is loaded directly is the same", async () => {
    const { skills } = make();
    assert.deepEqual((await load(path.join(skills, "demo"))).names, ["demo"]);
  });
  test("turned elsewhere after the scan, it is refused until a refresh", async () => {
    const { root, skills } = make();
    const catalog = await load(skills);
    write(root, "other/SKILL.md", validSkill("demo", "d", "Elsewhere"));
    fs.rmSync(path.join(skills, "demo"));
    link(root, "skills/demo", "../other");
    assert.equal(catalog.call("load_skill", { name: "demo" }).code, "PATH_REFUSED");
    assert.deepEqual(catalog.refresh().changed, ["demo"]);
    assert.equal(catalog.body("demo"), "Elsewhere");
  });
});

describe("a linked folder without a skill file", onUnix, () => {
  const make = (): string => {
    const root = folder({
      "elsewhere/g/deep/SKILL.md": validSkill("deep"),
      "skills/own/SKILL.md": validSkill("own"),
    });
    link(root, "skills/group", "../elsewhere");
    return path.join(root, "skills");
  };
  test("inside: is not walked, and that is a note", async () => {
    const skills = make();
    const catalog = await load(skills);
    assert.deepEqual(
      [catalog.names, told(catalog, skills)],
      [["own"], ["info link-not-walked group"]],
    );
  });
  test("all: is walked", async () => {
    const skills = make();
    const catalog = await load(skills, { links: "all" });
    assert.deepEqual([catalog.names, told(catalog, skills)], [["deep", "own"], []]);
  });
});

describe("cycles and ancestors", onUnix, () => {
  for (const links of ["inside", "all", "never"] as const) {
    test(`${links}: a link to the source or above it ends`, async () => {
      const root = folder({ "skills/own/SKILL.md": validSkill("own") });
      for (const [name, target] of [
        ["self", "."],
        ["up", ".."],
        ["top", "/"],
      ] as const)
        link(root, `skills/${name}`, target);
      const skills = path.join(root, "skills");
      const catalog = await load(skills, { links });
      assert.deepEqual(catalog.names, ["own"]);
      assert.deepEqual(told(catalog, skills), [
        "warning link-refused self",
        "warning link-refused top",
        "warning link-refused up",
      ]);
    });
    test(`${links}: two links to each other end`, async () => {
      const root = folder({ "own/SKILL.md": validSkill("own") });
      link(root, "one", "two");
      link(root, "two", "one");
      assert.deepEqual((await load(root, { links })).names, ["own"]);
    });
  }
  test("all: folders that link to each other end", async () => {
    const root = folder({
      "x/a/one/SKILL.md": validSkill("one"),
      "y/b/two/SKILL.md": validSkill("two"),
      "skills/own/SKILL.md": validSkill("own"),
    });
    link(root, "x/a/to-y", "../../y");
    link(root, "y/b/to-x", "../../x");
    link(root, "skills/x", "../x");
    assert.deepEqual((await load(path.join(root, "skills"), { links: "all" })).names, [
      "one",
      "own",
      "two",
    ]);
  });
});

describe("one file, reached twice, is one skill without a conflict", onUnix, () => {
  test("through a link beside it", async () => {
    const root = folder({ "demo/SKILL.md": validSkill("demo") });
    link(root, "alias", "demo");
    const catalog = await load(root);
    assert.deepEqual([catalog.names, told(catalog, root)], [["demo"], []]);
    assert.equal(
      catalog.get("demo")?.source?.path,
      path.join(root, "demo/SKILL.md"),
      "its own place wins",
    );
  });
  test("through two links", async () => {
    const root = folder({ "shared/demo/SKILL.md": validSkill("demo") });
    link(root, "skills/a", "../shared/demo");
    link(root, "skills/b", "../shared/demo");
    const catalog = await load(path.join(root, "skills"));
    assert.equal(catalog.size, 1);
    assert.equal(catalog.diagnostics.filter(({ code }) => code === "name-duplicate").length, 0);
  });
  test("through two sources, one a link to the other", async () => {
    const root = folder({ ".agents/skills/demo/SKILL.md": validSkill("demo") });
    link(root, ".gemini", ".agents");
    const sources = [path.join(root, ".agents/skills"), path.join(root, ".gemini/skills")];
    const sync = loadSkillsSync(sources, { onDiagnostic });
    assertSame(sync, await loadSkills(sources, { onDiagnostic }));
    assert.deepEqual([sync.names, sync.diagnostics], [["demo"], []]);
  });
});

describe("a linked SKILL.md", onUnix, () => {
  test("that leaves the skill is refused", async () => {
    const root = folder({
      "elsewhere/SKILL.md": validSkill("demo"),
      "skills/own/SKILL.md": validSkill("own"),
    });
    link(root, "skills/demo/SKILL.md", "../../elsewhere/SKILL.md");
    const skills = path.join(root, "skills");
    const catalog = await load(skills);
    assert.deepEqual(
      [catalog.names, told(catalog, skills)],
      [["own"], ["error skill-file-link-leaves demo/SKILL.md"]],
    );
    assert.match(catalog.diagnostics[0]?.message ?? "", /leaves the skill/);
  });
  test("that leaves is refused with links: all too: the jail stays", async () => {
    const root = folder({
      "elsewhere/SKILL.md": validSkill("demo"),
      "skills/own/SKILL.md": validSkill("own"),
    });
    link(root, "skills/demo/SKILL.md", "../../elsewhere/SKILL.md");
    assert.deepEqual((await load(path.join(root, "skills"), { links: "all" })).names, ["own"]);
  });
  test("that stays in the skill is followed", async () => {
    const root = folder({ "demo/v2/text.md": validSkill("demo") });
    link(root, "demo/SKILL.md", "v2/text.md");
    const catalog = await load(root);
    assert.deepEqual(
      [catalog.names, told(catalog, root), catalog.body("demo")],
      [["demo"], [], "Body"],
    );
  });
  test("that stays is refused with links: never", async () => {
    const root = folder({ "demo/v2/text.md": validSkill("demo") });
    link(root, "demo/SKILL.md", "v2/text.md");
    const catalog = await load(root, { links: "never" });
    assert.deepEqual(
      [catalog.names, told(catalog, root)],
      [[], ["error skill-file-link-refused demo/SKILL.md"]],
    );
  });
  test("to a directory of the same beginning leaves", async () => {
    const root = folder({ "demo-evil/SKILL.md": validSkill("demo") });
    link(root, "demo/SKILL.md", "../demo-evil/SKILL.md");
    assert.ok(told(await load(root), root).includes("error skill-file-link-leaves demo/SKILL.md"));
  });
  test("that leads nowhere", async () => {
    const root = folder({ "own/SKILL.md": validSkill("own") });
    link(root, "demo/SKILL.md", "nowhere.md");
    const catalog = await load(root);
    assert.deepEqual(
      [catalog.names, told(catalog, root)],
      [["own"], ["error skill-file-link-dangling demo/SKILL.md"]],
    );
  });
});

describe("other links at the top", onUnix, () => {
  test("one that leads nowhere is a note", async () => {
    const root = folder({ "own/SKILL.md": validSkill("own") });
    link(root, "gone", "nowhere");
    const catalog = await load(root);
    assert.deepEqual([catalog.names, told(catalog, root)], [["own"], ["info link-dangling gone"]]);
  });
  test("a loose skill that stays in the source", async () => {
    const root = folder({
      "own/SKILL.md": validSkill("own"),
      "own/review.md": validSkill("review"),
    });
    link(root, "review.md", "own/review.md");
    assert.deepEqual((await load(root)).names, ["own", "review"]);
  });
  test("a loose skill that leaves it is refused", async () => {
    const root = folder({
      "elsewhere.md": validSkill("review"),
      "skills/own/SKILL.md": validSkill("own"),
    });
    link(root, "skills/review.md", "../elsewhere.md");
    const skills = path.join(root, "skills");
    const catalog = await load(skills);
    assert.deepEqual(
      [catalog.names, told(catalog, skills)],
      [["own"], ["warning link-refused review.md"]],
    );
  });
});

describe("links inside a skill", onUnix, () => {
  const make = (): { root: string; catalog: SyncCatalog } => {
    const root = folder({
      id_rsa: "KEY",
      "skills/demo/SKILL.md": validSkill("demo"),
      "skills/demo/a.md": "A",
      "skills/demo/sub/b.md": "B",
      "skills/demo-evil/c.md": "C",
    });
    link(root, "skills/demo/references/loot", "../../../id_rsa");
    link(root, "skills/demo/out", "../..");
    link(root, "skills/demo/evil", "../demo-evil");
    link(root, "skills/demo/inside.md", "a.md");
    link(root, "skills/demo/folder", "sub");
    link(root, "skills/demo/absolute", path.join(root, "id_rsa"));
    link(root, "skills/demo/nowhere", "gone.md");
    return { root, catalog: loadSkillsSync(path.join(root, "skills"), { onDiagnostic }) };
  };
  for (const file of ["references/loot", "out/id_rsa", "evil/c.md", "absolute"]) {
    test(`that leaves is refused: ${file}`, async () => {
      const { root, catalog } = make();
      const result = read(catalog, "demo", file);
      assert.deepEqual([result.isError, result.code], [true, "PATH_REFUSED"], result.content);
      assert.match(
        result.content,
        new RegExp(`"${file}" is refused: it leads out of the skill's directory`),
      );
      assert.ok(!result.content.includes(root), "the host's own path is not told");
      const promised = await loadSkills(path.join(root, "skills"), { onDiagnostic });
      assert.deepEqual(
        await promised.call("read_skill_file", { skill: "demo", path: file }),
        result,
      );
    });
  }
  test("that stays is read", () => {
    const { catalog } = make();
    assert.equal(read(catalog, "demo", "inside.md").content, "A");
    assert.equal(read(catalog, "demo", "folder/b.md").content, "B");
  });
  test("that leads nowhere is not found", () => {
    assert.equal(read(make().catalog, "demo", "nowhere").code, "FILE_NOT_FOUND");
  });
  test("only what stays is listed", () => {
    const { content } = make().catalog.call("load_skill", { name: "demo" });
    assert.deepEqual(
      [...content.matchAll(/<file>(.*)<\/file>/g)].map(([, name]) => name),
      ["a.md", "inside.md", "sub/b.md"],
    );
  });
  test("the jail stays with links: all", () => {
    const { root } = make();
    const catalog = loadSkillsSync(path.join(root, "skills"), { onDiagnostic, links: "all" });
    assert.equal(read(catalog, "demo", "references/loot").code, "PATH_REFUSED");
  });
});

describe("swapped between check and read", onUnix, () => {
  const cases: [title: string, swap: (root: string) => void, file: string][] = [
    [
      "the file",
      (root) => {
        fs.rmSync(path.join(root, "skills/demo/a.md"));
        link(root, "skills/demo/a.md", "../../secret.md");
      },
      "a.md",
    ],
    [
      "its folder",
      (root) => {
        fs.rmSync(path.join(root, "skills/demo/sub"), { recursive: true });
        link(root, "skills/demo/sub", "../..");
        write(root, "a.md", "SECRET");
      },
      "sub/a.md",
    ],
    [
      "the skill's directory",
      (root) => {
        fs.renameSync(path.join(root, "skills/demo"), path.join(root, "old"));
        link(root, "skills/demo", "../elsewhere");
      },
      "a.md",
    ],
  ];
  for (const [title, swap, file] of cases) {
    test(title, async () => {
      const root = folder({
        "secret.md": "SECRET",
        "skills/demo/SKILL.md": validSkill("demo"),
        "skills/demo/a.md": "A",
        "skills/demo/sub/a.md": "B",
        "elsewhere/a.md": "SECRET",
        "elsewhere/SKILL.md": validSkill("demo", "d", "SECRET"),
      });
      const inner = nodeHost.sync(path.join(root, "skills"));
      let isArmed = false;
      // The swap happens just before the file is opened: after everything that was checked before.
      const host = {
        ranges: true,
        list: inner.list.bind(inner),
        read: inner.read.bind(inner),
        stat: (name: string) => inner.stat?.(name),
        realPath: (name: string) => inner.realPath?.(name) ?? "",
        open: (name: string, options?: { noFollow?: boolean }) => {
          if (isArmed) {
            isArmed = false;
            swap(root);
          }
          const opened = inner.open?.(name, options);
          assert.ok(opened);
          return opened;
        },
      };
      const catalog = loadSkillsSync({ host }, { onDiagnostic });
      isArmed = true;
      const result = read(catalog, "demo", file);
      assert.doesNotMatch(result.content, /SECRET/);
      assert.equal(result.code, "PATH_REFUSED", result.content);
    });
  }
  test("a skill file that has become a link out of its skill", () => {
    const root = folder({
      "secret.md": validSkill("demo", "d", "SECRET"),
      "skills/demo/SKILL.md": validSkill("demo"),
    });
    const catalog = loadSkillsSync(path.join(root, "skills"), { onDiagnostic });
    fs.rmSync(path.join(root, "skills/demo/SKILL.md"));
    link(root, "skills/demo/SKILL.md", "../../secret.md");
    const result = catalog.call("load_skill", { name: "demo" });
    assert.equal(result.code, "PATH_REFUSED");
    assert.doesNotMatch(result.content, /SECRET/);
    assert.ok(catalog.refresh().diagnostics.some(({ code }) => code === "skill-file-link-leaves"));
  });
});

describe(
  "a source that is swapped for a link after it was loaded is where the link leads",
  onUnix,
  () => {
    const calls: [title: string, call: (catalog: SyncCatalog) => unknown][] = [
      ["load_skill", (catalog) => catalog.call("load_skill", { name: "demo" })],
      ["load_skill of a loose one", (catalog) => catalog.call("load_skill", { name: "loose" })],
      ["read_skill_file", (catalog) => read(catalog, "demo", "a.md")],
      ["read_skill_file of the skill file", (catalog) => read(catalog, "demo", "SKILL.md")],
      [
        "list_skill_resources",
        (catalog) => catalog.call("list_skill_resources", { skill: "demo" }),
      ],
      ["body", (catalog) => catalog.body("demo")],
      ["expand", (catalog) => catalog.expand("/demo now")],
      [
        "search",
        (catalog) => catalog.search("later", { bodies: true }).map(({ skill }) => skill.name),
      ],
      ["files", (catalog) => catalog.files("demo")],
    ];
    for (const links of ["inside", "all", "never"] as const) {
      for (const swapped of ["source", "above"]) {
        test(`for every call, links: ${links}, ${swapped}`, () => {
          const files = (when: string): Record<string, string> => ({
            "source/demo/SKILL.md": validSkill("demo", "d", `Text of ${when}.`),
            "source/demo/a.md": `A ${when}`,
            "source/loose.md": validSkill("loose", "d", `Text of ${when}.`),
          });
          const root = folder();
          const put = (where: string, when: string): void => {
            for (const [name, text] of Object.entries(files(when)))
              write(root, `${where}/${name}`, text);
          };
          put("above", "now");
          put("next", "later");
          const load = (): SyncCatalog =>
            loadSkillsSync(path.join(root, "above/source"), { onDiagnostic, links });
          const catalog = load();
          const place = swapped === "above" ? "above" : "above/source";
          fs.renameSync(path.join(root, place), path.join(root, "old"));
          link(root, place, path.join(root, swapped === "above" ? "next" : "next/source"));
          const fresh = load();
          for (const [title, call] of calls) {
            // What is told of where it is waits for a refresh, what is read does not.
            const plain = (one: SyncCatalog): string =>
              JSON.stringify(call(one)).replaceAll(
                /"[^"]*Skill directory: [^"]*"|Skill directory: \S*/g,
                "",
              );
            assert.equal(plain(catalog), plain(fresh), title);
          }
          assert.match(catalog.call("load_skill", { name: "demo" }).content, /later/);
        });
      }
    }
  },
);

describe("pipes and devices never block", { ...onUnix, timeout: 20_000 }, () => {
  test("as a skill file", async () => {
    const root = folder({ "own/SKILL.md": validSkill("own") });
    fs.mkdirSync(path.join(root, "piped"));
    execFileSync("mkfifo", [path.join(root, "piped/SKILL.md"), path.join(root, "loose.md")]);
    const catalog = await load(root);
    assert.deepEqual(catalog.names, ["own"]);
    assert.ok(
      told(catalog, root).includes("error not-a-file piped/SKILL.md"),
      told(catalog, root).join(),
    );
  });
  test("as a file beside a skill", () => {
    const root = folder({ "own/SKILL.md": validSkill("own") });
    execFileSync("mkfifo", [path.join(root, "own/pipe.md")]);
    const catalog = loadSkillsSync(root, { onDiagnostic });
    const result = read(catalog, "own", "pipe.md");
    assert.deepEqual([result.isError, result.code], [true, "PATH_REFUSED"]);
    assert.match(result.content, /not a regular file/);
    assert.doesNotMatch(catalog.call("load_skill", { name: "own" }).content, /pipe\.md/);
  });
  test("through a link to a device", () => {
    const root = folder({ "own/SKILL.md": validSkill("own") });
    link(root, "own/zero", "/dev/zero");
    assert.equal(read(loadSkillsSync(root, { onDiagnostic }), "own", "zero").code, "PATH_REFUSED");
  });
  test("a directory on the place of a skill file", async () => {
    const root = folder({ "own/SKILL.md": validSkill("own"), "odd/SKILL.md/x": "" });
    const catalog = await load(root);
    assert.deepEqual(catalog.names, ["own"]);
    assert.ok(
      catalog.diagnostics.every(({ code }) => ["not-a-file", "file-unreadable"].includes(code)),
      told(catalog, root).join(),
    );
  });
});

test(
  "a directory of the disk that is named by a link is a source like any other",
  onUnix,
  async () => {
    const root = folder({ "real/a/SKILL.md": validSkill("a") });
    link(root, "skills", "real");
    const catalog = await load(path.join(root, "skills"));
    assert.deepEqual([catalog.names, told(catalog, root)], [["a"], []]);
    assert.equal(read(catalog, "a", "SKILL.md").isError, false);
  },
);

test("on the disk and in memory the same files are the same catalog", onUnix, async () => {
  const files = {
    "b/SKILL.md": validSkill("b"),
    "g/a/SKILL.md": validSkill("a"),
    "bad/SKILL.md": "",
    "README.md": "# x",
    "l.md": validSkill("l"),
    "low/skill.md": validSkill("low"),
  };
  const { memoryHost } = await import("skillshelf");
  const catalog = loadSkillsSync({ host: nodeHost.sync(folder(files)) }, { onDiagnostic });
  assertSame(catalog, loadSkillsSync({ host: memoryHost(files) }, { onDiagnostic }));
});
