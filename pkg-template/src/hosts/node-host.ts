/** Directories of the disk as hosts, for those who want more than a path as a source. */
import { pathOf } from "../path-of.js";
import type { Host, SyncHost } from "../types.js";
import { diskHost, diskHostSync } from "./disk.js";

/** A directory of the disk as a host; see {@link nodeHost}. */
export interface NodeHost {
  (root: string | URL): Host;
  /** The same without promises, for `loadSkillsSync`. */
  sync(root: string | URL): SyncHost;
}

/**
 * A directory of the disk as a host: its path, or a `file:` URL, as a `URL` or as text. A relative
 * path is taken from the directory that is current now.
 *
 * ```ts
 * const host = nodeHost(new URL("skills", import.meta.url));
 * const catalog = await loadSkills({ host, label: "mine" });
 * ```
 *
 * `loadSkills("skills")` makes one by itself; this is for sources with a label of their own or
 * untrusted ones, and for hosts that wrap another.
 */
export const nodeHost: NodeHost = Object.assign(
  (root: string | URL) => diskHost(pathOf(root, "nodeHost takes")),
  { sync: (root: string | URL) => diskHostSync(pathOf(root, "nodeHost takes")) },
);
