// What a function threw.

import assert from "node:assert/strict";
import { SkillError } from "skillshelf";

/** The `SkillError` that `work` throws or rejects with. */
export async function rejection(work: () => unknown): Promise<SkillError> {
  try {
    await work();
  } catch (error) {
    assert.ok(SkillError.isInstance(error), `not a SkillError: ${String(error)}`);
    return error;
  }
  return assert.fail("nothing was thrown");
}

/** The `SkillError` that `work` throws. */
export function thrown(work: () => unknown): SkillError {
  try {
    work();
  } catch (error) {
    assert.ok(SkillError.isInstance(error), `not a SkillError: ${String(error)}`);
    return error;
  }
  return assert.fail("nothing was thrown");
}
