/**
 * What was fetched before. Content is kept under its digest and is verified whenever it is read;
 * an answer, kept under its URL, names the digest of its content.
 */
import { answerValue, optionsText } from "../../answers.js";
import { withCore } from "../../engine.js";
import { isBytes } from "../../hosts.js";
import { within } from "../../waiting.js";
import { checkPath, failure, quoted } from "../arguments.js";
import { wordsOf } from "../words.js";
import { digestOf, digestOfText, digits } from "./digest.js";
import type { Validators } from "./requester.js";

/** A store for what was fetched: a host, as far as it reads, that can be written to. */
export interface HttpCache {
  /** Rejects where nothing is, with a code `ENOENT` or the name `NotFoundError`; or gives nothing. */
  read(path: string): Uint8Array | undefined | null | PromiseLike<Uint8Array | undefined | null>;
  /** Paths have `/` between names; directories need not be made before. */
  write(path: string, bytes: Uint8Array): unknown;
}

/**
 * A cache in memory, for several hosts to share. It keeps so many `bytes` (256 MiB); when it is full,
 * what was not used for the longest time goes first.
 *
 * ```ts
 * const cache = memoryCache({ bytes: 20_000_000 });
 * const docs = httpHost("https://docs.example.com", { cache });
 * ```
 */
export function memoryCache(options?: { bytes?: number }): HttpCache {
  const text = optionsText(options);
  const { bytes } = answerValue<{ bytes: number }>(
    withCore((core) => core.memoryCacheOptions(text)),
  );
  return new MemoryCache(bytes);
}

class MemoryCache implements HttpCache {
  readonly #most: number;
  /** The least recently used first. */
  readonly #files = new Map<string, Uint8Array>();
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  read(path: string): Uint8Array {
    checkPath(path);
    const bytes = this.#files.get(path);
    if (bytes === undefined) throw failure("ENOENT", "nothing is kept there", path);
    this.#files.delete(path);
    this.#files.set(path, bytes);
    return bytes;
  }

  write(path: string, bytes: Uint8Array): void {
    checkPath(path);
    if (!isBytes(bytes))
      throw new TypeError(`What a cache keeps at ${quoted(path)} is a Uint8Array.`);
    this.#remove(path);
    this.#files.set(path, bytes);
    this.#size += bytes.length;
    for (const [oldest] of this.#files) {
      if (this.#size <= this.#most) return;
      this.#remove(oldest);
    }
  }

  #remove(path: string): void {
    this.#size -= this.#files.get(path)?.length ?? 0;
    this.#files.delete(path);
  }
}

/** What is known of an answer, beside its content. */
export interface Answer extends Validators {
  /** Where it came from in the end. */
  from: string;
  digest: string;
  size: number;
  /** Until when it need not be asked for again. */
  freshUntil: number;
}

/** An answer with its content. */
export interface Kept {
  answer: Answer;
  bytes: Uint8Array;
}

export class Cache {
  /** What the store may not or cannot keep. */
  readonly #own: MemoryCache;
  readonly #store: HttpCache | undefined;
  /** Sets apart what was fetched with other headers. */
  readonly #scope: string;
  readonly #patience: number;
  readonly #onTrouble: (path: string, problem: string) => void;
  /** Whether the store was waited for in vain: it is done without, or each use would take as long. */
  #isGivenUp = false;

  constructor(store: HttpCache | undefined, { most, patience, scope, onTrouble }: CacheOptions) {
    this.#own = new MemoryCache(most);
    this.#store = store;
    this.#patience = patience;
    this.#scope = scope;
    this.#onTrouble = onTrouble;
  }

  /** From now on a store that was given up is used again. */
  beginAnew(): void {
    this.#isGivenUp = false;
  }

  /** What a URL answered the last time. */
  async recall(url: string): Promise<Kept | undefined> {
    const text = await this.#read(this.#answerPath(url));
    const answer = text && answerOf(text, url);
    const bytes = answer && (await this.content(answer.digest));
    return bytes && { answer: { ...answer, size: bytes.length }, bytes };
  }

