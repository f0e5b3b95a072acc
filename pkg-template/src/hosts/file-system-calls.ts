/**
 * File systems as their makers shape them, and the few calls that all of them come to: methods may
 * be missing or have other names, kinds are methods or booleans, errors codes or only words.
 */
import { isBytes } from "../hosts.js";
import { failure, isMissing } from "./arguments.js";
import { type Steps, settled } from "./either.js";
import type { Fill } from "./fill.js";

/**
 * What is shaped like `fs.promises`: Node's own, memfs, ZenFS, lightning-fs, the file system of
 * just-bash, and whatever else has these methods.
 */
export interface FileSystemPromises {
  /** Where it has `O_RDONLY` and `O_NONBLOCK`, opening a pipe that took a file's place does not wait. */
  readonly constants?: unknown;
  /** The names in a directory, or entries that tell kinds too. */
  readdir(path: string, options?: unknown): PromiseLike<unknown>;
  /** The bytes of a file. */
  readFile(path: string): PromiseLike<unknown>;
  /** Kind, size and times; follows links. */
  stat(path: string): PromiseLike<unknown>;
  /** The same of a link itself. Without it there are no links. */
  lstat?(path: string): PromiseLike<unknown>;
  /** Where a path leads once links are followed. */
  realpath?(path: string): PromiseLike<unknown>;
  /** An open file with `stat`, `read` and `close`. Without it files are read whole. */
  open?(path: string, flags?: string | number): PromiseLike<unknown>;
  /** Used for bytes where it is there: `readFile` gives text then. */
  readFileBuffer?(path: string): PromiseLike<unknown>;
  /** Used where it is there: `readdir` gives names alone then. */
  readdirWithFileTypes?(path: string): PromiseLike<unknown>;
}

/** What is shaped like the methods of `node:fs` that answer at once. */
export interface FileSystemSync {
  /** Where it has `O_RDONLY` and `O_NONBLOCK`, opening a pipe that took a file's place does not wait. */
  readonly constants?: unknown;
  /** The names in a directory, or entries that tell kinds too. */
  readdirSync(path: string, options?: unknown): unknown;
  /** The bytes of a file. */
  readFileSync(path: string): unknown;
  /** Kind, size and times; follows links. */
  statSync(path: string): unknown;
  /** The same of a link itself. Without it there are no links. */
  lstatSync?(path: string): unknown;
  /** Where a path leads once links are followed. */
  realpathSync?(path: string): unknown;
  /** The descriptor of an open file. Without it files are read whole. */
  openSync?(path: string, flags: string | number): unknown;
  /** What `statSync` tells, of an open file. */
  fstatSync?(descriptor: never): unknown;
  /** Fills a part of `buffer`, and says how many bytes it was. */
  readSync?(
    descriptor: never,
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): unknown;
  /** Closes what `openSync` opened. */
  closeSync?(descriptor: never): unknown;
}

/** What a file system tells of a path or an open file. */
export interface Stats {
  kind: string;
  size: number;
  /** When it was last modified, in milliseconds. */
  modified: number;
  /** When that or anything else of it was changed. */
  changed: number;
  /** Tells one file from another, where the file system does. */
  identity: string | undefined;
}

/** An open file of a file system. */
export interface Handle {
  stat(): Steps<Stats>;
  /** Reads on, as far as one call comes. */
  read(fill: Fill): Steps<void>;
  close(): Steps<void>;
}

/** A file system. Paths are its own. */
export interface Calls {
  list(directory: string): Steps<{ name: string; kind: string }[]>;
  read(file: string): Steps<Uint8Array>;
  stat(path: string): Steps<Stats>;
  /** Of a link itself, where the file system has links. */
  lstat: ((path: string) => Steps<Stats>) | undefined;
  realpath: ((path: string) => Steps<string>) | undefined;
  open: ((file: string) => Steps<Handle>) | undefined;
}

/** The methods that are used, whatever they are called. */
interface Methods {
  readdir(path: string): unknown;
  readFile(path: string): unknown;
  stat(path: string): unknown;
  lstat: ((path: string) => unknown) | undefined;
  realpath: ((path: string) => unknown) | undefined;
  open: ((path: string) => unknown) | undefined;
}

/** An open file of Node's shape. */
interface FileHandle {
  stat(): unknown;
  read(bytes: Uint8Array, offset: number, length: number, position: number): unknown;
  close(): unknown;
}

const NAMES_WITH_KINDS = { withFileTypes: true };

export function promisedCalls(fs: FileSystemPromises): Calls {
  const flags = openFlags(fs.constants);
  return callsOf({
    readdir: (path) =>
      fs.readdirWithFileTypes === undefined
        ? fs.readdir(path, NAMES_WITH_KINDS)
        : fs.readdirWithFileTypes(path),
    readFile: (path) =>
      fs.readFileBuffer === undefined ? fs.readFile(path) : fs.readFileBuffer(path),
    stat: (path) => fs.stat(path),
    lstat: isMethod(fs.lstat) ? (path) => fs.lstat?.(path) : undefined,
    realpath: isMethod(fs.realpath) ? (path) => fs.realpath?.(path) : undefined,
    open: isMethod(fs.open) ? (path) => fs.open?.(path, flags) : undefined,
  });
}

export function syncCalls(fs: FileSystemSync): Calls {
  const flags = openFlags(fs.constants);
  const opens = [fs.openSync, fs.fstatSync, fs.readSync, fs.closeSync].every(isMethod);
  return callsOf({
    readdir: (path) => fs.readdirSync(path, NAMES_WITH_KINDS),
    readFile: (path) => fs.readFileSync(path),
    stat: (path) => fs.statSync(path),
    lstat: isMethod(fs.lstatSync) ? (path) => fs.lstatSync?.(path) : undefined,
    realpath: isMethod(fs.realpathSync) ? (path) => fs.realpathSync?.(path) : undefined,
    open: opens ? (path) => descriptorHandle(fs, fs.openSync?.(path, flags) as never) : undefined,
  });
}

