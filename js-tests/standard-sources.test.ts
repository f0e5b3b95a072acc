// standardSources: where people keep skills by convention, and whose they are.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { loadSkills, loadSkillsSync, type SyncSource } from "skillshelf";
import { type StandardSourcesOptions, standardSources } from "skillshelf/node";
import { thrown } from "./support/errors.ts";
import { folder, write } from "./support/folder.ts";
import { validSkill } from "./support/text.ts";

/** The sources as `trusted path` or `untrusted path`, relative to `root`. */
function told(sources: SyncSource[], root: string): string[] {
  return sources.map((source) => {
    if (typeof source === "string") return `trusted ${path.relative(root, source)}`;
    assert.ok("host" in source && source.trusted === false && source.label !== undefined);
    return `untrusted ${path.relative(root, source.label)}`;
  });
}

/** A home, and a repository in it with a package below; each has a skill in some places. */
function places(): { root: string; home: string; project: string; inner: string } {
  const root = folder({
    "home/.agents/skills/mine/SKILL.md": validSkill("mine", "From the home."),
    "home/.claude/skills/both/SKILL.md": validSkill("both", "From the home."),
    "home/code/project/.git/HEAD": "",
    "home/code/project/.agents/skills/both/SKILL.md": validSkill("both", "From the project."),
    "home/code/project/packages/one/.agents/skills/inner/SKILL.md": validSkill("inner"),
    "home/code/.agents/skills/above/SKILL.md": validSkill("above"),
  });
  const home = path.join(root, "home");
  const project = path.join(home, "code/project");
  return { root, home, project, inner: path.join(project, "packages/one") };
}

describe("without anybody's agreement", () => {
  test("the user's folders are loaded, the project's are told and nothing more", async () => {
    const { home, inner } = places();
    const catalog = await loadSkills(standardSources({ cwd: inner, home }));
    assert.deepEqual(catalog.names, ["both", "mine"]);
    assert.equal(catalog.get("both")?.description, "From the home.");
    assert.deepEqual(
      catalog.diagnostics.map(({ code, path }) => [code, path]),
      [
        ["source-untrusted", path.join(inner, ".agents/skills")],
        ["source-untrusted", path.join(home, "code/project/.agents/skills")],
      ],
    );
  });
});

describe("with it", () => {
  test("the project wins, and in it what is nearer", async () => {
    const { home, inner } = places();
    const catalog = await loadSkills(standardSources({ cwd: inner, home, trusted: true }));
    assert.deepEqual(catalog.names, ["both", "inner", "mine"]);
    assert.equal(catalog.get("both")?.description, "From the project.");
  });
  test("folders that are not there yet are sources too, so that they can be watched", () => {
    const { root, home, project } = places();
    const sources = standardSources({ cwd: project, home, client: "my-agent", trusted: true });
    assert.deepEqual(told(sources, root), [
      "trusted home/code/project/.my-agent/skills",
      "trusted home/code/project/.agents/skills",
      "trusted home/code/project/.claude/skills",
      "trusted home/.my-agent/skills",
      "trusted home/.agents/skills",
      "trusted home/.claude/skills",
    ]);
  });
});

describe("the project", () => {
  test("ends at the root of its repository", () => {
    const { root, inner } = places();
    assert.deepEqual(told(standardSources({ cwd: inner, home: false }), root), [
      "untrusted home/code/project/packages/one/.agents/skills",
      "untrusted home/code/project/.agents/skills",
    ]);
    // A repository that is linked to another has a file there.
    write(inner, ".git", "gitdir: elsewhere");
    assert.deepEqual(told(standardSources({ cwd: inner, home: false }), root), [
      "untrusted home/code/project/packages/one/.agents/skills",
    ]);
  });
  test("is the directory alone where there is no repository", () => {
    const root = folder({
      "a/.agents/skills/x/SKILL.md": validSkill("x"),
      "a/b/.agents/skills/y/SKILL.md": validSkill("y"),
    });
    const sources = standardSources({ cwd: path.join(root, "a/b"), home: false });
    assert.deepEqual(told(sources, root), ["untrusted a/b/.agents/skills"]);
  });
  test("that is the home itself is the user's", () => {
    const { root, home } = places();
    assert.deepEqual(told(standardSources({ cwd: home, home }), root), [
      "trusted home/.agents/skills",
      "trusted home/.claude/skills",
    ]);
  });
});

describe("a home that is no place", () => {
  const evil = (): string => folder({ ".agents/skills/evil/SKILL.md": validSkill("evil") });
  for (const HOME of ["", ".", "relative/home"]) {
    test(`HOME=${JSON.stringify(HOME)} makes nothing of the project the user's own`, () => {
      const program = [
        'import { standardSources } from "skillshelf/node";',
        'import { loadSkills } from "skillshelf";',
        "const catalog = await loadSkills(standardSources(), { onDiagnostic: () => {} });",
        "console.log(JSON.stringify(catalog.names));",
      ].join("\n");
      const cwd = evil();
      const file = path.join(import.meta.dirname, `home-${process.pid}.mjs`);
      writeFileSync(file, program);
      try {
        const env = { ...process.env, HOME, USERPROFILE: HOME };
        const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd, env });
        assert.equal(String(stdout), "[]\n", String(stderr));
      } finally {
        rmSync(file);
      }
    });
    test(`home: ${JSON.stringify(HOME)} is refused`, () => {
      assert.throws(() => standardSources({ cwd: evil(), home: HOME }), /absolute path/);
    });
  }
});

describe("the options", () => {
  test("may be file: URLs, and without them are what the system says", () => {
    const { root, home, project } = places();
    const urls = standardSources({ cwd: pathToFileURL(project), home: pathToFileURL(home) });
    const paths = standardSources({ cwd: project, home });
    assert.deepEqual(told(urls, root), told(paths, root));
    const program = [
      'import { standardSources } from "skillshelf/node";',
      "console.log(JSON.stringify(standardSources().filter((it) => typeof it === 'string')));",
    ].join("\n");
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["--input-type=module", "--eval", program],
      { cwd: import.meta.dirname, env: { ...process.env, HOME: home, USERPROFILE: home } },
    );
    const own = [".agents/skills", ".claude/skills"].map((name) => path.join(home, name));
    assert.deepEqual(JSON.parse(String(stdout) || String(stderr)), own);
  });
  test("serve loads without promises too", () => {
    const { home, project } = places();
    assert.deepEqual(loadSkillsSync(standardSources({ cwd: project, home })).names, [
      "both",
      "mine",
    ]);
  });
  for (const [options, problem] of [
    [{ client: "../evil" }, /client must be the name of a folder/],
    [{ client: ".cursor" }, /client must be the name of a folder without its dot/],
    [{ trust: true }, /trust is not known; trusted is/],
    [{ home: 1 }, /home must be text/],
  ] as const) {
    test(`${JSON.stringify(options)} is refused`, () => {
      const error = thrown(() => standardSources(options as StandardSourcesOptions));
      assert.equal((error as { code?: string }).code, "SOURCE_UNSUPPORTED");
      assert.match(error.message, problem);
    });
  }
});
