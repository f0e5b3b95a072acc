/** Fetching from a server that may answer without end, or lead elsewhere. */
import type { FetchLike } from "@modelcontextprotocol/client";
import { ServerFailure } from "./failure.js";

/**
 * `fetch` of which no answer is longer than `most` bytes, and which goes nowhere else: what was
 * approved is this very address. The stream on which a server may speak unasked is not opened:
 * nothing here listens to it.
 */
export function boundedFetch(most: number, onFailure: (failure: ServerFailure) => void): FetchLike {
  return async (url, init) => {
    const isResumed = new Headers(init?.headers).has("last-event-id");
    if ((init?.method ?? "GET") === "GET" && !isResumed) return new Response(null, { status: 405 });
    const response = await fetch(url, { ...init, redirect: "manual" });
    if (leadsElsewhere(response)) {
      const failure = new ServerFailure("redirect", whereTo(response, url));
      onFailure(failure);
      throw failure;
    }
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
        onFailure(new ServerFailure("flood"));
      },
    });
    return new Response(body.pipeThrough(counted), { status, statusText, headers });
  };
}

/** Browsers hide the status. */
function leadsElsewhere({ type, status }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

/** Where it leads, without what may be secret in it; nothing where that is not told. */
function whereTo({ headers }: Response, from: string | URL): string {
  try {
    const { origin, pathname } = new URL(headers.get("location") ?? "", from);
    return headers.has("location") ? origin + pathname : "";
  } catch {
    return "";
  }
}
