// Imported before the package: what it waits for, it waits for as short as can be.

/** How long it would have waited, in milliseconds. */
export const pauses: unknown[] = [];

globalThis.setTimeout = ((act: () => void, pause: unknown): unknown => {
  pauses.push(pause);
  return setImmediate(act);
}) as typeof setTimeout;
