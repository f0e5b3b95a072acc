/**
 * Where what was listed really is. A host that opens a directory and lists what it opened can tell;
 * one that lists a path can only ask what the path means a moment later.
 */

/** Names the mark of a host whose own `list` tells. */
export const LISTS_EXACTLY: unique symbol = Symbol("listsExactly");

/** Not a member of listings, which are plain arrays of entries. */
const places = new WeakMap<object, string>();

/** Says where these entries are from. */
export function listedIn<T extends object>(realPath: string, entries: T): T {
  places.set(entries, realPath);
  return entries;
}

/** Where these entries are from, if it was said. */
export function placeOf(entries: object): string | undefined {
  return places.get(entries);
}

/** Whether a host tells. Not one whose `list` somebody has put another one in the place of. */
export function listsExactly(host: object): boolean {
  const tells = (host as { readonly [LISTS_EXACTLY]?: boolean })[LISTS_EXACTLY] === true;
  return tells && !Object.hasOwn(host, "list");
}
