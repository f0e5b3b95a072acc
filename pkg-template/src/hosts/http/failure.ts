/** Why something could not be fetched, and what may be done about it. */
import { SkillError } from "../../errors.js";
import type { ErrorCode } from "../../types.js";
import { quoted } from "../arguments.js";
import { withoutSecrets } from "../words.js";

/**
 * - `missing`: the server says that nothing is there.
 * - `denied`: the server says no.
 * - `failed`: the server could not be asked, or cannot answer now.
 * - `unusable`: what it answered is not used.
 */
export type FailureKind = "missing" | "denied" | "failed" | "unusable";

export class HttpFailure extends SkillError {
  readonly kind: FailureKind;
  /** Whether the same request may do better soon. */
  readonly isForNow: boolean;
  /** Whether it was waited for in vain. */
  readonly isLate: boolean;
  /** Milliseconds for which the server asks to be left alone. */
  readonly retryAfter: number;

  constructor(
    url: string,
    kind: FailureKind,
    problem: string,
    {
      code = "HOST_FAILED",
      isForNow = false,
      isLate = false,
      retryAfter = 0,
      cause,
    }: FailureFacts = {},
  ) {
    const message = `${shortUrl(url)} ${problem}`;
    super({ code, message, path: shownUrl(url) }, { cause });
    this.kind = kind;
    this.isForNow = isForNow;
    this.isLate = isLate;
    this.retryAfter = retryAfter;
  }
}

interface FailureFacts {
  code?: ErrorCode;
  isForNow?: boolean;
  isLate?: boolean;
  retryAfter?: number;
  cause?: unknown;
}

/** Whether the server could not be asked, or cannot answer now. */
export function isFailed(error: unknown): boolean {
  return error instanceof HttpFailure && error.kind === "failed";
}

/** Whether the server says that something is not there, or not for this host. */
export function isWithdrawn(error: unknown): boolean {
  return error instanceof HttpFailure && (error.kind === "missing" || error.kind === "denied");
}

/** A URL as messages show it: what a model may see has no passwords and no tokens. */
export function shownUrl(url: string): string {
  try {
    const { origin, pathname } = new URL(url);
    return origin + pathname;
  } catch {
    return quoted(withoutSecrets(url));
  }
}

/** More of a URL would hide what is said of it. */
const LONGEST_URL = 120;

/** The same within a sentence: of a long one the beginning and the end. */
export function shortUrl(url: string): string {
  const shown = shownUrl(url);
  if (shown.length <= LONGEST_URL) return shown;
  return `${shown.slice(0, LONGEST_URL / 2)}…${shown.slice(-LONGEST_URL / 2)}`;
}

/** What went wrong, in words. */
export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A code of the system that an error has, such as `ECONNREFUSED`; with a blank before it. */
export function systemCode(error: unknown): string {
  const parts = error as { code?: unknown; cause?: { code?: unknown } | null } | null;
  const code = parts?.cause?.code ?? parts?.code;
  return typeof code === "string" && /^[A-Z0-9_]{1,40}$/.test(code) ? ` (${code})` : "";
}
