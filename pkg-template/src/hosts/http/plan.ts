/** What the core makes of an index, and its words for what a host has to tell of. */
import { answerValue } from "../../answers.js";
import { withCore } from "../../engine.js";
import type { Diagnostic } from "../../types.js";
import type { PlannedSkill } from "./options.js";

/** An index, once it was read. */
export interface Plan {
  skills: readonly PlannedSkill[];
  diagnostics: readonly Diagnostic[];
  /** Where its URLs are relative to. */
  from: URL;
}

/** Something that a host has to tell of; the core has the words. */
export interface Trouble {
  kind: "stale" | "cache" | "entry" | "withdrawn";
  /** As messages show it. */
  url: string;
  skill?: string;
  problem: string;
  /** Of how many further URLs the same is to be said. */
  others?: number;
}

/** The findings of troubles; of many that are alike some are told one by one. */
export function findingsOf(troubles: readonly Trouble[]): Diagnostic[] {
  if (troubles.length === 0) return [];
  const text = JSON.stringify({ troubles });
  return answerValue<Diagnostic[]>(withCore((core) => core.httpFindings(text)));
}
