/** Text that a caller gave, which may be anything. */

/** What is given as text; what cannot be is none, and names nothing. */
export function givenText(given: unknown): string {
  try {
    return String(given);
  } catch {
    return "";
  }
}
