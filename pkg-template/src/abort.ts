/** Waiting for what may be aborted. */

/** What comes; or, once the signal is aborted, the error of that: what is waited for may never come. */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  error: (signal: AbortSignal) => Error,
): Promise<T> {
  if (signal === undefined) return work;
  let onAbort = (): void => {};
  const abort = new Promise<never>((_, fail) => {
    onAbort = () => fail(error(signal));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, abort]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
