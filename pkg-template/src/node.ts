/** `skillshelf/node`: directories of the disk, as hosts, watched, and where people keep skills. */
import { diskHost, diskHostSync } from "./hosts/disk.js";
import { pathOf } from "./path-of.js";
import type { Host, SyncHost } from "./types.js";

export { type StandardSourcesOptions, standardSources } from "./standard-sources.js";
export { type WatchEvent, type Watcher, type WatchOptions, watch } from "./watch.js";

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
