/** One try of a request: its times, and its body up to a bound. */
import { SkillError } from "../../errors.js";
import { isBytes } from "../../hosts.js";
import { within } from "../../waiting.js";
import { Collector } from "../collector.js";
import { HttpFailure, systemCode } from "./failure.js";
import type { Settings } from "./options.js";

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

/**
 * One try: nothing of it is waited for longer than its times say, whatever `fetch` heeds, and at its
 * end nothing of it goes on.
 */
export class Attempt {
  readonly #url: string;
  readonly #settings: Settings;
  readonly #onSign: () => void;
  readonly #controller = new AbortController();
  readonly #end: number;
  /** Whether the runtime is still asking. */
  #isAsking = false;
  /** An answer whose body nobody has read. */
  #unread: Response | undefined;

  /** `onSign` is told whenever something has come. */
  constructor(url: string, settings: Settings, onSign: () => void) {
    this.#url = url;
    this.#settings = settings;
    this.#onSign = onSign;
    this.#end = performance.now() + settings.deadline;
  }

  /** Aborted when the attempt is over before it has an answer. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Ends it. What has failed already is not aborted: of an answer that it could not decode, Node's
   * `fetch` would tell nobody but the process, which then ends.
   */
  end(): void {
    if (this.#isAsking) this.#controller.abort();
    this.#drop();
  }

  /** The beginning of an answer. */
  async response(ask: () => Promise<Response>, patience: Patience): Promise<Response> {
    this.#drop();
    const response = await this.#answer(async () => {
      this.#isAsking = true;
      try {
        return await ask();
      } finally {
        this.#isAsking = false;
      }
    }, patience);
    if (!isResponse(response)) {
      throw new HttpFailure(this.#url, "unusable", "got something else than a Response from fetch");
    }
    this.#unread = response;
    return response;
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

  /** What `work` comes to, if it does so in time. */
  async #answer<T>(work: () => Promise<T>, { option, until }: Patience): Promise<T> {
    const { signal } = this.#settings;
    const milliseconds = Math.max(0, Math.min(until, this.#end) - performance.now());
    const late = (): HttpFailure => (until < this.#end ? this.#late(option) : this.#endless());
    try {
      const answer = await within(work, { signal, milliseconds, late });
      this.#onSign();
      return answer;
    } catch (error) {
      throw SkillError.isInstance(error) ? error : this.#unreachable(error);
    }
  }

  /** Lets go of an answer that is not wanted. */
  #drop(): void {
    this.#unread?.body?.cancel().catch(() => {});
    this.#unread = undefined;
  }

  async #read(response: Response, meter: Meter): Promise<Uint8Array> {
    const next = <T>(work: () => Promise<T>): Promise<T> =>
      this.#answer(work, {
        option: "silence",
        until: performance.now() + this.#settings.silence,
      });
    this.#unread = undefined;
    const all = new Collector();
    const take = async (piece: unknown): Promise<void> => {
      if (!isBytes(piece)) throw this.#failed("sent something else than bytes");
      if (all.size + piece.length > meter.limit) throw this.#tooLarge(meter);
      meter.count(piece.length);
      await all.add(piece);
    };
    if (!response.body) {
      await next(async () => take(new Uint8Array(await response.arrayBuffer())));
      return all.end();
    }
    const reader = response.body.getReader();
    try {
      for (;;) {
        const { done, value } = await next(() => reader.read());
        if (done) return all.end();
        await next(() => take(value));
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
    const problem = `${what} ${this.#settings[option] / 1000} s (${option})`;
    return new HttpFailure(this.#url, "failed", problem, { isForNow: true, isLate: true });
  }

  /** What is not whole by then would not be so by another try. */
  #endless(): HttpFailure {
    const problem = `was not whole after ${this.#settings.deadline / 1000} s (deadline)`;
    return new HttpFailure(this.#url, "failed", problem);
  }

  #unreachable(cause: unknown): HttpFailure {
    const reason = systemCode(cause) || (isPage ? NOT_TOLD : "");
    return this.#failed(`could not be fetched${reason}`, cause);
  }

  #failed(problem: string, cause?: unknown): HttpFailure {
    return new HttpFailure(this.#url, "failed", problem, { isForNow: true, cause });
  }
}

/** Browsers tell no script why they could not fetch. */
const isPage = typeof document === "object" || typeof XMLHttpRequest === "function";
const NOT_TOLD = ": it is not there, or it does not let this page read it (CORS)";

/** Whether it is one, of whichever realm. */
function isResponse(value: unknown): value is Response {
  if (typeof value !== "object" || value === null) return false;
  const { status, headers } = value as Partial<Response>;
  return typeof status === "number" && typeof headers?.get === "function";
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
