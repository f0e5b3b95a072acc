// Which files are skills, on hosts of every make.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type LoadOptions, loadSkills, memoryHost, type SyncHost } from "skillshelf";
import {
  countedHost,
  type Files,
  foldingHost,
  MAKES,
  reorderedHost,
  smallHost,
  withPromises,
} from "./support/hosts.ts";
import { assertSame, shelf, shelfOf, shelfWithPromises } from "./support/load.ts";
import { skillFile, toldWithPath, validSkill } from "./support/text.ts";

interface Case {
  title: string;
  files: Files;
  options?: LoadOptions;
  names: string[];
  /** `severity code path` */
  found?: string[];
}

const loose = (name: string): string => skillFile(`name: ${name}\ndescription: d`);

const CASES: Case[] = [
  {
    title: "a directory of skills",
    files: { "b/SKILL.md": validSkill("b"), "a/SKILL.md": validSkill("a") },
    names: ["a", "b"],
  },
  {
    title: "groups of skills, any levels deep",
    files: {
      "team/alpha/SKILL.md": validSkill("alpha"),
      "team/sub/beta/SKILL.md": validSkill("beta"),
    },
    names: ["alpha", "beta"],
  },
  {
    title: "a SKILL.md at the top is the one skill",
    files: {
      "SKILL.md": validSkill("rooted"),
      "scripts/run.sh": "x",
      "other/SKILL.md": validSkill("other"),
    },
    names: ["rooted"],
  },
  {
    title: "loose files at the top",
    files: { "review.md": loose("review"), "unnamed.md": skillFile("description: d") },
    names: ["review", "unnamed"],
  },
  {
    title: "both layouts mixed",
    files: { "a/SKILL.md": validSkill("a"), "b.md": loose("b") },
    names: ["a", "b"],
  },
  {
    title: "loose files only at the top",
    files: { "group/x.md": loose("x"), "a/SKILL.md": validSkill("a") },
    names: ["a"],
  },
  {
    title: "a loose file without front matter is passed over with a note",
    files: { "README.md": "# Skills\n", "a/SKILL.md": validSkill("a") },
    names: ["a"],
    found: ["info loose-file-passed-over README.md"],
  },
  {
    title: "a loose file with front matter but no description is an error",
    files: { "x.md": skillFile("name: x"), "a/SKILL.md": validSkill("a") },
    names: ["a"],
    found: ["error description-missing x.md"],
  },
  {
    title: "nothing below a skill is another skill",
    files: { "a/SKILL.md": validSkill("a"), "a/inner/SKILL.md": validSkill("inner") },
    names: ["a"],
  },
  {
    title: "nested: skills below skills",
    files: { "a/SKILL.md": validSkill("a"), "a/inner/SKILL.md": validSkill("inner") },
    options: { nested: true },
    names: ["a", "inner"],
  },
  {
    title: "nested, below a skill at the top",
    files: {
      "SKILL.md": validSkill("rooted"),
      "inner/SKILL.md": validSkill("inner"),
      "notes.md": loose("notes"),
    },
    options: { nested: true },
    names: ["inner", "rooted"],
  },
  {
    title: "other people's files and hidden directories are not entered, at any depth",
    files: {
      "a/SKILL.md": validSkill("a"),
      "node_modules/p/SKILL.md": validSkill("p"),
      "g/node_modules/q/SKILL.md": validSkill("q"),
      ".git/x/SKILL.md": validSkill("x"),
      "g/.hidden/y/SKILL.md": validSkill("y"),
      "g/b/SKILL.md": validSkill("b"),
    },
    names: ["a", "b"],
  },
  {
    title: "what ignore names is not entered",
    files: {
      "a/SKILL.md": validSkill("a"),
      "drafts/b/SKILL.md": validSkill("b"),
      "g/drafts/c/SKILL.md": validSkill("c"),
    },
    options: { ignore: ["drafts"] },
    names: ["a"],
  },
  {
    title: "a .gitignore hides nothing",
    files: { ".gitignore": "*\n", "a/SKILL.md": validSkill("a"), "a/.gitignore": "*" },
    names: ["a"],
  },
  {
    title: "skill.md in another case loads with a warning",
    files: { "low/skill.md": validSkill("low"), "mid/Skill.MD": validSkill("mid") },
    names: ["low", "mid"],
    found: [
      "warning skill-file-name-case low/skill.md",
      "warning skill-file-name-case mid/Skill.MD",
    ],
  },
  {
    title: "SKILL.md wins over another case",
    files: {
      "both/SKILL.md": validSkill("both", "upper"),
      "both/skill.md": validSkill("both", "lower"),
    },
    names: ["both"],
  },
  {
    title: "at the top too, and there it is no loose file",
    files: { "skill.md": validSkill("low") },
    names: ["low"],
    found: ["warning skill-file-name-case skill.md"],
  },
  {
    title: "one bad skill never stops the others",
    files: {
      "bad/SKILL.md": skillFile("name: ["),
      "none/SKILL.md": "",
      "good/SKILL.md": validSkill("good"),
      "plain/SKILL.md": "# x\n",
    },
    names: ["good"],
    found: [
      "error description-missing bad/SKILL.md",
      "error file-empty none/SKILL.md",
      "error front-matter-missing plain/SKILL.md",
      "warning name-directory-mismatch bad/SKILL.md",
      "warning name-invalid bad/SKILL.md",
      "warning yaml-repaired bad/SKILL.md",
    ],
  },
  {
    title: "six levels deep",
    files: { "1/2/3/4/5/six/SKILL.md": validSkill("six") },
    names: ["six"],
  },
  {
    title: "seven levels are too deep, and that is said once",
    files: {
      "1/2/3/4/5/6/seven/SKILL.md": validSkill("seven"),
      "1/2/3/4/5/6/eight/SKILL.md": validSkill("eight"),
    },
    names: [],
    found: ["warning depth-limit 1/2/3/4/5/6/eight"],
  },
  {
    title: "the depth can be set",
    files: { "g/a/SKILL.md": validSkill("a"), "b/SKILL.md": validSkill("b") },
    options: { limits: { depth: 1 } },
    names: ["b"],
    found: ["warning depth-limit g/a"],
  },
  { title: "an empty directory", files: {}, names: [] },
  {
    title: "the order is by code point",
    files: {
      "z/SKILL.md": validSkill("z"),
      "é/SKILL.md": loose("é"),
      "𝒜/SKILL.md": loose("𝒜"),
      "ﬀ/SKILL.md": loose("ﬀ"),
      "Z/SKILL.md": loose("Z"),
    },
    names: ["Z", "z", "é", "ﬀ", "𝒜"],
    found: [
      "warning name-invalid Z/SKILL.md",
      "warning name-invalid é/SKILL.md",
      "warning name-invalid ﬀ/SKILL.md",
      "warning name-invalid 𝒜/SKILL.md",
      "warning name-look-alike z/SKILL.md",
    ],
  },
];

