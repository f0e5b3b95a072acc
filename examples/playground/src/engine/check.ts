// What is off in a skill file as it is typed: read strictly, with advice, as for whoever publishes it.
// Loading, which the list of problems is about, is lenient, and gives none.

import { mendSkill, parseSkill, validateSkill } from "skillshelf/slim";
import { joined, parentOf } from "./paths.ts";
import type { Checked } from "./shapes.ts";
import { sizeOf } from "./size.ts";

/** What there is to say of a file that is no skill file. */
export const NOTHING: Checked = { diagnostics: [], mends: [] };

/** The skill file of a directory, with the files beside it; of none where it has no directory. */
export function checked(
  path: string,
  text: string,
  beside: Record<string, Uint8Array> | undefined,
): Checked {
  const directory = parentOf(path);
  const name = directory.split("/").at(-1);
  const file = beside === undefined ? "SKILL.md" : (path.split("/").at(-1) ?? "SKILL.md");
  const found = validateSkill(
    { ...beside, [file]: text },
    { hints: true, ...(beside !== undefined && name ? { directory: name } : {}) },
  );
  // They name files as the skill does; the page names them as their host does.
  const diagnostics = found.map((finding) => {
    if (finding.path === undefined) return finding;
    return { ...finding, path: finding.path === file ? path : joined(directory, finding.path) };
  });
  const { body } = parseSkill(text);
  const { mends } = mendSkill(text);
  return body === undefined ? { diagnostics, mends } : { diagnostics, mends, size: sizeOf(body) };
}
