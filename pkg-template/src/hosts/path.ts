/**
 * The paths that hosts take: relative, `/` between segments. The core sends no others; a host
 * checks all the same, since people call hosts too.
 */

/** A segment that is empty, `.` or `..`, or a NUL anywhere. */
const REFUSED = /(?:^|\/)\.{0,2}(?:\/|$)|\0/;

/** Throws a `TypeError` for what cannot be a path on a host. `""` is the root. */
export function checkPath(path: string): void {
  if (typeof path !== "string") {
    throw new TypeError(`A path on a host is a string, not ${path === null ? "null" : typeof path}.`);
  }
  if (path !== "" && REFUSED.test(path)) {
    throw refusedPath(path, 'it is relative, with single "/" between names, and no name is "." or ".."');
  }
}

/** The error for a path that no host takes. */
export function refusedPath(path: string, rule: string): TypeError {
  const error = new TypeError(`${JSON.stringify(path)} is not a path on a host: ${rule}.`);
  return Object.assign(error, { code: "EINVAL", path });
}