for (const [make, hostOf] of Object.entries(MAKES)) {
  describe(`on a host with ${make}`, () => {
    for (const { title, files, options = {}, names, found = [] } of CASES) {
      test(title, async () => {
        const catalog = shelfOf(hostOf(files), options);
        assert.deepEqual(catalog.names, names);
        assert.deepEqual(catalog.diagnostics.map(toldWithPath).sort(), [...found].sort());
        assertSame(catalog, await shelfWithPromises(hostOf(files), options));
        assertSame(
          catalog,
          shelfOf(
            reorderedHost(hostOf(files), (entries) => entries.reverse()),
            options,
          ),
        );
      });
    }
  });
}

test("a name that is missing is the directory's, or the loose file's", () => {
  const catalog = shelf({
    "from-folder/SKILL.md": skillFile("description: d"),
    "from-file.md": skillFile("description: d"),
  });
  assert.deepEqual(catalog.names, ["from-file", "from-folder"]);
  assert.deepEqual(catalog.diagnostics.map(toldWithPath), [
    "warning name-missing from-folder/SKILL.md",
  ]);
});

test("a directory or a file whose name is blank names nothing", () => {
  for (const name of [" /SKILL.md", "\u{3000}/SKILL.md", " .md"]) {
    const catalog = shelf({ [name]: skillFile("description: d"), "a/SKILL.md": validSkill("a") });
    assert.deepEqual(catalog.names, ["a"], JSON.stringify(name));
    const errors = catalog.diagnostics.filter(({ severity }) => severity === "error");
    assert.deepEqual(errors.map(toldWithPath), [`error no-usable-name ${name}`]);
  }
});

