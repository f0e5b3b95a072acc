// What a person brings, as a host of the library.

import { type Host, memoryHost, type SyncHost } from "skillshelf/slim";
import { connect } from "./rpc.ts";
import type { Given } from "./shapes.ts";

export interface Opened {
  host: Host | SyncHost;
  label: string;
  /** Whether reading every file of it costs little. */
  near: boolean;
}

/** What is packed in `examples.json`. */
type Packed = Record<string, string | { base64: string }>;

/** Makes the host; what few need is fetched when it is needed. */
export async function opened(given: Given, base: string): Promise<Opened> {
  switch (given.kind) {
    case "examples":
      return { host: memoryHost(await exampleFiles(base)), label: "Example skills", near: true };
    case "pasted":
      return { host: memoryHost(given.files), label: "Pasted skill", near: true };
    case "host":
      return { host: remoteHost(given.port), label: given.label, near: true };
    case "archive": {
      const { archiveHost } = await import("skillshelf/slim/archive");
      return { host: archiveHost(given.archive), label: given.label, near: true };
    }
    case "directory": {
      const { directoryHandleHost } = await import("skillshelf/web");
      return { host: directoryHandleHost(given.handle), label: given.label, near: true };
    }
    case "site": {
      const { httpHost } = await import("skillshelf/slim/http");
      return { host: httpHost(given.url), label: new URL(given.url).host, near: false };
    }
  }
}

async function exampleFiles(base: string): Promise<Record<string, string | Uint8Array>> {
  const response = await fetch(new URL("examples.json", base));
  if (!response.ok)
    throw new Error(
      `The example skills did not come (status ${response.status}). Reload the page.`,
    );
  const packed = (await response.json()) as Packed;
  return Object.fromEntries(
    Object.entries(packed).map(([path, content]) => [
      path,
      typeof content === "string" ? content : bytesOf(content.base64),
    ]),
  );
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** A host of the page: what a browser hands to the page alone, such as what is dropped on it. */
export const HOST_METHODS = ["list", "read", "stat"] as const;

function remoteHost(port: MessagePort): Host {
  const remote = connect<Required<Pick<Host, (typeof HOST_METHODS)[number]>>>(port);
  return {
    ranges: true,
    list: (directory) => remote.list(directory),
    read: (file, range) => remote.read(file, range),
    stat: (path) => remote.stat(path),
  };
}
