/** Questions whether servers may be started: one at a time, and once for each configuration. */

import type { ServerApproval, SkillServerOptions } from "../mcp.js";
import { within } from "../waiting.js";
import { ServerFailure } from "./failure.js";

/** A question that is not answered yet. */
interface Question {
  readonly answer: Promise<boolean>;
  readonly abort: AbortController;
  /** Who waits for its answer: several loads may ask the same. */
  waiting: number;
}

export class Approvals {
  readonly #approve: SkillServerOptions["approve"];
  /** What was said, by exactly what was asked. */
  readonly #said = new Map<string, boolean>();
  readonly #open = new Map<string, Question>();
  /** The end of the last question. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(approve: SkillServerOptions["approve"]) {
    this.#approve = approve;
  }

  /**
   * The answer. Whoever does not wait any more leaves the question to those who still do. A person who
   * said no is asked `anew` where a person wants the skill.
   */
  async of(asked: ServerApproval, anew: boolean, signal: AbortSignal): Promise<boolean> {
    if (this.#isClosed) throw new ServerFailure("closed");
    const key = JSON.stringify(asked);
    const said = this.#said.get(key);
    if (said === true || (said === false && !anew)) return said;
    const question = this.#open.get(key) ?? this.#asking(key, asked);
    question.waiting += 1;
    try {
      return await untilLeft(question.answer, signal);
    } finally {
      question.waiting -= 1;
      if (question.waiting === 0 && this.#open.get(key) === question) this.#drop(key, question);
    }
  }

  /** Ends all questions. Nobody waits for an answer any more. */
  close(): void {
    this.#isClosed = true;
    for (const [key, question] of this.#open) this.#drop(key, question);
  }

  #asking(key: string, asked: ServerApproval): Question {
    const abort = new AbortController();
    const answer = this.#last.then(() => this.#answer(asked, abort.signal));
    const question = { answer, abort, waiting: 0 };
    this.#open.set(key, question);
    const settle = (): void => {
      if (this.#open.get(key) === question) this.#open.delete(key);
    };
    // A failure is no answer: it is asked again.
    this.#last = answer.then((said) => {
      this.#said.set(key, said);
      settle();
    }, settle);
    return question;
  }

  async #answer(asked: ServerApproval, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) throw new ServerFailure("closed");
    try {
      const said = (async () => this.#approve(asked, { signal }))();
      return (await untilLeft(said, signal)) === true;
    } catch (error) {
      throw error instanceof ServerFailure ? error : new ServerFailure("approval");
    }
  }

  #drop(key: string, { abort }: Question): void {
    this.#open.delete(key);
    abort.abort();
  }
}

/** What comes, unless nobody waits for it any more. */
function untilLeft<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return within(() => work, { signal, left: () => new ServerFailure("closed") });
}
