/**
 * A host whose files are the values of an object. The object stays the caller's: what is edited
 * in it is what is read and listed next.
 */
import { SkillError } from "../errors.js";
import { reading } from "../given.js";
import { isBytes, NEAR } from "../hosts.js";
import type { ByteRange, HostEntry, HostStat, SyncHost } from "../types.js";
import { checkPath, checkRange, failure, isHostPath, PATH_RULE, quoted } from "./arguments.js";

type Content = string | Uint8Array;
type Files = Record<string, Content>;

/**
 * A host over files in memory: keys are paths relative to its root, with `/` between names;
 * values are text or bytes. Only the object's own enumerable properties are files.
 *
 * Edits of the object show at once. To see them, its keys are compared before each listing, which
 * takes about a tenth of a microsecond a key; a frozen object is looked at only once.
 */
export function memoryHost(files: Record<string, string | Uint8Array>): SyncHost {
  const entries = reading("The files", () => {
    const areFiles = typeof files === "object" && files !== null && !(Symbol.iterator in files);
    return areFiles ? Object.entries(files) : undefined;
  });
  if (entries === undefined) {
    throw unsupported(
      'memoryHost takes an object: paths to text or bytes, such as { "pdf/SKILL.md": text }; ' +
        "Object.fromEntries(map) makes one of a Map.",
    );
  }
  for (const [path, content] of entries) checkContent(path, content);
  return new MemoryHost(files);
}

/** Whether a host is one of {@link memoryHost}. */
export function isMemoryHost(host: unknown): boolean {
  return host instanceof MemoryHost;
}

/** Counts the stretches of {@link withoutEdits}; 0 outside of them. */
let stretch = 0;
let stretches = 0;

/**
 * Runs `work`, in which nobody edits the objects of memory hosts: their keys are compared once
 * for all of it. For loops over many directories.
 */
export function withoutEdits<T>(work: () => T): T {
  if (stretch !== 0) {
    return work();
  }
  stretch = ++stretches;
  try {
    return work();
  } finally {
    stretch = 0;
  }
}

class MemoryHost implements SyncHost {
  readonly [NEAR] = true;
  readonly ranges = true;
  readonly #files: Files;
  readonly #tree: Tree;
  readonly #versions = new Versions();

  constructor(files: Files) {
    this.#files = files;
    this.#tree = new Tree(files);
  }

  list(directory: string): HostEntry[] {
    checkPath(directory);
    const found = this.#tree.at(directory);
    if (found instanceof Directory) {
      return found.entries();
    }
    throw found === "file"
      ? failure("ENOTDIR", "not a directory", directory)
      : this.#missing(directory);
  }

