/**
 * What an open descriptor tells about the file behind it. A decision on what was opened holds;
 * one on what a path meant a moment ago does not.
 */

import type { BigIntStats } from "node:fs";
import { sep } from "node:path";
import { fs } from "../node-fs.js";
import type { HostStat } from "../types.js";
import { failure, isMissing } from "./arguments.js";
import { directoriesAbove, replaced, type Way } from "./way.js";

/** A link at the end of a path: an error, followed, or followed and the place it led to is told. */
export type Links = "refuse" | "follow" | "resolve";

/** An opened file. The descriptor is there only for what can be read: a regular file. */
export interface Examined extends HostStat {
  realPath?: string;
  descriptor?: number;
}

const onWindows = process.platform === "win32";

/** Windows has none of them; {@link refuseLink} stands in for the first. */
const { O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = onWindows
  ? { O_NOFOLLOW: 0, O_NONBLOCK: 0, O_NOCTTY: 0 }
  : fs.constants;

/** Opening and reading never wait: not for a pipe's writer, not for a device. */
export function openFlags(links: Links): number {
  const flags = fs.constants.O_RDONLY | O_NONBLOCK | O_NOCTTY;
  return links === "refuse" ? flags | O_NOFOLLOW : flags;
}

/**
 * Looks at what was opened; the descriptor is closed unless it is in the result. `way` is
 * {@link wayTo} from before it was opened.
 */
export function examine(
  descriptor: number,
  path: string,
  links: Links,
  way: Way | undefined,
): Examined {
  let keep = false;
  try {
    const stats = fs.fstatSync(descriptor, { bigint: true });
    if (links === "refuse" && O_NOFOLLOW === 0) {
      refuseLink(path, stats);
    }
    const found: Examined = hostStat(stats);
    if (links === "resolve") {
      found.realPath = way ? confirmed(way, path, stats) : kernelPath(descriptor, path, stats);
    }
    if (found.kind === "file") {
      found.descriptor = descriptor;
      keep = true;
    }
    return found;
  } finally {
    if (!keep) {
      fs.closeSync(descriptor);
    }
  }
}

/**
 * What stands at a path that could not be opened: a socket and a device without a driver cannot
 * be, and are no fault. Anything else throws the error, `ELOOP` for a link that was refused.
 */
export function examineUnopened(
  error: NodeJS.ErrnoException,
  path: string,
  links: Links,
): Examined {
  if (links === "refuse" && LINK_REFUSED.has(error.code)) {
    throw linkRefused(path);
  }
  if (!NOTHING_TO_OPEN.has(error.code)) {
    throw error;
  }
  const found: Examined = hostStat(fs.statSync(path, { bigint: true }));
  if (found.kind !== "other") {
    throw error;
  }
  if (links === "resolve") {
    found.realPath = realPathOf(path);
  }
  return found;
}

/** What `O_NOFOLLOW` gives for a link: Linux and macOS, FreeBSD, NetBSD. */
const LINK_REFUSED = new Set<string | undefined>(["ELOOP", "EMLINK", "EFTYPE"]);

/** What opening a socket or a device without a driver gives. */
const NOTHING_TO_OPEN = new Set<string | undefined>(["ENXIO", "ENODEV", "EOPNOTSUPP"]);

export function kindOf(entry: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): string {
  if (entry.isFile()) {
    return "file";
  }
  if (entry.isDirectory()) {
    return "directory";
  }
  return entry.isSymbolicLink() ? "link" : "other";
}

/**
 * Changes when the content does. The time of the last change of the inode tells what the time of
 * the last modification can be made to hide, and the inode a file that took another's place.
 */
function versionOf(stats: BigIntStats): string {
  return `${stats.size}-${stats.mtimeNs}-${stats.ctimeNs}-${stats.ino}`;
}

/** What stands at a path, links followed; nothing is no error. */
export function statsAt(path: string): BigIntStats | undefined {
  return unlessMissing(() => fs.statSync(path, AS_BIG_INTEGERS));
}

function lstatsAt(path: string): BigIntStats | undefined {
  return unlessMissing(() => fs.lstatSync(path, AS_BIG_INTEGERS));
}

// So that no error is made to be thrown away; below a file there is one all the same.
const AS_BIG_INTEGERS = { bigint: true, throwIfNoEntry: false } as const;

function unlessMissing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}

export function hostStat(stats: BigIntStats): HostStat {
  const kind = kindOf(stats);
  const version = versionOf(stats);
  const isFresh = kind === "directory" && mayChangeUnseen(stats.ctimeNs);
  return {
    kind,
    size: Number(stats.size),
    version: isFresh ? `${version}-${nextFresh()}` : version,
  };
}

/** So long a clock of a file system may stand still: Linux before 6.13 has 4 to 10 ms. */
const TICK = 20_000_000n;
const SECOND = 1_000_000_000n;

/**
 * Whether a directory that was changed at this time can change again without another time. What was
 * put in its place and taken back within a tick would not be seen by its version: so it has none that
 * it could be recognized by, and what was found below it is judged by where it really is.
 */
function mayChangeUnseen(changed: bigint): boolean {
  const age = BigInt(Date.now()) * 1_000_000n - changed;
  // Some file systems have whole seconds, or two.
  return age < (changed % SECOND === 0n ? 3n * SECOND : TICK);
}

let fresh = 0;

function nextFresh(): number {
  fresh += 1;
  return fresh;
}

