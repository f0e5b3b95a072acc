/** The disk as a host, by Node's `node:fs`: once with promises, once without. */

import type { Dirent } from "node:fs";
import { resolve, sep } from "node:path";
import { DISK } from "../hosts.js";
import { fs } from "../node-fs.js";
import type {
  ByteRange,
  Host,
  HostEntry,
  HostStat,
  OpenedFile,
  SyncHost,
  SyncOpenedFile,
} from "../types.js";
import type { Request } from "../wire.js";
import { checkPath, failure, isMissing, refusedPath } from "./arguments.js";
import {
  DIRECTORY_FLAGS,
  type Examined,
  examine,
  examineUnopened,
  hasDescriptorPaths,
  hostStat,
  kindOf,
  type Links,
  openedDirectory,
  openFlags,
  pathText,
  realPathOf,
  statsAt,
  wayTo,
} from "./descriptor.js";
import { type DirectHost, type FileReplies, readDirectly } from "./direct.js";
import { Fill } from "./fill.js";
import { LISTS_EXACTLY, listedIn } from "./listed.js";
import { diskObserver } from "./observer.js";
import { AT_ONCE } from "./slices.js";
import { onceQuiet, onceQuietSync, type Way } from "./way.js";

/** A directory of the disk as a host. */
export function diskHost(directory: string): Host {
  return new DiskHost(new Root(directory));
}

/** {@link diskHost} without promises. */
export function diskHostSync(directory: string): SyncHost {
  return new SyncDiskHost(new Root(directory));
}

type Read = Extract<Request, { kind: "read" }>;

const WHOLE: ByteRange = { offset: 0, length: Infinity };

/** Paths of a host as paths of the disk. */
class Root {
  readonly #path: string;
  readonly #prefix: string;

  constructor(directory: string) {
    if (typeof directory !== "string" || directory === "" || directory.includes("\0")) {
      throw new TypeError(
        'The root of a disk host is the path of a directory; the current directory is ".".',
      );
    }
    // Once, so that a later change of the current directory moves nothing.
    this.#path = resolve(directory);
    this.#prefix = this.#path.endsWith(sep) ? this.#path : this.#path + sep;
  }

  /** Where what is opened leads; nothing where that will be told of what was opened. */
  wayTo(place: string, links: Links): Way | undefined {
    return links === "resolve" ? wayTo(place, this.#path) : undefined;
  }

  /** The path of what is looked at. */
  place(path: string): string {
    const located = this.#locate(path);
    diskObserver.getStore()?.place(located);
    return located;
  }

  /** The path of a directory that is listed. */
  directory(path: string): string {
    const located = this.#locate(path);
    diskObserver.getStore()?.entries(located);
    return located;
  }

  #locate(path: string): string {
    checkPath(path);
    if (sep === "\\" && /[\\:]/.test(path)) {
      throw refusedPath(path, "no name has a backslash or a colon in it here");
    }
    return path === "" ? this.#path : this.#prefix + path;
  }
}

/**
 * Opening and reading go through Node's threads, since they may have to wait for the disk.
 * Looking at an open file and closing it do not wait, and are done at once: a trip to a thread
 * takes longer, and what is closed at once cannot be forgotten.
 */
class DiskHost implements Host {
  readonly [DISK] = true;
  readonly ranges = true;
  readonly #root: Root;
  readonly #atOnce: SyncHost;

  constructor(root: Root) {
    this.#root = root;
    this.#atOnce = new SyncDiskHost(root);
  }

  /** Not where somebody has put a method of his own in the place of one of these. */
  get [AT_ONCE](): SyncHost | undefined {
    const isOwn = METHODS.every((name) => this[name] === DiskHost.prototype[name]);
    return isOwn && #atOnce in this ? this.#atOnce : undefined;
  }

  async list(directory: string): Promise<HostEntry[]> {
    const path = this.#root.directory(directory);
    return hasDescriptorPaths() ? listOpened(path) : listPath(path);
  }

  /** Only in a prototype, so that no copy with another `list` has it. */
  get [LISTS_EXACTLY](): boolean {
    return hasDescriptorPaths();
  }

