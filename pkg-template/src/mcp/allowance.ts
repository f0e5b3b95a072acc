/** How much a server may send that nobody has asked for. */

/** An amount that is used up, and comes back as time goes by. */
export class Allowance {
  readonly #most: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  /** A quarter of `most` comes back in a second; `now` tells milliseconds. */
  constructor(most: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#now = now;
    this.#left = most;
    this.#at = now();
  }

  /** Takes so much. Whether there was as much. */
  take(amount: number): boolean {
    const now = this.#now();
    const back = ((now - this.#at) / 1000) * (this.#most / 4);
    this.#at = now;
    this.#left = Math.min(this.#most, this.#left + back) - amount;
    return this.#left >= 0;
  }
}
