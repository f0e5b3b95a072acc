// What all processes agree on: where the store is, and under which keys they keep what.

import { createStorage } from "unstorage";
import redisDriver from "unstorage/drivers/redis";

/** Below this key are the skills. */
export const SKILLS = "skills";

/** The key of a conversation's state. */
export const stateKey = (conversation) => `conversations:${conversation}`;

export function openStorage(url) {
  // A listing of the store is one command for each `scanCount` keys.
  return createStorage({ driver: redisDriver({ url, base: "agents", scanCount: 1000 }) });
}
