// read-properties and to-prompt print what skills-ref prints: skills-ref/golden.json is recorded from
// the real one, by record.py beside it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { command } from "./support/command.ts";
import { folder } from "./support/folder.ts";

interface Recorded {
  /** The text of the `SKILL.md`. */
  file: string;
  /** What `read-properties` prints; nothing where it fails. */
  properties: string | null;
  /** The same of `to-prompt`, with `ROOT` for the folder above. */
  prompt: string | null;
}

const golden: Record<string, Recorded> = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "skills-ref/golden.json"), "utf8"),
);

const root = folder(
  Object.fromEntries(Object.entries(golden).map(([name, { file }]) => [`${name}/SKILL.md`, file])),
);

describe("the verbs of the reference library", () => {
  for (const [name, { properties, prompt }] of Object.entries(golden)) {
    test(`${properties === null ? "refuse" : "print the same of"} ${name}`, async () => {
      for (const [verb, expected] of [
        ["read-properties", properties],
        ["to-prompt", prompt],
      ] as const) {
        const { code, out } = await command([verb, name], { cwd: root });
        assert.deepEqual([code, out], [expected === null ? 1 : 0, whole(expected)]);
      }
    });
  }

  test("print the same of many at once", async () => {
    const readable = Object.entries(golden).filter(([, { prompt }]) => prompt !== null);
    const names = readable.map(([name]) => name);
    const { code, out } = await command(["to-prompt", ...names], { cwd: root });
    const entries = readable.map(([, { prompt }]) => whole(prompt).split("\n").slice(1, -2));
    const lines = ["<available_skills>", ...entries.flat(), "</available_skills>", ""];
    assert.deepEqual([code, out], [0, lines.join("\n")]);
  });
});

/** What was recorded, with the folder of this test. */
function whole(text: string | null): string {
  return (text ?? "").replaceAll("ROOT", root);
}
