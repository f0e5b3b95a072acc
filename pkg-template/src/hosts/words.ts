/** What others say went wrong, in their words. */

/** What was thrown, in words without what addresses in it say of whoever uses them. */
export function wordsOf(error: unknown): string {
  return withoutSecrets(textOf(error)).replace(/\.+$/, "");
}

function textOf(error: unknown): string {
  try {
    if (error instanceof Error) return error.message || error.name;
    return String(error);
  } catch {
    return "it gave no reason";
  }
}

/** A text whose addresses have neither a user, nor a password, nor a query. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"']*@/gi, "$1")
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/[^\s?#"']*)[?#][^\s"']*/gi, "$1");
}
