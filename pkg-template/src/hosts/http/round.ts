/**
 * What is fetched between two refreshes: each URL is asked once at most, all who want it at the same
 * time share one request, and only what was checked is given.
 */
import { SkillError } from "../../errors.js";
import type { Answer, Cache, Kept } from "./cache.js";
import { digestOf } from "./digest.js";
import { HttpFailure, problemOf, shownUrl } from "./failure.js";
import { freshness, isPage } from "./headers.js";
import type { HttpLimits } from "./options.js";
import type { Received, Requester } from "./requester.js";

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

/** Something that was fetched earlier and could not be asked for again. */
export interface Stale {
  /** As messages show it. */
  url: string;
  problem: string;
}

export class Round {
  readonly #requester: Requester;
  readonly #cache: Cache;
  /** Why nothing is asked for that was fetched before: the index could not be fetched. */
  readonly #offline: string | undefined;
  readonly stale: Stale[] = [];
  /** By URL and digest. */
  readonly #settled = new Map<string, Facts>();
  readonly #running = new Map<string, Promise<Kept>>();

  constructor(requester: Requester, cache: Cache, offline?: string) {
    this.#requester = requester;
    this.#cache = cache;
    this.#offline = offline;
  }

  /** What is known of some content, which is fetched if need be. */
  async facts(remote: Remote): Promise<Facts> {
    return this.#settled.get(keyOf(remote)) ?? (await this.#shared(remote)).answer;
  }

  /** Some content, which is fetched if need be. */
  async content(remote: Remote): Promise<Uint8Array> {
    const known = this.#settled.get(keyOf(remote));
    const bytes = known && (await this.#cache.content(known.digest));
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
    const before = await this.#cache.content(digest);
    if (before !== undefined) {
      return { answer: { from: url, digest, size: before.length, freshUntil: 0 }, bytes: before };
    }
    this.#checkOnline(url);
    const { bytes, headers } = withContent(url, await this.#requester.get(url, of));
    const found = await digestOf(bytes);
    if (found !== digest) throw mismatch(url, digest, found, headers);
    const { isStored } = freshness(headers, Date.now());
    await this.#cache.keepContent(digest, bytes, isStored);
    return { answer: { from: url, digest, size: bytes.length, freshUntil: 0 }, bytes };
  }

  /** The content of a URL, as it is now as far as that can be told. */
  async #latest(remote: Remote): Promise<Kept> {
    const { url, of } = remote;
    const before = await recalled(this.#cache, this.#requester, url);
    if (before !== undefined && before.answer.freshUntil > Date.now()) return before;
    if (before !== undefined && this.#offline !== undefined) {
      this.stale.push({ url: shownUrl(url), problem: this.#offline });
      return before;
    }
    this.#checkOnline(url);
    try {
      const received = await this.#requester.get(url, of, before?.answer);
      return await keepLatest(this.#cache, url, received, before, () =>
        checkPage(remote, received),
      );
    } catch (error) {
      if (before !== undefined && isWithdrawn(error)) await this.#cache.forget(url);
      if (before === undefined || !isFailed(error)) throw error;
      this.stale.push({ url: shownUrl(url), problem: problemOf(error) });
      return before;
    }
  }

  #checkOnline(url: string): void {
    if (this.#offline === undefined) return;
    throw new HttpFailure(url, "failed", `is not asked for until a refresh: ${this.#offline}`);
  }
}

/** What a URL answered before, unless it came from where nothing may come from now. */
export async function recalled(
  cache: Cache,
  requester: Requester,
  url: string,
): Promise<Kept | undefined> {
  const before = await cache.recall(url);
  return before && requester.allows(new URL(before.answer.from)) ? before : undefined;
}

/** Keeps what a URL answers now, once it was checked; where nothing is new, what it answered before. */
export async function keepLatest(
  cache: Cache,
  url: string,
  received: Received,
  before: Kept | undefined,
  check: (bytes: Uint8Array) => void,
): Promise<Kept> {
  const { freshUntil, isStored } = freshness(received.headers, Date.now());
  const bytes = received.bytes ?? before?.bytes;
  if (bytes === undefined) throw nothingNew(url);
  check(bytes);
  const { headers } = received;
  const answer: Answer = {
    from: received.url,
    digest: received.bytes ? await digestOf(bytes) : (before?.answer.digest ?? ""),
    size: bytes.length,
    freshUntil,
    etag: headers.get("etag") ?? (received.bytes ? undefined : before?.answer.etag),
    lastModified:
      headers.get("last-modified") ?? (received.bytes ? undefined : before?.answer.lastModified),
  };
  if (received.bytes) await cache.keepContent(answer.digest, bytes, isStored);
  await cache.keepAnswer(url, answer, isStored);
  return { answer, bytes };
}

/** Whether the server could not be asked, or cannot answer now. */
export function isFailed(error: unknown): boolean {
  return error instanceof HttpFailure && error.kind === "failed";
}

/** Whether the server says that something is not there, or not for this host. */
export function isWithdrawn(error: unknown): boolean {
  return error instanceof HttpFailure && (error.kind === "missing" || error.kind === "denied");
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

function nothingNew(url: string): HttpFailure {
  return new HttpFailure(url, "unusable", "says that nothing is new, though nothing was fetched");
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
      `${shownUrl(url)} is not what its index says, so nothing of it is used: the digest is ` +
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
