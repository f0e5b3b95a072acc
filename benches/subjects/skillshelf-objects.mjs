import { loadSkillsSync } from "skillshelf";

/** Builds the index, then takes every skill out of it as an object, as the peers hold theirs. */
export function load(directory) {
  const catalog = loadSkillsSync(directory);
  const skills = [];
  for (const { name, description } of catalog) skills.push({ name, description });
  return { accepted: skills.length, dispose: () => catalog.dispose() };
}