/** To read, without waiting for a pipe's writer where that can be said. */
function openFlags(constants: unknown): string | number {
  const { O_RDONLY: read, O_NONBLOCK: atOnce } = (constants ?? {}) as Record<string, unknown>;
  return typeof read === "number" && typeof atOnce === "number" ? read | atOnce : "r";
}

function isMethod(value: unknown): boolean {
  return typeof value === "function";
}

/** A descriptor as an open file. */
function descriptorHandle(fs: FileSystemSync, descriptor: never): FileHandle {
  return {
    stat: () => fs.fstatSync?.(descriptor),
    read: (bytes, offset, length, position) => ({
      bytesRead: fs.readSync?.(descriptor, bytes, offset, length, position),
    }),
    close: () => fs.closeSync?.(descriptor),
  };
}

function callsOf(methods: Methods): Calls {
  const { lstat, realpath, open } = methods;
  return {
    *list(directory) {
      const listed = yield* called(directory, () => methods.readdir(directory));
      if (!Array.isArray(listed)) throw unlike("readdir", "a list", directory);
      const entries: { name: string; kind: string }[] = [];
      for (const entry of listed as unknown[]) {
        const name = typeof entry === "string" ? entry : (entry as { name?: unknown } | null)?.name;
        if (typeof name !== "string") throw unlike("readdir", "names", directory);
        entries.push({
          name,
          kind: kindOf(entry) ?? (yield* kindAt(methods, join(directory, name))),
        });
      }
      return entries;
    },
    *read(file) {
      const bytes = yield* called(file, () => methods.readFile(file));
      if (!isBytes(bytes)) throw unlike("readFile", "bytes", file);
      return bytes;
    },
    stat: (path) => stats(path, () => methods.stat(path)),
    lstat: lstat && ((path) => stats(path, () => lstat(path))),
    realpath:
      realpath &&
      function* (path) {
        const real = yield* called(path, () => realpath(path));
        if (typeof real !== "string") throw unlike("realpath", "a path", path);
        return real;
      },
    open:
      open &&
      function* (file) {
        const handle = (yield* called(file, () => open(file))) as FileHandle | null;
        if (![handle?.stat, handle?.read, handle?.close].every(isMethod)) {
          throw unlike("open", "an open file", file);
        }
        return handleOf(handle as FileHandle, file);
      },
  };
}

function handleOf(handle: FileHandle, file: string): Handle {
  return {
    stat: () => stats(file, () => handle.stat()),
    *read(fill) {
      const result = yield* called(file, () =>
        handle.read(fill.bytes, fill.filled, fill.missing, fill.position),
      );
      const count = (result as { bytesRead?: unknown } | null)?.bytesRead;
      if (typeof count !== "number") throw unlike("read", "a number of bytes", file);
      fill.advance(count);
    },
    *close() {
      yield* called(file, () => handle.close());
    },
  };
}

/** The kind of an entry that was listed without. */
function* kindAt(methods: Methods, path: string): Steps<string> {
  try {
    return (yield* stats(path, () => (methods.lstat ?? methods.stat)(path))).kind;
  } catch (error) {
    // Removed since; or a link that leads nowhere, where there is only `stat`.
    if (isMissing(error)) return "other";
    throw error;
  }
}

function* stats(path: string, call: () => unknown): Steps<Stats> {
  const found = (yield* called(path, call)) as Record<string, unknown> | null;
  const kind = kindOf(found);
  if (found === null || kind === undefined) throw unlike("stat", "a kind", path);
  const { size, dev, ino } = found;
  return {
    kind,
    size: Number(size ?? 0),
    modified: timeOf(found, "mtime"),
    changed: timeOf(found, "ctime"),
    identity: ino === undefined ? undefined : `${dev}-${ino}`,
  };
}

/** A time in milliseconds, as finely as the file system tells it. */
function timeOf(stats: Record<string, unknown>, name: "mtime" | "ctime"): number {
  const milliseconds = stats[`${name}Ms`];
  if (typeof milliseconds === "number" || typeof milliseconds === "bigint") {
    return Number(milliseconds);
  }
  const time = stats[name];
  return time instanceof Date ? time.getTime() : Number(time ?? 0);
}

/** What an entry or stats say that it is, by methods as Node has them, or by booleans. */
function kindOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const is = (name: string): boolean | undefined => {
    const told = (value as Record<string, unknown>)[name];
    return typeof told === "function" ? told.call(value) === true : (told as boolean | undefined);
  };
  const isFile = is("isFile");
  if (isFile === undefined) return undefined;
  if (is("isSymbolicLink") === true) return "link";
  if (is("isDirectory") === true) return "directory";
  return isFile ? "file" : "other";
}

/** What a call gives; whatever it throws has a code, if only its words tell one. */
function* called(path: string, call: () => unknown): Steps<unknown> {
  try {
    return yield* settled(call());
  } catch (error) {
    throw withCode(error, path);
  }
}

function withCode(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || typeof (error as { code?: unknown }).code === "string") {
    return error;
  }
  const [, code] = /^(E[A-Z0-9]+)\b/.exec(error.message) ?? [];
  return code === undefined
    ? error
    : Object.assign(new Error(error.message, { cause: error }), { code, path });
}

export function join(directory: string, name: string): string {
  return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
}

function unlike(method: string, expected: string, path: string): Error {
  return failure("EIO", `${method} of the file system did not give ${expected}`, path);
}
