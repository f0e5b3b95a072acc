/**
 * What is fetched between two refreshes: each URL is asked once at most, all who want it at the same
 * time share one request, and only what was checked is given.
 */
import { SkillError } from "../../errors.js";
import type { Answer, Kept } from "./cache.js";
import { digestOf } from "./digest.js";
import { HttpFailure, isFailed, problemOf, shortUrl, shownUrl } from "./failure.js";
import { freshness, isPage } from "./headers.js";
import { latest, nothingNew, recalled, type Sources } from "./latest.js";
import type { HttpLimits } from "./options.js";
import type { Trouble } from "./plan.js";
import type { Received } from "./requester.js";

/** Something that can be fetched. */
export interface Remote {
  url: string;
  /** Of its bytes, where the index says it: then it is this content or none. */
  digest?: string | undefined;
  /** Which bound it has. */
  of: keyof HttpLimits;
  /** Whether it may be a page for people. */
  isPage?: boolean;
}

/** How long a failure is one for everybody who asks: a scan asks twice for what it cannot read. */
const FAILURE_LASTS = 5_000;

/** Has a failure forgotten, when it is time to try again. */
export function afterFailure(forget: () => unknown): void {
  const timer: unknown = setTimeout(forget, FAILURE_LASTS);
  // In Node, waiting for that keeps nothing alive.
  (timer as { unref?(): void }).unref?.();
}

/** What is known of content. */
export type Facts = Pick<Answer, "digest" | "size">;

export class Round {
  readonly #sources: Sources;
  /** Why nothing is asked for that was fetched before: the index could not be fetched. */
  readonly #offline: string | undefined;
  /** Whether what is said to be fresh is asked for all the same. */
  readonly #isRefresh: boolean;
  /** What was fetched earlier and could not be asked for again. */
  readonly stale: Trouble[] = [];
  /** By URL and digest. */
  readonly #settled = new Map<string, Facts>();
  readonly #running = new Map<string, Promise<Kept>>();

  constructor(
    sources: Sources,
    { offline, isRefresh }: { offline: string | undefined; isRefresh: boolean },
  ) {
    this.#sources = sources;
    this.#offline = offline;
    this.#isRefresh = isRefresh;
  }

  /** Notes that what was fetched earlier is used, and why. */
  addStale(url: string, problem: string): void {
    this.stale.push({ kind: "stale", url: shownUrl(url), problem });
  }

  /** What is known of some content, which is fetched if need be. */
  async facts(remote: Remote): Promise<Facts> {
    return this.#settled.get(keyOf(remote)) ?? (await this.#shared(remote)).answer;
  }

  /** Some content, which is fetched if need be. */
  async content(remote: Remote): Promise<Uint8Array> {
    const known = this.#settled.get(keyOf(remote));
    const bytes = known && (await this.#sources.cache.content(known.digest));
    return bytes ?? (await this.#shared(remote)).bytes;
  }

  #shared(remote: Remote): Promise<Kept> {
    const key = keyOf(remote);
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#settle(remote);
      this.#running.set(key, running);
      const forget = (): boolean => this.#running.delete(key);
      running.then(forget, () => afterFailure(forget));
    }
    return running;
  }

  async #settle(remote: Remote): Promise<Kept> {
    const { digest } = remote;
    const kept = await (digest === undefined
      ? this.#latest(remote)
      : this.#exactly(remote, digest));
    this.#settled.set(keyOf(remote), { digest: kept.answer.digest, size: kept.answer.size });
    return kept;
  }

  /** The content of a digest: it never changes, so it is fetched once for ever. */
  async #exactly({ url, of }: Remote, digest: string): Promise<Kept> {
    const { cache, requester } = this.#sources;
    const before = await cache.content(digest);
    if (before !== undefined) {
      return { answer: { from: url, digest, size: before.length, freshUntil: 0 }, bytes: before };
    }
    this.#checkOnline(url);
    const { bytes, headers } = withContent(url, await requester.get(url, of));
    const found = await digestOf(bytes);
    if (found !== digest) throw mismatch(url, digest, found, headers);
    const { isStored } = freshness(headers, Date.now());
    await cache.keepContent(digest, bytes, isStored);
    return { answer: { from: url, digest, size: bytes.length, freshUntil: 0 }, bytes };
  }

  /** The content of a URL, as it is now as far as that can be told. */
  async #latest(remote: Remote): Promise<Kept> {
    const { url } = remote;
    const before = await recalled(this.#sources, url);
    const isFresh = before !== undefined && before.answer.freshUntil > Date.now();
    if (isFresh && !this.#isRefresh) return before;
    if (before !== undefined && this.#offline !== undefined) {
      this.addStale(url, this.#offline);
      return before;
    }
    this.#checkOnline(url);
    try {
      const check = (_: Uint8Array, received: Received): void => checkPage(remote, received);
      return (await latest(this.#sources, remote, before, check)).kept;
    } catch (error) {
      if (before === undefined || !isFailed(error)) throw error;
      this.addStale(url, problemOf(error));
      return before;
    }
  }

  #checkOnline(url: string): void {
    if (this.#offline === undefined) return;
    throw new HttpFailure(url, "failed", `is not asked for until a refresh: ${this.#offline}`);
  }
}

/** What tells remotes apart. */
export function keyOf({ url, digest = "" }: Remote): string {
  return `${digest} ${url}`;
}

function withContent(url: string, received: Received): Received & { bytes: Uint8Array } {
  const { bytes } = received;
  if (bytes === undefined) throw nothingNew(url);
  return { ...received, bytes };
}

/** Many servers answer with a page for people where nothing is. */
function checkPage({ url, isPage: mayBePage }: Remote, { bytes, headers }: Received): void {
  if (bytes === undefined || mayBePage === true || !isPage(headers)) return;
  throw new HttpFailure(url, "unusable", "is an HTML page, not the file that it should be");
}

function mismatch(url: string, expected: string, found: string, headers: Headers): SkillError {
  return new SkillError({
    code: "DIGEST_MISMATCH",
    message:
      `${shortUrl(url)} is not what its index says, so nothing of it is used: the digest is ` +
      `${shownDigest(found)}, not ${shownDigest(expected)}${unpackedOnTheWay(headers)}`,
    path: shownUrl(url),
  });
}

/** Some servers say of a `.gz` file that it is another one in gzip, and runtimes unpack it. */
function unpackedOnTheWay(headers: Headers): string {
  if (!headers.has("content-encoding")) return "";
  return (
    ". It came with the header Content-Encoding, so it was unpacked before its digest was taken: " +
    "if it is an archive, have the server send it without that header"
  );
}

/** So much of a digest as tells two apart. */
function shownDigest(digest: string): string {
  return `${digest.slice(0, "sha256:".length + 12)}…`;
}
