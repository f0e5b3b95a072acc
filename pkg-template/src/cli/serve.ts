/** Serving skills over MCP until it is to end. */
import type { ListenOptions, SkillServer } from "../mcp.js";
import type { Catalog } from "../types.js";
import { type Watcher, type WatchOptions, watch } from "../watch.js";

/** Milliseconds in which what is under way may end, and clients read what they were answered. */
const GRACE = 1500;

export interface Serving {
  catalog: Catalog;
  server: SkillServer;
  /** Where, over HTTP; without it over standard input and output. */
  http: ListenOptions | undefined;
  /** How the catalog is kept fresh meanwhile. */
  watch: WatchOptions;
  /** Ends it; over standard input and output so does the client. */
  signal: AbortSignal;
  /** Told when clients are answered: at which URL, over HTTP. */
  onOpen(url: string | undefined): void;
}

/** Resolves when it is over and nothing is open any more. */
export async function serve({ catalog, server, http, signal, ...told }: Serving): Promise<void> {
  let watcher: Watcher | undefined;
  try {
    const over = [aborted(signal)];
    if (http === undefined) {
      // Each answer that waits to be read listens; how many these are is bounded.
      process.stdout.setMaxListeners(0);
      over.push((await server.connect()).closed);
      told.onOpen(undefined);
    } else {
      told.onOpen((await server.listen(http)).url);
    }
    const ended = Promise.race(over).then(leaveSoon);
    // Clients are answered before the directories are gone through once more.
    watcher = await watch(catalog, told.watch);
    await ended;
  } finally {
    await Promise.all([watcher?.close(), server.close()]);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/**
 * Ends the process also where something keeps it alive: a client that leaves unread what it was sent,
 * a disk that does not answer.
 */
function leaveSoon(): void {
  setTimeout(() => process.exit(), GRACE).unref();
}
