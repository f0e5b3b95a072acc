// The examples, run as a person runs them.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";

const REPOSITORY = process.env["SKILLSHELF_REPOSITORY"];
assert.ok(REPOSITORY, "SKILLSHELF_REPOSITORY is not set: `cargo xtask test adapters` sets it");

/** What a program of `examples/adapters/` prints, with the example skills. */
export async function example(
  name: string,
  environment: Record<string, string>,
): Promise<{ out: string; err: string; code: number }> {
  // Below the folder where the packages are installed.
  const folder = await mkdtemp(path.join(import.meta.dirname, "../example-"));
  try {
    await cp(path.join(REPOSITORY as string, "examples/adapters", name), path.join(folder, name));
    const skills = path.join(REPOSITORY as string, "examples/skills");
    const child = spawn(process.execPath, [name, "Review my change.", skills], {
      cwd: folder,
      env: { ...process.env, ...environment },
    });
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { out, err, code };
  } finally {
    await rm(folder, { recursive: true });
  }
}
