/** Results of the core, which cross as JSON text. */
import type { Work } from "./core/skillshelf.js";
import { type ErrorFacts, SkillError } from "./errors.js";

/** The value of an answer, or its error thrown. */
export function answerValue<T>(answer: string): T {
  const parsed = JSON.parse(answer) as { value?: T; error?: ErrorFacts };
  if (parsed.error !== undefined) throw new SkillError(parsed.error);
  return parsed.value as T;
}

/** The value of an operation that is over. */
export function workValue<T>(work: Work): T {
  return JSON.parse(work.value() ?? "null") as T;
}

/** The text that an operation came to. */
export function workText(work: Work): string {
  return work.text() ?? "";
}

/** JSON text of what a developer passed; what JSON cannot hold is the developer's mistake. */
export function optionsText(options: unknown): string {
  try {
    return JSON.stringify(options ?? {}) ?? "{}";
  } catch (error) {
    throw new SkillError(
      { code: "SOURCE_UNSUPPORTED", message: `The options cannot be used: ${String(error)}` },
      { cause: error },
    );
  }
}

/** The same object, frozen with everything in it. */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}
