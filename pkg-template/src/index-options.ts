/** What the developer's own functions say about an index, which run here and not in the core. */
import type { CoreCatalog } from "./core-catalog.js";
import { membersOf, reading } from "./given.js";
import { quietly } from "./replies.js";
import type { Budget, PromptOptions, Skill } from "./types.js";

/** Options of an index as data: what its functions say of each skill, by the id of its reading and its name. */
export function plainIndexOptions<T>(core: CoreCatalog, options: T): T {
  if (typeof options !== "object" || options === null) return options;
  const given = membersOf(options);
  const { priority, group } = given as PromptOptions;
  return {
    ...given,
    ...(typeof priority === "function" && { priority: saidOfEach(core, priority as Says) }),
    ...(typeof group === "function" && { group: saidOfEach(core, group as Says) }),
  };
}

type Says = (skill: Skill) => unknown;

function saidOfEach(core: CoreCatalog, says: Says): Record<string, unknown> {
  const said: Record<string, unknown> = {};
  for (const id of core.ids()) {
    const skill = core.skill(id);
    if (skill === undefined) continue;
    const answer = says(skill);
    quietly(answer);
    said[`${id}:${skill.name}`] = answer ?? null;
  }
  return said;
}

/** The developer's own way to count tokens, if there is one: the core asks for it. */
export function counterOf(budget: Budget | undefined): ((text: string) => number) | undefined {
  return reading("The options", () => {
    if (typeof budget !== "object" || budget === null || !("count" in budget)) return undefined;
    return (text) => (typeof budget.count === "function" ? budget.count(text) : Number.NaN);
  });
}
