/** What a developer says of a tool call. */
import { answerValue, optionsTextWithSignal } from "./answers.js";
import { withCore } from "./engine.js";
import type { CallOptions } from "./types.js";

/** The signal of a call, once the core has judged its options. */
export function signalOf(options: CallOptions | undefined): AbortSignal | undefined {
  if (options === undefined || options === null) return undefined;
  const text = optionsTextWithSignal(options);
  withCore((core) => answerValue<void>(core.checkCallOptions(text)));
  return options.signal ?? undefined;
}
