// What becomes of work that is asked for again while it is under way.

/** Of several runs only the latest counts. */
export class Latest {
  #runs = 0;

  /** Begins a run; tells, as often as it is asked, whether no later one has begun. */
  begin(): () => boolean {
    this.#runs += 1;
    const run = this.#runs;
    return () => run === this.#runs;
  }
}

/**
 * Runs one at a time. Of what is given meanwhile the last about each thing is done next, and what that
 * has overtaken never.
 */
export class OneAtATime<Given extends object> {
  readonly #work: (given: Given) => Promise<void>;
  readonly #thing: (given: Given) => unknown;
  readonly #waiting = new Map<unknown, Given>();
  #running: Given | undefined;

  /** `thing` tells what it is about; without it all is about the same. */
  constructor(work: (given: Given) => Promise<void>, thing: (given: Given) => unknown = () => 0) {
    this.#work = work;
    this.#thing = thing;
  }

  /**
   * Settles once there is nothing left to do, and fails then if something has failed; settles at once where a
   * run is under way, which goes on with it.
   */
  async do(given: Given): Promise<void> {
    this.#waiting.set(this.#thing(given), given);
    if (this.#running !== undefined) return;
    let failed: { error: unknown } | undefined;
    for (const [thing, next] of this.#waiting) {
      this.#waiting.delete(thing);
      this.#running = next;
      try {
        await this.#work(next);
      } catch (error) {
        // What waits is about other things, and is done all the same.
        failed ??= { error };
      }
    }
    this.#running = undefined;
    if (failed) throw failed.error;
  }

  /** Whether nothing is under way, and nothing waits. */
  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** What was given last about a thing, as long as it waits or is under way. */
  latest(thing: unknown): Given | undefined {
    const running = this.#running;
    const isRunning = running !== undefined && this.#thing(running) === thing;
    return this.#waiting.get(thing) ?? (isRunning ? running : undefined);
  }

  /** What waits about a thing is not done any more. */
  drop(thing: unknown): void {
    this.#waiting.delete(thing);
  }
}
