/** What a URL answers now: asked for on condition that it is new, where it answered before. */
import type { Answer, Cache, Kept } from "./cache.js";
import { digestOf } from "./digest.js";
import { HttpFailure, isWithdrawn } from "./failure.js";
import { freshness } from "./headers.js";
import type { HttpLimits } from "./options.js";
import type { Received, Requester } from "./requester.js";

/** Who asks for answers, and who keeps them. */
export interface Sources {
  requester: Requester;
  cache: Cache;
}

/** What a URL answered before, unless it came from where nothing may come from now. */
export async function recalled(
  { cache, requester }: Sources,
  url: string,
): Promise<Kept | undefined> {
  const before = await cache.recall(url);
  return before && requester.allows(new URL(before.answer.from)) ? before : undefined;
}

/**
 * What a URL answers now, kept once `check` has nothing against it, with what that made of it; where
 * nothing is new, what it answered before. What is not there any more is forgotten.
 */
export async function latest<T>(
  { cache, requester }: Sources,
  { url, of }: { url: string; of: keyof HttpLimits },
  before: Kept | undefined,
  check: (bytes: Uint8Array, received: Received) => T,
): Promise<{ kept: Kept; checked: T }> {
  try {
    const received = await requester.get(url, of, before?.answer);
    const bytes = received.bytes ?? before?.bytes;
    if (bytes === undefined) throw nothingNew(url);
    const checked = check(bytes, received);
    return { kept: await kept(cache, url, received, bytes, before?.answer), checked };
  } catch (error) {
    if (before !== undefined && isWithdrawn(error)) await cache.forget(url);
    throw error;
  }
}

async function kept(
  cache: Cache,
  url: string,
  { url: from, headers, bytes: fetched }: Received,
  bytes: Uint8Array,
  before: Answer | undefined,
): Promise<Kept> {
  const { freshUntil, isStored } = freshness(headers, Date.now());
  const earlier = fetched === undefined ? before : undefined;
  const answer: Answer = {
    from,
    digest: earlier?.digest ?? (await digestOf(bytes)),
    size: bytes.length,
    freshUntil,
    etag: headers.get("etag") ?? earlier?.etag,
    lastModified: headers.get("last-modified") ?? earlier?.lastModified,
  };
  if (fetched !== undefined) await cache.keepContent(answer.digest, bytes, isStored);
  await cache.keepAnswer(url, answer, isStored);
  return { answer, bytes };
}

/** That there is no content, where nothing is known that it could be the same as. */
export function nothingNew(url: string): HttpFailure {
  return new HttpFailure(url, "unusable", "says that nothing is new, though nothing was fetched");
}