test("a loose skill has no directory and no files", () => {
  const catalog = shelf({ "a.md": loose("a"), "b.txt": "x" });
  assert.deepEqual(catalog.get("a")?.source, { label: "host", path: "a.md" });
  assert.deepEqual(
    catalog.tools().map(({ name }) => name),
    ["load_skill"],
  );
});

test("a skill says where it is from", () => {
  const catalog = shelfOf(smallHost({ "g/a/SKILL.md": validSkill("a") }));
  assert.deepEqual(catalog.get("a")?.source, {
    label: "host",
    path: "g/a/SKILL.md",
    directory: "g/a",
  });
});

test("strict: what loads with a warning is skipped", () => {
  const files = {
    "a/SKILL.md": validSkill("a"),
    "b/SKILL.md": validSkill("other"),
    "c/skill.md": validSkill("c"),
    "d/SKILL.md": skillFile("description: d"),
    "e/SKILL.md": skillFile("name: e\ndescription: d\nmore: x"),
  };
  const strict = shelf(files, { mode: "strict" });
  assert.deepEqual(strict.names, ["a", "e"]);
  assert.deepEqual(strict.diagnostics.map(toldWithPath), [
    "error name-directory-mismatch b/SKILL.md",
    "error skill-file-name-case c/skill.md",
    "error name-missing d/SKILL.md",
    "warning field-unknown e/SKILL.md",
  ]);
  assert.deepEqual(shelf(files).names, ["a", "c", "d", "e", "other"]);
});

describe("the same name twice", () => {
  test("in one source the directory of that name wins", () => {
    const catalog = shelf({
      "a-copy/SKILL.md": validSkill("demo", "copy"),
      "demo/SKILL.md": validSkill("demo", "own"),
    });
    assert.equal(catalog.get("demo")?.description, "own");
    const [duplicate] = catalog.diagnostics.filter(({ code }) => code === "name-duplicate");
    assert.deepEqual(
      [duplicate?.severity, duplicate?.path, duplicate?.skill],
      ["error", "a-copy/SKILL.md", "demo"],
    );
    assert.match(duplicate?.message ?? "", /demo\/SKILL\.md wins over a-copy\/SKILL\.md/);
  });
  test("else the first in path order", () => {
    const catalog = shelf({
      "y/demo.x/SKILL.md": validSkill("demo", "y"),
      "x/SKILL.md": validSkill("demo", "x"),
    });
    assert.equal(catalog.get("demo")?.description, "x");
  });
  test("another version stays reachable", () => {
    const versioned = (version: string): string =>
      skillFile(
        `name: demo\ndescription: v${version}\nmetadata: {version: "${version}"}`,
        `Body ${version}`,
      );
    const catalog = shelf({ "demo/SKILL.md": versioned("2.0"), "old/SKILL.md": versioned("1.0") });
    assert.deepEqual(catalog.names, ["demo"]);
    assert.equal(catalog.get("demo@1.0")?.description, "v1.0");
    assert.equal(catalog.get("demo", "1.0")?.description, "v1.0");
    assert.equal(catalog.get("demo@2.0")?.description, "v2.0");
    assert.equal(catalog.get("demo", "3.0"), undefined);
    assert.equal(catalog.body("demo@1.0"), "Body 1.0");
    assert.match(catalog.call("load_skill", { name: "demo@1.0" }).content, /Body 1\.0/);
    const [duplicate] = catalog.diagnostics.filter(({ code }) => code === "name-duplicate-version");
    assert.equal(duplicate?.severity, "warning");
    assert.match(duplicate?.message ?? "", /"demo@1\.0"/);
  });
  test("in two normal forms", () => {
    const catalog = shelf({ "ﬁx/SKILL.md": loose("ﬁx"), "fix/SKILL.md": validSkill("fix") });
    assert.equal(catalog.size, 1);
    assert.equal(catalog.diagnostics.filter(({ code }) => code === "name-duplicate").length, 1);
  });
});

