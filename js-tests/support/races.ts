// The jail while another thread swaps what is read for links out of it.
//
// SKILLSHELF_RACES=200000 makes so many reads while each thing is swapped; it counts them, and what came
// from inside and from outside.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import {
  type Catalog,
  type Host,
  type LoadOptions,
  loadSkills,
  loadSkillsSync,
  type SyncCatalog,
  type SyncHost,
} from "skillshelf";
import { fsHost } from "skillshelf/fs";
import { folder } from "./folder.ts";
import { type Swap, whileSwapping } from "./swapping.ts";
import { validSkill } from "./text.ts";

const READS = Number(process.env["SKILLSHELF_RACES"] ?? 1_200);
/** Nobody who reads so long meets only one of the two. */
const SWAPS_AT_MOST = 1_000_000;
const onUnix = process.platform === "win32" ? { skip: "needs Unix" } : {};
const onDiagnostic = (): void => {};

/** Is in every name, description and content outside, and nowhere inside. */
const OUTSIDE = "outside";
const INSIDE = "within";
/** What tells that a link was met, and not followed. */
const MET = /PATH_REFUSED|ESTALE|ELOOP/;

type Any = Catalog | SyncCatalog;
/** Loads a directory, or makes a catalog of another one. */
type Load = (source: string | Any, options: LoadOptions) => Any | Promise<Any>;

const atOnce =
  (sourceOf: (directory: string) => string | { host: SyncHost }): Load =>
  (source, options) =>
    loadSkillsSync(
      typeof source === "string" ? sourceOf(source) : (source as SyncCatalog),
      options,
    );
const withPromises =
  (sourceOf: (directory: string) => string | { host: Host }): Load =>
  (source, options) =>
    loadSkills(typeof source === "string" ? sourceOf(source) : source, options);

export const LOADS = {
  "the disk": atOnce((directory) => directory),
  "the disk with promises": withPromises((directory) => directory),
  "a file system": atOnce((directory) => ({ host: fsHost.sync(fs, directory) })),
  "a file system with promises": withPromises((directory) => ({
    host: fsHost(fs.promises, directory),
  })),
} as const;

/** A skill in a group, and the same names outside of the source, leading to other texts. */
function place(): string {
  const skill = (where: string): Record<string, string> => ({
    "SKILL.md": validSkill("x", `This is ${where}.`, `Body ${where}`),
    "a.md": `A ${where}`,
    [`a-${where}.md`]: `A ${where}`,
    "sub/b.md": `B ${where}`,
    [`sub/b-${where}.md`]: `B ${where}`,
  });
  const files: Record<string, string> = {};
  const put = (directory: string, where: string): void => {
    for (const [name, text] of Object.entries(skill(where))) files[`${directory}/${name}`] = text;
  };
  put("skills/g/x", INSIDE);
  put("away/g/x", OUTSIDE);
  put("away/g/y-outside", OUTSIDE);
  return folder(files);
}

const FILES: Record<string, Swap> = {
  "a file": { path: "skills/g/x/a.md", target: "away/g/x/a.md" },
  "the skill file": { path: "skills/g/x/SKILL.md", target: "away/g/x/SKILL.md" },
};
const DIRECTORIES: Record<string, Swap> = {
  "a folder of the skill": { path: "skills/g/x/sub", target: "away/g/x/sub" },
  "the skill's directory": { path: "skills/g/x", target: "away/g/x" },
  "the directory above": { path: "skills/g", target: "away/g" },
};

/** Ways to read. Each gives all that came of it. */
type Use = (catalog: Any, scan: (again?: true) => Promise<unknown>, exact: boolean) => unknown;
const USES: Record<string, Use> = {
  read_skill_file: async (catalog) => [
    await catalog.call("read_skill_file", { skill: "x", path: "a.md" }),
    await catalog.call("read_skill_file", { skill: "x", path: "sub/b.md" }),
    await catalog.call("load_skill_resource", { skill: "x", path: "a.md" }),
  ],
  "read_skill_file, all at once": (catalog) =>
    Promise.all([
      catalog.call("read_skill_file", { skill: "x", path: "a.md" }),
      catalog.call("read_skill_file", { skill: "x", path: "sub/b.md" }),
    ]),
  load_skill: (catalog) => catalog.call("load_skill", { name: "x" }),
  "a session's load": (catalog) => catalog.session().load("x"),
  list_skill_resources: (catalog) => catalog.call("list_skill_resources", { skill: "x" }),
  files: (catalog) => catalog.files("x"),
  body: (catalog) => catalog.body("x"),
  expand: (catalog) => catalog.expand("/x more"),
  "a search in bodies": (catalog) => catalog.search(INSIDE, { bodies: true }),
  "a scan": (_, scan) => scan(),
  "a scan of a catalog": (_, scan) => scan(true),
  "a refresh": async (catalog, _, exact) => {
    const { diagnostics, ...names } = await catalog.refresh();
    return [names, exact && diagnostics, ...shown(catalog, exact)];
  },
};

