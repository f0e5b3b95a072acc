#!/usr/bin/env node
// A system prompt of everything that can be in one: plugins from a folder, tools, agents, skills,
// participants and a task. Then the next task, to see how much of it a provider's cache can keep.
//
//   node system-prompt.mjs [FOLDER_OF_SKILLS]

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadSkills, memoryHost } from "skillshelf";
import { systemPrompt } from "skillshelf/prompt";

/** Where no folder of skills is named. */
const NOTES =
  "---\nname: release-notes\ndescription: Writes release notes. Use for every release.\n---\nBegin with what changed for users.\n";

const [folder] = process.argv.slice(2);
const catalog = await loadSkills(
  folder ?? { host: memoryHost({ "release-notes/SKILL.md": NOTES }), label: "built in" },
);
const plugins = await pluginsOf(join(import.meta.dirname, "plugins"));

const options = {
  plugins,
  catalog,
  tools: catalog.tools(),
  agents: [
    {
      id: "researcher",
      card: {
        name: "Researcher",
        description: "Finds out what is known, and where it says so.",
        skills: [{ name: "papers", description: "Looks through publications." }],
      },
    },
    { id: "tester", card: "Runs the tests and tells which ones fail." },
  ],
  participants: [
    { name: "Ada", role: "product owner, decides what is built" },
    { name: "Grace", role: "reviewer" },
  ],
};

const first = systemPrompt({ ...options, task: "Prepare release 1.4." });
const second = systemPrompt({ ...options, task: "Find out why the importer is slow." });
console.log(first);
console.log(`\n${"-".repeat(60)}`);
console.log(
  `For the next task ${shared(first, second)} of ${first.length} characters stay the same.`,
);
catalog.dispose();

/**
 * Each folder is a plugin: its name is the namespace.
 *
 * @param {string} folder
 * @returns {Promise<import("skillshelf/prompt").PromptPlugin[]>}
 */
async function pluginsOf(folder) {
  const namespaces = (await readdir(folder)).sort();
  return Promise.all(
    namespaces.map(async (namespace) => ({
      namespace,
      files: await filesOf(join(folder, namespace)),
    })),
  );
}

/** @param {string} folder */
async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const contents = files.map(async ({ name, parentPath }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length + 1).replaceAll("\\", "/"), await readFile(path)];
  });
  return Object.fromEntries(await Promise.all(contents));
}

/**
 * How many characters two texts have in common at their beginning.
 *
 * @param {string} a
 * @param {string} b
 */
function shared(a, b) {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
