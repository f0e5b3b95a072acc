// How uses of a catalog end whose host fails.

import assert from "node:assert/strict";
import { type Catalog, SkillError, type SyncCatalog } from "skillshelf";

export type Any = Catalog | SyncCatalog;
/** What is done with a catalog of a skill `one` with a file `a.md`, and a skill `two`. */
export const USES: Record<string, (catalog: Any) => unknown> = {
  load_skill: (catalog) => catalog.call("load_skill", { name: "one" }),
  read_skill_file: (catalog) => catalog.call("read_skill_file", { skill: "one", path: "a.md" }),
  list_skill_resources: (catalog) => catalog.call("list_skill_resources", { skill: "one" }),
  body: (catalog) => catalog.body("two"),
  expand: (catalog) => catalog.expand("/one more"),
  search: (catalog) => catalog.search("body", { bodies: true }),
  refresh: (catalog) => catalog.refresh(),
  "a session's load": (catalog) => catalog.session().load("one"),
};

/** The result, or the code of the `SkillError` that it ended with; anything else is a fault of ours. */
export async function ending(use: () => unknown): Promise<{ code?: string; result?: unknown }> {
  try {
    return { result: await use() };
  } catch (error) {
    assert.ok(SkillError.isInstance(error), `not a SkillError: ${String(error)}`);
    return { code: error.code };
  }
}

/** The same where something has failed: of the host, so it may be no fault of ours. */
export async function endingOfFailing(use: () => unknown): ReturnType<typeof ending> {
  const ended = await ending(use);
  const told = ended.result as { code?: string } | undefined;
  assert.notEqual(ended.code ?? told?.code, "INTERNAL");
  return ended;
}
