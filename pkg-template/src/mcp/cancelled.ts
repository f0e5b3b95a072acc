/** Requests to a server that nobody waits for any more. */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";

/**
 * Makes a transport stop listening to what was cancelled. The client tells the server, but would go
 * on to read what is streamed for the request, and ask for more of it whenever that ends.
 */
export function leaveCancelled(transport: Transport): {
  /** What came from the server: an answer is all that there is of a request. */
  received(message: JSONRPCMessage): void;
} {
  const open = new Map<unknown, AbortController>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (!("method" in message)) return send(message, options);
    if ("id" in message) {
      const abort = new AbortController();
      open.set(message.id, abort);
      return send(message, { ...options, requestSignal: options?.requestSignal ?? abort.signal });
    }
    const sent = send(message, options);
    const cancelled = message.params?.["requestId"];
    if (message.method === "notifications/cancelled") {
      open.get(cancelled)?.abort();
      open.delete(cancelled);
    }
    return sent;
  };
  return {
    received: (message) => {
      if (!("method" in message)) open.delete(message.id);
    },
  };
}
