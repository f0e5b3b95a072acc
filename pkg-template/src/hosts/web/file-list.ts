/** The files of an `<input type="file">`, of one with `webkitdirectory` too. */
import type { Host, HostEntry } from "../../types.js";
import { isHostPath } from "../arguments.js";
import { type FileTree, FileTreeHost, treeError, type WebFile } from "./file-tree.js";
import { freeName } from "./free-name.js";

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
    const path = file.webkitRelativePath || file.name;
    if (path === "" || !isHostPath(path)) {
      throw new TypeError(`fileListHost cannot place a file ${JSON.stringify(path)}.`);
    }
    tree.add(path, file);
  }
  return new FileTreeHost(tree);
}

type Directory = Map<string, Directory | WebFile>;

/** The directory of a name, made where there is none; a file of that name stays apart. */
function directoryIn(directory: Directory, name: string): Directory {
  const there = directory.get(name);
  if (there instanceof Map) return there;
  const made: Directory = new Map();
  if (there !== undefined) directory.set(freeName(name, directory), there);
  directory.set(name, made);
  return made;
}

class ListedTree implements FileTree {
  readonly #root: Directory = new Map();

  add(path: string, file: WebFile): void {
    const names = path.split("/");
    const last = names.pop() ?? "";
    let directory = this.#root;
    for (const name of names) directory = directoryIn(directory, name);
    directory.set(freeName(last, directory), file);
  }

  async entries(path: string): Promise<HostEntry[]> {
    const found = this.#at(path);
    if (!(found instanceof Map)) throw treeError("TypeMismatchError", path);
    return Array.from(found, ([name, below]) => ({
      name,
      kind: below instanceof Map ? "directory" : "file",
    }));
  }

  async file(path: string): Promise<WebFile> {
    const found = this.#at(path);
    if (found instanceof Map) throw treeError("TypeMismatchError", path);
    return found;
  }

  #at(path: string): Directory | WebFile {
    let found: Directory | WebFile = this.#root;
    for (const name of path === "" ? [] : path.split("/")) {
      const below: Directory | WebFile | undefined =
        found instanceof Map ? found.get(name) : undefined;
      if (below === undefined) throw treeError("NotFoundError", path);
      found = below;
    }
    return found;
  }
}
