/** A server that is a program: where it is started, and whether it is still there. */

import type { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { diskHost } from "#disk";
import { ServerFailure } from "./failure.js";
import { importStdio } from "./peer.js";

/** A program with nothing left to be replaced. */
export interface ProgramStart {
  type: "stdio";
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** Milliseconds between two looks at whether a program is still there. */
const GLANCE = 50;

/** What will start a program. */
export async function programTransport(
  { command, args, env }: ProgramStart,
  directory: string | undefined,
  options: { stderr: "ignore" | "inherit"; maxBufferSize: number },
): Promise<StdioClientTransport> {
  const stdio = await importStdio();
  if (stdio === undefined) throw new ServerFailure("unsupported");
  const place = directory === undefined ? {} : { cwd: directory };
  return new stdio.StdioClientTransport({ command, args, env, ...options, ...place });
}

/**
 * Makes sure that a program is started where it was approved: while a person was asked, something else
 * may have taken that path.
 */
export async function checkPlace(directory: string): Promise<void> {
  let real: string | undefined;
  try {
    real = await diskHost?.(directory).realPath?.("");
  } catch {
    // It is not there any more.
  }
  if (real !== directory) throw new ServerFailure("moved");
}

/** Whether there is a program of this number. */
export function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Waits until there is none, but no longer than that. */
export async function untilGone(pid: number, milliseconds: number): Promise<void> {
  for (const end = Date.now() + milliseconds; runs(pid) && Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, GLANCE));
  }
}
