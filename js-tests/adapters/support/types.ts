// What an SDK has sent, checked against the types of that SDK.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const FOLDER = path.join(import.meta.dirname, "..");

/**
 * Compiles bodies of requests as literals of a type: what is missing, wrong or unknown to it is an
 * error. `imports` is what makes the type known.
 */
export function checkBodies(imports: string, type: string, bodies: readonly unknown[]): void {
  assert.ok(bodies.length > 0, "there was no request");
  const folder = mkdtempSync(path.join(FOLDER, "bodies-"));
  try {
    const literals = bodies.map((body) => JSON.stringify(body, undefined, 2));
    const lines = literals.map(
      (literal, index) => `export const body${index}: ${type} = ${literal};`,
    );
    writeFileSync(path.join(folder, "bodies.ts"), [imports, ...lines].join("\n"));
    const compilerOptions = { noEmit: true };
    const config = { extends: "../tsconfig.json", compilerOptions, include: ["bodies.ts"] };
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = path.join(FOLDER, "node_modules/typescript/bin/tsc");
    const { status, stdout } = spawnSync(process.execPath, [compiler, "--project", folder], {
      encoding: "utf8",
    });
    assert.equal(status, 0, stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
