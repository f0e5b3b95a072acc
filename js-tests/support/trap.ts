// A fault in the module.

import assert from "node:assert/strict";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseSkill } from "skillshelf";
import { thrown } from "./errors.ts";

const dist = path.dirname(fileURLToPath(import.meta.resolve("skillshelf")));

/** The glue, which is private and has no declaration in the package. */
interface Glue {
  Work: { prototype: { step(replies: Uint8Array): unknown } };
}
const glue: Glue = await import(path.join(dist, "core/skillshelf.js"));

/** Where the module has no memory: what stands for an operation there cannot be read. */
const NOWHERE = 0xffff_fff0;

/** Makes every operation fail the module, as a fault in it would, until the function is called. */
function breakModule(): () => void {
  const { prototype } = glue.Work;
  const { step } = prototype;
  prototype.step = (replies) =>
    step.call(Object.assign(Object.create(prototype), { __wbg_ptr: NOWHERE }), replies);
  return () => {
    prototype.step = step;
  };
}

/** Runs `work` while every operation makes the module fail. */
export async function whileTrapping<T>(work: () => T | Promise<T>): Promise<T> {
  const mend = breakModule();
  try {
    return await work();
  } finally {
    mend();
  }
}

/** Makes the module fail in the middle of an operation. */
export function trap(): void {
  const mend = breakModule();
  try {
    const error = thrown(() => parseSkill("x"));
    assert.equal(error.code, "INTERNAL");
    assert.match(error.message, /started anew/);
    assert.equal((error.cause as Error).name, "RuntimeError");
  } finally {
    mend();
  }
}
