// Servers over streamable HTTP on loopback: one made with the official SDK, and any that misbehave.

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { after } from "node:test";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { serverWith } from "./mcp-tools.mjs";

const open = new Set();
after(() => {
  for (const server of open) {
    server.closeAllConnections();
    server.close();
  }
});

/** The address of a server that answers so. */
export async function listen(answer) {
  const server = createServer(answer);
  open.add(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}/mcp`;
}

/** A server with the tools of tests: its address, what it was asked, and its sessions. */
export async function toolServer(behavior, { json = false } = {}) {
  const sessions = new Map();
  const asked = [];
  const url = await listen(async (request, response) => {
    const { method, headers } = request;
    asked.push({ method, headers });
    const body = await bodyOf(request);
    const given = headers["mcp-session-id"];
    let transport = sessions.get(given);
    if (given !== undefined && transport === undefined) {
      response.writeHead(404).end();
      return;
    }
    if (transport === undefined) {
      transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: json,
        onsessioninitialized: (id) => sessions.set(id, transport),
        onsessionclosed: (id) => sessions.delete(id),
      });
      await serverWith(behavior).connect(transport);
    }
    const init = { method, headers, ...(method === "POST" && { body }) };
    await send(
      await transport.handleRequest(new Request(new URL(request.url, url), init)),
      response,
    );
  });
  return { url, asked, sessions };
}

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

async function send({ status, headers, body }, response) {
  response.writeHead(status, Object.fromEntries(headers));
  for await (const part of body ?? []) response.write(part);
  response.end();
}

/** Answers as JSON, and `initialize` as a server should. */
export function answering(next) {
  return async (request, response) => {
    if (request.method !== "POST") {
      response.writeHead(405).end();
      return;
    }
    const { id, method, params } = JSON.parse(String(await bodyOf(request)));
    const result = (value) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: value }));
    };
    if (method === "initialize") {
      const { protocolVersion } = params;
      const serverInfo = { name: "test", version: "1" };
      result({ protocolVersion, capabilities: { tools: {} }, serverInfo });
    } else if (id === undefined) {
      response.writeHead(202).end();
    } else {
      next(method, result, response);
    }
  };
}
