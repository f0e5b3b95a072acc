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
import { directoriesAbove, onceQuiet, onceQuietSync, replaced, type Way } from "./way.js";

/** A directory of a file system whose calls give promises. */
export function fileSystemHost(calls: Calls, root: string): Host {
  const files = new Files(calls, root);
  return {
    ranges: true,
    list: (directory) => onceQuiet(() => eventually(files.list(directory))),
    read: (file, range) => onceQuiet(() => eventually(files.read(file, range))),
    stat: (path) => eventually(files.stat(path)),
    ...(calls.realpath && { realPath: (path: string) => eventually(files.realPath(path)) }),
    open: async (file, options) =>
      new PromisedFile(await onceQuiet(() => eventually(files.open(file, options)))),
  };
}

/** A directory of a file system whose calls answer at once. */
export function fileSystemHostSync(calls: Calls, root: string): SyncHost {
  const files = new Files(calls, root);
  return {
    ranges: true,
    list: (directory) => onceQuietSync(() => atOnce(files.list(directory))),
    read: (file, range) => onceQuietSync(() => atOnce(files.read(file, range))),
    stat: (path) => atOnce(files.stat(path)),
    ...(calls.realpath && { realPath: (path: string) => atOnce(files.realPath(path)) }),
    open: (file, options) => new SyncFile(onceQuietSync(() => atOnce(files.open(file, options)))),
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
    const place = yield* this.#place(directory);
    // Elsewhere it is asked where a directory really is, whose version has changed.
    const way = this.#calls.realpath === undefined ? yield* this.#wayTo(directory) : undefined;
    if (way === undefined) return yield* this.#calls.list(place);
    const found = yield* this.#lookAt(place);
    if (found.kind === "link") throw replaced(directory);
    const entries = yield* this.#calls.list(place);
    yield* this.#confirmed(way, found, directory);
    return entries;
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

  /** What is told of a file is of the very file that is read from then on. */
  *open(path: string, options?: { noFollow?: boolean }): Steps<Opened> {
    const noFollow = options?.noFollow === true;
    const place = yield* this.#place(path);
    const { stat, lstat, realpath, read, open } = this.#calls;
    // First, since opening a pipe may wait for ever, and some file systems read directories.
    const found = yield* (noFollow && lstat !== undefined ? lstat : stat)(place);
    if (found.kind === "link") throw linkRefused(path);
    // What was opened tells whether it is what stood there as no link; where it was, is asked later.
    const isTold = noFollow && open !== undefined && realpath !== undefined;
    const way = isTold ? undefined : yield* this.#wayTo(path);
    if (found.kind !== "file") {
      return new Opened(path, found, versionOf(found), yield* this.#confirmed(way, found, path));
    }
    if (open === undefined) {
      // By its real path, since nothing is told of what was read. A copy: a file system may give out
      // its own memory.
      const content = new Uint8Array(yield* read(way?.realPath ?? place));
      if (noFollow) yield* this.#refuseLink(place, found, path);
      const realPath = yield* this.#confirmed(way, found, path);
      const stats = { ...found, size: content.length };
      return new Opened(path, stats, versionOf(stats, content), realPath, content);
    }
    const handle = yield* open(place);
    try {
      const stats = yield* handle.stat();
      if (noFollow && !isSame(found, stats)) throw replaced(path);
      if (noFollow) yield* this.#refuseLink(place, stats, path);
      const realPath = yield* this.#confirmed(way, stats, path);
      if (!isTimeCoarse(stats)) return new Opened(path, stats, versionOf(stats), realPath, handle);
      const content = yield* readRange(handle, WHOLE, stats.size);
      return new Opened(path, stats, versionOf(stats, content), realPath, handle);
    } catch (error) {
      yield* handle.close();
      throw error;
    }
  }

  /** Where no file is told from another, only that no link has come to stay. */
  *#refuseLink(place: string, opened: Stats, path: string): Steps<void> {
    if (opened.identity !== undefined) return;
    if (!isSame(yield* this.#lookAt(place), opened)) throw replaced(path);
  }

  /** Where a path really leads; where the file system does not tell that, by which names it leads there. */
  *#wayTo(path: string): Steps<Way | undefined> {
    const { lstat, realpath } = this.#calls;
    if (realpath === undefined && (lstat === undefined || path === "")) return undefined;
    const realPath = yield* realPlace(this.#calls, placeOf(this.#root, path));
    const root = yield* realPlace(this.#calls, this.#root);
    const above: { path: string; version: string }[] = [];
    for (const directory of realpath ? directoriesAbove(realPath, root) : namesAbove(root, path)) {
      above.push({ path: directory, version: yield* this.#directoryVersion(directory, path) });
    }
    return { realPath, above };
  }

  /** The real path of what was opened, if it has been there all the time and is told. */
  *#confirmed(way: Way | undefined, opened: Stats, path: string): Steps<string | undefined> {
    if (way === undefined) return undefined;
    try {
      if (yield* this.#isThere(way, opened, path)) return this.#calls.realpath && way.realPath;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    throw replaced(path);
  }

  *#isThere({ realPath, above }: Way, opened: Stats, path: string): Steps<boolean> {
    if (!isSame(yield* this.#lookAt(realPath), opened)) return false;
    if ((yield* realPlace(this.#calls, realPath)) !== realPath) return false;
    for (const { path: directory, version } of above.toReversed()) {
      if ((yield* this.#directoryVersion(directory, path)) !== version) return false;
    }
    return true;
  }

  /** What stands at a place by itself, not by a link. */
  #lookAt(place: string): Steps<Stats> {
    return (this.#calls.lstat ?? this.#calls.stat)(place);
  }

  /** None in a file system that tells no files apart: its times are not to be relied on either. */
  *#directoryVersion(directory: string, path: string): Steps<string> {
    // The root may be a link: it is the developer's.
    const isRoot = directory === this.#root && this.#calls.realpath === undefined;
    const stats = yield* isRoot ? this.#calls.stat(directory) : this.#lookAt(directory);
    if (stats.kind === "link") throw replaced(path);
    return stats.identity === undefined ? stats.kind : `${stats.kind}-${versionOf(stats)}`;
  }

  /** A path of the file system. Where that does not tell where links lead, none is followed. */
  *#place(path: string): Steps<string> {
    checkPath(path);
    // Some file systems take it for a separator, and would give another file by this name.
    if (path.includes("\\")) throw failure("ENOENT", "a name with a backslash", path);
    const { lstat, realpath } = this.#calls;
    const place = placeOf(this.#root, path);
    if (path === "" || lstat === undefined || realpath !== undefined) return place;
    for (const name of [...namesAbove(this.#root, path).slice(1), place]) {
      if ((yield* lstat(name)).kind === "link") throw linkRefused(path);
    }
    return place;
  }
}

function placeOf(root: string, path: string): string {
  return path === "" ? root : join(root, path);
}

/** The directories by which a path leads, from the root on. */
function namesAbove(root: string, path: string): string[] {
  const above = [root];
  for (const name of path.split("/").slice(0, -1)) above.push(join(above.at(-1) ?? root, name));
  return above;
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
