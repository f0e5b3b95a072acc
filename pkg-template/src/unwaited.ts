/** What a function of the developer promises where nobody waits for it. */
import { messageOf } from "./message-of.js";
import { warn } from "./warn.js";

/** Where it fails, that is a line on the console: as a rejection it would end the process. */
export function unwaited(promised: unknown, failure: string): void {
  if (!isPromise(promised)) return;
  promised.then(undefined, (error: unknown) => {
    warn(`${failure}: ${messageOf(error)}`);
  });
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}
