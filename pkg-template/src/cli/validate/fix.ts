/** Mending skill files where that is safe. What is safe is the core's to say. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { withCore } from "../../engine.js";
import { difference } from "../difference.js";
import { shownPath } from "../paths.js";
import { replaceFile } from "../replaced-file.js";
import { type Output, visible, visibleLine } from "../screen.js";
import type { Targets } from "./targets.js";

/** Mends all files, and shows what was changed in each. */
export function fixAll({ directories, files }: Targets, out: Output): void {
  for (const file of [...directories.map((directory) => join(directory, "SKILL.md")), ...files]) {
    fix(file, out);
  }
}

function fix(path: string, out: Output): void {
  const before = readOrNothing(path);
  const answer = before && withCore((core) => core.mendSkill(before));
  if (before === undefined || answer === undefined) return;
  const { text, mends } = JSON.parse(answer) as { text: string; mends: string[] };
  const file = realpathSync(path);
  replaceFile(file, text, statSync(file).mode);
  out.line(out.paint("bold", `Mended in ${visibleLine(shownPath(path))}: ${mends.join(", ")}`));
  for (const line of difference(new TextDecoder().decode(before), text)) {
    const color = line.startsWith("-") ? "red" : line.startsWith("+") ? "green" : "dim";
    out.line(out.paint(color, visible(line)));
  }
  out.line();
}

function readOrNothing(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    // Validating it says why.
    return undefined;
  }
}
