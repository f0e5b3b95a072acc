/**
 * Reading straight into the replies to the core. A scan wants the beginnings of thousands of files:
 * an open file, an answer and an array for each would take a third as long as reading it.
 */
import type { HostStat } from "../types.js";
import type { Request } from "../wire.js";

type Read = Extract<Request, { kind: "read" }>;

/** Names the method, which is not for people who use hosts. */
export const readDirectly: unique symbol = Symbol("readDirectly");

/** This package's own disk host. */
export interface DirectHost {
  /** Answers a request. `false` where it does not, and the host is to be asked in the usual way. */
  [readDirectly](request: Read, replies: FileReplies): boolean;
}

/** Takes the replies to reads. */
export interface FileReplies {
  /** What was opened, and of its bytes as many as `read` gives, `length` at most. */
  fileFrom(found: HostStat & { realPath?: string }, length: number, read: ReadInto): void;
}

/** Reads bytes to a place in memory, `length` at most. Gives how many; none at the end of the file. */
export type ReadInto = (memory: Uint8Array, at: number, length: number, done: number) => number;

export function isDirectHost(host: object): host is DirectHost {
  return readDirectly in host;
}
