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

/** `/` and `C:/` are their own. */
function parentOf(path: string): string {
  const bare = path.endsWith("/") ? path.slice(0, -1) : path;
  const parent = bare.slice(0, Math.max(bare.lastIndexOf("/"), 0));
  if (parent !== "") return parent.endsWith(":") ? `${parent}/` : parent;
  return path.startsWith("/") ? "/" : path;
}

function isAbove(directory: string, path: string): boolean {
  return (
    directory !== path && path.startsWith(directory.endsWith("/") ? directory : `${directory}/`)
  );
}

/** How often a file is opened until nothing changes meanwhile: somebody may be at work beside it. */
export const TRIES = 3;

const STALE = "ESTALE";

/** The error for a file that is not, or may not be, where it was opened. */
export function replaced(path: string): Error {
  return failure(STALE, "replaced while it was opened", path);
}

/** Whether an error is {@link replaced}, and there is another try. */
export function mayTryAgain(error: unknown, tried: number): boolean {
  return tried < TRIES && (error as { code?: unknown } | null)?.code === STALE;
}
