/** All functions and methods of the package that somebody can call. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { loadSkills, loadSkillsSync, memoryHost } from "skillshelf";

const NOT_DECLARED = new Set(["constructor", "begin", "answerNow"]);

/** Their names: those of methods and tools by themselves, as they are alike in both kinds of catalogs. */
export async function publicNames() {
  const names = new Set();
  for (const entry of entries()) {
    for (const [name, value] of Object.entries(await import(entry))) {
      if (typeof value === "function") names.add(name);
    }
  }
  const host = memoryHost({});
  for (const catalog of [loadSkillsSync({ host }), await loadSkills({ host })]) {
    for (const object of [catalog, catalog.session()]) {
      for (const name of methodsOf(object)) names.add(name);
    }
    for (const { name } of catalog.session().tools({ set: "full" })) names.add(name);
    catalog.dispose();
  }
  return [...names].sort();
}

/** Entry points but for those that have the same functions over a module that is brought. */
function entries() {
  const manifest = fileURLToPath(import.meta.resolve("skillshelf/package.json"));
  const names = Object.keys(JSON.parse(readFileSync(manifest, "utf8")).exports);
  const isOther = (name) => /\.(?:json|wasm)$|^\.\/slim/.test(name);
  return names.filter((name) => !isOther(name)).map((name) => name.replace(/^\./, "skillshelf"));
}

function methodsOf(object) {
  const names = new Set();
  for (let at = object; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) {
      const { value } = Object.getOwnPropertyDescriptor(at, name);
      if (typeof value === "function" && !NOT_DECLARED.has(name)) names.add(name);
    }
  }
  return names;
}
