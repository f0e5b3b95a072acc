/** What a function threw, in words: it may be anything. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error) || "it gave no reason";
  } catch {
    return "it gave no reason";
  }
}
