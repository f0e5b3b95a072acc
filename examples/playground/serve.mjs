// Serves a built site on loopback: node serve.mjs [FOLDER] [PORT]

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Serves a folder below `base`; gives the address and how to end it. */
export async function serve(folder, { port = 0, base = "/" } = {}) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const inside = pathname.startsWith(base)
      ? decodeURIComponent(pathname.slice(base.length))
      : undefined;
    const file = path.join(folder, inside === "" ? "index.html" : (inside ?? ""));
    const lost =
      inside === undefined || !path.resolve(file).startsWith(path.resolve(folder) + path.sep);
    try {
      if (lost) throw new Error("not below the folder");
      const content = await readFile(file);
      const type = TYPES[path.extname(file)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, "x-content-type-options": "nosniff" });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready, failed) =>
    server.once("error", failed).listen(port, "127.0.0.1", ready),
  );
  const close = () =>
    new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  return { address: `http://127.0.0.1:${server.address().port}${base}`, close };
}

if (import.meta.filename === process.argv[1]) {
  const [folder = path.join(import.meta.dirname, "dist"), port = "0"] = process.argv.slice(2);
  try {
    const { address } = await serve(folder, { port: Number(port) });
    console.log(`The playground is at ${address} until you press Ctrl+C.`);
  } catch (error) {
    console.error(
      `It cannot be served: ${error.message}. Name another port, or none to take a free one.`,
    );
    process.exitCode = 1;
  }
}
