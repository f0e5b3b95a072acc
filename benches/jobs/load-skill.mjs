import { loadSkills, loadSkillsSync } from "skillshelf";

import { timed } from "../clock.mjs";

/** Calls `load_skill` for every skill of a folder, one after the other, twice. */
export async function run({ directory, asynchronous }) {
  const catalog = asynchronous ? await loadSkills(directory) : loadSkillsSync(directory);
  const names = [...catalog].filter((skill) => skill.modelInvocable).map((skill) => skill.name);
  const callAll = asynchronous
    ? async () => {
        let characters = 0;
        for (const name of names) characters += textOf(await catalog.call("load_skill", { name }));
        return characters;
      }
    : () => {
        let characters = 0;
        for (const name of names) characters += textOf(catalog.call("load_skill", { name }));
        return characters;
      };
  const first = await timed(callAll);
  const second = await timed(callAll);
  return {
    skills: names.length,
    characters: first.value,
    microseconds: (first.ms * 1000) / names.length,
    warmMicroseconds: (second.ms * 1000) / names.length,
  };
}

function textOf(result) {
  if (result.isError) throw new Error(`load_skill: ${result.code}`);
  return result.content.length;
}
