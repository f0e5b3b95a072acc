/**
 * Work that is written once and done in two ways: with promises, and at once. Its steps are
 * generators, which wait by `yield*`ing {@link settled}.
 */

/** Work that comes to a `T`. */
export type Steps<T> = Generator<unknown, T, unknown>;

/** What a call gave, or what its promise comes to. */
export function* settled<T>(value: T | PromiseLike<T>): Steps<T> {
  return (yield value) as T;
}

/** Does the work, where no call gives a promise. */
export function atOnce<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next(step.value);
  return step.value;
}

/** Does the work, waiting for promises. */
export async function eventually<T>(steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (step.done !== true) {
    let value: unknown;
    try {
      value = await step.value;
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(value);
  }
  return step.value;
}
