// The command as it is installed, in a process of its own.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { folder } from "./folder.ts";

const manifest = createRequire(import.meta.url).resolve("skillshelf/package.json");
const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: { skillshelf: string } };

/** The script that the command is. */
export const COMMAND = path.join(path.dirname(manifest), bin.skillshelf);

export interface Run {
  code: number | null;
  out: string;
  err: string;
  /** The standard output as it came. */
  bytes: Buffer;
}

/** Where and with what the command runs; by default in a home without skills. */
export interface Place {
  cwd?: string;
  home?: string;
  /** Further variables of its environment. */
  variables?: NodeJS.ProcessEnv;
}

/** Variables that would change what the command does. */
const OF_THE_DEVELOPER = /^(NO_COLOR|FORCE_COLOR|(ANTHROPIC|OPENAI)_(API_KEY|BASE_URL))$/;

/** The environment of a process whose home this is. */
export function environment(home: string = folder()): NodeJS.ProcessEnv {
  const rest = Object.entries(process.env).filter(([name]) => !OF_THE_DEVELOPER.test(name));
  return { ...Object.fromEntries(rest), HOME: home, USERPROFILE: home };
}

/** Starts the command. */
export function start(args: readonly string[], { cwd = folder(), home, variables }: Place = {}) {
  const env = { ...environment(home), ...variables };
  return spawn(process.execPath, [COMMAND, ...args], { cwd, env });
}

/** Runs the command to its end, with this on its standard input. */
export async function command(
  args: readonly string[],
  place: Place = {},
  input: string = "",
): Promise<Run> {
  const child = start(args, place);
  child.stdin.end(input);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    err += chunk;
  });
  const [code] = (await once(child, "close")) as [number | null];
  const bytes = Buffer.concat(chunks);
  return { code, out: bytes.toString("utf8"), err, bytes };
}
