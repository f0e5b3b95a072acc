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

/**
 * An object of the caller's with each of its own members read once. What a getter of it throws is the
 * cause of the error that says so; what is no object stays as it is.
 */
export function membersOf<T>(given: T): T {
  if (typeof given !== "object" || given === null) return given;
  return reading("The options", () => {
    if (Array.isArray(given)) return given;
    const members: object = Object.create(Object.getPrototypeOf(given));
    for (const [name, value] of Object.entries(given)) {
      Object.defineProperty(members, name, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return members as T;
  });
}

/** What `read` reads of what the caller gave; what a getter of that throws is the cause of an error. */
export function reading<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (SkillError.isInstance(error)) throw error;
    const message = `${what} cannot be used: reading them failed: ${reasonOf(error)}.`;
    throw new SkillError({ code: "SOURCE_UNSUPPORTED", message }, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  return givenText(error instanceof Error ? error.message : error);
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
    const message = `The options cannot be used: ${option} cannot be read as a list: ${reasonOf(error)}.`;
    throw new SkillError({ code: "SOURCE_UNSUPPORTED", message }, { cause: error });
  }
  return list;
}
