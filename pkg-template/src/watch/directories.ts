/**
 * The directories of the disk that some work depends on, each with a watcher of its own.
 *
 * Which they are is not decided here: the work is observed, and what it looks at is watched from
 * the moment before. A watcher for a whole tree would be simpler, but it also watches what no
 * source enters, such as `node_modules`; on Linux it does so by a watcher for each file, enters no
 * link, and ends for ever when its root is deleted.
 */

import type { FSWatcher, Stats } from "node:fs";
import { basename, dirname, isAbsolute, resolve } from "node:path";
import { type DiskObserver, diskObserver } from "../hosts/observer.js";
import { fs } from "../node-fs.js";

/** The entries of a directory that count. */
class Entries {
  /** Nothing where all count. */
  #names: Set<string> | undefined = new Set();

  /** Without a name, all. */
  add(name: string | undefined): void {
    if (name === undefined) this.#names = undefined;
    else this.#names?.add(folded(name));
  }

  has(name: string): boolean {
    return this.#names?.has(folded(name)) ?? true;
  }
}

/** As every disk compares names that folds case or forms of letters: one too many is no harm. */
function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

interface Watched {
  watcher: FSWatcher;
  /** What the directory was when the watcher was made: another one may get its path. */
  identity: string;
  entries: Entries;
}

/**
 * So many events that do not count are as good as one that does: the queue of the system may have
 * been full, and then it loses events without a word (that of Linux has room for 16,384).
 */
const MOST_PASSED_OVER = 4096;

/** Errors of a directory that is gone: whoever watches where it was tells of its return. */
const GONE: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);
/** Errors of a directory that may not be read, which the work itself meets as well. */
const FORBIDDEN: ReadonlySet<unknown> = new Set(["EACCES", "EPERM"]);

export class WatchedDirectories {
  readonly #watched = new Map<string, Watched>();
  readonly #onChange: () => void;
  readonly #persistent: boolean;
  #passedOver = 0;
  #isClosed = false;
  #failure: Error | undefined;

  /** `onChange` is told when something may have changed that the work depends on. */
  constructor(onChange: () => void, persistent: boolean) {
    this.#onChange = onChange;
    this.#persistent = persistent;
  }

  /** Why the system watches nothing more; then all watchers are closed. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  get paths(): string[] {
    return [...this.#watched.keys()].sort();
  }

  /** Does the work, watches what it looks at, and, if it succeeds, nothing else any more. */
  async observe(work: () => Promise<void>): Promise<void> {
    const round = new Round(this);
    try {
      await diskObserver.run(round, work);
      this.#watchOnly(round.entriesOf);
    } finally {
      round.end();
    }
  }