/**
 * Where listings do not tell where they are from, a finding may name a directory outside that a swap
 * there and back has shown for a moment.
 */
function shown(catalog: Any, exact: boolean): unknown[] {
  return [[...catalog], exact && catalog.diagnostics, catalog.prompt()];
}

/** As JSON, or as an error's words. */
async function outcome(use: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await use());
  } catch (error) {
    const { code } = (error ?? {}) as { code?: unknown };
    return `${code}: ${error}`;
  }
}

/** Whether two changes in a row always have two times: then no swap there and back is unseen. */
function tellsEveryChange(): boolean {
  const root = folder();
  let before = -1n;
  for (let change = 0; change < 200; change += 1) {
    fs.writeFileSync(path.join(root, `${change}`), "");
    const { ctimeNs } = fs.statSync(root, { bigint: true });
    if (ctimeNs === before) return false;
    before = ctimeNs;
  }
  return true;
}

/**
 * Tests of reading in these ways, a share of the reads for each. `exact` are those in which what was
 * opened tells where it is, whatever the clock of the file system.
 */
export function describeRaces(
  loads: Record<string, { load: Load; exact: boolean; share: number }>,
): void {
  const isFine = tellsEveryChange();
  for (const [loader, { load, exact, share }] of Object.entries(loads)) {
    for (const links of ["inside", "never"] as const) {
      describe(`${loader}, links: ${links}`, onUnix, () => {
        const options: LoadOptions = { links, onDiagnostic };
        for (const [swapped, swap] of Object.entries({ ...FILES, ...DIRECTORIES })) {
          const skip = !exact && !isFine && swapped in DIRECTORIES;
          const why = skip ? { skip: "the clock of this file system is too coarse to tell" } : {};
          test(`while ${swapped} is swapped`, why, async (context) => {
            // A linked skill directory is followed by a scan, which is no leak; where links never are, it is.
            const followed = links === "inside" && swapped === "the skill's directory";
            await readWhileSwapping(context, { load, exact, options, swap, followed, share });
          });
        }
      });
    }
  }
}

interface Race {
  load: Load;
  exact: boolean;
  options: LoadOptions;
  swap: Swap;
  /** Whether a scan may follow the link. */
  followed: boolean;
  share: number;
}

const SCANS = ["a scan", "a scan of a catalog", "a refresh"];

async function readWhileSwapping(
  context: { diagnostic(message: string): void },
  { load, exact, options, swap, followed, share }: Race,
): Promise<void> {
  const root = place();
  const source = path.join(root, "skills");
  const uses: [title: string, use: () => unknown][] = [];
  for (const [title, use] of Object.entries(USES)) {
    if (followed && SCANS.includes(title)) continue;
    const catalog = await load(source, options);
    assert.deepEqual(catalog.names, ["x"]);
    const scan = async (ofCatalog?: true): Promise<unknown> => {
      const scanned = await load(ofCatalog ? catalog : source, options);
      const all = shown(scanned, exact);
      scanned.dispose();
      return all;
    };
    uses.push([title, () => use(catalog, scan, exact)]);
  }
  let reads = 0;
  let within = 0;
  let met = 0;
  const leaked: string[] = [];
  const swaps = await whileSwapping(root, [swap], async (count) => {
    while (reads < READS * share || within === 0 || met === 0) {
      for (const [title, use] of uses) {
        const result = await outcome(use);
        reads += 1;
        // The path of the swapped link is told, that of its target never.
        if (result.includes(OUTSIDE)) leaked.push(`${title}: ${result}`);
        if (result.includes(INSIDE)) within += 1;
        if (MET.test(result)) met += 1;
      }
      assert.ok(count() < SWAPS_AT_MOST || reads < READS * share + uses.length, "met only one");
    }
  });
  context.diagnostic(
    `${reads} reads, ${swaps} swaps: ${within} within, ${met} met the link, ${leaked.length} outside`,
  );
  assert.deepEqual(leaked.slice(0, 3), []);
  // With everything back in its place, all is as it was.
  for (const [title, use] of uses) {
    assert.match(await outcome(use), new RegExp(INSIDE), title);
  }
}