  /** The content that has a digest. */
  async content(digest: string): Promise<Uint8Array | undefined> {
    const path = contentPath(digest);
    const bytes = await this.#read(path);
    if (bytes === undefined || (await digestOf(bytes)) === digest) return bytes;
    this.#onTrouble(path, "it has other content than was kept");
    return undefined;
  }

  /** Keeps content under its digest. */
  async keepContent(digest: string, bytes: Uint8Array, isStored: boolean): Promise<void> {
    await this.#write(contentPath(digest), bytes, isStored);
  }

  /** Keeps what a URL answered; its content is kept before. */
  async keepAnswer(url: string, answer: Answer, isStored: boolean): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify({ url, ...answer }));
    await this.#write(this.#answerPath(url), bytes, isStored);
  }

  /** Lets what a URL answered be as if it had never been: nothing can be removed from a store. */
  async forget(url: string): Promise<void> {
    await this.#write(this.#answerPath(url), new TextEncoder().encode("null"), true);
  }

  #answerPath(url: string): string {
    return `answers/${digits(digestOfText(`${url}\n${this.#scope}`))}.json`;
  }

  async #read(path: string): Promise<Uint8Array | undefined> {
    try {
      return this.#own.read(path);
    } catch {
      // It may be in the store.
    }
    const store = this.#store;
    if (store === undefined || this.#isGivenUp) return undefined;
    try {
      const bytes = await this.#inTime(() => store.read(path));
      if (bytes === undefined || bytes === null || isBytes(bytes)) return bytes ?? undefined;
      this.#onTrouble(path, "what it gave is no Uint8Array");
    } catch (error) {
      if (!isNotThere(error)) this.#onTrouble(path, wordsOf(error));
    }
    return undefined;
  }

  async #write(path: string, bytes: Uint8Array, isStored: boolean): Promise<void> {
    const store = this.#store;
    if (isStored && store !== undefined && !this.#isGivenUp) {
      try {
        // A store may change what it is given.
        await this.#inTime(() => store.write(path, bytes.slice()));
        return;
      } catch (error) {
        this.#onTrouble(path, wordsOf(error));
      }
    }
    this.#own.write(path, bytes);
  }

  /** What the store does, as long as it is waited for. */
  #inTime<T>(work: () => T | PromiseLike<T>): Promise<T> {
    const late = (): Error => {
      this.#isGivenUp = true;
      return new Error(`it gave no answer in ${this.#patience / 1000} s (timeout)`);
    };
    return within(work, { milliseconds: this.#patience, late });
  }
}

interface CacheOptions {
  /** How many bytes are kept without the store. */
  most: number;
  /** Milliseconds for which the store is waited for. */
  patience: number;
  scope: string;
  /** Is told of what the store could not do. */
  onTrouble(path: string, problem: string): void;
}

function contentPath(digest: string): string {
  return `content/${digits(digest)}`;
}

function isNotThere(error: unknown): boolean {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return code === "ENOENT" || code === "ENOTDIR" || name === "NotFoundError";
}

/** The answer that was kept for a URL; nothing where it is damaged, or another URL's. */
function answerOf(text: Uint8Array, wanted: string): Answer | undefined {
  try {
    const { url, from, digest, freshUntil, etag, lastModified } = JSON.parse(
      new TextDecoder().decode(text),
    ) as Record<keyof Answer | "url", unknown>;
    if (url !== wanted || typeof from !== "string" || !URL.canParse(from)) return undefined;
    if (typeof digest !== "string" || !/^sha256:[0-9a-f]{64}$/.test(digest)) return undefined;
    if (typeof freshUntil !== "number") return undefined;
    return {
      from,
      digest,
      size: 0,
      freshUntil,
      etag: typeof etag === "string" ? etag : undefined,
      lastModified: typeof lastModified === "string" ? lastModified : undefined,
    };
  } catch {
    return undefined;
  }
}
