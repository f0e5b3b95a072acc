// How a list differs from what it was, as one piece of it: what follows a key is about few of thousands.

/** At a place so many are gone, and these have come. */
export interface Splice<Item> {
  at: number;
  gone: number;
  come: Item[];
}

/** What makes the second list of the first. */
export function difference<Item>(
  before: readonly Item[],
  after: readonly Item[],
  isSame: (a: Item, b: Item) => boolean,
): Splice<Item> {
  const same = (a: Item | undefined, b: Item | undefined) =>
    a !== undefined && b !== undefined && isSame(a, b);
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && same(before[at], after[at])) at += 1;
  let rest = 0;
  while (rest < shorter - at && same(before.at(-1 - rest), after.at(-1 - rest))) rest += 1;
  return { at, gone: before.length - at - rest, come: after.slice(at, after.length - rest) };
}

/** The list that the splice makes; the very same where it changes nothing. */
export function spliced<Item>(list: Item[], { at, gone, come }: Splice<Item>): Item[] {
  if (gone === 0 && come.length === 0) return list;
  return [...list.slice(0, at), ...come, ...list.slice(at + gone)];
}
