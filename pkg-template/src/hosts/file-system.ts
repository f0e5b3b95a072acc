/** Any file system as a host: once with promises, once without. */

import { isBytes } from "../hosts.js";
import type {
  ByteRange,
  Host,
  HostEntry,
  HostStat,
  OpenedFile,
  SyncHost,
  SyncOpenedFile,
} from "../types.js";
import { checkPath, checkRange, failure, isMissing } from "./arguments.js";
import { digest } from "./digest.js";
import { atOnce, eventually, type Steps } from "./either.js";
import { type Calls, type Handle, join, type Stats } from "./file-system-calls.js";
import { Fill } from "./fill.js";
import { directoriesAbove, mayTryAgain, replaced, type Way } from "./way.js";

/** A directory of a file system whose calls give promises. */
export function fileSystemHost(calls: Calls, root: string): Host {
  const files = new Files(calls, root);
  return {
    ranges: true,
    list: (directory) => eventually(files.list(directory)),
    read: (file, range) => eventually(files.read(file, range)),
    stat: (path) => eventually(files.stat(path)),
    ...(calls.realpath && { realPath: (path: string) => eventually(files.realPath(path)) }),
    open: async (file, options) => new PromisedFile(await eventually(files.open(file, options))),
  };
}

/** A directory of a file system whose calls answer at once. */
export function fileSystemHostSync(calls: Calls, root: string): SyncHost {
  const files = new Files(calls, root);
  return {
    ranges: true,
    list: (directory) => atOnce(files.list(directory)),
    read: (file, range) => atOnce(files.read(file, range)),
    stat: (path) => atOnce(files.stat(path)),
    ...(calls.realpath && { realPath: (path: string) => atOnce(files.realPath(path)) }),
    open: (file, options) => new SyncFile(atOnce(files.open(file, options))),
  };
}

const WHOLE: ByteRange = { offset: 0, length: Infinity };

/** What a host does, in steps. */
class Files {
  readonly #calls: Calls;
  readonly #root: string;

  constructor(calls: Calls, root: string) {
    if (typeof root !== "string" || root === "" || root.includes("\0")) {
      throw new TypeError('The root of a file system\'s host is the path of a directory, as "/".');
    }
    this.#calls = calls;
    this.#root = root;
  }

  *list(directory: string): Steps<HostEntry[]> {
    return yield* this.#calls.list(yield* this.#place(directory));
  }

  *read(path: string, range: ByteRange = WHOLE): Steps<Uint8Array> {
    const opened = yield* this.open(path);
    try {
      return yield* opened.read(range);
    } finally {
      yield* opened.close();
    }
  }

