/** What a caller gave, which may be anything. */
import { SkillError } from "./errors.js";

/** What is given as text; what cannot be is none, and names nothing. */
export function givenText(given: unknown): string {
  try {
    return String(given);
  } catch {
    return "";
  }
}

/** What is asked for, as text: nothing where nothing is given. */
export function askedText(given: unknown): string {
  return given === undefined || given === null ? "" : givenText(given);
}

/** Things in a collection at most: one without an end would fill the memory. */
const MOST_THINGS = 100_000;

/** The things in any collection as a list; what is no collection stays as it is. */
export function givenList(given: unknown, option: string): unknown {
  if (typeof given !== "object" || given === null || !(Symbol.iterator in given)) return given;
  const list: unknown[] = [];
  try {
    for (const thing of given as Iterable<unknown>) {
      if (list.push(thing) > MOST_THINGS) throw new RangeError(`it has more than ${MOST_THINGS}`);
    }
  } catch (error) {
    const reason = givenText(error instanceof Error ? error.message : error);
    const message = `The options cannot be used: ${option} cannot be read as a list: ${reason}.`;
    throw new SkillError({ code: "SOURCE_UNSUPPORTED", message }, { cause: error });
  }
  return list;
}
