/** A directory of the File System API: one that a person has picked, or the page's own storage. */
import type { Host, HostEntry } from "../../types.js";
import { checkCount, type FileTree, FileTreeHost, type WebFile } from "./file-tree.js";

/** A file of the File System API: a `FileSystemFileHandle`. */
export interface FileHandle {
  readonly kind: "file";
  readonly name: string;
  /** The file as it is now. */
  getFile(): Promise<WebFile>;
}

/** A directory of the File System API: a `FileSystemDirectoryHandle`. */
export interface DirectoryHandle {
  readonly kind: "directory";
  readonly name: string;
  /** The names in it, each with its handle. */
  entries(): AsyncIterable<[string, { readonly kind: string }]>;
  /** The directory of that name in it. */
  getDirectoryHandle(name: string): Promise<DirectoryHandle>;
  /** The file of that name in it. */
  getFileHandle(name: string): Promise<FileHandle>;
}

/**
 * A directory as a host: from `showDirectoryPicker()`, or `navigator.storage.getDirectory()`, the
 * private file system of the page. What is edited on the disk is what is read and listed next.
 *
 * ```ts
 * const directory = await showDirectoryPicker({ id: "skills" });
 * const catalog = await loadSkills({ host: directoryHandleHost(directory), label: directory.name });
 * ```
 *
 * A handle can be kept in IndexedDB; after a restart ask for `handle.requestPermission()` first.
 */
export function directoryHandleHost(directory: DirectoryHandle): Host {
  const isHandle =
    typeof directory?.getDirectoryHandle === "function" &&
    typeof directory.getFileHandle === "function";
  if (!isHandle) {
    throw new TypeError("directoryHandleHost takes a FileSystemDirectoryHandle.");
  }
  return new FileTreeHost(new HandleTree(directory));
}

class HandleTree implements FileTree {
  readonly #root: DirectoryHandle;
  /** A handle says where something is, not what: it holds when the directory is edited. */
  readonly #directories = new Map<string, DirectoryHandle>();

  constructor(root: DirectoryHandle) {
    this.#root = root;
  }

  async entries(directory: string): Promise<HostEntry[]> {
    const entries: HostEntry[] = [];
    for await (const [name, { kind }] of (await this.#directory(directory)).entries()) {
      entries.push({ name, kind });
      checkCount(entries, directory);
    }
    return entries;
  }

  async file(path: string): Promise<WebFile> {
    const cut = path.lastIndexOf("/");
    const directory = await this.#directory(path.slice(0, Math.max(cut, 0)));
    const handle = await directory.getFileHandle(path.slice(cut + 1));
    return handle.getFile();
  }

  async #directory(path: string): Promise<DirectoryHandle> {
    if (path === "") return this.#root;
    const known = this.#directories.get(path);
    if (known !== undefined) return known;
    const cut = path.lastIndexOf("/");
    const above = await this.#directory(path.slice(0, Math.max(cut, 0)));
    const found = await above.getDirectoryHandle(path.slice(cut + 1));
    this.#directories.set(path, found);
    return found;
  }
}
