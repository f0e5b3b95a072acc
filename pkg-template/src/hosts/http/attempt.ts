/** One try of a request: its times, and its body up to a bound. */
import { aborted } from "../../driver.js";
import { isBytes } from "../../hosts.js";
import { HttpFailure, systemCode } from "./failure.js";
import type { Settings } from "./options.js";

/** What is longer fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Counts what is fetched, and says when it is too much. */
export interface Meter {
  /** How many bytes there may be. */
  limit: number;
  /** The option that raises the limit. */
  limitName: string;
  /** Notes bytes that came; throws when all in all there were too many. */
  count(bytes: number): void;
}

/** What is waited for no longer than a time: the option that has it, and when it is over. */
export interface Patience {
  option: "timeout" | "silence";
  until: number;
}

/** One try: who asks is aborted at its end, and nothing of it is waited for longer than its times say. */
export class Attempt {
  readonly #url: string;
  readonly #settings: Settings;
  readonly #onSign: () => void;
  readonly #controller = new AbortController();
  readonly #end: number;
  readonly #onDispose = (): void => this.#controller.abort();

  /** `onSign` is told whenever something has come. */
  constructor(url: string, settings: Settings, onSign: () => void) {
    this.#url = url;
    this.#settings = settings;
    this.#onSign = onSign;
    this.#end = performance.now() + settings.deadline;
    settings.signal?.addEventListener("abort", this.#onDispose);
    if (settings.signal?.aborted === true) this.#onDispose();
  }

  /** Aborted when the attempt is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends it: nothing goes on in the background. */
  end(): void {
    this.#settings.signal?.removeEventListener("abort", this.#onDispose);
    this.#controller.abort();
  }

  /** An answer to `work`, for which nobody waits longer than that, whoever performs it. */
  async answer<T>(work: () => Promise<T>, { option, until }: Patience): Promise<T> {
    const { signal } = this;
    let finish = (): void => {};
    const over = new Promise<never>((_, fail) => {
      const left = Math.max(0, Math.min(until, this.#end) - performance.now());
      const late = (): void => fail(until < this.#end ? this.#late(option) : this.#endless());
      const timer = setTimeout(late, Math.min(left, LONGEST_TIMER));
      const onAbort = (): void => fail(this.#stopped());
      signal.addEventListener("abort", onAbort);
      if (signal.aborted) onAbort();
      finish = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
    });
    try {
      const answer = await Promise.race([over, work()]);
      this.#onSign();
      return answer;
    } catch (error) {
      if (this.#settings.signal?.aborted === true) throw aborted(this.#settings.signal);
      throw error instanceof HttpFailure ? error : this.#unreachable(error);
    } finally {
      finish();
    }
  }

  /** The whole body, or nothing of it. */
  async body(response: Response, meter: Meter): Promise<Uint8Array> {
    const declared = declaredLength(response);
    if (declared !== undefined && declared > meter.limit) throw this.#tooLarge(meter);
    const bytes = await this.#read(response, meter);
    if (declared !== undefined && declared !== bytes.length) {
      throw this.#failed(`sent ${bytes.length} bytes of ${declared}: nothing of it is used`);
    }
    return bytes;
  }

  async #read(response: Response, meter: Meter): Promise<Uint8Array> {
    const next = <T>(work: () => Promise<T>): Promise<T> =>
      this.answer(work, {
        option: "silence",
        until: performance.now() + this.#settings.silence,
      });
    if (!response.body) {
      const bytes = new Uint8Array(await next(() => response.arrayBuffer()));
      if (bytes.length > meter.limit) throw this.#tooLarge(meter);
      meter.count(bytes.length);
      return bytes;
    }
    const reader = response.body.getReader();
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      for (;;) {
        const { done, value } = await next(() => reader.read());
        if (done) return joined(chunks, size);
        if (!isBytes(value)) throw this.#failed("sent something else than bytes");
        size += value.length;
        if (size > meter.limit) throw this.#tooLarge(meter);
        meter.count(value.length);
        chunks.push(value);
      }
    } finally {
      // What a stream does at its end is nobody's matter any more.
      reader.cancel().catch(() => {});
    }
  }

  #tooLarge({ limit, limitName }: Meter): HttpFailure {
    const problem = `is larger than ${limit} bytes; ${limitName} may be raised`;
    return new HttpFailure(this.#url, "unusable", problem);
  }

  #late(option: Patience["option"]): HttpFailure {
    const what = option === "timeout" ? "gave no answer in" : "sent nothing more for";
    return this.#failed(`${what} ${this.#settings[option] / 1000} s (${option})`);
  }

  /** What is not whole by then would not be so by another try. */
  #endless(): HttpFailure {
    const problem = `was not whole after ${this.#settings.deadline / 1000} s (deadline)`;
    return new HttpFailure(this.#url, "failed", problem);
  }

  #stopped(): HttpFailure {
    return this.#failed("was not waited for");
  }

  #unreachable(cause: unknown): HttpFailure {
    return this.#failed(`could not be fetched${systemCode(cause)}`, cause);
  }

  #failed(problem: string, cause?: unknown): HttpFailure {
    return new HttpFailure(this.#url, "failed", problem, { isForNow: true, cause });
  }
}

/**
 * How long the body is, where that can be known: of a compressed one the length is another, and a
 * browser does not show of other origins whether it was compressed.
 */
function declaredLength({ headers, type }: Response): number | undefined {
  const length = headers.get("content-length") ?? "";
  if (headers.has("content-encoding") || type === "cors" || !/^\d+$/.test(length)) return undefined;
  return Number(length);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
