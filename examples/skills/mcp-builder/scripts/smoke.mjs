#!/usr/bin/env node
// Starts an MCP server over stdio, lists its tools and checks what every client relies on.
// Usage: node smoke.mjs <command> [arguments…]     Exit code: 0 fine, 1 findings, 2 no answer.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [command, ...args] = process.argv.slice(2);
if (!command) {
  console.error("usage: node smoke.mjs <command> [arguments…]");
  process.exit(2);
}

const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
let lastId = 0;

createInterface({ input: server.stdout }).on("line", (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    fail(`standard output carries something that is not protocol: ${line.slice(0, 80)}`);
  }
  waiting.get(message.id)?.(message);
});
server.on("error", (error) => fail(`cannot start ${command}: ${error.message}`));
server.on("exit", (code) => fail(`the server ended early with code ${code}`));
const timer = setTimeout(() => fail("no answer within 10 seconds"), 10_000);

await request("initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "smoke", version: "1" },
});
send({ method: "notifications/initialized" });
const { tools } = await request("tools/list", {});
clearTimeout(timer);
server.removeAllListeners("exit");
server.kill();

const findings = tools.flatMap(check);
console.log(`${tools.length} tools: ${tools.map((tool) => tool.name).join(", ")}`);
for (const finding of findings) console.log(`- ${finding}`);
process.exit(findings.length > 0 ? 1 : 0);

/** What is wrong with one tool. */
function check(tool) {
  const findings = [];
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(tool.name))
    findings.push(`${tool.name}: not every client accepts this name`);
  if ((tool.description ?? "").length < 40)
    findings.push(`${tool.name}: the description is too short to choose by`);
  if (tool.inputSchema?.type !== "object")
    findings.push(`${tool.name}: the input schema is not an object`);
  for (const [name, schema] of Object.entries(tool.inputSchema?.properties ?? {})) {
    if (!schema.description && !schema.enum && schema.type === "string")
      findings.push(`${tool.name}.${name}: no description`);
  }
  return findings;
}

function send(message) {
  server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function request(method, params) {
  const id = ++lastId;
  return new Promise((resolve) => {
    waiting.set(id, (message) => {
      if (message.error) fail(`${method}: ${message.error.message}`);
      resolve(message.result);
    });
    send({ id, method, params });
  });
}

function fail(reason) {
  console.error(reason);
  server.kill();
  process.exit(2);
}