  /** Makes sure that a directory is watched, and that an entry counts; without a name, all. */
  watch(directory: string, identity: string, name: string | undefined): void {
    const known = this.#watched.get(directory);
    known?.entries.add(name);
    if (known?.identity === identity || this.#isClosed) return;
    try {
      const watcher = fs.watch(directory, { persistent: this.#persistent });
      const watched: Watched = { watcher, identity, entries: known?.entries ?? new Entries() };
      watched.entries.add(name);
      watcher.on("change", (type, name) => this.#changed(directory, watched, type, name));
      watcher.on("error", () => this.#lost(directory, watched));
      this.#watched.set(directory, watched);
    } catch (error) {
      this.#watched.delete(directory);
      this.#failed(error as NodeJS.ErrnoException);
    }
    // Only now, so that no event is lost between the two.
    known?.watcher.close();
  }

  close(): void {
    this.#isClosed = true;
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
  }

  #watchOnly(entriesOf: ReadonlyMap<string, Entries>): void {
    for (const [directory, watched] of this.#watched) {
      const entries = entriesOf.get(directory);
      if (entries !== undefined) {
        watched.entries = entries;
      } else {
        watched.watcher.close();
        this.#watched.delete(directory);
      }
    }
  }

  #changed(directory: string, watched: Watched, type: string, name: unknown): void {
    if (this.#watched.get(directory) !== watched) return;
    if (typeof name === "string" && isItself(directory, type, name)) {
      // It may be gone, and its watcher with it; Windows would tell of that without end.
      this.#lost(directory, watched);
    } else if (typeof name !== "string" || watched.entries.has(name) || this.#isOverflow()) {
      this.#onChange();
    }
  }

  /** Counts an event that does not count, and says whether there were too many. */
  #isOverflow(): boolean {
    this.#passedOver += 1;
    return this.#passedOver % MOST_PASSED_OVER === 0;
  }

  /** What is asked for next makes another watcher of what is then there. */
  #lost(directory: string, watched: Watched): void {
    watched.watcher.close();
    if (this.#watched.get(directory) === watched) this.#watched.delete(directory);
    if (!this.#isClosed) this.#onChange();
  }

  #failed(error: NodeJS.ErrnoException): void {
    if (FORBIDDEN.has(error.code)) return;
    if (GONE.has(error.code)) {
      this.#onChange();
      return;
    }
    // With a part of the directories nobody is served, and other programs need watchers too.
    this.close();
    this.#failure = error;
  }
}

/** One run of the work. */
class Round implements DiskObserver {
  /** The directories that were looked at, and which of their entries. */
  readonly entriesOf = new Map<string, Entries>();
  readonly #directories: WatchedDirectories;
  /** What each directory is; nothing where there is none. */
  readonly #identities = new Map<string, string | undefined>();
  readonly #places = new Set<string>();
  #isOver = false;

  constructor(directories: WatchedDirectories) {
    this.#directories = directories;
  }

  /** What the work has begun may go on, such as a function of the caller: it is not followed. */
  end(): void {
    this.#isOver = true;
  }

  place(path: string): void {
    if (this.#isOver || this.#places.has(path)) return;
    this.#places.add(path);
    const directory = dirname(path);
    if (!this.#depend(directory, basename(path))) return;
    const target = linkTarget(path);
    if (target !== undefined) this.place(target);
  }

  entries(directory: string): void {
    if (!this.#isOver) this.#depend(directory, undefined);
  }

  /** Whether there is such a directory; its own entry in the one above it counts as well. */
  #depend(directory: string, name: string | undefined): boolean {
    if (this.#identity(directory) === undefined) return false;
    this.#watchEntry(directory);
    this.#watch(directory, name);
    return true;
  }

  /**
   * What the directory at a path is. Where there is none, the place where it would appear is
   * watched; where it is a link or below one, the place of the link.
   */
  #identity(path: string): string | undefined {
    if (this.#identities.has(path)) return this.#identities.get(path);
    // Links in a circle lead nowhere.
    this.#identities.set(path, undefined);
    const above = dirname(path);
    const isReachable = above === path || this.#identity(above) !== undefined;
    const identity = isReachable ? this.#identityBelow(path) : undefined;
    this.#identities.set(path, identity);
    return identity;
  }

  #identityBelow(path: string): string | undefined {
    const own = identityOf(statsAt(path));
    if (own !== undefined) return own;
    // Watched first and looked at after, so that nothing can happen in between.
    this.#watchEntry(path);
    const target = linkTarget(path);
    if (target === undefined) return identityOf(statsAt(path));
    const identity = this.#identity(target);
    // Of what has two names the system may tell by the other one.
    if (identity !== undefined) this.#watchEntry(target);
    return identity;
  }

  #watchEntry(path: string): void {
    const above = dirname(path);
    if (above !== path) this.#watch(above, basename(path));
  }

  #watch(directory: string, name: string | undefined): void {
    const identity = this.#identities.get(directory);
    if (identity === undefined) return;
    let entries = this.entriesOf.get(directory);
    if (entries === undefined) {
      entries = new Entries();
      this.entriesOf.set(directory, entries);
    }
    entries.add(name);
    this.#directories.watch(directory, identity, name);
  }
}

/** What is at a path, a link as a link. */
function statsAt(path: string): Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * What tells a directory from another one at the same path. Numbers of directories are used again,
 * so the time of the last change is part of it: at worst a watcher is made anew.
 */
function identityOf(stats: Stats | undefined): string | undefined {
  return stats?.isDirectory() ? `${stats.dev} ${stats.ino} ${stats.ctimeMs}` : undefined;
}

/** Where a link leads, by one step. */
function linkTarget(path: string): string | undefined {
  if (statsAt(path)?.isSymbolicLink() !== true) return undefined;
  try {
    return resolve(fs.realpathSync(dirname(path)), fs.readlinkSync(path));
  } catch {
    return undefined;
  }
}

/** Whether an event of a directory is about the directory, and not about an entry of it. */
function isItself(directory: string, type: string, name: string): boolean {
  return isAbsolute(name) || (type === "rename" && name === basename(directory));
}
