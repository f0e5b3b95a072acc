import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import matter from "gray-matter";

/**
 * gray-matter knows front matter, not folders: its documentation hands the text of a file to
 * `matter` and takes the fields from `data`. The loop around it is the shortest one there is.
 */
export function load(directory) {
  const skills = [];
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    try {
      const { data } = matter(readFileSync(join(directory, entry.name, "SKILL.md"), "utf8"));
      if (data.name && data.description) {
        skills.push({ name: data.name, description: data.description });
      }
    } catch {
      // It throws on YAML that does not parse: that skill is not accepted.
    }
  }
  return { accepted: skills.length };
}
