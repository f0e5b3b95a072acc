/** What `skillshelf/archive` offers. */
export { archiveHost } from "./hosts/archive/host.js";
export type * from "./hosts/archive/types.js";