describe("look-up takes either normal form of a name", () => {
  const decomposed = "re\u{301}sume\u{301}";
  const composed = decomposed.normalize("NFC");
  for (const [title, written, asked] of [
    ["written decomposed", decomposed, composed],
    ["written composed", composed, decomposed],
  ] as const) {
    test(title, () => {
      const catalog = shelf({ "x/SKILL.md": loose(written) });
      for (const name of [written, asked]) {
        assert.equal(catalog.get(name)?.name, written);
        assert.equal(catalog.body(name), "Body");
        assert.equal(catalog.call("load_skill", { name }).isError, false);
      }
    });
  }
  test("a directory in another form is the same name", () => {
    assert.deepEqual(
      shelf({ [`${decomposed}/SKILL.md`]: loose(composed) }).diagnostics.map(({ code }) => code),
      ["name-invalid"],
    );
  });
});

describe("a disk that folds case", () => {
  test("the real name decides", () => {
    const catalog = shelfOf(
      foldingHost({ "low/skill.md": validSkill("low"), "up/SKILL.md": validSkill("up") }),
    );
    assert.deepEqual(catalog.names, ["low", "up"]);
    assert.deepEqual(catalog.diagnostics.map(toldWithPath), [
      "warning skill-file-name-case low/skill.md",
    ]);
  });
  test("case is exact for files beside a skill too", () => {
    const catalog = shelfOf(
      foldingHost({ "s/SKILL.md": validSkill("s"), "s/forms.md": "F", "s/Refs/a.md": "A" }),
    );
    for (const [path, near] of [
      ["FORMS.md", "forms.md"],
      ["refs/a.md", "Refs/a.md"],
    ] as const) {
      const result = catalog.call("read_skill_file", { skill: "s", path });
      assert.equal(result.code, "FILE_NOT_FOUND");
      assert.ok(result.content.includes(`"${near}"`), result.content);
    }
    assert.equal(catalog.call("read_skill_file", { skill: "s", path: "Refs/a.md" }).content, "A");
  });
  test("it gives the same catalog as one that does not", () => {
    const files = {
      "low/skill.md": validSkill("low"),
      "g/up/SKILL.md": validSkill("up"),
      "loose.md": loose("loose"),
    };
    assertSame(shelf(files), shelfOf(foldingHost(files)));
  });
});

describe("a scan costs no more calls than it must", () => {
  const count = 50;
  const files: Files = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `skill-${index}/SKILL.md`,
      validSkill(`skill-${index}`),
    ]),
  );
  for (const [make, hostOf] of Object.entries(MAKES)) {
    test(`with ${make}: one list, one read a skill`, async () => {
      const sync = countedHost(hostOf(files));
      shelfOf(sync.host);
      const lists = sync.calls.filter((call) => call.startsWith("list"));
      assert.deepEqual(lists, ["list "]);
      const reads = sync.calls.filter((call) => /^(?:read|open) skill-\d+\/SKILL\.md$/.test(call));
      assert.equal(reads.length, count);
      assert.equal(new Set(reads).size, count, "each once");
      // The top is looked at too, where it really is and its version before and after, and once
      // whether the disk folds case. Beyond that only what a host has instead of `open` tells about
      // the files that are read.
      const perSkill =
        make === "realPath without open"
          ? 2
          : make === "open" || (!make.includes("stat") && make !== "memoryHost")
            ? 0
            : 1;
      const others = sync.calls.filter((call) => !lists.includes(call) && !reads.includes(call));
      assert.ok(others.length <= perSkill * count + 8, `${others.length}: ${others.slice(0, 9)}`);
      const promised = countedHost(hostOf(files));
      await loadSkills({ host: withPromises(promised.host) });
      assert.deepEqual([...promised.calls].sort(), [...sync.calls].sort());
    });
  }
  test("files beside skills cost nothing", () => {
    const withFiles = { ...files };
    for (const path of Object.keys(files)) {
      for (let index = 0; index < 20; index += 1)
        withFiles[path.replace("SKILL.md", `references/${index}.md`)] = "x";
    }
    const plain = countedHost(smallHost(files));
    const full = countedHost(smallHost(withFiles));
    shelfOf(plain.host);
    shelfOf(full.host);
    assert.deepEqual(full.calls, plain.calls);
  });
});

