/**
 * How much is asked of each host at the same time, and for how long it is waited for: a host that
 * is slow or never answers holds nobody else up.
 */
import { SkillError } from "./errors.js";
import { Slices } from "./hosts/slices.js";
import { type AnyHost, LAST_SIGN } from "./hosts.js";
import { type Answer, failureAnswer } from "./replies.js";
import { LONGEST_TIMER } from "./waiting.js";

/** What is expected of a host. Times are milliseconds. */
export interface Pace {
  /** Requests at a time. */
  readonly concurrency: number;
  /** In which it has to answer something. */
  readonly timeout: number;
  /** Which it may take for all that one operation asks of it. */
  readonly deadline: number;
}

/** The lanes of one operation: one for each host, and one for what no host is asked for. */
export class Lanes {
  readonly #pace: Pace;
  readonly #hosts: { get(number: number): AnyHost | undefined };
  readonly #lanes = new Map<number | undefined, Lane>();
  /** Whether a host is asked in slices. */
  inSlices = false;

  constructor(pace: Pace, hosts: { get(number: number): AnyHost | undefined }) {
    this.#pace = pace;
    this.#hosts = hosts;
  }

  /** The lane of a host; that of the runtime and of servers, whose bounds are their own. */
  of(number: number | undefined): Lane {
    let lane = this.#lanes.get(number);
    if (lane === undefined) {
      lane =
        number === undefined
          ? new Lane({ ...this.#pace, ...UNBOUNDED })
          : new Lane(this.#pace, this.#hosts.get(number));
      this.#lanes.set(number, lane);
      this.inSlices ||= lane.slices?.atOnce === true;
    }
    return lane;
  }
}

const UNBOUNDED = { timeout: Infinity, deadline: Infinity };

/** What one host is asked for in one operation. */
class Lane {
  readonly #pace: Pace;
  readonly #host: { [LAST_SIGN]?(): number } | undefined;
  /** Given up for the rest of the operation, or each of its batches would wait as long again. */
  #isGivenUp = false;
  /** What the batches before have taken. */
  #spent = 0;
  #lastAnswer = 0;
  /** How the host is asked. */
  readonly slices: Slices | undefined;
  /** The answer to what is asked of a host that was given up. */
  unanswered: Answer = failureAnswer(undefined);

  constructor(pace: Pace, host?: AnyHost) {
    this.#pace = pace;
    this.#host = host as { [LAST_SIGN]?(): number } | undefined;
    this.slices = host && new Slices(host);
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
    const begun = Date.now();
    this.#lastAnswer = begun;
    const workers = Array.from({ length: Math.min(this.#pace.concurrency, tasks.length) }, worker);
    await this.#inTime(Promise.all(workers), begun);
    this.#spent += Date.now() - begun;
  }

  /** When it answered, or something came that its answer is made of. */
  #lastSign(): number {
    return Math.max(this.#lastAnswer, this.#host?.[LAST_SIGN]?.() ?? 0);
  }

  /** Waits for `work`, as long as answers come from time to time, and for no longer than all may take. */
  async #inTime(work: Promise<unknown>, begun: number): Promise<void> {
    const { timeout, deadline } = this.#pace;
    if (timeout === Infinity) {
      await work;
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((stop) => {
      const look = (): void => {
        const now = Date.now();
        const silence = this.#lastSign() + timeout - now;
        const rest = begun + deadline - this.#spent - now;
        if (silence > 0 && rest > 0) {
          timer = setTimeout(look, Math.min(silence, rest, LONGEST_TIMER));
          return;
        }
        this.#giveUp(
          silence <= 0
            ? `the host gave no answer in ${timeout / 1000} s (limits.timeout)`
            : `the host did not answer all in ${deadline / 1000} s (limits.deadline)`,
        );
        stop();
      };
      look();
    });
    try {
      await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #giveUp(message: string): void {
    this.#isGivenUp = true;
    this.unanswered = failureAnswer(new SkillError({ code: "HOST_FAILED", message }));
  }
}
