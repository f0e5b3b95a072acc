/**
 * The way to a file, where what was opened does not tell where it is. Its real path is asked for
 * before it is opened, with the versions of the directories above; afterwards the file has to stand
 * there by itself, and no directory may have changed. Whoever swaps one of them for a link changes the
 * one above it, so what is seen of the way at any time in between is what it was all the time.
 */
import { failure } from "./arguments.js";

/** Where a path led before it was opened, and what was above that place then, the outermost first. */
export interface Way {
  readonly realPath: string;
  /** `version` is what is compared with what it is later: no version that a host tells. */
  readonly above: readonly { readonly path: string; readonly version: string }[];
}

/**
 * The directories above a real path, the outermost first. Not those above the source, which are the
 * developer's, and in which others are busy.
 */
export function directoriesAbove(realPath: string, root: string): string[] {
  const found: string[] = [];
  let inner = realPath;
  let directory = parentOf(inner);
  while (directory !== inner && !isAbove(directory, root)) {
    found.unshift(directory);
    inner = directory;
    directory = parentOf(inner);
  }
  return found;
}

/** `/`, `C:/` and `//server/share` are their own. */
function parentOf(path: string): string {
  if (SHARE.test(path)) return path;
  const bare = path.endsWith("/") ? path.slice(0, -1) : path;
  const parent = bare.slice(0, Math.max(bare.lastIndexOf("/"), 0));
  if (parent !== "") return parent.endsWith(":") ? `${parent}/` : parent;
  return path.startsWith("/") ? "/" : path;
}

const SHARE = /^\/\/[^/]+\/[^/]+\/?$/;

function isAbove(directory: string, path: string): boolean {
  return (
    directory !== path && path.startsWith(directory.endsWith("/") ? directory : `${directory}/`)
  );
}

const STALE = "ESTALE";

/** The error for a file that is not, or may not be, where it was opened. */
export function replaced(path: string): Error {
  const problem = "it, or a directory above it, was changed while it was opened; try again";
  return failure(STALE, problem, path);
}

/**
 * How often something is opened, and how long is waited before each further time, in milliseconds: who
 * is at work beside a file changes its directory, and that cannot be told from a swap.
 */
const PAUSES = [0, 1, 2, 4, 8, 16, 32];

/** The same where nobody can wait. */
const TRIES_AT_ONCE = 10;

/** As it was at first: where tests have put their own clock in its place, nobody would go on. */
const { setTimeout: later } = globalThis;

/** What opening comes to once nothing changes meanwhile, or the error if that does not happen. */
export async function onceQuiet<T>(open: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await open();
    } catch (error) {
      if (!isReplaced(error)) throw error;
      await new Promise((done) => later(done, pause));
    }
  }
  return open();
}

/** {@link onceQuiet} without promises. */
export function onceQuietSync<T>(open: () => T): T {
  for (let tried = 1; tried < TRIES_AT_ONCE; tried += 1) {
    try {
      return open();
    } catch (error) {
      if (!isReplaced(error)) throw error;
    }
  }
  return open();
}

/** Whether an error is {@link replaced}, or a network's disk says the same. */
function isReplaced(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === STALE;
}
