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

/** What is to be done when a signal aborts. */
interface Waiting {
  readonly works: Set<() => void>;
  readonly listener: () => void;
}

const waiting = new WeakMap<AbortSignal, Waiting>();

/**
 * Does `work` when the signal aborts, until the function that it gives is called. There is one listener
 * for all who wait: Node warns where a signal has more than ten.
 */
function whenAborted(signal: AbortSignal, work: () => void): () => void {
  const { works, listener } = waiting.get(signal) ?? begun(signal);
  works.add(work);
  return () => {
    if (!works.delete(work) || works.size > 0) return;
    waiting.delete(signal);
    signal.removeEventListener("abort", listener);
  };
}

function begun(signal: AbortSignal): Waiting {
  const works = new Set<() => void>();
  const listener = (): void => {
    for (const work of [...works]) work();
  };
  waiting.set(signal, { works, listener });
  signal.addEventListener("abort", listener);
  return { works, listener };
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
    const forget = signal && whenAborted(signal, onAbort);
    if (signal?.aborted === true) onAbort();
    finish = () => {
      clearTimeout(timer);
      forget?.();
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
