import { loadSkills } from "skillshelf";

/** Builds the index without blocking. */
export async function load(directory) {
  const catalog = await loadSkills(directory);
  return { accepted: catalog.size, dispose: () => catalog.dispose() };
}
