/** What a developer says of an archive. */

/** How an archive is taken; all of it may be absent. */
export interface ArchiveOptions {
  /** Whether an entry that would be left out refuses the archive; `false` by default. */
  strict?: boolean;
  limits?: ArchiveLimits;
}

/** Bounds of an archive: what is over one refuses it. Each may be absent. */
export interface ArchiveLimits {
  /** Entries, those that are left out too; 10,000 by default. */
  entries?: number;
  /** Bytes of the archive itself, and of all that is unpacked; 67,108,864 by default. */
  bytes?: number;
  /** Bytes of one file; 16,777,216 by default. */
  entryBytes?: number;
  /**
   * How many times as large as the archive what is unpacked may be, once it is more than 1 MiB; 100
   * by default.
   */
  ratio?: number;
}

/** A `ReadableStream` of bytes. */
export interface ArchiveStream {
  /** Its reader, of which `read` and `cancel` are used. */
  getReader(): unknown;
}

/** A `Blob`, and so a `File` too. */
export interface ArchiveBlob {
  /** Its bytes. */
  stream(): ArchiveStream;
}

/** A `Response`, such as what `fetch` gives. */
export interface ArchiveResponse {
  readonly body: ArchiveStream | null;
  readonly ok: boolean;
  readonly status: number;
}

/** What has the bytes of an archive. */
export type ArchiveContent =
  | Uint8Array
  | ArrayBuffer
  | ArchiveBlob
  | ArchiveResponse
  | ArchiveStream
  | AsyncIterable<Uint8Array>;

/**
 * What an archive is read from: its bytes, what has them, a promise of that, or a function that gives
 * it. A function is called again by the next use where it failed, or where what it gave was refused;
 * and by the next scan of a catalog where it has not given anything yet.
 */
export type ArchiveSource =
  | ArchiveContent
  | PromiseLike<ArchiveContent>
  | (() => ArchiveContent | PromiseLike<ArchiveContent>);
