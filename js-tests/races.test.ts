// The jail while another thread swaps what is read for links out of it.
//
// SKILLSHELF_RACES=200000 makes so many reads of each kind; it counts them and what came from outside.

import assert from "node:assert/strict";
import path from "node:path";
import { describe, test } from "node:test";
import { type LoadOptions, loadSkills, loadSkillsSync, type SyncCatalog } from "skillshelf";
import { folder } from "./support/folder.ts";
import { type Swap, whileSwapping } from "./support/swapping.ts";
import { validSkill } from "./support/text.ts";

const READS = Number(process.env["SKILLSHELF_RACES"] ?? 400);
const onUnix = process.platform === "win32" ? { skip: "needs Unix" } : {};
const onDiagnostic = (): void => {};

/** Is in every name, description and content outside, and nowhere inside. */
const OUTSIDE = "outside";
const INSIDE = "within";

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

const SWAPS: Record<string, Swap> = {
  "a file": { path: "skills/g/x/a.md", target: "away/g/x/a.md" },
  "the skill file": { path: "skills/g/x/SKILL.md", target: "away/g/x/SKILL.md" },
  "a folder of the skill": { path: "skills/g/x/sub", target: "away/g/x/sub" },
  "the skill's directory": { path: "skills/g/x", target: "away/g/x" },
  "the directory above": { path: "skills/g", target: "away/g" },
};

/** Ways to read. Each gives all that came of it. */
type Use = (catalog: SyncCatalog, source: string, options: LoadOptions) => unknown;
const USES: Record<string, Use> = {
  read_skill_file: (catalog) => [
    catalog.call("read_skill_file", { skill: "x", path: "a.md" }),
    catalog.call("read_skill_file", { skill: "x", path: "sub/b.md" }),
    catalog.call("load_skill_resource", { skill: "x", path: "a.md" }),
  ],
  load_skill: (catalog) => catalog.call("load_skill", { name: "x" }),
  list_skill_resources: (catalog) => catalog.call("list_skill_resources", { skill: "x" }),
  body: (catalog) => [catalog.body("x"), catalog.expand("/x more")],
  "a scan": (_, source, options) => told(loadSkillsSync(source, options)),
  "a scan with promises": async (_, source, options) => told(await loadSkills(source, options)),
  "a refresh": (catalog) => [catalog.refresh(), [...catalog], catalog.diagnostics],
  "a scan of a catalog": (catalog, _, options) => told(loadSkillsSync(catalog, options)),
  "a search in bodies": (catalog) => catalog.search(INSIDE, { bodies: true }),
};

function told(catalog: SyncCatalog | Awaited<ReturnType<typeof loadSkills>>): unknown {
  const all = [[...catalog], catalog.diagnostics, catalog.prompt()];
  catalog.dispose();
  return all;
}

/** As JSON, or as an error's words. */
async function outcome(use: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await use());
  } catch (error) {
    return String(error);
  }
}

// A linked skill directory is followed by a scan, which is no leak; where links never are, it is.
for (const links of ["inside", "never"] as const) {
  describe(`links: ${links}`, onUnix, () => {
    const options: LoadOptions = { links, onDiagnostic };
    for (const [swapped, swap] of Object.entries(SWAPS)) {
      for (const [title, use] of Object.entries(USES)) {
        const isScan = title.startsWith("a scan") || title === "a refresh";
        if (isScan && links === "inside" && swapped === "the skill's directory") continue;
        test(`${title}, while ${swapped} is swapped`, async (context) => {
          const root = place();
          const source = path.join(root, "skills");
          const catalog = loadSkillsSync(source, options);
          assert.deepEqual(catalog.names, ["x"]);
          let leaks = 0;
          let leaked = "";
          let within = 0;
          const swaps = await whileSwapping(root, [swap], async (count) => {
            for (let reads = 0; reads < READS || count() < 10; reads += 1) {
              const result = await outcome(() => use(catalog, source, options));
              // The path of the swapped link is told, that of its target never.
              if (result.includes(OUTSIDE)) {
                leaks += 1;
                leaked = result;
              }
              if (result.includes(INSIDE)) within += 1;
            }
          });
          context.diagnostic(`${READS} times, ${swaps} swaps: ${within} within, ${leaks} outside`);
          assert.equal(leaks, 0, leaked);
          // With everything back in its place, all is as it was.
          assert.match(await outcome(() => use(catalog, source, options)), new RegExp(INSIDE));
        });
      }
    }
  });
}
