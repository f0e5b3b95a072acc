// Some real skills, where they are there: `SKILLSHELF_CORPUS`, or `../shared/corpus` beside the
// repository. Their text is other people's: it is neither kept nor shown nor followed.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** One skill of so many is taken, and so many are a tree. */
const EVERY = 120;
const IN_A_TREE = 10;

/** Trees of the corpus, their files in base64 by path; and a sentence about that. */
export function treesOfCorpus(folder) {
  const place =
    process.env.SKILLSHELF_CORPUS ??
    path.join(process.env.SKILLSHELF_REPOSITORY ?? "", "../shared/corpus");
  const archive = path.join(place, "skills.tar.gz");
  if (!existsSync(archive)) {
    return { about: `Pieces of the corpus are left out: there is none in ${place}.` };
  }
  const listed = execFileSync("tar", ["-tzf", archive], { encoding: "utf8", maxBuffer: 2 ** 26 });
  const skills = listed
    .split("\n")
    .filter((name) => name.endsWith("/SKILL.md"))
    .map((name) => path.posix.dirname(name))
    .sort()
    .filter((_, index) => index % EVERY === 0);
  const root = path.join(folder, "corpus");
  mkdirSync(root);
  execFileSync("tar", ["-xzf", archive, "-C", root, ...skills]);
  const trees = [];
  for (let index = 0; index < skills.length; index += IN_A_TREE) {
    trees.push(treeOf(root, skills.slice(index, index + IN_A_TREE)));
  }
  return { trees, about: `${skills.length} skills of the corpus, in ${trees.length} trees.` };
}

/** Each skill in a directory of its own, so that none of the same name is left out for its place. */
function treeOf(root, skills) {
  const tree = {};
  for (const [index, skill] of skills.entries()) {
    for (const file of filesBelow(path.join(root, skill))) {
      const name = `skills/${index}/${path.posix.basename(skill)}/${file}`;
      tree[name] = readFileSync(path.join(root, skill, file)).toString("base64");
    }
  }
  return tree;
}

/** In one order on every machine. */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .map((name) => name.replaceAll("\\", "/"))
    .sort();
}
