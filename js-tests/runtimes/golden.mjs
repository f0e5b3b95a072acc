// What every runtime has to answer: one file of the repository. Of other people's skills it has
// digests alone.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const NAME = "golden.json";

export class Golden {
  /** Whether the next answer becomes what is expected. */
  #isMeant = process.env.UPDATE_GOLDEN === "1";
  #text;
  #hasPieces;

  /** `hasPieces`: whether the corpus is there, so that its pieces can be compared. */
  constructor(hasPieces) {
    this.#hasPieces = hasPieces;
    const file = path.join(import.meta.dirname, NAME);
    if (existsSync(file)) this.#text = readFileSync(file, "utf8");
    if (this.#text === undefined && !this.#isMeant)
      throw new Error(`There is no ${file}. ${REMEDY}`);
    if (this.#isMeant && !hasPieces)
      throw new Error("A golden file is written with the corpus only.");
  }

  /** Compares what a runtime answered, byte for byte; gives how much that was. */
  compare(answer) {
    return this.#compare(answer, this.#hasPieces);
  }

  /** The same of an answer that was given without pieces of the corpus. */
  compareAwkward(answer) {
    return this.#compare(answer, false);
  }

  #compare(answer, hasPieces) {
    const { awkward, pieces } = JSON.parse(answer);
    const digests = hasPieces ? pieces.map(digestOf) : this.#digests();
    const text = `{\n"pieces": ${JSON.stringify(digests, null, 1)},\n"awkward": ${awkward}\n}\n`;
    if (this.#isMeant && this.#text !== text) this.#text = text;
    this.#isMeant = false;
    if (text !== this.#text) throw new Error(difference(this.#text, text));
    return `${Math.round(text.length / 1024)} KB, ${pieces.length} pieces`;
  }

  /** Compares the answers that a disk can give too. */
  compareTree(text) {
    const expected = JSON.stringify(JSON.parse(this.#text).awkward.tree, null, 1);
    const found = JSON.stringify(JSON.parse(text).tree, null, 1);
    if (found !== expected) throw new Error(difference(expected, found));
  }

  /** Writes what has become expected into the repository. */
  save() {
    if (process.env.UPDATE_GOLDEN !== "1") return;
    const repository = process.env.SKILLSHELF_REPOSITORY ?? "";
    writeFileSync(path.join(repository, "js-tests/runtimes", NAME), this.#text);
    console.log(`${NAME} was written.`);
  }

  #digests() {
    return JSON.parse(this.#text).pieces;
  }
}

const REMEDY =
  "If a change of answers is meant: `UPDATE_GOLDEN=1 cargo xtask test runtimes`, and look at the difference.";

function digestOf(text) {
  return createHash("sha256").update(text).digest("hex");
}

/** Where two texts part, with some lines around it. */
function difference(expected, found) {
  const [before, after] = [expected.split("\n"), found.split("\n")];
  const line = before.findIndex((text, index) => text !== after[index]);
  const at = line === -1 ? before.length : line;
  const shown = (lines) => lines.slice(Math.max(0, at - 3), at + 4).join("\n");
  return `Line ${at + 1} is not as in ${NAME}.\nexpected:\n${shown(before)}\nfound:\n${shown(after)}\n${REMEDY}`;
}
