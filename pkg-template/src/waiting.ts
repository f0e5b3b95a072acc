/** Waiting, and for how long. */
import { aborted } from "./errors.js";

/** What is longer fires at once. */
export const LONGEST_TIMER: number = 2 ** 31 - 1;

/** What ends a wait. */
export interface Bounds {
  signal?: AbortSignal | undefined;
  /** What an abort ends it with; an error of this package that says so, where nothing is given. */
  left?: () => unknown;
  /** After so long it ends with what `late` gives. */
  milliseconds?: number;
  late?: () => unknown;
}

/** What `work` comes to, for which nobody waits any longer than that, whatever it does. */
export async function within<T>(
  work: () => T | PromiseLike<T>,
  { signal, left, milliseconds, late = () => new Error("it took too long") }: Bounds,
): Promise<T> {
  let finish = (): void => {};
  const over = new Promise<never>((_, fail) => {
    const onAbort = (): void => {
      if (signal !== undefined) fail(left === undefined ? aborted(signal) : left());
    };
    const timer =
      milliseconds === undefined
        ? undefined
        : setTimeout(() => fail(late()), Math.min(milliseconds, LONGEST_TIMER));
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted === true) onAbort();
    finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
  });
  try {
    return await Promise.race([over, work()]);
  } finally {
    finish();
  }
}

/** Waits so long, or until the signal says stop. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = (): Promise<void> =>
    new Promise((resolve) => {
      timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_TIMER));
    });
  try {
    await within(passed, { signal });
  } finally {
    clearTimeout(timer);
  }
}
