/** What `#disk` leads to where there is no disk. */
import type { Host, SyncHost } from "../types.js";

export const diskHost: ((directory: string) => Host) | undefined = undefined;
export const diskHostSync: ((directory: string) => SyncHost) | undefined = undefined;
