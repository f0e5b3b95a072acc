/** What `#disk` leads to where there is a disk. */
import { diskHost as host, diskHostSync as hostSync } from "../hosts/disk.js";
import type { Host, SyncHost } from "../types.js";

export const diskHost: ((directory: string) => Host) | undefined = host;
export const diskHostSync: ((directory: string) => SyncHost) | undefined = hostSync;
