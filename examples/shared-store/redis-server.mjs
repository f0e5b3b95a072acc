// A Redis server of one's own on loopback, on a free port; it keeps nothing on the disk.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";

/** Starts it; gives its URL, and `close`. */
export async function startRedis() {
  const port = await freePort();
  const options = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--dir", tmpdir()];
  const server = spawn("redis-server", options, { stdio: "ignore" });
  const failed = once(server, "exit").then(([code]) => {
    throw new Error(`redis-server ended with exit code ${code}`);
  });
  try {
    await Promise.race([answers(port), failed]);
  } catch (error) {
    server.kill();
    throw error;
  }
  failed.catch(() => {}); // its end is expected from now on
  const close = async () => {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  };
  return { url: `redis://127.0.0.1:${port}`, close };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Waits for the answer to a first command. */
async function answers(port) {
  for (const end = Date.now() + 10_000; Date.now() < end; ) {
    if (await pings(port)) return;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error("redis-server gave no answer in 10 s");
}

function pings(port) {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    socket.once("data", (data) => {
      socket.destroy();
      done(String(data).startsWith("+PONG"));
    });
    socket.once("error", () => done(false));
  });
}
