// A server over standard input and output. The first argument says how it behaves, the second names
// a file in which it leaves a line for each start.

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
};

const misbehavior = misbehaviors[behavior];
if (misbehavior === undefined) {
  // Not above: what misbehaves begins at once.
  const { StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  const { serverWith } = await import("./mcp-tools.mjs");
  const server = serverWith(behavior);
  await server.connect(new StdioServerTransport());
} else {
  misbehavior();
}
