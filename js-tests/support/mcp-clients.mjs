// Official clients of servers of skills.

import { spawn } from "node:child_process";
import { cpSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { COMMAND, environment } from "./command.js";
import { folder } from "./folder.js";

const open = new Set();
after(() => Promise.all([...open].map((client) => client.close())));

/** The modes in which a client and a server agree on a protocol: the older one, and the newest. */
export const MODES = ["legacy", "auto"];

export function newClient(mode = "legacy", options = {}) {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode }, ...options },
  );
  open.add(client);
  return client;
}

/** A client of a server in this process. */
export async function clientOf(server, mode, options) {
  const client = newClient(mode, options);
  const [here, there] = InMemoryTransport.createLinkedPair();
  const connection = await server.connect(there);
  await client.connect(here);
  return { client, connection };
}

/** A client over HTTP. */
export async function clientAt(url, mode, options) {
  const client = newClient(mode, options);
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  return { client, transport };
}

let alone;

/** The command as `npx` has it: the package as it is packed, with no other one beside it. */
export function commandAlone() {
  if (alone === undefined) {
    const installed = dirname(dirname(COMMAND));
    alone = folder();
    cpSync(installed, alone, { recursive: true });
  }
  return join(alone, "dist", basename(COMMAND));
}

/** Arguments of Node that start the command `skillshelf mcp`. */
export const serving = (args) => [commandAlone(), "mcp", ...args];

/** `skillshelf mcp`, in a home without skills. */
export const startServing = (args, cwd = folder(), nodeOptions = []) =>
  spawn(process.execPath, [...nodeOptions, ...serving(args)], { cwd, env: environment() });

/** Options of Node with which the module of the command fails from one SIGUSR2 to the next. */
export function trapping() {
  const hook = new URL("trapping.mjs", import.meta.url);
  const glue = pathToFileURL(join(dirname(commandAlone()), "core", "skillshelf.js"));
  hook.searchParams.set("glue", glue.href);
  return ["--import", hook.href];
}

/** A client of the command, which it has started itself. */
export async function clientOfCommand(args, mode, options) {
  const client = newClient(mode, options);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: serving(args),
    stderr: "pipe",
  });
  await client.connect(transport);
  return { client, transport };
}

/** The text of a result of a tool. */
export const textOf = ({ content }) => content.map((part) => part.text ?? "").join("\n");

/** What a promise rejects with. */
export async function failure(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
}

/** Resolves once `test` holds; fails after some seconds. */
export async function until(test, milliseconds = 10_000) {
  const end = Date.now() + milliseconds;
  while (!(await test())) {
    if (Date.now() > end) throw new Error(`it did not come to that: ${test}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
