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
  /** Whether to stop, and how many swaps there have been. */
  shared: SharedArrayBuffer;
}

/** Runs `work` while another thread swaps. Gives how many swaps there were. */
export async function whileSwapping(
  root: string,
  swaps: Swap[],
  work: (swapped: () => number) => Promise<void>,
): Promise<number> {
  const shared = new SharedArrayBuffer(8);
  const state = new Int32Array(shared);
  const thread = new Worker(new URL(import.meta.url), { workerData: { root, swaps, shared } });
  const ended = once(thread, "exit");
  try {
    await once(thread, "message");
    await work(() => Atomics.load(state, 1));
  } finally {
    Atomics.store(state, 0, 1);
    await ended;
  }
  return Atomics.load(state, 1);
}

function swapUntilStopped({ root, swaps, shared }: Task): void {
  const state = new Int32Array(shared);
  const aside = path.join(root, ".aside");
  while (Atomics.load(state, 0) === 0) {
    for (const swap of swaps) {
      const place = path.join(root, swap.path);
      fs.renameSync(place, aside);
      fs.symlinkSync(path.join(root, swap.target), place);
      fs.unlinkSync(place);
      fs.renameSync(aside, place);
    }
    Atomics.add(state, 1, swaps.length);
  }
}

if (!isMainThread) {
  parentPort?.postMessage("ready");
  swapUntilStopped(workerData as Task);
}