  read(file: string, range?: ByteRange): Uint8Array {
    checkPath(file);
    if (!isFile(this.#files, file)) {
      throw this.#tree.at(file) instanceof Directory
        ? failure("EISDIR", "a directory, not a file", file)
        : this.#missing(file);
    }
    return bytesOf(contentAt(this.#files, file), range);
  }

  stat(path: string): HostStat | undefined {
    checkPath(path);
    if (isFile(this.#files, path)) {
      return this.#versions.of(path, contentAt(this.#files, path));
    }
    this.#versions.forget(path);
    const found = this.#tree.at(path);
    return found instanceof Directory
      ? { kind: "directory", size: 0, version: `tree-${this.#tree.edition}` }
      : undefined;
  }

  /** The error for a path where nothing is. */
  #missing(path: string): Error {
    for (let cut = path.indexOf("/"); cut !== -1; cut = path.indexOf("/", cut + 1)) {
      if (isFile(this.#files, path.slice(0, cut))) {
        return failure("ENOTDIR", "a file stands where a directory should", path);
      }
    }
    return failure("ENOENT", "no such file or directory", path);
  }
}

/** The directories that the keys imply, kept until the set of keys is another. */
class Tree {
  /** Counts the sets of keys that were seen. */
  edition = 0;
  readonly #files: Files;
  #root = new Directory();
  #keys: string[] = [];
  /** Once frozen, always frozen. */
  #frozen = false;
  #comparedIn = 0;

  constructor(files: Files) {
    this.#files = files;
    this.#update();
  }

  /** What stands at `path`. */
  at(path: string): Directory | "file" | undefined {
    this.#update();
    let place: Directory | "file" | undefined = this.#root;
    if (path === "") {
      return place;
    }
    for (const name of path.split("/")) {
      if (!(place instanceof Directory)) {
        return undefined;
      }
      place = place.children.get(name);
    }
    return place;
  }

  /** An object does not tell when a property is added; only looking at its keys does. */
  #update(): void {
    if (this.#frozen || (stretch !== 0 && this.#comparedIn === stretch)) {
      return;
    }
    const keys = Object.keys(this.#files);
    if (this.edition === 0 || !sameItems(keys, this.#keys)) {
      this.#root = treeOf(keys);
      this.#keys = keys;
      this.edition += 1;
    }
    this.#comparedIn = stretch;
    this.#frozen = Object.isFrozen(this.#files);
  }
}

class Directory {
  readonly children = new Map<string, Directory | "file">();

  entries(): HostEntry[] {
    return Array.from(this.children, ([name, child]) => ({
      name,
      kind: child === "file" ? "file" : "directory",
    }));
  }
}

/**
 * What a key must be here is what a path on any host is. That a key is a path which a model may ask
 * for is a rule of skills, which the core judges where `defineSkill` and `validateSkill` take files.
 */
function treeOf(keys: readonly string[]): Directory {
  const root = new Directory();
  for (const key of keys) {
    if (key === "") throw refusedKey(key, "a file has a name");
    if (!isHostPath(key)) throw refusedKey(key, PATH_RULE);
    if (key.includes("\\")) {
      throw refusedKey(key, 'names are separated by "/", not by a backslash');
    }
    // The core would see another name, and ask for what is not there.
    if (/\p{Surrogate}/u.test(key)) throw refusedKey(key, "half of a surrogate pair is in it");
    addFile(root, key);
  }
  return root;
}

function addFile(root: Directory, key: string): void {
  const names = key.split("/");
  const last = names.pop() ?? "";
  let directory = root;
  for (const name of names) {
    let child = directory.children.get(name);
    if (child === undefined) {
      child = new Directory();
      directory.children.set(name, child);
    } else if (child === "file") {
      throw refusedKey(key, `the file ${quoted(name)} above it is not a directory`);
    }
    directory = child;
  }
  if (directory.children.has(last)) {
    throw refusedKey(key, "other files are below it, so it is a directory");
  }
  directory.children.set(last, "file");
}

function refusedKey(key: string, problem: string): SkillError {
  const remedy = 'Keys are paths of files from the root of the host, such as "pdf/SKILL.md".';
  return unsupported(`memoryHost cannot have a file ${quoted(key)}: ${problem}. ${remedy}`, key);
}

function unsupported(message: string, path?: string): SkillError {
  return new SkillError({
    code: "SOURCE_UNSUPPORTED",
    message,
    ...(path !== undefined && { path }),
  });
}

/** Tells versions apart by comparing with what was there the last time: no hash, no collision. */
class Versions {
  readonly #known = new Map<string, { content: Content; stat: HostStat }>();
  #changes = 0;

  of(path: string, content: Content): HostStat {
    let known = this.#known.get(path);
    if (known === undefined || !sameContent(known.content, content)) {
      this.#changes += 1;
      const size = typeof content === "string" ? encoder.encode(content).length : content.length;
      const stat = { kind: "file", size, version: `content-${this.#changes}` };
      // Bytes may be changed in place, so they are compared with a copy.
      known = { content: typeof content === "string" ? content : new Uint8Array(content), stat };
      this.#known.set(path, known);
    }
    return { ...known.stat };
  }

  forget(path: string): void {
    this.#known.delete(path);
  }
}

const encoder = /* @__PURE__ */ new TextEncoder();

function isFile(files: Files, path: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(files, path);
}

function contentAt(files: Files, path: string): Content {
  const content: unknown = files[path];
  checkContent(path, content);
  return content;
}

function checkContent(path: string, content: unknown): asserts content is Content {
  if (typeof content !== "string" && !isBytes(content)) {
    const problem = `The content of ${quoted(path)} is neither a string nor a Uint8Array`;
    throw unsupported(`${problem}: give the file text or bytes.`, path);
  }
}

/** A copy, which stays as it is when the content is edited. */
function bytesOf(content: Content, range?: ByteRange): Uint8Array {
  if (range !== undefined) {
    checkRange(range);
  }
  const start = range?.offset ?? 0;
  const end = start + (range?.length ?? Infinity);
  if (typeof content !== "string") {
    return new Uint8Array(content.subarray(start, end));
  }
  const bytes = encoder.encode(front(content, end));
  return start === 0 && end >= bytes.length ? bytes : bytes.slice(start, end);
}

/** So much of the text that its first `length` bytes are in it: a code unit is at least one. */
function front(text: string, length: number): string {
  if (length >= text.length) {
    return text;
  }
  const last = text.charCodeAt(length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? length + 1 : length);
}

function sameContent(before: Content, now: Content): boolean {
  if (typeof before === "string" || typeof now === "string") {
    return before === now;
  }
  return sameItems(before, now);
}

function sameItems(one: ArrayLike<unknown>, other: ArrayLike<unknown>): boolean {
  if (one.length !== other.length) {
    return false;
  }
  for (let index = 0; index < one.length; index += 1) {
    if (one[index] !== other[index]) {
      return false;
    }
  }
  return true;
}
