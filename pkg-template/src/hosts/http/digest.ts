/** Digests of what was fetched: `sha256:` and hexadecimal digits. */
import { withCore } from "../../engine.js";

/** Larger than this, it pays to let the runtime do it, where it can. */
const SMALL = 64 * 1024;

export async function digestOf(bytes: Uint8Array): Promise<string> {
  // Pages without https have no `subtle`.
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (bytes.length <= SMALL || subtle === undefined) return digestNow(bytes);
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
  return `sha256:${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** The same at once, for little. */
export function digestNow(bytes: Uint8Array): string {
  return withCore((core) => core.sha256(bytes));
}

/** The digest of a text. */
export function digestOfText(text: string): string {
  return digestNow(new TextEncoder().encode(text));
}

/** Its digits, which any store takes as a name. */
export function digits(digest: string): string {
  return digest.slice(digest.indexOf(":") + 1);
}
