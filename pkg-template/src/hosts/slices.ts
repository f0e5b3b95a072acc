/**
 * Reading in slices. What the system has in memory is read at once, in a tenth of the time that a trip
 * to a thread takes, and between the slices everything else gets its turn. A disk that lets one wait is
 * asked by a thread until it answers quickly again, and so is one that nothing was read from for a while.
 */
import type { SyncHost } from "../types.js";
import { turn } from "./turn.js";

/** Names what gives the same host without promises, for hosts whose answers are at hand as a rule. */
export const AT_ONCE: unique symbol = Symbol("atOnce");

/** How long nothing else gets its turn, in milliseconds. What comes after it is short, but not nothing. */
const SLICE = 4;

/** An answer that takes longer was not at hand. */
const QUICK = 5;

/** So long it is believed that a disk is as it was. */
const TRUSTED = 1000;

/** All operations share the thread, so they share its slices. */
let begun = Number.NEGATIVE_INFINITY;
let next: Promise<void> | undefined;

/** Waits for everything else, where nothing else has had its turn for the time of a slice. */
export async function nextSlice(): Promise<void> {
  if (isOver()) await anyTurn();
}

function isOver(): boolean {
  return performance.now() - begun >= SLICE;
}

/** All who wait go on after the same turn, until the slice that begins then is over. */
function anyTurn(): Promise<void> {
  next ??= turn().then(() => {
    next = undefined;
    begun = performance.now();
  });
  return next;
}

/** When hosts have last answered, those whose last answer was quick. */
const quick = new WeakMap<SyncHost, number>();

/** How a host is asked in one operation. */
export class Slices {
  readonly #host: SyncHost | undefined;

  constructor(host: object) {
    this.#host = (host as { readonly [AT_ONCE]?: SyncHost })[AT_ONCE];
  }

  /** Whether it can be asked at once. */
  get atOnce(): boolean {
    return this.#host !== undefined;
  }

  /** What the host gives: at once, if that is quick, or else with promises. */
  async ask<T>(atOnce: (host: SyncHost) => T, later: () => Promise<T>): Promise<T> {
    const host = this.#host;
    if (host === undefined) return later();
    const last = quick.get(host) ?? Number.NEGATIVE_INFINITY;
    const isQuick = performance.now() - last < TRUSTED;
    // Nobody else comes between the last look at the clock and the work.
    while (isQuick && isOver()) await anyTurn();
    const asked = performance.now();
    const answer = isQuick ? atOnce(host) : await later();
    const now = performance.now();
    if (now - asked < QUICK) quick.set(host, now);
    else quick.delete(host);
    return answer;
  }
}
