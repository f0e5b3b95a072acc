/** What hosts over a browser's files have in common. */
import { NEAR } from "../../hosts.js";
import type { ByteRange, Host, HostEntry, HostStat } from "../../types.js";
import { checkPath, checkRange, failure } from "../arguments.js";
import { FileVersions } from "./file-versions.js";

/** A part of a browser's file, or all of it. */
export interface WebBlob {
  /** Its bytes. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A browser's file: a `File`. */
export interface WebFile extends WebBlob {
  readonly name: string;
  readonly size: number;
  readonly lastModified: number;
  /** The bytes from `start` until before `end`. */
  slice(start: number, end: number): WebBlob;
}

/** Where files are found. Paths are those of a host. */
export interface FileTree {
  /** Rejects with `NotFoundError`, and with `TypeMismatchError` for a file. */
  entries(directory: string): Promise<HostEntry[]>;
  /** Rejects with `NotFoundError`, and with `TypeMismatchError` for a directory. */
  file(path: string): Promise<WebFile>;
}

/** The error of the file system's interfaces, for trees that find their files themselves. */
export function treeError(name: "NotFoundError" | "TypeMismatchError", path: string): Error {
  return Object.assign(new Error(path), { name });
}

/** No directory has so many entries; what is said to have them may have no end. */
const MOST_ENTRIES = 1_000_000;

/** Throws for a listing that is longer than any directory is. */
export function checkCount(entries: readonly HostEntry[], directory: string): void {
  if (entries.length > MOST_ENTRIES) {
    throw failure("EOVERFLOW", `more than ${MOST_ENTRIES} entries in one directory`, directory);
  }
}

/** A host over a {@link FileTree}. */
export class FileTreeHost implements Host {
  readonly ranges = true;
  readonly #tree: FileTree;
  readonly #versions = new FileVersions();

  constructor(tree: FileTree) {
    this.#tree = tree;
  }

  async list(directory: string): Promise<HostEntry[]> {
    checkPath(directory);
    try {
      return await this.#tree.entries(directory);
    } catch (error) {
      if (nameOf(error) === "TypeMismatchError") throw notADirectory(directory);
      throw explained(error, directory);
    }
  }

  async read(path: string, range?: ByteRange): Promise<Uint8Array> {
    checkPath(path);
    if (range !== undefined) checkRange(range);
    try {
      return await this.#bytesNow(path, range);
    } catch (error) {
      if (nameOf(error) === "TypeMismatchError") throw await this.#noFile(path);
      throw explained(error, path);
    }
  }

  async stat(path: string): Promise<HostStat | undefined> {
    checkPath(path);
    if (path === "") return DIRECTORY;
    try {
      const file = await this.#tree.file(path);
      return { kind: "file", size: file.size, version: await this.#versions.of(path, file) };
    } catch (error) {
      switch (nameOf(error)) {
        case "TypeMismatchError":
          return this.#statOfDirectory(path);
        case "NotFoundError":
          return undefined;
        default:
          throw explained(error, path);
      }
    }
  }

  /** The error for a path with a directory, or with a file on the way to it. */
  async #noFile(path: string): Promise<Error> {
    const isDirectory = (await this.#statOfDirectory(path)) !== undefined;
    return isDirectory ? failure("EISDIR", "a directory, not a file", path) : notADirectory(path);
  }

  async #statOfDirectory(path: string): Promise<HostStat | undefined> {
    try {
      await this.#tree.entries(path);
      return DIRECTORY;
    } catch {
      return undefined;
    }
  }

  /** What a page was given of a file does not survive an edit of it; what is there now does. */
  async #bytesNow(path: string, range: ByteRange | undefined): Promise<Uint8Array> {
    try {
      return await this.#bytes(path, range);
    } catch (error) {
      if (nameOf(error) !== "NotReadableError") throw error;
      return this.#bytes(path, range);
    }
  }

  async #bytes(path: string, range: ByteRange | undefined): Promise<Uint8Array> {
    const file = await this.#tree.file(path);
    if (range === undefined) return new Uint8Array(await file.arrayBuffer());
    const end = Math.min(range.offset + range.length, file.size);
    return new Uint8Array(await file.slice(Math.min(range.offset, end), end).arrayBuffer());
  }
}

Object.defineProperty(FileTreeHost.prototype, NEAR, { value: true });

/** A directory tells neither its size nor when it has changed. */
const DIRECTORY: HostStat = { kind: "directory", size: 0, version: "directory" };

function nameOf(error: unknown): unknown {
  return (error as { name?: unknown } | null)?.name;
}

function notADirectory(path: string): Error {
  return failure("ENOTDIR", "a file stands where a directory should", path);
}

/** A browser's error as hosts have them. */
function explained(error: unknown, path: string): unknown {
  switch (nameOf(error)) {
    case "NotFoundError":
      return failure("ENOENT", "no such file or directory", path);
    case "NotAllowedError":
      return failure(
        "EACCES",
        'the page may not read it: ask with handle.requestPermission({ mode: "read" })',
        path,
      );
    default:
      return error;
  }
}
