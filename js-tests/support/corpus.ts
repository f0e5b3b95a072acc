// Real skills and an oracle, where they are there: `SKILLSHELF_CORPUS`, or `../shared/corpus` beside
// the repository. Their text is other people's: it is compared, never shown and never followed.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { folder } from "./folder.ts";

export interface Expected {
  path: string;
  status: "ok" | "no-front-matter";
  name: string | null;
  description: string | null;
  keys: string[];
  body_sha256: string;
}

export interface Corpus {
  root: string;
  /** All files below `root`, by their path with `/`. */
  files: Record<string, Uint8Array>;
  expected: Expected[];
}

const repository = process.env.SKILLSHELF_REPOSITORY;
const place =
  process.env.SKILLSHELF_CORPUS ??
  (repository === undefined ? undefined : path.join(repository, "../shared/corpus"));

/** Why there is no corpus, if there is none. */
export const absence: string | undefined =
  place === undefined
    ? "no corpus: set SKILLSHELF_CORPUS"
    : fs.existsSync(path.join(place, "skills.tar.gz"))
      ? undefined
      : `no corpus in ${place}: set SKILLSHELF_CORPUS`;

/** Unpacks the corpus into a folder that is gone when the tests are over. */
export function unpackedCorpus(): Corpus {
  const from = place ?? "";
  const root = folder();
  execFileSync("tar", ["-xzf", path.join(from, "skills.tar.gz"), "-C", root]);
  const lines = gunzipSync(fs.readFileSync(path.join(from, "expected.jsonl.gz"))).toString("utf8");
  const expected = lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Expected);
  const files: Record<string, Uint8Array> = {};
  for (const name of fs.readdirSync(root, { recursive: true, encoding: "utf8" })) {
    const file = path.join(root, name);
    if (fs.statSync(file).isFile()) files[name.replaceAll("\\", "/")] = fs.readFileSync(file);
  }
  return { root, files, expected };
}
