/** Results of the core, which cross as JSON text. */
import type { Work } from "./core/skillshelf.js";
import { type ErrorFacts, SkillError } from "./errors.js";
import { reading } from "./given.js";

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

/** A text with U+FFFD for each half of a surrogate pair, as it crosses to the core anywhere else. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** JSON text of options. Half of a surrogate pair crosses as it does in any other text. */
export function optionsText(options: unknown): string {
  return dataText(options ?? {}, (value) => {
    return typeof value === "string" ? wellFormed(value) : value;
  });
}

/** JSON text of options with a signal, which stays here: the core is told what it judges it by. */
export function optionsTextWithSignal(
  options: { signal?: AbortSignal | undefined } | null | undefined,
): string {
  return reading("The options", () => {
    const { signal } = options ?? {};
    if (typeof signal !== "object" || signal === null) return optionsText(options);
    const { aborted, addEventListener, removeEventListener } = signal;
    return optionsText({ ...options, signal: { aborted, addEventListener, removeEventListener } });
  });
}

/**
 * JSON text of an object that a developer passed. What JSON would leave out or change without a
 * word stays in it, so that the core can judge it; of what is no data it is what is wrong with it.
 */
export function dataText(
  data: unknown,
  replace: (value: unknown) => unknown = (value) => value,
): string {
  return textOrFault(data, (value) => replace(visible(value)));
}

/** JSON text, or as JSON text what is wrong with the data. */
export function textOrFault(
  data: unknown,
  replace: (value: unknown) => unknown = (value) => value,
): string {
  const whole = (_: string, value: unknown): unknown => {
    if (hasManyHoles(value)) throw new TypeError("a list in it has holes");
    return replace(value);
  };
  try {
    return JSON.stringify(data, whole) ?? "null";
  } catch (error) {
    return faultText(error);
  }
}

/** As JSON text what is wrong with data that cannot be read. */
export function faultText(error: unknown): string {
  return JSON.stringify(error instanceof Error ? String(error.message) : "a part of it is none");
}

/** Places in a list, above which those are counted that have something. */
const MANY = 100_000;

/** Whether a list is long for having nothing in many of its places, each of which would be written. */
export function hasManyHoles(value: unknown): boolean {
  return Array.isArray(value) && value.length > MANY && Object.keys(value).length < value.length;
}

/** A value that JSON has, for one that it has not. */
function visible(value: unknown): unknown {
  switch (typeof value) {
    case "function":
      return { "~function": true };
    case "symbol":
      return {};
    case "bigint":
      return String(value);
    case "number":
      return Number.isFinite(value) ? value : String(value);
    default:
      return value;
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
