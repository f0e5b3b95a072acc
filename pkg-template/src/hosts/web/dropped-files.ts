/** Files and folders that a person has dropped on a page. */
import type { Host, HostEntry } from "../../types.js";
import { checkCount, type FileTree, FileTreeHost, treeError, type WebFile } from "./file-tree.js";
import { FreeNames } from "./free-name.js";

/** A dropped file or folder: a `FileSystemEntry`. */
export interface DroppedEntry {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly name: string;
}

/** One thing that was dropped: a `DataTransferItem`. */
export interface DroppedItem {
  readonly kind: string;
  /** The file or folder; nothing for text, and after the event. */
  webkitGetAsEntry(): DroppedEntry | null;
}

type Fail = (error: unknown) => void;

/** What entries of files have beside. */
interface FileEntry extends DroppedEntry {
  file(take: (file: WebFile) => void, fail: Fail): void;
}

/** What entries of folders have beside. */
interface DirectoryEntry extends DroppedEntry {
  createReader(): { readEntries(take: (entries: DroppedEntry[]) => void, fail: Fail): void };
  getFile(path: string, options: object, take: (entry: FileEntry) => void, fail: Fail): void;
  getDirectory(
    path: string,
    options: object,
    take: (entry: DirectoryEntry) => void,
    fail: Fail,
  ): void;
}

/**
 * What was dropped as a host: each file and folder stands at its root. Call it in the `drop` event
 * itself; afterwards the browser takes the items away.
 *
 * ```ts
 * zone.addEventListener("drop", async (event) => {
 *   event.preventDefault();
 *   const host = droppedFilesHost(event.dataTransfer);
 *   const catalog = await loadSkills({ host, label: "dropped" });
 * });
 * ```
 *
 * Two of one name stay apart: the second is `name (2)`.
 */
export function droppedFilesHost(
  dropped: { readonly items: Iterable<DroppedItem> } | Iterable<DroppedItem> | null,
): Host {
  const items =
    typeof dropped === "object" && dropped !== null && "items" in dropped ? dropped.items : dropped;
  if (typeof items?.[Symbol.iterator] !== "function") {
    throw new TypeError("droppedFilesHost takes event.dataTransfer of a drop event.");
  }
  const entries = new Map<string, DroppedEntry>();
  const names = new FreeNames();
  for (const item of items) {
    const entry = item?.kind === "file" ? (item.webkitGetAsEntry?.() ?? null) : null;
    if (entry !== null) entries.set(names.take(entry.name), entry);
  }
  return new FileTreeHost(new DroppedTree(entries));
}

class DroppedTree implements FileTree {
  readonly #dropped: ReadonlyMap<string, DroppedEntry>;

  constructor(dropped: ReadonlyMap<string, DroppedEntry>) {
    this.#dropped = dropped;
  }

  async entries(directory: string): Promise<HostEntry[]> {
    if (directory === "") return Array.from(this.#dropped, ([name, entry]) => told(name, entry));
    const { top, below } = this.#find(directory);
    if (!isDirectory(top)) throw treeError("TypeMismatchError", directory);
    const found =
      below === ""
        ? top
        : await promised<DirectoryEntry>((...to) => top.getDirectory(below, {}, ...to));
    const reader = found.createReader();
    const entries: HostEntry[] = [];
    // A reader gives a hundred or so at a time, and none in the end.
    for (;;) {
      const some = await promised<DroppedEntry[]>((...to) => reader.readEntries(...to));
      if (some.length === 0) return entries;
      for (const entry of some) entries.push(told(entry.name, entry));
      checkCount(entries, directory);
    }
  }

  async file(path: string): Promise<WebFile> {
    const { top, below } = this.#find(path);
    if (below === "" ? top.isDirectory : !isDirectory(top)) {
      throw treeError("TypeMismatchError", path);
    }
    const entry =
      below === ""
        ? (top as FileEntry)
        : await promised<FileEntry>((...to) => (top as DirectoryEntry).getFile(below, {}, ...to));
    return promised<WebFile>((...to) => entry.file(...to));
  }

  /** What was dropped, and the path below it. */
  #find(path: string): { top: DroppedEntry; below: string } {
    const cut = path.indexOf("/");
    const top = this.#dropped.get(cut === -1 ? path : path.slice(0, cut));
    if (top === undefined) throw treeError("NotFoundError", path);
    return { top, below: cut === -1 ? "" : path.slice(cut + 1) };
  }
}

function isDirectory(entry: DroppedEntry): entry is DirectoryEntry {
  return entry.isDirectory;
}

function told(name: string, { isDirectory: is }: DroppedEntry): HostEntry {
  return { name, kind: is ? "directory" : "file" };
}

/** What a function that takes two callbacks gives. */
function promised<T>(start: (take: (value: T) => void, fail: Fail) => void): Promise<T> {
  return new Promise(start);
}
