/** Requests: to allowed origins only, a few at a time, and again where that may help. */
import { pause } from "../../waiting.js";
import { Attempt, type Meter, type Patience } from "./attempt.js";
import { HttpFailure } from "./failure.js";
import { retryAfter } from "./headers.js";
import type { HttpLimits, Settings } from "./options.js";

/** What was fetched. */
export interface Received {
  /** Where it came from in the end. */
  url: string;
  headers: Headers;
  /** Nothing where it is what the validators say. */
  bytes: Uint8Array | undefined;
}

/** What tells whether something is still the same. */
export interface Validators {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** What is worth another try. */
const FOR_NOW: readonly number[] = [429, 502, 503, 504];
const HIDDEN =
  "redirects, and this runtime does not tell where to, so that it is not followed: ask for the URL " +
  "that it leads to, or pass redirects, if it may be asked for whatever that is";
/** The first wait before another try; each further one is twice as long. */
const FIRST_WAIT = 250;

export class Requester {
  readonly #settings: Settings;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #received = 0;
  #lastSign = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** When something came last, as `Date.now()` has it. */
  get lastSign(): number {
    return this.#lastSign;
  }

  /** From now on `limits.total` counts from the beginning. */
  beginAnew(): void {
    this.#received = 0;
  }

  /** Whether anything may be fetched from a URL. */
  allows(url: URL): boolean {
    return this.reasonAgainst(url) === undefined;
  }

