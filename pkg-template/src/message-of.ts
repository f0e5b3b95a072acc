/** Characters of a reason that are told: more of them say no more. */
const LONGEST_REASON = 10_000;

/** What a function threw, in words: it may be anything. */
export function messageOf(error: unknown): string {
  try {
    const reason = String(error instanceof Error ? error.message : error);
    return reason.slice(0, LONGEST_REASON) || "it gave no reason";
  } catch {
    return "it gave no reason";
  }
}
