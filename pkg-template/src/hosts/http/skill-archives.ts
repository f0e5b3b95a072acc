/** Archives of an index: each content is unpacked once, into memory, whole or not at all. */
import { SkillError } from "../../errors.js";
import type { Diagnostic } from "../../types.js";
import type { ArchiveRules } from "../archive/rules.js";
import { type UnpackedArchive, unpackArchive } from "../archive/unpack.js";
import { HttpFailure, shortUrl, shownUrl } from "./failure.js";
import { afterFailure, keyOf, type Remote, type Round } from "./round.js";

/** The files of an archive, by path. */
type Files = ReadonlyMap<string, Uint8Array>;

/** An archive that is unpacked, or about to be. */
interface Unpacking {
  done: Promise<UnpackedArchive>;
  /** Its bytes, once it is there. */
  size: number;
}

export class SkillArchives {
  readonly #rules: ArchiveRules;
  readonly #most: number;
  /** By URL and digest. */
  readonly #running = new Map<string, Promise<Files>>();
  readonly #failed = new Set<string>();
  readonly #findings = new Map<string, readonly Diagnostic[]>();
  /** By digest alone: an index may list one archive under many names. */
  readonly #unpacked = new Map<string, Unpacking>();
  /** One at a time: each may take as much memory as an archive may. */
  #last: Promise<unknown> = Promise.resolve();
  /** Whether there was one too many: then no further one is tried until others are let go of. */
  #isFull = false;

  /** Of all archives together, no more than `most` bytes are unpacked. */
  constructor(rules: ArchiveRules, most: number) {
    this.#rules = rules;
    this.#most = most;
  }

  /** Lets go of all but these, and of what failed. */
  keepOnly(archives: readonly Remote[]): void {
    const wanted = new Set(archives.map(keyOf));
    for (const key of this.#running.keys()) {
      if (!wanted.has(key) || this.#failed.has(key)) this.#forget(key);
    }
    const digests = new Set(archives.map(({ digest }) => digest));
    for (const digest of this.#unpacked.keys()) {
      if (!digests.has(digest)) this.#unpacked.delete(digest);
    }
    this.#isFull = false;
  }

  /** What was left out of the archives that were unpacked. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.#findings.values()].flat();
  }

  /** The files of a skill. */
  files(skill: string, remote: Remote, round: Round): Promise<Files> {
    const key = keyOf(remote);
    const known = this.#running.get(key);
    if (known !== undefined) return known;
    const running = this.#files(skill, remote, round);
    this.#running.set(key, running);
    const isWanted = (): boolean => this.#running.get(key) === running;
    running.catch(() => {
      if (isWanted()) this.#failed.add(key);
      afterFailure(() => isWanted() && this.#forget(key));
    });
    return running;
  }

  async #files(skill: string, remote: Remote, round: Round): Promise<Files> {
    const { url, digest = "" } = remote;
    const bytes = await round.content(remote);
    const { files, diagnostics } = await this.#unpack(bytes, digest, url).catch(
      (error: unknown) => {
        throw withUrl(error, url);
      },
    );
    const key = keyOf(remote);
    // It may have been let go of meanwhile.
    if (this.#running.has(key)) {
      this.#findings.set(
        key,
        diagnostics.map((finding) => ({ ...finding, skill })),
      );
    }
    return new Map(Object.entries(files));
  }

  #unpack(bytes: Uint8Array, digest: string, url: string): Promise<UnpackedArchive> {
    const known = this.#unpacked.get(digest);
    if (known !== undefined) return known.done;
    const done = this.#last.then(() => this.#next(bytes, digest, url));
    const unpacking: Unpacking = { done, size: 0 };
    this.#unpacked.set(digest, unpacking);
    this.#last = done.catch(() => {
      if (this.#unpacked.get(digest) === unpacking) this.#unpacked.delete(digest);
    });
    return done;
  }

  async #next(bytes: Uint8Array, digest: string, url: string): Promise<UnpackedArchive> {
    if (this.#isFull) throw this.#tooMuch(url);
    const unpacked = await unpackArchive(bytes, this.#rules);
    const size = Object.values(unpacked.files).reduce((sum, { length }) => sum + length, 0);
    const others = [...this.#unpacked.values()].reduce((sum, { size }) => sum + size, 0);
    if (others + size > this.#most) {
      this.#isFull = true;
      throw this.#tooMuch(url);
    }
    const unpacking = this.#unpacked.get(digest);
    if (unpacking !== undefined) unpacking.size = size;
    return unpacked;
  }

  #tooMuch(url: string): HttpFailure {
    const problem = `is too much beside the other archives: limits.unpacked allows ${this.#most} bytes`;
    return new HttpFailure(url, "unusable", problem);
  }

  #forget(key: string): void {
    this.#running.delete(key);
    this.#failed.delete(key);
    this.#findings.delete(key);
  }
}

/** The refusal of an archive names its URL. */
function withUrl(error: unknown, url: string): unknown {
  if (!SkillError.isInstance(error) || error.code !== "ARCHIVE_REFUSED") return error;
  const message = `${shortUrl(url)}: ${error.message}`;
  const { code, path = shownUrl(url) } = error;
  return new SkillError({ code, message, path }, { cause: error });
}
