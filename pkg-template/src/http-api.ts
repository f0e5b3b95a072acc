/** What `skillshelf/http` offers, wherever the module comes from. */
export type { ArchiveLimits, ArchiveOptions } from "./hosts/archive/types.js";
export { type HttpCache, memoryCache } from "./hosts/http/cache.js";
export { httpHost } from "./hosts/http/host.js";
export type { HttpHostOptions, HttpLimits, ListedSkill } from "./hosts/http/options.js";
