/** Validating what was found, each skill with its files, and all of them beside each other. */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { answerValue, optionsText } from "../../answers.js";
import { parseSkill, validateSkill } from "../../define.js";
import { withCore } from "../../engine.js";
import { diskHost } from "../../hosts/disk.js";
import type { Diagnostic, Profile } from "../../types.js";
import { counted } from "../columns.js";
import { filesIn } from "../skill-files.js";
import type { Hints } from "./hints.js";
import type { Targets } from "./targets.js";

/** How skills are judged. */
export interface Judgement {
  hints: Hints;
  /** Whether what is no error and no warning is told at all. */
  withInfo: boolean;
  profile: Profile;
}

/** What came of it. */
export interface Result {
  /** The paths of the skills: their directories, or their files. */
  skills: string[];
  findings: Diagnostic[];
}

/** Validates all of them. `show` is told how far it is. */
export async function validateAll(
  { directories, files, findings }: Targets,
  judgement: Judgement,
  show: (text: string) => void,
): Promise<Result> {
  const skills = [...directories, ...files];
  const own: Diagnostic[] = [];
  const described: Described[] = [];
  for (const [index, path] of skills.entries()) {
    show(`${index} of ${counted(skills.length, "skill")} validated …`);
    const judged = index < directories.length ? validateDirectory : validateFile;
    const { found, skill } = await judged(path, judgement);
    own.push(...found);
    if (skill !== undefined) described.push(skill);
  }
  const known = new Set(own.map(identity));
  const all = [
    ...findings.filter((finding) => !known.has(identity(finding))),
    ...own,
    ...similar(described, judgement.hints),
  ];
  const told = judgement.withInfo ? all : all.filter(({ severity }) => severity !== "info");
  return { skills, findings: inOrder(told) };
}

/** A skill as far as it is compared with others. */
interface Described {
  name: string;
  description: string;
  path: string;
  line: number;
  column: number;
}

interface Validated {
  found: Diagnostic[];
  skill: Described | undefined;
}

async function validateDirectory(directory: string, judgement: Judgement): Promise<Validated> {
  const { files } = await filesIn(directory);
  const host = diskHost(directory);
  const contents: Record<string, Uint8Array> = Object.create(null);
  for (const file of files) {
    const length = withCore((core) => core.Validation.bytesJudged(file, true));
    contents[file] = await host.read(file, { offset: 0, length });
  }
  const { hints, profile } = judgement;
  const found = validateSkill(contents, { directory: basename(directory), profile, hints });
  const skillFile = files.find((file) => file === "SKILL.md");
  return {
    found: found.map(({ path, ...finding }) => ({ ...finding, path: join(directory, path ?? "") })),
    skill: skillFile && describedIn(contents[skillFile], join(directory, skillFile)),
  };
}

/** A loose file, of which there is nothing but its text. */
async function validateFile(path: string, { profile }: Judgement): Promise<Validated> {
  const bytes = await readFile(path);
  const { diagnostics } = parseSkill(bytes, { path, mode: "strict", profile });
  return { found: diagnostics, skill: describedIn(bytes, path) };
}

function describedIn(bytes: Uint8Array | undefined, path: string): Described | undefined {
  const text = new TextDecoder().decode(bytes);
  const { skill } = parseSkill(text, { path });
  if (skill === undefined) return undefined;
  const { name, description } = skill;
  const line = text.split("\n").findIndex((line) => line.startsWith("description:")) + 1;
  return { name, description, path, line: Math.max(1, line), column: 1 };
}

function similar(skills: readonly Described[], hints: Hints): Diagnostic[] {
  const text = optionsText({ skills, hints });
  return answerValue<Diagnostic[]>(withCore((core) => core.similarDescriptions(text)));
}

function identity({ path, code, line, column }: Diagnostic): string {
  return JSON.stringify([path, code, line, column]);
}

/** By file, and in the order of the file. */
function inOrder(findings: readonly Diagnostic[]): Diagnostic[] {
  return findings
    .map((finding, index) => ({ finding, index }))
    .sort((a, b) => {
      const [one, other] = [a.finding.path ?? "", b.finding.path ?? ""];
      if (one !== other) return one < other ? -1 : 1;
      return (
        (a.finding.line ?? 0) - (b.finding.line ?? 0) ||
        (a.finding.column ?? 0) - (b.finding.column ?? 0) ||
        a.index - b.index
      );
    })
    .map(({ finding }) => finding);
}
