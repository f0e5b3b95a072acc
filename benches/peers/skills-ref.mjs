import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readProperties } from "skills-ref";

const AT_ONCE = 32;

/**
 * `readProperties(skillDirectory)` is the documented call for one skill. Its `toPrompt` takes many,
 * but one after the other, and rejects as a whole for the first faulty one; several calls at the
 * same time are faster.
 */
export async function load(directory) {
  const folders = readdirSync(directory).map((name) => join(directory, name));
  let accepted = 0;
  for (let start = 0; start < folders.length; start += AT_ONCE) {
    const batch = folders.slice(start, start + AT_ONCE).map((folder) => readProperties(folder));
    const answers = await Promise.allSettled(batch);
    accepted += answers.filter(({ status }) => status === "fulfilled").length;
  }
  return { accepted };
}
