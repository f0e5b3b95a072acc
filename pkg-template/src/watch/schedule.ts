/** When a watcher is at work: once after a burst of changes, and never twice at the same time. */

/** A burst that does not end is cut after so many times of the quiet that would end it. */
const LONGEST_BURST = 10;

export interface ScheduleOptions {
  /** Milliseconds of quiet that end a burst of requests. */
  debounce: number;
  /** Milliseconds after which the work is done again unasked; 0 for never. */
  poll: number;
  /** Whether waiting keeps the process alive. */
  persistent: boolean;
}

export class Schedule {
  readonly #work: () => Promise<void>;
  readonly #options: ScheduleOptions;
  #timer: NodeJS.Timeout | undefined;
  /** When the burst began that the timer waits for; nothing where it waits for no burst. */
  #burst: number | undefined;
  #running: Promise<void> | undefined;
  #isRequested = false;
  #isClosed = false;

  /** `work` does not reject. */
  constructor(work: () => Promise<void>, options: ScheduleOptions) {
    this.#work = work;
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Has the work done soon, and once more where it is under way: it may have seen one half. */
  request(): void {
    if (this.#isClosed) return;
    if (this.#running !== undefined) {
      this.#isRequested = true;
      return;
    }
    const { debounce } = this.#options;
    const now = performance.now();
    if (this.#burst === undefined) {
      this.#burst = now;
      this.#wait(debounce);
    } else if (now - this.#burst < debounce * LONGEST_BURST) {
      this.#timer?.refresh();
    }
  }

  /** Does the work now. */
  run(): Promise<void> {
    clearTimeout(this.#timer);
    this.#burst = undefined;
    this.#isRequested = false;
    this.#running = this.#work().finally(() => {
      this.#running = undefined;
      this.#goOn();
    });
    return this.#running;
  }

  /** Has the work, when it is over, done again unasked from now on. */
  poll(milliseconds: number): void {
    this.#options.poll = milliseconds;
  }

  /** Ends it: what is under way is waited for, what was only requested is not done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #goOn(): void {
    if (this.#isClosed) return;
    const { poll } = this.#options;
    if (this.#isRequested) this.request();
    else if (poll > 0) this.#wait(poll);
  }

  #wait(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.run(), milliseconds);
    if (!this.#options.persistent) this.#timer.unref();
  }
}
