/** A store of keys and values as a host: a key is a path with `:` between names. */
import { isBytes } from "../hosts.js";
import type { Host, HostEntry } from "../types.js";
import { checkPath, failure } from "./arguments.js";
import { inOperations } from "./operation.js";

/** What is used of a store; unstorage's `Storage` has it. */
export interface KeyValueStorage {
  /** All keys below `base`, whole. */
  getKeys(base?: string): PromiseLike<readonly string[]>;
  /** Text or bytes; nothing is `null`. */
  getItemRaw(key: string): PromiseLike<unknown>;
}

/**
 * What no name in a key can have, since stores read `/` and `\` as `:`, cut off what follows a `?`,
 * and keep what they know of an item under its key and a `$`.
 */
const UNHOLDABLE = /[:?\\]|\$$/;

/** The items below a base as a host. `base` has no `:` at its end. */
export function keyValueHost(storage: KeyValueStorage, base: string): Host {
  return inOperations<Host>(
    new KeyValueHost(storage, base, undefined),
    () => new KeyValueHost(storage, base, new Map()),
  );
}

class KeyValueHost implements Host {
  readonly #storage: KeyValueStorage;
  readonly #base: string;
  /** What was listed, by the directory that it was asked for; nothing is kept without. */
  readonly #kept: Map<string, Promise<Tree>> | undefined;

  constructor(
    storage: KeyValueStorage,
    base: string,
    kept: Map<string, Promise<Tree>> | undefined,
  ) {
    this.#storage = storage;
    this.#base = base;
    this.#kept = kept;
  }

  async list(directory: string): Promise<HostEntry[]> {
    checkPath(directory);
    const entries = (await this.#treeWith(directory)).get(directory);
    if (entries === undefined && directory !== "") throw missing(directory);
    return Array.from(entries ?? [], ([name, kind]) => ({ name, kind }));
  }

  async read(file: string): Promise<Uint8Array> {
    checkPath(file);
    const value = UNHOLDABLE.test(file) ? null : await this.#storage.getItemRaw(this.#key(file));
    if (value === null || value === undefined) throw missing(file);
    const bytes = await bytesOf(value);
    if (bytes === undefined) throw failure("EIO", "the item is neither text nor bytes", file);
    return bytes;
  }

  #key(path: string): string {
    return [this.#base, path.replaceAll("/", ":")].filter((part) => part !== "").join(":");
  }

  /** What is in a directory and below: what the store lists for it, or did for one above. */
  #treeWith(directory: string): Promise<Tree> {
    for (const above of [...directoriesAbove(directory), directory]) {
      const kept = this.#kept?.get(above);
      if (kept !== undefined) return kept;
    }
    const tree = this.#list(directory);
    this.#kept?.set(directory, tree);
    return tree;
  }

  async #list(directory: string): Promise<Tree> {
    if (UNHOLDABLE.test(directory)) return new Map();
    const keys: unknown = await this.#storage.getKeys(this.#key(directory));
    if (!Array.isArray(keys)) throw failure("EIO", "the store listed no keys", directory);
    return treeOf(keys, this.#base === "" ? "" : `${this.#base}:`);
  }
}

type Kind = "file" | "directory";

/** The entries of each directory, by its path. */
type Tree = Map<string, Map<string, Kind>>;

/** Of the keys that begin so; those that no path leads to are left out. */
function treeOf(keys: readonly unknown[], start: string): Tree {
  const tree: Tree = new Map();
  for (const key of keys) {
    if (typeof key !== "string" || !key.startsWith(start)) continue;
    const path = key.slice(start.length).replaceAll(":", "/");
    if (isPath(path)) addFile(tree, path);
  }
  return tree;
}

function isPath(path: string): boolean {
  return path.split("/").every((name) => !/^\.{0,2}$|[?\\\0]/.test(name)) && !path.endsWith("$");
}

function addFile(tree: Tree, path: string): void {
  let [kind, rest]: [Kind, string] = ["file", path];
  for (const directory of directoriesAbove(path).reverse()) {
    const name = directory === "" ? rest : rest.slice(directory.length + 1);
    const entries = tree.get(directory) ?? new Map<string, Kind>();
    tree.set(directory, entries);
    // What is an item and has items below is a directory.
    if (entries.get(name) !== "directory") entries.set(name, kind);
    [kind, rest] = ["directory", directory];
  }
}

/** From the root on. */
function directoriesAbove(path: string): string[] {
  const found = path === "" ? [] : [""];
  for (let cut = path.indexOf("/"); cut !== -1; cut = path.indexOf("/", cut + 1)) {
    found.push(path.slice(0, cut));
  }
  return found;
}

const encoder = /* @__PURE__ */ new TextEncoder();

/** A copy, since a store in memory gives out what it holds. */
async function bytesOf(value: unknown): Promise<Uint8Array | undefined> {
  if (typeof value === "string") return encoder.encode(value);
  if (isBytes(value)) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
  }
  const isBuffer = Object.prototype.toString.call(value) === "[object ArrayBuffer]";
  if (isBuffer) return new Uint8Array(value as ArrayBuffer).slice();
  if (typeof (value as Partial<Blob>).arrayBuffer !== "function") return undefined;
  return new Uint8Array(await (value as Blob).arrayBuffer());
}

function missing(path: string): Error {
  return failure("ENOENT", "no such item in the store", path);
}
