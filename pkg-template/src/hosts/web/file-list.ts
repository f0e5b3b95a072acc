/** The files of an `<input type="file">`, of one with `webkitdirectory` too. */
import type { Host, HostEntry } from "../../types.js";
import { isHostPath } from "../arguments.js";
import { type FileTree, FileTreeHost, treeError, type WebFile } from "./file-tree.js";
import { FreeNames } from "./free-name.js";

/**
 * The files that a person chose as a host. With `webkitdirectory` the chosen folder stands at its
 * root, as the browser tells it in `webkitRelativePath`; files that were chosen singly stand there
 * themselves.
 *
 * ```ts
 * input.addEventListener("change", async () => {
 *   const catalog = await loadSkills({ host: fileListHost(input.files), label: "chosen" });
 * });
 * ```
 *
 * Two of one path stay apart: the second is `name (2)`.
 */
export function fileListHost(
  files: Iterable<WebFile & { readonly webkitRelativePath?: string }> | null,
): Host {
  if (typeof files?.[Symbol.iterator] !== "function") {
    throw new TypeError("fileListHost takes input.files, a FileList, or other files in a row.");
  }
  const tree = new ListedTree();
  for (const file of files) {
    const path = file?.webkitRelativePath || file?.name;
    if (typeof path !== "string" || path === "" || !isHostPath(path)) {
      throw new TypeError(`fileListHost cannot place a file ${JSON.stringify(path)}.`);
    }
    tree.add(path, file);
  }
  return new FileTreeHost(tree);
}

/** What stands in a directory, by name. */
class Directory {
  readonly children = new Map<string, Directory | WebFile>();
  readonly #names = new FreeNames();

  /** The directory of a name, made where there is none. */
  directory(name: string): Directory {
    const there = this.children.get(name);
    if (there instanceof Directory) return there;
    const made = new Directory();
    // A file of that name stays apart: others are below the directory by its name.
    if (there === undefined) this.#names.take(name);
    else this.children.set(this.#names.take(name), there);
    this.children.set(name, made);
    return made;
  }

  addFile(name: string, file: WebFile): void {
    this.children.set(this.#names.take(name), file);
  }
}

class ListedTree implements FileTree {
  readonly #root = new Directory();

  add(path: string, file: WebFile): void {
    const names = path.split("/");
    const last = names.pop() ?? "";
    let directory = this.#root;
    for (const name of names) directory = directory.directory(name);
    directory.addFile(last, file);
  }

  async entries(path: string): Promise<HostEntry[]> {
    const found = this.#at(path);
    if (!(found instanceof Directory)) throw treeError("TypeMismatchError", path);
    return Array.from(found.children, ([name, below]) => ({
      name,
      kind: below instanceof Directory ? "directory" : "file",
    }));
  }

  async file(path: string): Promise<WebFile> {
    const found = this.#at(path);
    if (found instanceof Directory) throw treeError("TypeMismatchError", path);
    return found;
  }

  #at(path: string): Directory | WebFile {
    let found: Directory | WebFile = this.#root;
    for (const name of path === "" ? [] : path.split("/")) {
      const below: Directory | WebFile | undefined =
        found instanceof Directory ? found.children.get(name) : undefined;
      if (below === undefined) throw treeError("NotFoundError", path);
      found = below;
    }
    return found;
  }
}
