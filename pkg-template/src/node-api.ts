/** Directories of the disk: as hosts, watched, and where people keep skills. */
export { type NodeHost, nodeHost } from "./hosts/node-host.js";
export { type StandardSourcesOptions, standardSources } from "./standard-sources.js";
export { type WatchEvent, type Watcher, type WatchOptions, watch } from "./watch.js";