  async read(file: string, range: ByteRange = WHOLE): Promise<Uint8Array> {
    const opened = await this.#open(file, "follow");
    try {
      return await opened.read(range);
    } finally {
      await opened.close();
    }
  }

  stat(path: string): Promise<HostStat | undefined> {
    return new Promise((done, fail) => {
      fs.stat(this.#root.place(path), { bigint: true }, (error, stats) => {
        if (!error) {
          done(hostStat(stats));
        } else if (isMissing(error)) {
          done(undefined);
        } else {
          fail(error);
        }
      });
    });
  }

  realPath(path: string): Promise<string> {
    return new Promise((done, fail) => {
      const located = this.#root.place(path);
      fs.realpath.native(located, (error, found) => {
        try {
          if (error) {
            throw error;
          }
          done(pathText(found, () => fs.realpathSync.native(located, "buffer")));
        } catch (problem) {
          fail(problem);
        }
      });
    });
  }

  open(file: string, options?: { noFollow?: boolean }): Promise<OpenedFile> {
    return this.#open(file, options?.noFollow === true ? "refuse" : "resolve");
  }

  async #open(file: string, links: Links): Promise<DiskFile> {
    const path = this.#root.place(file);
    return new DiskFile(file, await onceQuiet(() => this.#examine(path, links)));
  }

  #examine(path: string, links: Links): Promise<Examined> {
    return new Promise((done, fail) => {
      const way = this.#root.wayTo(path, links);
      fs.open(path, openFlags(links), (error, descriptor) => {
        try {
          done(error ? examineUnopened(error, path, links) : examine(descriptor, path, links, way));
        } catch (problem) {
          fail(problem);
        }
      });
    });
  }
}

const METHODS = ["list", "read", "stat", "realPath", "open"] as const;

class SyncDiskHost implements SyncHost, DirectHost {
  readonly [DISK] = true;
  readonly ranges = true;
  readonly #root: Root;

  constructor(root: Root) {
    this.#root = root;
  }

  list(directory: string): HostEntry[] {
    const path = this.#root.directory(directory);
    return hasDescriptorPaths() ? listOpenedSync(path) : listPathSync(path);
  }

  get [LISTS_EXACTLY](): boolean {
    return hasDescriptorPaths();
  }

  read(file: string, range: ByteRange = WHOLE): Uint8Array {
    const opened = this.#open(file, "follow");
    try {
      return opened.read(range);
    } finally {
      opened.close();
    }
  }

  stat(path: string): HostStat | undefined {
    const stats = statsAt(this.#root.place(path));
    return stats && hostStat(stats);
  }

  realPath(path: string): string {
    return realPathOf(this.#root.place(path));
  }

  open(file: string, options?: { noFollow?: boolean }): SyncOpenedFile {
    return this.#open(file, options?.noFollow === true ? "refuse" : "resolve");
  }

  [readDirectly](request: Read, replies: FileReplies): boolean {
    // Somebody has put another one in its place.
    if (this.open !== SyncDiskHost.prototype.open) {
      return false;
    }
    const { path, offset, length, follow } = request;
    const found = this.#examine(path, follow ? "resolve" : "refuse");
    const { descriptor, size } = found;
    if (descriptor === undefined) {
      replies.fileFrom(found, 0, nothing);
      return true;
    }
    try {
      // A file without a size, such as those below /proc, has as much as there is.
      const most = size > 0 ? Math.min(length, Math.max(size - offset, 0)) : length;
      replies.fileFrom(found, most, (memory, at, left, done) =>
        fs.readSync(descriptor, memory, at, left, offset + done),
      );
    } finally {
      fs.closeSync(descriptor);
    }
    return true;
  }

  #open(file: string, links: Links): SyncDiskFile {
    return new SyncDiskFile(file, this.#examine(file, links));
  }

  #examine(file: string, links: Links): Examined {
    const path = this.#root.place(file);
    return onceQuietSync(() => this.#examineOnce(path, links));
  }

  #examineOnce(path: string, links: Links): Examined {
    const way = this.#root.wayTo(path, links);
    let descriptor: number;
    try {
      descriptor = fs.openSync(path, openFlags(links));
    } catch (error) {
      return examineUnopened(error as NodeJS.ErrnoException, path, links);
    }
    return examine(descriptor, path, links, way);
  }
}

const nothing = (): number => 0;

function entryOf(entry: Dirent): HostEntry {
  return { name: entry.name, kind: kindOf(entry) };
}

function listPath(path: string): Promise<HostEntry[]> {
  return new Promise((done, fail) => {
    fs.readdir(path, { withFileTypes: true }, (error, entries) =>
      error ? fail(error) : done(entries.map(entryOf)),
    );
  });
}

function listPathSync(path: string): HostEntry[] {
  return fs.readdirSync(path, { withFileTypes: true }).map(entryOf);
}

/** Lists what was opened, and tells where it is: another directory may stand at the path by now. */
async function listOpened(path: string): Promise<HostEntry[]> {
  const descriptor = await openDirectory(path);
  try {
    const opened = openedDirectory(descriptor, path);
    return listedIn(opened.realPath, await listPath(opened.path));
  } finally {
    fs.closeSync(descriptor);
  }
}

function listOpenedSync(path: string): HostEntry[] {
  const descriptor = fs.openSync(path, DIRECTORY_FLAGS);
  try {
    const opened = openedDirectory(descriptor, path);
    return listedIn(opened.realPath, listPathSync(opened.path));
  } finally {
    fs.closeSync(descriptor);
  }
}

function openDirectory(path: string): Promise<number> {
  return new Promise((done, fail) => {
    fs.open(path, DIRECTORY_FLAGS, (error, descriptor) => (error ? fail(error) : done(descriptor)));
  });
}

/** What both kinds of open files are. */
class OpenedDiskFile {
  readonly kind: string;
  readonly size: number;
  readonly version: string;
  readonly realPath?: string;
  protected descriptor: number | undefined;
  readonly #file: string;

