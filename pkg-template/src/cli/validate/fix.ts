/** Mending skill files where that is safe. What is safe is the core's to say. */
import {
  chmodSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { withCore } from "../../engine.js";
import { difference } from "../difference.js";
import { shownPath } from "../paths.js";
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
  replace(path, text);
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

/** Puts a text in the place of a file at once: nobody ever sees half of it. */
function replace(path: string, text: string): void {
  const file = realpathSync(path);
  const next = `${file}.${process.pid}.new`;
  try {
    writeFileSync(next, text, { flag: "wx" });
    chmodSync(next, statSync(file).mode);
    renameSync(next, file);
  } finally {
    rmSync(next, { force: true });
  }
}
