/** Listening with Node's own server. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SkillError } from "../../errors.js";
import type { SkillListener } from "../../mcp.js";

type Answer = (request: Request) => Promise<Response>;

/** What the protocol is spoken with. Of others, such as `TRACE`, the runtime makes no request. */
const METHODS = ["GET", "POST", "DELETE"];

/** Milliseconds for the headers of a request, for all of it, and for a client to take a piece of its answer. */
const HEADERS = 10_000;
const WHOLE = 60_000;
const TAKEN = 30_000;
const MOST_CONNECTIONS = 4096;

/** Where to listen, as the core has judged it. */
export interface ListenAddress {
  host: string;
  /** The host as the URL has it. */
  name: string;
  /** Whether it stands for all addresses of this machine, so that no request is addressed to it. */
  isWildcard: boolean;
  port: number;
  path: string;
}

export async function listen(
  { host, name, port, path }: ListenAddress,
  answer: Answer,
  report: (error: unknown) => void,
  onEnd: () => void,
): Promise<SkillListener> {
  const http = await importHttp();
  const limits = { headersTimeout: HEADERS, requestTimeout: WHOLE };
  const server = http.createServer(limits, (request, response) => {
    respond(request, response, path, answer).catch((error) => {
      // A client that has gone is nobody's failure.
      if (!response.destroyed) report(error);
      response.destroy();
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  await begun(server, host, port);
  server.on("error", report);
  const { port: taken } = server.address() as AddressInfo;
  const url = `http://${name}:${taken}${path}`;
  let end: Promise<void> | undefined;
  const close = (): Promise<void> => {
    end ??= ended(server).finally(onEnd);
    return end;
  };
  return { url, close, [Symbol.asyncDispose]: close };
}

async function importHttp(): Promise<typeof import("node:http")> {
  try {
    return await import("node:http");
  } catch (cause) {
    const message = "There is no node:http here: give requests to the server's fetch().";
    throw new SkillError({ code: "SOURCE_UNSUPPORTED", message }, { cause });
  }
}

async function begun(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: Error): void => {
      const message = `The server cannot listen at ${host}:${port} (${cause.message}): choose another port or host.`;
      reject(new SkillError({ code: "HOST_FAILED", message }, { cause }));
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

/** What is being answered may end; what does nothing is closed at once. */
async function ended(server: Server): Promise<void> {
  const over = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), 1000);
  await over;
  clearTimeout(timer);
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  answer: Answer,
): Promise<void> {
  const { url = "/", method = "GET" } = request;
  if (url.split("?", 1)[0] !== path) {
    response.writeHead(404, { connection: "close" }).end();
    return;
  }
  if (!METHODS.includes(method)) {
    response.writeHead(405, { allow: METHODS.join(", "), connection: "close" }).end();
    return;
  }
  if (request.headers.host === undefined) {
    // It could not be told to whom it is addressed.
    response.writeHead(400, { connection: "close" }).end();
    return;
  }
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const given = await answer(requestOf(request, url, gone.signal));
  // What was not read of a request would be taken for the next one.
  const isRead = request.complete || request.readableEnded;
  const headers = { ...Object.fromEntries(given.headers), ...(!isRead && { connection: "close" }) };
  response.writeHead(given.status, headers);
  response.flushHeaders();
  if (given.body !== null) await send(given.body, response, gone.signal);
  response.end();
}

function requestOf(request: IncomingMessage, url: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const { method = "GET" } = request;
  const hasBody = method !== "GET";
  const body = hasBody ? { body: bodyOf(request), duplex: "half" } : {};
  // The host is judged by its header; the URL is only a form that is needed.
  return new Request(new URL(url, "http://localhost"), { method, headers, signal, ...body });
}

/** The body of a request, read as far as somebody reads it. */
function bodyOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  const parts = request[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    // Not the iterator's own end, which would end the connection before the answer is sent.
    cancel: () => void request.pause(),
  });
}

/** Sends an answer as fast as it is taken, and no longer than somebody takes it. */
async function send(
  body: ReadableStream<Uint8Array>,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  gone.addEventListener("abort", cancel);
  if (gone.aborted) cancel();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || response.destroyed) return;
    if (!response.write(value)) await drained(response);
  }
}

async function drained(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => response.destroy(), TAKEN);
    const over = (): void => {
      clearTimeout(timer);
      response.off("drain", over).off("close", over);
      resolve();
    };
    response.on("drain", over).on("close", over);
  });
}
