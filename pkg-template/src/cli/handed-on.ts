/** The skills of a folder that are handed on to others, whole: none with an error is. */
import { readFileSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import type { Skill } from "../types.js";
import { counted } from "./columns.js";
import { Failure } from "./exit.js";
import { findingLine } from "./findings.js";
import { checkDirectory, shownPath } from "./paths.js";
import type { Screen } from "./screen.js";
import { loadShelf } from "./shelf.js";
import { contentsOf } from "./skill-files.js";
import type { Hints } from "./validate/hints.js";
import { report } from "./validate/report.js";
import { targetsOf } from "./validate/targets.js";
import { validateAll } from "./validate/validation.js";

/** A skill and its files. */
export interface HandedOn {
  skill: Skill;
  /** Where it is below the folder, with `/` between names; the path of its file, if it is one file. */
  place: string;
  /** By their paths relative to the skill; of a skill that is one file, that file. */
  files: [path: string, bytes: Uint8Array][];
}

/** The code of what an author has not written yet; others would read it as it is. */
const TEMPLATE_LEFT = "template-left";
/** Without what compares all skills with each other. */
const HINTS: Hints = { "description-similar": false };

/** Reads all skills of a folder. Fails where one has an error, after having said which. */
export async function handedOn(root: string, screen: Screen): Promise<HandedOn[]> {
  checkDirectory(root);
  await checkSkills(root, screen);
  const catalog = await loadShelf({ roots: [root], trust: false }, screen);
  if (catalog.isEmpty) throw new Failure(`There is no skill in ${shownPath(root)}.`);
  const skills: HandedOn[] = [];
  for (const skill of catalog) {
    const path = skill.source?.path;
    if (path !== undefined) skills.push(await withFiles(skill, resolve(path), resolve(root)));
  }
  return skills;
}

async function withFiles(skill: Skill, path: string, root: string): Promise<HandedOn> {
  if (skill.source?.directory === undefined) {
    const place = relative(root, path).split(sep).join("/");
    return { skill, place, files: [[basename(path), readFileSync(path)]] };
  }
  const directory = dirname(path);
  // The folder may be the skill itself.
  const place = relative(root, directory).split(sep).join("/") || skill.name;
  return { skill, place, files: await contentsOf(directory) };
}

async function checkSkills(root: string, screen: Screen): Promise<void> {
  const targets = await targetsOf([root], screen);
  const { skills, findings } = await screen.withProgress((show) => {
    return validateAll(targets, { hints: HINTS, withInfo: true, profile: "agentskills" }, show);
  });
  const { err } = screen;
  for (const finding of findings) {
    if (finding.code === TEMPLATE_LEFT) err.line(findingLine(finding, err));
  }
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  report({ skills, findings: errors }, "human", screen.err);
  throw new Failure(`Nothing was written: mend ${counted(errors.length, "error")} first.`);
}
