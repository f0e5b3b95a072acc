// Running other programs: with a time limit, and with errors that show what they printed.

import { spawn } from "node:child_process";

const LIMIT = 120_000;

/** What a program printed; an error says what it was, if it failed. */
export function run(program, args, options = {}) {
  const child = start(program, args, { ...options, timeout: LIMIT });
  return new Promise((resolve, reject) => {
    child.on("error", (error) =>
      reject(new Error(`${program} cannot be started: ${error.message}`)),
    );
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(child.printed.trim());
      const end = signal === null ? `ended with ${code}` : `was ended by ${signal}`;
      reject(new Error(`${[program, ...args].join(" ")}\n${end}; it printed:\n${child.printed}`));
    });
  });
}

/** A program that runs on, at the head of a group; `printed` is what it has printed so far. */
export function start(program, args, options = {}) {
  const stdio = ["ignore", "pipe", "pipe", ...(options.pipes ?? [])];
  const child = spawn(program, args, { ...options, stdio, detached: true });
  child.printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      child.printed += text;
    });
  }
  return child;
}

/** Ends a program that was started, and what it started itself; waits until it is gone. */
export async function end(child) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("close", resolve));
  process.kill(-child.pid, "SIGKILL");
  await gone;
}

/** A promise with an end. */
export async function within(milliseconds, what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(what())), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
