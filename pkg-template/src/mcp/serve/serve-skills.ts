/** What the command `skillshelf mcp` does: serves a catalog, and keeps it fresh. */
import {
  type CreateSkillServerOptions,
  createSkillServer,
  type ListenOptions,
  type SkillListener,
  type SkillServerConnection,
} from "../../mcp.js";
import type { Catalog, SyncCatalog } from "../../types.js";
import { type WatchOptions, watch } from "../../watch.js";

export interface ServeOptions {
  /** Over HTTP at this place; without it over standard input and output. */
  http?: ListenOptions | undefined;
  server?: CreateSkillServerOptions | undefined;
  /** How the catalog is watched; `false`: not at all. */
  watch?: WatchOptions | false | undefined;
  /** Ends serving. */
  signal?: AbortSignal | undefined;
}

export interface ServedSkills {
  /** Where, over HTTP. */
  readonly url?: string;
  /** Resolves when the client has left, or serving was ended. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export async function serveSkills(
  catalog: Catalog | SyncCatalog,
  options: ServeOptions = {},
): Promise<ServedSkills> {
  const { http, signal } = options;
  const server = await createSkillServer(catalog, options.server);
  const watcher =
    options.watch === false
      ? undefined
      : await watch(catalog, options.watch).catch(closing(server));
  let open: SkillListener | SkillServerConnection;
  try {
    open = http === undefined ? await server.connect() : await server.listen(http);
  } catch (error) {
    await Promise.all([watcher?.close(), server.close()]);
    throw error;
  }
  let isOver = (): void => {};
  const closed = new Promise<void>((resolve) => {
    isOver = resolve;
  });
  let end: Promise<void> | undefined;
  const close = (): Promise<void> => {
    end ??= Promise.all([watcher?.close(), server.close()]).then(isOver);
    return end;
  };
  if ("closed" in open) void open.closed.then(close);
  signal?.addEventListener("abort", () => void close(), { once: true });
  if (signal?.aborted) await close();
  return { ...("url" in open && { url: open.url }), closed, close };
}

/** Closes what has begun when the next thing fails. */
function closing(server: { close(): Promise<void> }): (error: unknown) => Promise<never> {
  return async (error) => {
    await server.close();
    throw error;
  };
}
