/** Which hints are wanted. */
import { validateSkill } from "../../define.js";
import type { ValidateOptions } from "../../types.js";
import { UsageError } from "../exit.js";

export type Hints = NonNullable<ValidateOptions["hints"]>;

/** The option of `validateSkill`; which codes there are is the core's to say. */
export function hintsOf(off: readonly string[]): Hints {
  const hints = Object.fromEntries(off.map((code) => [code, false]));
  const fault = validateSkill({}, { hints }).find(({ code }) => code === "option-invalid");
  if (fault !== undefined) throw new UsageError(`--off: ${fault.message}`);
  return hints;
}