  *stat(path: string): Steps<HostStat | undefined> {
    try {
      const place = yield* this.#place(path);
      const stats = yield* this.#calls.stat(place);
      const content = isTimeCoarse(stats) ? yield* this.#calls.read(place) : undefined;
      return { kind: stats.kind, size: stats.size, version: versionOf(stats, content) };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  *realPath(path: string): Steps<string> {
    const place = yield* this.#place(path);
    // Some file systems tell one of what is not there.
    yield* this.#calls.stat(place);
    return yield* realPlace(this.#calls, place);
  }

  *open(path: string, options?: { noFollow?: boolean }): Steps<Opened> {
    const noFollow = options?.noFollow === true;
    for (let tried = 1; ; tried += 1) {
      try {
        return yield* this.#open(path, noFollow);
      } catch (error) {
        if (!mayTryAgain(error, tried)) throw error;
      }
    }
  }

  /** What is told of a file is of the very file that is read from then on. */
  *#open(path: string, noFollow: boolean): Steps<Opened> {
    const place = yield* this.#place(path);
    const { stat, lstat, read, open } = this.#calls;
    // First, since opening a pipe may wait for ever, and some file systems read directories.
    const found = yield* (noFollow && lstat !== undefined ? lstat : stat)(place);
    if (found.kind === "link") throw linkRefused(path);
    // What was opened tells whether it is what stood there as no link.
    const way = noFollow && open !== undefined ? undefined : yield* this.#wayTo(place);
    if (found.kind !== "file") {
      return new Opened(path, found, versionOf(found), yield* this.#confirmed(way, found, path));
    }
    if (open === undefined) {
      // By its real path, since nothing is told of what was read. A copy: a file system may give out
      // its own memory.
      const content = new Uint8Array(yield* read(way?.realPath ?? place));
      const realPath = yield* this.#confirmed(way, found, path);
      const stats = { ...found, size: content.length };
      return new Opened(path, stats, versionOf(stats, content), realPath, content);
    }
    const handle = yield* open(place);
    try {
      const stats = yield* handle.stat();
      if (noFollow && !isSame(found, stats)) throw replaced(path);
      const realPath = yield* this.#confirmed(way, stats, path);
      if (!isTimeCoarse(stats)) return new Opened(path, stats, versionOf(stats), realPath, handle);
      const content = yield* readRange(handle, WHOLE, stats.size);
      return new Opened(path, stats, versionOf(stats, content), realPath, handle);
    } catch (error) {
      yield* handle.close();
      throw error;
    }
  }

  /** Where a place really is, where the file system tells that. */
  *#wayTo(place: string): Steps<Way | undefined> {
    if (this.#calls.realpath === undefined) return undefined;
    const realPath = yield* realPlace(this.#calls, place);
    const root = yield* realPlace(this.#calls, this.#root);
    const above: { path: string; version: string }[] = [];
    for (const directory of directoriesAbove(realPath, root)) {
      above.push({ path: directory, version: yield* this.#directoryVersion(directory) });
    }
    return { realPath, above };
  }

  /** The real path of what was opened, if it has been there all the time. */
  *#confirmed(way: Way | undefined, opened: Stats, path: string): Steps<string | undefined> {
    if (way === undefined) return undefined;
    try {
      if (yield* this.#isThere(way, opened)) return way.realPath;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    throw replaced(path);
  }

  *#isThere({ realPath, above }: Way, opened: Stats): Steps<boolean> {
    if (!isSame(yield* this.#lookAt(realPath), opened)) return false;
    if ((yield* realPlace(this.#calls, realPath)) !== realPath) return false;
    for (const { path, version } of above.toReversed()) {
      if ((yield* this.#directoryVersion(path)) !== version) return false;
    }
    return true;
  }

  /** What stands at a place by itself, not by a link. */
  #lookAt(place: string): Steps<Stats> {
    return (this.#calls.lstat ?? this.#calls.stat)(place);
  }

  /** None in a file system that tells no files apart: its times are not to be relied on either. */
  *#directoryVersion(directory: string): Steps<string> {
    const stats = yield* this.#lookAt(directory);
    return stats.identity === undefined ? stats.kind : `${stats.kind}-${versionOf(stats)}`;
  }

  /** A path of the file system. Where that does not tell where links lead, none is followed. */
  *#place(path: string): Steps<string> {
    checkPath(path);
    // Some file systems take it for a separator, and would give another file by this name.
    if (path.includes("\\")) throw failure("ENOENT", "a name with a backslash", path);
    if (path === "") return this.#root;
    const { lstat, realpath } = this.#calls;
    if (lstat === undefined || realpath !== undefined) return join(this.#root, path);
    let place = this.#root;
    for (const name of path.split("/")) {
      place = join(place, name);
      if ((yield* lstat(place)).kind === "link") throw linkRefused(path);
    }
    return place;
  }
}

function* realPlace(calls: Calls, place: string): Steps<string> {
  const real = calls.realpath === undefined ? place : yield* calls.realpath(place);
  // Two names that are not UTF-8 can become the same string, and one pass for the other.
  if (real.includes("\ufffd")) throw failure("EILSEQ", "a name that is not UTF-8", place);
  return real.startsWith("/") ? real : real.replaceAll("\\", "/");
}

/** An opened file, with what it is read from: its content, or what the file system opened. */
class Opened {
  readonly kind: string;
  readonly size: number;
  readonly version: string;
  readonly realPath: string | undefined;
  readonly #path: string;
  #source: Uint8Array | Handle | undefined;

  constructor(
    path: string,
    { kind, size }: Stats,
    version: string,
    realPath: string | undefined,
    source?: Uint8Array | Handle,
  ) {
    this.#path = path;
    this.kind = kind;
    this.size = size;
    this.version = version;
    this.realPath = realPath;
    this.#source = source;
  }

  *read(range: ByteRange): Steps<Uint8Array> {
    checkRange(range);
    const source = this.#source;
    if (this.kind === "directory") throw failure("EISDIR", "a directory, not a file", this.#path);
    if (this.kind !== "file") throw failure("EINVAL", "not a regular file", this.#path);
    if (source === undefined) throw failure("EBADF", "the file was closed", this.#path);
    if (!isBytes(source)) return yield* readRange(source, range, this.size);
    return source.slice(range.offset, range.offset + range.length);
  }

  *close(): Steps<void> {
    const source = this.#source;
    this.#source = undefined;
    if (source !== undefined && !isBytes(source)) yield* source.close();
  }
}

/** What both kinds of open files tell. */
class Told {
  readonly kind: string;
  readonly size: number;
  readonly version: string;
  readonly realPath?: string;
  protected readonly opened: Opened;

  constructor(opened: Opened) {
    this.opened = opened;
    this.kind = opened.kind;
    this.size = opened.size;
    this.version = opened.version;
    if (opened.realPath !== undefined) this.realPath = opened.realPath;
  }
}

class PromisedFile extends Told implements OpenedFile {
  read(range: ByteRange): Promise<Uint8Array> {
    return eventually(this.opened.read(range));
  }

  close(): Promise<void> {
    return eventually(this.opened.close());
  }
}

class SyncFile extends Told implements SyncOpenedFile {
  read(range: ByteRange): Uint8Array {
    return atOnce(this.opened.read(range));
  }

  close(): void {
    atOnce(this.opened.close());
  }
}

function* readRange(handle: Handle, range: ByteRange, size: number): Steps<Uint8Array> {
  const fill = new Fill(range, size);
  while (!fill.done) yield* handle.read(fill);
  return fill.result();
}

/** What tells one file from another is not told by all file systems. */
function isSame(one: Stats, other: Stats): boolean {
  return one.kind === other.kind && one.identity === other.identity;
}

/** Of larger files no version is asked for often, and none is a skill file. */
const LARGEST_COMPARED = 1_048_576;

/**
 * Whether the content counts too when versions are told apart: a program can edit a file twice in
 * one millisecond, and file systems in memory have no finer time.
 */
function isTimeCoarse({ kind, size, modified }: Stats): boolean {
  return kind === "file" && size <= LARGEST_COMPARED && Number.isInteger(modified);
}

function versionOf(stats: Stats, content?: Uint8Array): string {
  const { size, modified, changed, identity } = stats;
  const rest = isTimeCoarse(stats) && content !== undefined ? digest(content) : changed;
  return `${size}-${modified}-${identity}-${rest}`;
}

function linkRefused(path: string): Error {
  return failure("ELOOP", "a link, which is not followed", path);
}