/** A path as hosts tell it: `/` on every platform, and only what a string can hold exactly. */
export function pathText(path: string, bytes: () => Buffer): string {
  // Two names that are not UTF-8 can become the same string, and one pass for the other.
  if (path.includes("\ufffd") && !bytes().equals(Buffer.from(path))) {
    throw failure("EILSEQ", "a name that is not UTF-8", path);
  }
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/** Where a path leads, links resolved. */
export function realPathOf(path: string): string {
  return pathText(fs.realpathSync.native(path), () => fs.realpathSync.native(path, "buffer"));
}

/** Linux knows the path of each descriptor. */
function kernelPath(descriptor: number, path: string, stats: BigIntStats): string {
  const link = descriptorPath(descriptor);
  let real: string;
  try {
    real = pathText(fs.readlinkSync(link), () => fs.readlinkSync(link, "buffer"));
  } catch (error) {
    // The file is there; it is its path that is not told.
    throw isMissing(error) ? failure("EIO", "no path is told of what was opened", path) : error;
  }
  // The mark of a file that was removed or replaced since; or a name that ends so.
  return real.endsWith(DELETED) && !standsAt(real, stats) ? real.slice(0, -DELETED.length) : real;
}

const DELETED = " (deleted)";

/**
 * Where an open directory is, and a path by which what was opened is listed, whatever the path that
 * it was opened by means by now. Only where descriptors have paths.
 */
export function openedDirectory(
  descriptor: number,
  path: string,
): { path: string; realPath: string } {
  const realPath = kernelPath(descriptor, path, fs.fstatSync(descriptor, { bigint: true }));
  return { path: descriptorPath(descriptor), realPath };
}

let descriptorsHavePaths: boolean | undefined;

/**
 * Whether descriptors have paths: on Linux, where there is `/proc`. Asked once, when it is needed, and
 * again after an error that does not tell: until then all is done as where there are none, which is
 * right anywhere. A catalog keeps what it was told of its listings at first, which costs it two
 * questions more for each.
 */
export function hasDescriptorPaths(): boolean {
  descriptorsHavePaths ??= findDescriptorPaths();
  return descriptorsHavePaths ?? false;
}

/** Nothing where it could not be found out just now. */
function findDescriptorPaths(): boolean | undefined {
  if (process.platform !== "linux" && process.platform !== "android") {
    return false;
  }
  try {
    const descriptor = fs.openSync("/", DIRECTORY_FLAGS);
    try {
      return fs.readlinkSync(descriptorPath(descriptor)) === "/";
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    return TRANSIENT.has((error as NodeJS.ErrnoException).code) ? undefined : false;
  }
}

/** Errors that say nothing of whether there is `/proc`. */
const TRANSIENT = new Set<string | undefined>(["EMFILE", "ENFILE", "ENOMEM", "EIO", "EINTR"]);

function descriptorPath(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/** Opening a directory, and nothing else. */
export const DIRECTORY_FLAGS: number = onWindows
  ? 0
  : fs.constants.O_RDONLY | fs.constants.O_DIRECTORY;

/** Where a path below `root` leads, for where descriptors have no paths. */
export function wayTo(path: string, root: string): Way | undefined {
  if (hasDescriptorPaths()) {
    return undefined;
  }
  const realPath = realPathOf(path);
  const above = directoriesAbove(realPath, realPathOf(root));
  return { realPath, above: above.map((path) => ({ path, version: stampAt(path) })) };
}

/**
 * The real path of what was opened, if it has been there all the time. The directories were looked at
 * from the outermost on, and are now from the innermost on: so the time between the two looks at one
 * directory has in it that between the two looks at each below.
 */
function confirmed({ realPath, above }: Way, path: string, stats: BigIntStats): string {
  const isThere =
    standsAt(realPath, stats) &&
    leadsToItself(realPath) &&
    above.toReversed().every((it) => stampAt(it.path) === it.version);
  if (!isThere) {
    throw replaced(path);
  }
  return realPath;
}

/** Whether a file stands at a path by itself, not by a link. */
function standsAt(path: string, stats: BigIntStats): boolean {
  const found = lstatsAt(path);
  return found !== undefined && !found.isSymbolicLink() && isSame(found, stats);
}

/** Whether no link is above it. */
function leadsToItself(path: string): boolean {
  try {
    return realPathOf(path) === path;
  } catch (error) {
    if (isMissing(error)) {
      return false;
    }
    throw error;
  }
}

/**
 * What tells whether a directory was changed; `""` for what is missing. Unlike the version that
 * {@link hostStat} tells, a young one has it too: every file in a new directory would be refused else.
 */
function stampAt(path: string): string {
  const stats = lstatsAt(path);
  return stats === undefined ? "" : versionOf(stats);
}

/** For platforms without `O_NOFOLLOW`. */
function refuseLink(path: string, stats: BigIntStats): void {
  const found = fs.lstatSync(path, { bigint: true });
  if (found.isSymbolicLink() || !isSame(found, stats)) {
    throw linkRefused(path);
  }
}

function linkRefused(path: string): Error {
  return failure("ELOOP", "a link, which was not to be followed", path);
}

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  // On Windows, Node 22.12 to 24.1 tell another `dev` by path than by descriptor.
  const sameVolume = onWindows ? one.birthtimeNs === other.birthtimeNs : one.dev === other.dev;
  return sameVolume && one.ino === other.ino;
}