test("only the front of a file is read where the host can read parts", () => {
  const files = {
    "a/SKILL.md": validSkill("a", "d", "x".repeat(100_000)),
    "b/SKILL.md": skillFile(
      `name: b\ndescription: d\nx: ${"y".repeat(10_000)}`,
      "z".repeat(100_000),
    ),
  };
  const memory = memoryHost(files);
  const read: Record<string, number> = {};
  const host: SyncHost = {
    ranges: true,
    list: (directory) => memory.list(directory),
    read: (file, range) => {
      const bytes = memory.read(file, range);
      read[file] = (read[file] ?? 0) + bytes.length;
      return bytes;
    },
  };
  assert.deepEqual(shelfOf(host).names, ["a", "b"]);
  assert.ok((read["a/SKILL.md"] ?? 0) <= 4_096 + 1, `${read["a/SKILL.md"]}`);
  assert.ok((read["b/SKILL.md"] ?? 0) <= 100_000, `${read["b/SKILL.md"]}`);
});

describe("the closing fence is found wherever the first part of the file ends", () => {
  for (const length of [
    4_080, 4_085, 4_090, 4_091, 4_092, 4_093, 4_094, 4_095, 4_096, 4_097, 4_100,
  ]) {
    test(`a fence that ends at byte ${length}`, () => {
      const front = "name: a\ndescription: d\n#";
      const text = skillFile(front + "x".repeat(length - front.length - 8), "é".repeat(3_000));
      for (const hostOf of Object.values(MAKES)) {
        const catalog = shelfOf(hostOf({ "a/SKILL.md": text }));
        assert.deepEqual(catalog.diagnostics, []);
        assert.equal(catalog.body("a"), "é".repeat(3_000));
      }
    });
  }
});

test("discovery judges only what ends at the closing fence", async () => {
  const file = new Uint8Array([
    ...new TextEncoder().encode(skillFile("name: a\ndescription: d")),
    0xff,
    0xfe,
  ]);
  for (const [make, hostOf] of Object.entries(MAKES)) {
    const catalog = shelfOf(hostOf({ "a/SKILL.md": file }));
    assert.deepEqual(catalog.names, ["a"], make);
    assert.deepEqual(catalog.diagnostics, [], make);
    assert.equal(catalog.call("load_skill", { name: "a" }).code, "SKILL_INVALID", make);
  }
});

test("2,000 skills with 40 files each are one pass", () => {
  const files: Files = {};
  for (let index = 0; index < 2_000; index += 1) {
    files[`s-${index}/SKILL.md`] = validSkill(`s-${index}`);
    for (let other = 0; other < 40; other += 1) files[`s-${index}/f/${other}.md`] = "";
  }
  const { host, calls } = countedHost(smallHost(files));
  assert.equal(shelfOf(host).size, 2_000);
  assert.ok(calls.length < 2_010, `${calls.length} calls`);
});

test("the number of directories is bounded, and that is said once", () => {
  const files: Files = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `s-${String(index).padStart(2, "0")}/SKILL.md`,
      validSkill(`s-${String(index).padStart(2, "0")}`),
    ]),
  );
  const catalog = shelf(files, { limits: { directories: 11 } });
  assert.equal(catalog.size, 10);
  assert.deepEqual(catalog.diagnostics.map(toldWithPath), ["warning directories-limit host"]);
  assert.match(catalog.diagnostics[0]?.message ?? "", /more directories than 11/);
  assertSame(
    catalog,
    shelfOf(
      reorderedHost(smallHost(files), (entries) => entries.reverse()),
      { limits: { directories: 11 } },
    ),
  );
});

test("a skill at the top has all that stands beside it", () => {
  const catalog = shelf({
    "SKILL.md": validSkill("rooted"),
    "scripts/run.sh": "echo",
    "other/notes.md": "# n",
    "README.md": "# r",
  });
  assert.equal(
    catalog.call("read_skill_file", { skill: "rooted", path: "other/notes.md" }).content,
    "# n",
  );
  const { content } = catalog.call("load_skill", { name: "rooted" });
  assert.match(
    content,
    /<file>README\.md<\/file>\n<file>other\/notes\.md<\/file>\n<file>scripts\/run\.sh<\/file>/,
  );
  assert.equal(
    catalog.call("read_skill_file", { skill: "rooted", path: "../x" }).code,
    "PATH_REFUSED",
  );
});
