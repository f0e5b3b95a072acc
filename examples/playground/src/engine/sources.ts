// What a person brings, as a host of the library.

import { type Host, memoryHost, parseSkill, type SyncHost } from "skillshelf/slim";
import { connect } from "./rpc.ts";
import type { Given, PageHost } from "./shapes.ts";

export interface Brought {
  host: Host | SyncHost;
  label: string;
  /** Whether reading every file of it costs little. */
  near: boolean;
}

/** What is packed in `examples.json`. */
type Packed = Record<string, string | { base64: string }>;

/** Of archives: a person looks into a file of their own, and there is nobody to raise a limit for it. */
const LIMITS = { entries: 200_000, bytes: 2 ** 30, entryBytes: 2 ** 28 };

/** Makes the host; what few need is fetched when it is needed. */
export async function broughtFrom(given: Given, site: string): Promise<Brought> {
  switch (given.kind) {
    case "examples":
      return { host: memoryHost(await exampleFiles(site)), label: "Example skills", near: true };
    case "pasted":
      return { host: pastedHost(given.text), label: "Pasted skill", near: true };
    case "host":
      return { host: remoteHost(given.port), label: given.label, near: true };
    case "archive": {
      const { archiveHost } = await import("skillshelf/slim/archive");
      return {
        host: archiveHost(given.archive, { limits: LIMITS }),
        label: given.label,
        near: true,
      };
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

/** A pasted text is the skill of a directory that has its name. */
function pastedHost(text: string): SyncHost {
  const name = parseSkill(text).skill?.name ?? "pasted-skill";
  return memoryHost({ [`${name}/SKILL.md`]: text });
}

async function exampleFiles(site: string): Promise<Record<string, string | Uint8Array>> {
  const response = await fetch(new URL("examples.json", site));
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
function remoteHost(port: MessagePort): Host {
  const remote = connect<PageHost>(port);
  return {
    ranges: true,
    list: (directory) => remote.list(directory),
    read: (file, range) => remote.read(file, range),
    stat: (path) => remote.stat(path),
  };
}
