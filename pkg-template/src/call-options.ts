/** What a developer says of a tool call. */
import { answerValue, optionsTextWithSignal } from "./answers.js";
import { withCore } from "./engine.js";
import { membersOf } from "./given.js";
import type { CallOptions } from "./types.js";

/** The signal of a call, once the core has judged its options. */
export function signalOf(given: CallOptions | undefined): AbortSignal | undefined {
  if (given === undefined || given === null) return undefined;
  const options = membersOf(given);
  const text = optionsTextWithSignal(options);
  withCore((core) => answerValue<void>(core.checkCallOptions(text)));
  return options.signal ?? undefined;
}
