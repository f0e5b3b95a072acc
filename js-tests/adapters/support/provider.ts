// A provider on loopback: it takes what an SDK sends over a real socket, and answers as it was told.

import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** What a request is answered with, in the order of the requests. */
export type Reply =
  | { json: unknown; status?: number }
  /** Server-sent events, each the text of one. */
  | { events: readonly string[] }
  /** The beginning of one of these, after which the connection is dropped. */
  | { dropped: Reply };

export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into it as they like; its form is checked by support/types.ts.
  body: any;
}

export interface Provider extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly url: string;
  readonly requests: ReceivedRequest[];
}

/** A provider that gives these replies, one a request. */
export async function provider(replies: readonly Reply[]): Promise<Provider> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { url = "", headers } = request;
    requests.push({ path: url, headers, body: await json(request) });
    const reply = replies[requests.length - 1];
    if (reply === undefined) {
      send(response, { json: { error: { message: "no more replies" } }, status: 500 });
    } else {
      send(response, reply);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function send(response: ServerResponse, reply: Reply): void {
  if ("dropped" in reply) {
    const [type, text] = textOf(reply.dropped);
    response.writeHead(200, { "content-type": type, "content-length": text.length + 1000 });
    // Only once it is on its way: what was received stays so.
    response.write(text, () => setTimeout(() => response.destroy(), 20));
    return;
  }
  const [type, text] = textOf(reply);
  const status = "status" in reply ? reply.status : 200;
  response.writeHead(status ?? 200, { "content-type": type }).end(text);
}

function textOf(reply: Reply): [type: string, text: string] {
  if ("events" in reply) return ["text/event-stream", reply.events.join("")];
  if ("json" in reply) return ["application/json", JSON.stringify(reply.json)];
  return textOf(reply.dropped);
}
