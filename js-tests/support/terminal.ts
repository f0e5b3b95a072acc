// A real terminal, made by `script` of util-linux, with somebody who types.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { COMMAND, environment, type Place } from "./command.ts";
import { folder } from "./folder.ts";

/** Whether there is a `script`; a test says so where it is skipped. */
export const HAS_TERMINAL = spawnSync("script", ["--version"]).status === 0;

/** So long a test waits for what should show; only one that fails waits to the end. */
const PATIENCE = 60_000;

export interface Terminal extends AsyncDisposable {
  /** All that was shown, with colors. */
  readonly text: string;
  type(keys: string): void;
  /** Resolves once this shows, after what was waited for before. */
  shows(what: string | RegExp): Promise<void>;
  /** Resolves to the exit code once it is over. */
  ended(): Promise<number | null>;
}

/** The command in a terminal of 80 columns. */
export function terminal(args: string, { cwd = folder(), home, variables }: Place = {}): Terminal {
  const line = `stty cols 80 rows 24; exec "${process.execPath}" "${COMMAND}" ${args}`;
  const child = spawn("script", ["-qec", line, "/dev/null"], {
    cwd,
    env: { ...environment(home), TERM: "xterm-256color", ...variables },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close") as Promise<[number | null]>;
  child.stdin.on("error", () => {});
  let text = "";
  let seen = 0;
  let look = (): void => {};
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    look();
  });
  const found = (what: string | RegExp): boolean => {
    const rest = text.slice(seen);
    const at = typeof what === "string" ? rest.indexOf(what) : rest.search(what);
    if (at === -1) return false;
    seen += at + (typeof what === "string" ? what.length : (what.exec(rest)?.[0].length ?? 0));
    return true;
  };
  return {
    get text() {
      return text;
    },
    type: (keys) => child.stdin.write(keys),
    shows(what) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new assert.AssertionError({ message: `${what} does not show in:\n${text}` }));
        }, PATIENCE);
        look = () => {
          if (!found(what)) return;
          look = () => {};
          clearTimeout(timer);
          resolve();
        };
        look();
      });
    },
    async ended() {
      const [code] = await closed;
      return code;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}
