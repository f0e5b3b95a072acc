import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { skillFiles } from "./files.mjs";
import { generatedSkills } from "./generated.mjs";
import { renamed } from "./rename.mjs";
import { tarFiles } from "./tar.mjs";

const ARCHIVE = "skills.tar.gz";

/** How many skills are written at once. */
const BATCH = 100;

/**
 * Folders of real skills for the measurements, in a temporary place that {@link Corpus.remove}
 * clears. Nothing of the text is run or printed.
 */
export class Corpus {
  #root;
  #skills;
  #folders = new Map();
  /** How many skills the folder that grows has. */
  #grown = 0;
  #archive;

  /** `path`: the archive, or the folder that holds it; without it the usual places. */
  constructor(path) {
    const archive = findArchive(path);
    this.#archive = archive;
    this.real = archive !== undefined;
    this.#skills = this.real ? archivedSkills(archive) : generatedSkills();
    if (this.#skills.length === 0) throw new Error("the corpus has no skill with front matter");
    this.#root = mkdtempSync(join(tmpdir(), "skillshelf-bench-"));
  }

  /** How many different skills there are; folders with more repeat them under other names. */
  get distinct() {
    return this.#skills.length;
  }

  /** The texts of all skill files of the archive, as they are. */
  skillFiles() {
    const files = [...tarFiles(this.#archive)];
    const skills = files.filter(({ path }) => posix.basename(path) === "SKILL.md");
    return skills.map(({ bytes }) => bytes.toString("utf8"));
  }

  /** Where all folders are: for taking it out of messages. */
  get root() {
    return this.#root;
  }

  /** A folder of `count` times `<name>/SKILL.md`, each with a name of its own; made once. */
  async skills(count) {
    return this.#folder(`skills-${count}`, count, this.#skills, false);
  }

  /** A folder of `count` skills with the files beside them. */
  async skillsWithFiles(count) {
    const accompanied = this.#skills.filter((skill) => skill.files.length > 0);
    return this.#folder(`files-${count}`, count, accompanied, true);
  }

  /** One folder that grows: of `count` skills by now, with so many empty files beside each. */
  async grown(count, files) {
    const directory = join(this.#root, "grown");
    mkdirSync(directory, { recursive: true });
    await writeSkills(directory, count, this.#skills, false, this.#grown);
    for (let index = this.#grown; index < count; index += 1) {
      if (index % BATCH === 0) await nextTurn();
      writeEmptyFiles(join(directory, nameOf(index, this.#skills)), files);
    }
    this.#grown = count;
    warm(directory);
    return directory;
  }

  remove() {
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }

  async #folder(label, count, skills, withFiles) {
    let directory = this.#folders.get(label);
    if (directory === undefined) {
      directory = join(this.#root, label);
      mkdirSync(directory);
      await writeSkills(directory, count, skills, withFiles);
      warm(directory);
      this.#folders.set(label, directory);
    }
    return directory;
  }
}

/**
 * Writes without leaving anything under way when it yields: the run may be ended there, and then
 * the folder is removed for good.
 */
async function writeSkills(directory, count, skills, withFiles, first = 0) {
  for (let index = first; index < count; index += 1) {
    if (index % BATCH === 0) await nextTurn();
    writeSkill(directory, nameOf(index, skills), skills[index % skills.length], withFiles);
  }
}

function nameOf(index, skills) {
  return `${skills[index % skills.length].slug}-${index}`;
}

/** Beside the skill file, and a fifth of them in a folder there. */
function writeEmptyFiles(folder, count) {
  mkdirSync(join(folder, "references"));
  for (let index = 0; index < count; index += 1) {
    const place = index % 5 === 0 ? join(folder, "references") : folder;
    writeFileSync(join(place, `file-${index}.md`), "");
  }
}

function writeSkill(directory, name, skill, withFiles) {
  const folder = join(directory, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "SKILL.md"), renamed(skill.text, name));
  for (const file of withFiles ? skill.files : []) {
    const path = join(folder, file.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.bytes);
  }
}

/** Reads the front of every file once, so that all rounds find them in the system's cache. */
function warm(directory) {
  const buffer = Buffer.allocUnsafe(4096);
  for (const file of skillFiles(directory)) {
    const descriptor = openSync(file, "r");
    readSync(descriptor, buffer, 0, buffer.length, 0);
    closeSync(descriptor);
  }
}

/** The skills of the archive that have front matter, with the files beside each. */
function archivedSkills(archive) {
  const skills = new Map();
  const others = [];
  for (const { path, bytes } of tarFiles(archive)) {
    const clean = posix.normalize(path);
    if (clean.startsWith("../") || posix.isAbsolute(clean)) continue;
    if (posix.basename(clean) !== "SKILL.md") {
      others.push({ path: clean, bytes });
      continue;
    }
    const text = bytes.toString("utf8");
    const folder = posix.dirname(clean);
    const slug = slugOf(posix.basename(folder));
    if (renamed(text, slug) !== undefined) skills.set(folder, { slug, text, files: [] });
  }
  for (const { path, bytes } of others) {
    const owner = ownerOf(path, skills);
    if (owner !== undefined) {
      skills.get(owner).files.push({ path: posix.relative(owner, path), bytes });
    }
  }
  return [...skills.values()];
}

/** The nearest folder above a file that is a skill. */
function ownerOf(path, skills) {
  for (let folder = posix.dirname(path); folder !== "."; folder = posix.dirname(folder)) {
    if (skills.has(folder)) return folder;
  }
  return undefined;
}

/** A name by the specification's rule, short enough for a number after it. */
function slugOf(name) {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 48)
    .replace(/^-+|-+$/g, "");
  return slug === "" ? "skill" : slug;
}

function findArchive(path) {
  if (path !== undefined) {
    const archive = archiveAt(path);
    if (archive === undefined)
      throw new Error(`no ${ARCHIVE} at the path given by --corpus or SKILLSHELF_CORPUS`);
    return archive;
  }
  const beside = join("..", "shared", "corpus");
  const project = dirname(dirname(fileURLToPath(import.meta.url)));
  return archiveAt(join(process.cwd(), beside)) ?? archiveAt(join(project, beside));
}

function archiveAt(path) {
  if (!existsSync(path)) return undefined;
  const archive = statSync(path).isDirectory() ? join(path, ARCHIVE) : path;
  return existsSync(archive) ? archive : undefined;
}