  /** Why nothing is fetched from a URL, where that is so. */
  reasonAgainst({ protocol, origin, username, password }: URL): string | undefined {
    const isHttp = protocol === "https:" || protocol === "http:";
    if (!isHttp) return `nothing is fetched from ${protocol}`;
    if (!this.#settings.origins.has(origin)) return `nothing is fetched from ${origin}`;
    const isNamed = username !== "" || password !== "";
    return isNamed ? "it has a user name or a password" : undefined;
  }

  /** Fetches a URL; where something of it is kept, only if it is another by now. */
  async get(url: string, of: keyof HttpLimits, kept?: Validators): Promise<Received> {
    await this.#enter();
    try {
      return await this.#persist(url, of, kept);
    } finally {
      this.#leave();
    }
  }

  async #persist(
    url: string,
    of: keyof HttpLimits,
    kept: Validators | undefined,
  ): Promise<Received> {
    const { retries, retryAfter: most, signal } = this.#settings;
    let validators = kept ?? {};
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.#try(url, of, validators);
      } catch (error) {
        if (!(error instanceof HttpFailure) || !error.isForNow || tries >= retries) throw error;
        // What is kept is good enough where nobody answers.
        if (error.retryAfter > most || (error.isLate && kept !== undefined)) throw error;
        await pause(Math.max(error.retryAfter, backoff(tries)), signal);
        // A server that refuses conditions of other origins makes browsers fail without a reason.
        validators = {};
      }
    }
  }

  async #try(url: string, of: keyof HttpLimits, validators: Validators): Promise<Received> {
    const attempt = new Attempt(url, this.#settings, () => {
      this.#lastSign = Date.now();
    });
    try {
      const { response, from } = await this.#follow(url, validators, attempt);
      const { status, headers } = response;
      if (status === 304 && isConditional(validators))
        return { url: from, headers, bytes: undefined };
      if (status !== 200) throw statusFailure(url, response);
      return { url: from, headers, bytes: await attempt.body(response, this.#meter(url, of)) };
    } finally {
      attempt.end();
    }
  }

  /** The answer at the end of all redirects, each of which must lead to an allowed origin. */
  async #follow(
    url: string,
    validators: Validators,
    attempt: Attempt,
  ): Promise<{ response: Response; from: string }> {
    const { timeout, redirects, hiddenRedirects } = this.#settings;
    const patience: Patience = { option: "timeout", until: performance.now() + timeout };
    const send = (to: string, isBlind: boolean): Promise<Response> =>
      attempt.response(() => this.#send(to, validators, attempt.signal, isBlind), patience);
    let from = url;
    for (let hops = 0; ; hops += 1) {
      this.#check(url, new URL(from));
      let response = await send(from, false);
      // Browsers do not say where a redirect leads. Where the caller wants it all the same, it is
      // followed without anything of the caller's, and judged where it ended.
      if (response.type === "opaqueredirect") {
        if (!hiddenRedirects) throw new HttpFailure(url, "unusable", HIDDEN);
        response = await send(from, true);
      }
      if (response.type === "opaque" || response.type === "error") {
        throw new HttpFailure(url, "unusable", "gave an answer that may not be read (CORS)");
      }
      if (response.url) {
        from = response.url;
        this.#check(url, new URL(from));
      }
      if (!REDIRECTS.includes(response.status)) return { response, from };
      if (hops >= redirects) {
        const problem = `redirects more than ${redirects} times in a row`;
        throw new HttpFailure(url, "unusable", problem);
      }
      from = locationOf(url, from, response);
    }
  }

  #check(url: string, to: URL): void {
    const reason = this.reasonAgainst(to);
    if (reason === undefined) return;
    const remedy = "name its origin in origins if you trust it";
    throw new HttpFailure(
      url,
      "unusable",
      `leads to a URL that is not asked: ${reason}; ${remedy}`,
    );
  }

  async #send(
    url: string,
    { etag, lastModified }: Validators,
    signal: AbortSignal,
    isBlind: boolean,
  ): Promise<Response> {
    const { fetch, headers: own, base } = this.#settings;
    const headers = new Headers(isBlind || new URL(url).origin !== base.origin ? [] : own);
    if (etag !== undefined) headers.set("if-none-match", etag);
    if (lastModified !== undefined) headers.set("if-modified-since", lastModified);
    // Some runtimes refuse to hear of credentials at all.
    return isBlind
      ? fetch(url, { headers, redirect: "follow", credentials: "omit", signal })
      : fetch(url, { headers, redirect: "manual", signal });
  }

  #meter(url: string, of: keyof HttpLimits): Meter {
    const { limits } = this.#settings;
    return {
      limit: limits[of],
      limitName: `limits.${of}`,
      count: (bytes) => {
        this.#received += bytes;
        if (this.#received > limits.total) {
          const problem = `is too much beside the rest: limits.total allows ${limits.total} bytes`;
          throw new HttpFailure(url, "unusable", problem);
        }
      },
    };
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#settings.concurrency) {
      this.#running += 1;
      return;
    }
    await new Promise<void>((begin) => this.#waiting.push(begin));
  }

  /** Gives the place to the one who waits longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

function isConditional({ etag, lastModified }: Validators): boolean {
  return etag !== undefined || lastModified !== undefined;
}

function locationOf(url: string, from: string, { status, headers }: Response): string {
  const location = headers.get("location");
  try {
    if (location !== null) return new URL(location, from).href;
  } catch {
    // Told below.
  }
  throw new HttpFailure(url, "unusable", `answered with status ${status} and no place to go`);
}

function statusFailure(url: string, { status, headers }: Response): HttpFailure {
  const problem = `answered with status ${status}`;
  if (status === 404 || status === 410) {
    return new HttpFailure(url, "missing", problem, { code: "FILE_NOT_FOUND" });
  }
  if (status === 401 || status === 403) {
    return new HttpFailure(url, "denied", `${problem}; what it asks for can be passed in headers`);
  }
  const isForNow = FOR_NOW.includes(status);
  if (isForNow || status === 408 || status >= 500) {
    const wait = retryAfter(headers, Date.now());
    return new HttpFailure(url, "failed", problem, { isForNow, retryAfter: wait });
  }
  return new HttpFailure(url, status >= 400 ? "denied" : "unusable", problem);
}

/** Not the same for everyone, or all would come back at the same moment. */
function backoff(tries: number): number {
  return FIRST_WAIT * 2 ** tries * (0.5 + Math.random());
}
