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

export class Attempt {
  readonly #url: string;
  readonly #settings: Settings;
  readonly #controller = new AbortController();
  readonly #end: number;
  readonly #onDispose = (): void => this.#controller.abort();

  constructor(url: string, settings: Settings) {
    this.#url = url;
    this.#settings = settings;
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

  /** An answer to `work`, for which nobody waits longer than a time, whoever performs it. */
  async answer<T>(work: () => Promise<T>, milliseconds: number): Promise<T> {
    const { signal } = this;
    let finish = (): void => {};
    const over = new Promise<never>((_, fail) => {
      const left = Math.max(0, Math.min(milliseconds, this.#end - performance.now()));
      const timer = setTimeout(() => fail(this.#late(left)), Math.min(left, LONGEST_TIMER));
      const onAbort = (): void => fail(this.#stopped());
      signal.addEventListener("abort", onAbort);
      if (signal.aborted) onAbort();
      finish = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
    });
    try {
      return await Promise.race([over, work()]);
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
    const { silence } = this.#settings;
    if (!response.body) {
      const bytes = new Uint8Array(await this.answer(() => response.arrayBuffer(), silence));
      if (bytes.length > meter.limit) throw this.#tooLarge(meter);
      meter.count(bytes.length);
      return bytes;
    }
    const reader = response.body.getReader();
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      for (;;) {
        const { done, value } = await this.answer(() => reader.read(), silence);
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

  #late(milliseconds: number): HttpFailure {
    return this.#failed(`gave no answer in ${Math.round(milliseconds) / 1000} s`);
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
