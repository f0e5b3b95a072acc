// Another thread that swaps files and directories for links, as fast as it can.

import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

/** What is swapped for a link to what, and back, over and over; paths below `root`. */
export interface Swap {
  path: string;
  target: string;
}

interface Task {
  root: string;
  swaps: Swap[];
  /** What {@link STOP}, {@link SWAPPED} and {@link ENDED} are places in. */
  shared: SharedArrayBuffer;
}

/** Whether to stop. */
const STOP = 0;
/** How many swaps there have been. */
const SWAPPED = 1;
/** Whether the thread has come to an end, however. */
const ENDED = 2;

/**
 * Runs `work` while another thread swaps. Gives how many swaps there were. `swapped` tells how many
 * there have been, and throws once there will be no more.
 */
export async function whileSwapping(
  root: string,
  swaps: Swap[],
  work: (swapped: () => number) => Promise<void>,
): Promise<number> {
  const shared = new SharedArrayBuffer(12);
  const state = new Int32Array(shared);
  const thread = new Worker(new URL(import.meta.url), { workerData: { root, swaps, shared } });
  const ended = once(thread, "exit");
  // Until it is waited for.
  ended.catch(() => {});
  try {
    await once(thread, "message");
    await work(() => {
      if (Atomics.load(state, ENDED) !== 0) throw new Error("the thread that swaps has ended");
      return Atomics.load(state, SWAPPED);
    });
  } finally {
    Atomics.store(state, STOP, 1);
    await ended;
  }
  return Atomics.load(state, SWAPPED);
}

function swapUntilStopped({ root, swaps, shared }: Task): void {
  const state = new Int32Array(shared);
  const aside = path.join(root, ".aside");
  try {
    while (Atomics.load(state, STOP) === 0) {
      for (const swap of swaps) {
        const place = path.join(root, swap.path);
        fs.renameSync(place, aside);
        fs.symlinkSync(path.join(root, swap.target), place);
        fs.unlinkSync(place);
        fs.renameSync(aside, place);
      }
      Atomics.add(state, SWAPPED, swaps.length);
    }
  } finally {
    Atomics.store(state, ENDED, 1);
  }
}

if (!isMainThread) {
  parentPort?.postMessage("ready");
  swapUntilStopped(workerData as Task);
}
