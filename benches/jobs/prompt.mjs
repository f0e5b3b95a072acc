import { loadSkillsSync } from "skillshelf";

import { timed } from "../clock.mjs";

/** Renders the index of a folder in one style, twice. */
export async function run({ directory, style }) {
  const catalog = loadSkillsSync(directory);
  const first = await timed(() => catalog.prompt({ style }));
  const second = await timed(() => catalog.prompt({ style }));
  const { listed, characters } = catalog.index({ style });
  if (listed === 0) throw new Error("the index lists nothing");
  return { ms: first.ms, warmMs: second.ms, listed, characters };
}
