// What would leave the machine: a proxy that lets nothing through and remembers who was asked for. The
// addresses of this machine go past it.

import { createServer } from "node:http";
import { listening } from "./loopback.mjs";

/** Gives the port, the hosts that were asked for, and how to end it. */
export async function closedProxy() {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(403).end();
  });
  server.on("connect", (request, socket) => {
    asked.push(request.url);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  const { port, close } = await listening(server);
  return { port, asked, close };
}
