/**
 * What the methods of a host are given: paths and ranges. The core sends no wrong ones; a host
 * checks all the same, since people call hosts too.
 */
import { givenText } from "../given.js";
import type { ByteRange } from "../types.js";

/** A segment that is empty, `.` or `..`, or a NUL anywhere. */
const REFUSED = /(?:^|\/)\.{0,2}(?:\/|$)|\0/;

/** What every path on a host is, but for its root, `""`. */
export const PATH_RULE =
  'paths on a host are relative, with single "/" between names, none of them "." or ".."';

/** A text in quotes, without characters that nobody sees or that a terminal obeys. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** Whether a path has the form of one on a host. */
export function isHostPath(path: string): boolean {
  return path === "" || !REFUSED.test(path);
}

/** Throws a `TypeError` for what cannot be a path on a host. `""` is the root. */
export function checkPath(path: string): void {
  if (typeof path !== "string") {
    throw new TypeError(
      `A path on a host is a string, not ${path === null ? "null" : typeof path}.`,
    );
  }
  if (!isHostPath(path)) throw refusedPath(path, PATH_RULE);
}

/** The error for a path that no host takes. */
export function refusedPath(path: string, rule: string): TypeError {
  const error = new TypeError(`${quoted(path)} is not a path on a host: ${rule}.`);
  return Object.assign(error, { code: "EINVAL", path });
}

/** An error as file systems have them: a code for programs, the problem and the path for people. */
export function failure(code: string, problem: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${problem}: ${quoted(path)}`), { code, path });
}

/** Whether an error of a file system says that nothing is there. */
export function isMissing(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === "ENOENT" || code === "ENOTDIR";
}

/** Throws a `RangeError` for what is no part of any file. */
export function checkRange(range: ByteRange): void {
  const { offset, length } = range ?? {};
  const isLength = Number.isSafeInteger(length) || length === Infinity;
  if (!Number.isSafeInteger(offset) || offset < 0 || !isLength || length < 0) {
    const [many, first] = [givenText(length), givenText(offset)];
    const error = new RangeError(`No file has ${many} bytes from ${first} on.`);
    throw Object.assign(error, { code: "EINVAL" });
  }
}
