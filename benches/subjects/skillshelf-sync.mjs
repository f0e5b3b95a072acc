import { loadSkillsSync } from "skillshelf";

/** Builds the index. */
export function load(directory) {
  const catalog = loadSkillsSync(directory);
  return { accepted: catalog.size, dispose: () => catalog.dispose() };
}
