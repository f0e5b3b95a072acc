/** Fetching from a server that may answer without end. */
import type { FetchLike } from "@modelcontextprotocol/client";

/**
 * `fetch` of which no answer is longer than `most` bytes. The stream on which a server may speak
 * unasked is not opened: nothing here listens to it.
 */
export function boundedFetch(most: number, onFlood: () => void): FetchLike {
  return async (url, init) => {
    const isResumed = new Headers(init?.headers).has("last-event-id");
    if ((init?.method ?? "GET") === "GET" && !isResumed) return new Response(null, { status: 405 });
    const response = await fetch(url, init);
    const { body, headers, status, statusText } = response;
    if (body === null) return response;
    let size = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size <= most) {
          controller.enqueue(chunk);
          return;
        }
        controller.error(new Error("too long"));
        onFlood();
      },
    });
    return new Response(body.pipeThrough(counted), { status, statusText, headers });
  };
}
