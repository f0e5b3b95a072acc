/**
 * How much is asked of each host at the same time, and for how long it is waited for: a host that
 * is slow or never answers holds nobody else up.
 */
import { SkillError } from "./errors.js";
import { type Answer, failureAnswer } from "./replies.js";

/** The lanes of one operation: one for each host, and one for what no host is asked for. */
export class Lanes {
  /** The answer of a host that was given up. */
  readonly unanswered: Answer;
  readonly #most: number;
  readonly #timeout: number;
  readonly #lanes = new Map<number | undefined, Lane>();

  /**
   * @param most requests at a time to a host.
   * @param timeout milliseconds in which a host has to answer something.
   */
  constructor(most: number, timeout: number) {
    this.#most = most;
    this.#timeout = timeout;
    this.unanswered = failureAnswer(
      new SkillError({
        code: "HOST_FAILED",
        message: `the host gave no answer in ${timeout / 1000} s (limits.timeout)`,
      }),
    );
  }

  of(host: number | undefined): Lane {
    let lane = this.#lanes.get(host);
    if (lane === undefined) {
      // What the runtime and servers of skills are asked for has bounds of its own.
      lane = new Lane(this.#most, host === undefined ? Infinity : this.#timeout);
      this.#lanes.set(host, lane);
    }
    return lane;
  }
}

/** What is longer fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

class Lane {
  readonly #most: number;
  readonly #timeout: number;
  /** Given up for the rest of the operation, or each of its batches would wait as long again. */
  #isGivenUp = false;
  #lastAnswer = 0;

  constructor(most: number, timeout: number) {
    this.#most = most;
    this.#timeout = timeout;
  }

  /** Runs tasks until all have ended, the host is given up, or the signal says stop. */
  async run(
    tasks: readonly (() => Promise<void>)[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < tasks.length && !this.#isGivenUp && signal?.aborted !== true) {
        const task = tasks[next];
        next += 1;
        await task?.();
        this.#lastAnswer = Date.now();
      }
    };
    const workers = Array.from({ length: Math.min(this.#most, tasks.length) }, worker);
    await this.#whileItAnswers(Promise.all(workers));
  }

  /** Waits for `work`, as long as an answer comes from time to time. */
  async #whileItAnswers(work: Promise<unknown>): Promise<void> {
    if (this.#timeout === Infinity) {
      await work;
      return;
    }
    this.#lastAnswer = Date.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<void>((giveUp) => {
      const look = (): void => {
        const left = this.#lastAnswer + this.#timeout - Date.now();
        if (left > 0) {
          timer = setTimeout(look, Math.min(left, LONGEST_TIMER));
          return;
        }
        this.#isGivenUp = true;
        giveUp();
      };
      timer = setTimeout(look, Math.min(this.#timeout, LONGEST_TIMER));
    });
    try {
      await Promise.race([work, silence]);
    } finally {
      clearTimeout(timer);
    }
  }
}
