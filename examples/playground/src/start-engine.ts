// The engine, in a worker of its own.

import { connect, type Port, type Remote } from "./engine/rpc.ts";
import type { Progress } from "./engine/shapes.ts";
import type { Engine } from "./engine/worker.ts";

export interface EngineEvents {
  /** It says how far something long is. */
  onProgress(progress: Progress): void;
  /** It does not run, or has ended. */
  onFailure(): void;
}

export function startEngine({ onProgress, onFailure }: EngineEvents): Remote<Engine> {
  const worker = new Worker(new URL("./engine/worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<{ progress?: Progress }>) => {
    if (data.progress) onProgress(data.progress);
  });
  worker.addEventListener("error", onFailure);
  return connect<Engine>(worker as Port);
}
