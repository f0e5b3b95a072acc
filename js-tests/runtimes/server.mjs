// A server on loopback for pages: it gives them what they ask for, and takes what they answer.

import { createServer } from "node:http";
import path from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

/**
 * Serves what `contentOf` gives for a path, all with these headers. `answer` is what a page posts to
 * `/answer`; what it posts to `/failure` is an error.
 */
export async function serve(contentOf, headers = {}) {
  let settle;
  const answer = new Promise((resolve, reject) => {
    settle = {
      "/answer": resolve,
      "/failure": (text) => reject(new Error(`On the page: ${text}`)),
    };
  });
  // Whoever waits for it may not have begun to.
  answer.catch(() => {});
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (request.method === "POST") {
      settle[pathname]?.(await bodyOf(request));
      return response.writeHead(204, headers).end();
    }
    const name = pathname === "/" ? "/index.html" : pathname;
    try {
      const content = await contentOf(name);
      const type = TYPES[path.extname(name)] ?? "text/plain";
      response.writeHead(200, { ...headers, "content-type": type }).end(content);
    } catch {
      response.writeHead(404, headers).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () =>
    new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  return { address: `http://127.0.0.1:${server.address().port}/`, answer, close };
}

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
