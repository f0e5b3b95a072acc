// A server over standard input and output. The first argument says how it behaves, the second names
// a file in which it leaves a line for each start.

import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const [behavior, log] = process.argv.slice(2);
if (log !== undefined) appendFileSync(log, `${process.pid}\n`);

const misbehaviors = {
  exits: () => process.exit(3),
  /** Never answers, and ends with its input. */
  silent: () => process.stdin.resume(),
  /** Never answers, and ends only when it must. */
  stubborn: () => {
    process.on("SIGTERM", () => {});
    setInterval(() => {}, 1000);
  },
  garbage: () => {
    process.stdin.resume();
    process.stdout.write('hello\n{"jsonrpc":"2.0"}\n[]\n{"jsonrpc":"2.0","id":0,"result":7}\n\n');
  },
  /** One message without end. */
  huge: () => {
    const part = "x".repeat(1024 * 1024);
    const more = () => process.stdout.write(part, more);
    more();
  },
  /** Lines without end, none of which is a message. */
  lines: () => {
    const part = "no\n{}\n".repeat(10_000);
    const more = () => process.stdout.write(part, more);
    more();
  },
};

/** Starts a program that holds the output open, and ends by itself only long after. */
function startChild() {
  const wait = ["-e", "setTimeout(() => {}, 60_000)"];
  const { pid } = spawn(process.execPath, wait, { stdio: "inherit" });
  appendFileSync(log, `${pid}\n`);
}

const misbehavior = misbehaviors[behavior];
if (misbehavior === undefined) {
  // Not above: what misbehaves begins at once.
  const { StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  const { serverWith } = await import("./mcp-tools.mjs");
  if (behavior === "parent") startChild();
  const server = serverWith(behavior);
  await server.connect(new StdioServerTransport());
} else {
  misbehavior();
}
