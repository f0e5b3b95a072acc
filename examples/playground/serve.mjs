// Serves a built site on loopback: node serve.mjs [FOLDER] [PORT]

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";

/**
 * Where the page is when no port is named. What a browser keeps for it, the folder opened last and the
 * copy for later visits, is kept by address: another port would be another page.
 */
const PORT = 4747;

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/**
 * Serves a folder below `base`, and tells `onFile` which files are asked for; gives the address and how
 * to end it.
 */
export async function serve(
  folder,
  { port = 0, base = "/", cached = "no-cache", onFile = () => {} } = {},
) {
  const server = createServer(async (request, response) => {
    try {
      const file = fileOf(folder, base, request.url);
      const content = await readFile(file);
      onFile(file);
      response.writeHead(200, {
        "content-type": TYPES[path.extname(file)] ?? "application/octet-stream",
        "x-content-type-options": "nosniff",
        "cache-control": cached,
        // What the page's own policy cannot say: in a frame, others could lay things over it.
        "content-security-policy": "frame-ancestors 'none'",
      });
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

/** The file that an address stands for; throws where that is none below the folder. */
function fileOf(folder, base, address) {
  const pathname = decodeURIComponent(address.split(/[?#]/, 1)[0]);
  if (!pathname.startsWith(base)) throw new Error("not below the address of the site");
  const file = path.resolve(folder, pathname.slice(base.length) || "index.html");
  if (!file.startsWith(path.resolve(folder) + path.sep)) throw new Error("not below the folder");
  return file;
}

/** On the usual port, or on a free one where that is taken. */
async function serveAsUsual(folder) {
  try {
    return await serve(folder, { port: PORT });
  } catch {
    console.log(
      `Port ${PORT} is taken: what your browser has kept for the page is at that port and is not seen here.`,
    );
    return serve(folder);
  }
}

if (import.meta.filename === process.argv[1]) {
  const [folder = path.join(import.meta.dirname, "dist"), port] = process.argv.slice(2);
  try {
    const { address } =
      port === undefined ? await serveAsUsual(folder) : await serve(folder, { port: Number(port) });
    console.log(`The playground is at ${address} until you press Ctrl+C.`);
  } catch (error) {
    console.error(`It cannot be served: ${error.message}. Name another port, or 0 for a free one.`);
    process.exitCode = 1;
  }
}
