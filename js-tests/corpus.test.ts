// Real skills: each read as another implementation reads it, and one catalog however they are loaded.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import {
  type Catalog,
  type LoadOptions,
  loadSkills,
  loadSkillsSync,
  memoryHost,
  parseSkill,
  type SyncCatalog,
} from "skillshelf";
import { nodeHost } from "skillshelf/node";
import { absence, type Corpus, unpackedCorpus } from "./support/corpus.ts";
import { smallHost, withPromises } from "./support/hosts.ts";
import { account } from "./support/load.ts";

const onDiagnostic = (): void => {};
const WHITE_SPACE = /^\p{White_Space}+|\p{White_Space}+$/gu;
const trimmed = (text: string): string => text.replace(WHITE_SPACE, "");

/** The name of an entry of the corpus: the folder or file that stands for it. */
const base = (path: string): string => path.split("/").at(-1) ?? "";

/** Why skill files are no skills of the catalog: one reason each, by what the rules say. */
function reasonsFor(
  paths: readonly string[],
  corpus: Corpus,
  catalog: SyncCatalog,
  depth: number,
): string[] {
  const loaded = new Set([...catalog].map(({ source }) => source?.path));
  const faults = new Map<string | undefined, string>();
  for (const { severity, code, path } of catalog.diagnostics) {
    if (severity === "error" || code === "name-duplicate-version") faults.set(path, code);
  }
  const reasonOf = (path: string): string => {
    const fault = faults.get(path);
    if (fault !== undefined) return fault;
    const folders = path.split("/").slice(0, -1);
    if (folders.some((name) => name.startsWith(".") || name === "node_modules"))
      return "not entered";
    const above = folders.slice(0, -1).map((_, index) => folders.slice(0, index + 1).join("/"));
    if (above.some((folder) => `${folder}/SKILL.md` in corpus.files)) return "below another skill";
    return folders.length > depth ? "deeper than the limit" : "without a reason";
  };
  return paths.filter((path) => !loaded.has(path)).map(reasonOf);
}

function counted(reasons: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reason of [...reasons].sort()) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

describe("the corpus of real skills", { skip: absence ?? false }, () => {
  const corpus = absence === undefined ? unpackedCorpus() : undefined;

  test("parseSkill reads each file as the oracle says", () => {
    assert.ok(corpus);
    assert.ok(corpus.expected.length > 3_000);
    for (const { path, status, name, description, keys, body_sha256 } of corpus.expected) {
      const { skill, body, diagnostics } = parseSkill(corpus.files[path] ?? "", { path });
      if (status === "no-front-matter") {
        assert.ok(
          diagnostics.some(
            ({ severity, code }) => severity === "error" && /^front-matter|^file-empty/.test(code),
          ),
          path,
        );
        continue;
      }
      if (description === null || trimmed(description) === "") {
        assert.deepEqual(
          diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code),
          ["description-missing"],
          path,
        );
        continue;
      }
      assert.ok(skill, `${path}: ${diagnostics.map(({ code }) => code)}`);
      assert.equal(skill.frontMatter.name ?? null, name, path);
      // A name with a separator, say, is never used: its directory's is.
      const isUsed = !diagnostics.some(({ code }) => code === "name-unusable");
      if (isUsed && name !== null && trimmed(name) !== "")
        assert.equal(skill.name, trimmed(name), path);
      assert.equal(skill.description, trimmed(description), path);
      assert.deepEqual(Object.keys(skill.frontMatter), keys, path);
      assert.equal(
        createHash("sha256")
          .update(body ?? "")
          .digest("hex"),
        body_sha256,
        path,
      );
    }
  });

  test("from disk and memory, with promises and without: one and the same catalog", async () => {
    assert.ok(corpus);
    const { root, files } = corpus;
    const disk = loadSkillsSync({ host: nodeHost.sync(root) }, { onDiagnostic });
    const wanted = account(disk);
    assert.ok(disk.size > 1_000);
    const others: [string, Catalog | SyncCatalog][] = [
      ["disk with promises", await loadSkills({ host: nodeHost(root) }, { onDiagnostic })],
      ["memory", loadSkillsSync({ host: memoryHost(files) }, { onDiagnostic })],
      [
        "memory with promises",
        await loadSkills({ host: withPromises(memoryHost(files)) }, { onDiagnostic }),
      ],
      ["only list and read", loadSkillsSync({ host: smallHost(files) }, { onDiagnostic })],
    ];
    for (const [title, catalog] of others) {
      assert.deepEqual(account(catalog), wanted, title);
      assert.equal(catalog.prompt({ location: true }), disk.prompt({ location: true }), title);
    }
  });

  test("what is absent is absent by a named rule", () => {
    assert.ok(corpus);
    const always = {
      "below another skill": 63,
      "name-duplicate": 75,
      "name-duplicate-version": 21,
      "not entered": 57,
    };
    const cases: [options: LoadOptions, depth: number, counts: Record<string, number>][] = [
      [{}, 6, { ...always, "deeper than the limit": 6 }],
      [{ limits: { depth: 100 } }, 100, { ...always, "description-missing": 1 }],
    ];
    for (const [options, depth, counts] of cases) {
      const catalog = loadSkillsSync(
        { host: memoryHost(corpus.files) },
        { onDiagnostic, ...options },
      );
      const skillFiles: string[] = Object.keys(corpus.files).filter(
        (path) => base(path).toLowerCase() === "skill.md",
      );
      const reasons: string[] = reasonsFor(skillFiles, corpus, catalog, depth);
      assert.deepEqual(counted(reasons), counts);
      assert.equal(skillFiles.length, catalog.size + reasons.length);
      const isCut = catalog.diagnostics.some(({ code }) => code === "depth-limit");
      assert.equal(isCut, "deeper than the limit" in counts, "a limit that is reached is told");
    }
  });
});
