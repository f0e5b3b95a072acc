/** Fetching from a server that may answer without end, or lead elsewhere. */
import type { FetchLike } from "@modelcontextprotocol/client";
import { ServerFailure } from "./failure.js";

/** What is told of what is fetched. */
export interface FetchWatch {
  /** A stream that has ended is asked for anew: whether it may be. */
  mayResume(): boolean;
  failed(failure: ServerFailure): void;
}

/**
 * `fetch` of which no answer is longer than `most` bytes, and which goes nowhere else: what was
 * approved is this very address. The stream on which a server may speak unasked is not opened:
 * nothing here listens to it.
 */
export function boundedFetch(most: number, { mayResume, failed }: FetchWatch): FetchLike {
  const fail = (failure: ServerFailure): never => {
    failed(failure);
    throw failure;
  };
  return async (url, init) => {
    if ((init?.method ?? "GET") === "GET") {
      const isResumed = new Headers(init?.headers).has("last-event-id");
      if (!isResumed) return new Response(null, { status: 405 });
      if (!mayResume()) fail(new ServerFailure("flood"));
    }
    const response = await fetch(url, { ...init, redirect: "manual" });
    if (leadsElsewhere(response)) fail(new ServerFailure("redirect", whereTo(response, url)));
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
        failed(new ServerFailure("flood"));
      },
    });
    return new Response(body.pipeThrough(counted), { status, statusText, headers });
  };
}

/** Browsers hide the status. */
function leadsElsewhere({ type, status }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

/**
 * The origin that it leads to; nothing where that is not told. The rest of an address may be anything
 * that the server was given.
 */
function whereTo({ headers }: Response, from: string | URL): string {
  const location = headers.get("location");
  try {
    return location === null ? "" : new URL(location, from).origin;
  } catch {
    return "";
  }
}
