/**
 * `skillshelf/fs`: anything shaped like `fs.promises` as a host, such as memfs, ZenFS, the file
 * system of just-bash, and those of browsers.
 *
 * @module
 */
import { fileSystemHost, fileSystemHostSync } from "./hosts/file-system.js";
import {
  type FileSystemPromises,
  type FileSystemSync,
  promisedCalls,
  syncCalls,
} from "./hosts/file-system-calls.js";
import type { Host, SyncHost } from "./types.js";

export type { FileSystemPromises, FileSystemSync };

/** A file system as a host; see {@link fsHost}. */
export interface FsHost {
  (fs: FileSystemPromises | { readonly promises: FileSystemPromises }, root?: string): Host;
  /** The same of methods that answer at once, such as `readFileSync`, for `loadSkillsSync`. */
  sync(fs: FileSystemSync, root?: string): SyncHost;
}

/**
 * A directory of a file system as a host: of what is shaped like `fs.promises`, or has that as its
 * `promises`. `root` is a path of that file system; `/` by default.
 *
 * ```ts
 * const host = fsHost(volume, "/skills");
 * const catalog = await loadSkills({ host, label: "volume" });
 * ```
 *
 * Links are followed where the file system has `realpath`, which tells whether they leave; where it
 * has not, what a link leads to is not read. For the disk of Node, `nodeHost` is faster.
 */
export const fsHost: FsHost = Object.assign(
  (fs: FileSystemPromises | { readonly promises: FileSystemPromises }, root = "/") =>
    fileSystemHost(promisedCalls(promisesOf(fs)), root),
  {
    sync: (fs: FileSystemSync, root = "/") => {
      checkMethods("fsHost.sync takes a file system that answers at once, as node:fs does", fs, [
        "readdirSync",
        "readFileSync",
        "statSync",
      ]);
      return fileSystemHostSync(syncCalls(fs), root);
    },
  },
);

function promisesOf(
  fs: FileSystemPromises | { readonly promises: FileSystemPromises },
): FileSystemPromises {
  const { promises } = (fs ?? {}) as { promises?: unknown };
  const found = typeof promises === "object" && promises !== null ? promises : fs;
  checkMethods("fsHost takes a file system that is shaped like fs.promises", found, [
    "readdir",
    "readFile",
    "stat",
  ]);
  return found as FileSystemPromises;
}

function checkMethods(expected: string, fs: unknown, names: readonly string[]): void {
  const methods = (fs ?? {}) as Record<string, unknown>;
  const missing = names.filter((name) => typeof methods[name] !== "function");
  if (missing.length === 0) return;
  throw new TypeError(`${expected}; what it was given has no ${missing.join(", ")}.`);
}
