/** Who is told of the places of the disk that some work looks at. */
import { AsyncLocalStorage } from "node:async_hooks";

/** Told before a place is looked at, so that nothing can happen to it unseen in between. */
export interface DiskObserver {
  /** What is at a path, file or not. */
  place(path: string): void;
  /** The entries of a directory. */
  entries(directory: string): void;
}

/**
 * The observer of the work that is under way, through all its promises. So it is told also of what
 * a host looks at that wraps the disk, and of nothing that others do at the same time.
 */
export const diskObserver: AsyncLocalStorage<DiskObserver> = new AsyncLocalStorage();