  constructor(file: string, found: Examined) {
    this.#file = file;
    this.kind = found.kind;
    this.size = found.size;
    this.version = found.version;
    if (found.realPath !== undefined) {
      this.realPath = found.realPath;
    }
    this.descriptor = found.descriptor;
  }

  /** Throws where there is nothing to read. */
  protected readable(): number {
    if (this.descriptor !== undefined) {
      return this.descriptor;
    }
    if (this.kind === "file") {
      throw failure("EBADF", "the file was closed", this.#file);
    }
    throw this.kind === "directory"
      ? failure("EISDIR", "a directory, not a file", this.#file)
      : failure("EINVAL", "not a regular file", this.#file);
  }

  /** The descriptor, to be closed; only once, since its number may soon be another file's. */
  protected release(): number | undefined {
    const descriptor = this.descriptor;
    this.descriptor = undefined;
    return descriptor;
  }
}

class SyncDiskFile extends OpenedDiskFile implements SyncOpenedFile {
  read(range: ByteRange): Uint8Array {
    const descriptor = this.readable();
    const fill = new Fill(range, this.size);
    while (!fill.done) {
      fill.advance(fs.readSync(descriptor, fill.bytes, fill.filled, fill.missing, fill.position));
    }
    return fill.result();
  }

  close(): void {
    const descriptor = this.release();
    if (descriptor !== undefined) {
      fs.closeSync(descriptor);
    }
  }
}

class DiskFile extends OpenedDiskFile implements OpenedFile {
  /** How many reads a thread is at. */
  #reading = 0;
  #onIdle: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  async read(range: ByteRange): Promise<Uint8Array> {
    const descriptor = this.readable();
    const fill = new Fill(range, this.size);
    this.#reading += 1;
    try {
      while (!fill.done) {
        fill.advance(await readInto(descriptor, fill));
      }
    } finally {
      this.#reading -= 1;
      if (this.#reading === 0) {
        this.#onIdle?.();
      }
    }
    return fill.result();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const descriptor = this.release();
    if (descriptor === undefined) {
      return;
    }
    if (this.#reading > 0) {
      // A thread knows the file only by this number.
      await new Promise<void>((done) => {
        this.#onIdle = done;
      });
    }
    fs.closeSync(descriptor);
  }
}

function readInto(descriptor: number, fill: Fill): Promise<number> {
  return new Promise((done, fail) => {
    fs.read(descriptor, fill.bytes, fill.filled, fill.missing, fill.position, (error, count) =>
      error ? fail(error) : done(count),
    );
  });
}
