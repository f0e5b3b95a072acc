/**
 * One buffer for a batch of requests, one for its replies; the other side is
 * `src/bindings/wire.rs`, which says what is in them.
 */

import type { FileReplies, ReadInto } from "./hosts/direct.js";

/** What begins a request. */
const REQUEST = { LIST: 0, READ: 1, STAT: 2 } as const;
/** Requests that are a text, by what begins them. */
const OF_TEXT = new Map([
  [4, "normalize"],
  [5, "count"],
  [6, "connect"],
  [7, "callServer"],
] as const);
/** What begins a reply. */
const REPLY = { FAILED: 0, LISTING: 1, FILE: 2, STAT: 3, TEXT: 4, NOTHING: 5 } as const;
/** What stands at a path. */
const KIND = { FILE: 0, DIRECTORY: 1, LINK: 2, OTHER: 3 } as const;

/** One thing the core asks for. */
export type Request =
  | { kind: "list" | "stat" | "realPath"; host: number; path: string }
  | { kind: "read"; host: number; path: string; offset: number; length: number; follow: boolean }
  | { kind: "normalize" | "count" | "connect" | "callServer"; text: string };

const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = /* @__PURE__ */ new TextEncoder();

/** Reads a batch of requests. */
export function readRequests(buffer: Uint8Array): Request[] {
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  let at = 0;
  const integer = (): number => {
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const texts = utf8.decode(buffer.subarray(integer()));
  let textAt = 0;
  const text = (): string => {
    const length = integer();
    textAt += length;
    return texts.slice(textAt - length, textAt);
  };
  const requests: Request[] = [];
  for (let left = integer(); left > 0; left -= 1) {
    const tag = buffer[at];
    at += 1;
    const ofText = OF_TEXT.get(tag as 4);
    if (ofText !== undefined) {
      requests.push({ kind: ofText, text: text() });
      continue;
    }
    const host = integer();
    const path = text();
    if (tag === REQUEST.READ) {
      const offset = view.getFloat64(at, true);
      at += 8;
      const length = integer();
      const follow = buffer[at] === 1;
      at += 1;
      requests.push({ kind: "read", host, path, offset, length, follow });
    } else {
      requests.push({ kind: pathRequest(tag), host, path });
    }
  }
  return requests;
}

/** What was opened. */
interface Found {
  kind: string;
  size?: number | undefined;
  version?: string | undefined;
  realPath?: string | undefined;
}

/** What was opened and read. */
export interface FileReply extends Found {
  bytes: Uint8Array;
}

/** The texts of what a host threw. */
export interface FailureReply {
  code: string | undefined;
  name: string | undefined;
  message: string | undefined;
}

/** Writes a batch of replies, each exactly once and in the order of the requests. */
export class ReplyWriter implements FileReplies {
  #buffer = new Uint8Array(4096);
  #view = new DataView(this.#buffer.buffer);
  #length = 0;

  /** How many bytes there is room for. */
  get capacity(): number {
    return this.#buffer.length;
  }

  /** Begins anew, in the same memory. */
  clear(): void {
    this.#length = 0;
  }

  /** What was written; valid until the next write. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** What a host threw; the core decides what it means. */
  failed({ code, name, message }: FailureReply): void {
    this.#byte(REPLY.FAILED);
    this.#optionalText(code);
    this.#optionalText(name);
    this.#optionalText(message);
  }

  /** A host has nothing there. */
  nothing(): void {
    this.#byte(REPLY.NOTHING);
  }

  listing(entries: readonly { name: string; kind: string }[], realPath?: string): void {
    this.#byte(REPLY.LISTING);
    this.#integer(entries.length);
    for (const { name, kind } of entries) {
      this.#byte(kindCode(kind));
      this.#text(name);
    }
    this.#optionalText(realPath);
  }

  file({ bytes, ...found }: FileReply): void {
    this.#found(found);
    this.#integer(bytes.length);
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** {@link file}, its bytes read to where they are written. Where that throws, nothing is written. */
  fileFrom(found: Found, length: number, read: ReadInto): void {
    const start = this.#length;
    try {
      this.#found(found);
      this.#reserve(4 + length);
      const first = this.#length + 4;
      let count = 0;
      while (count < length) {
        const more = read(this.#buffer, first + count, length - count, count);
        if (more === 0) break;
        count += more;
      }
      this.#integer(count);
      this.#length += count;
    } catch (error) {
      this.#length = start;
      throw error;
    }
  }

  #found({ kind, size, version, realPath }: Found): void {
    this.#byte(REPLY.FILE);
    this.#byte(kindCode(kind));
    this.#reserve(8);
    this.#view.setFloat64(this.#length, size ?? -1, true);
    this.#length += 8;
    this.#optionalText(version);
    this.#optionalText(realPath);
  }

  stat(kind: string, version: string): void {
    this.#byte(REPLY.STAT);
    this.#byte(kindCode(kind));
    this.#text(version);
  }

  text(text: string): void {
    this.#byte(REPLY.TEXT);
    this.#text(text);
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length] = value;
    this.#length += 1;
  }

  #integer(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  #text(text: string): void {
    // A UTF-16 unit is at most three bytes.
    this.#reserve(4 + text.length * 3);
    const start = this.#length + 4;
    const written = this.#ascii(text, start) ?? this.#utf8(text, start);
    this.#view.setUint32(this.#length, written, true);
    this.#length += 4 + written;
  }

  /** Short text is nearly always ASCII: writing it here takes a third of the encoder's time. */
  #ascii(text: string, start: number): number | undefined {
    if (text.length > 100) return undefined;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit > 0x7f) return undefined;
      this.#buffer[start + index] = unit;
    }
    return text.length;
  }

  #utf8(text: string, start: number): number {
    return encoder.encodeInto(text, this.#buffer.subarray(start)).written;
  }

  #optionalText(text: string | undefined): void {
    this.#byte(text === undefined ? 0 : 1);
    if (text !== undefined) this.#text(text);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.#length + count));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** A request that has nothing but a path. */
function pathRequest(tag: number | undefined): "list" | "stat" | "realPath" {
  if (tag === REQUEST.LIST) return "list";
  return tag === REQUEST.STAT ? "stat" : "realPath";
}

function kindCode(kind: string): number {
  if (kind === "file") return KIND.FILE;
  if (kind === "directory") return KIND.DIRECTORY;
  return kind === "link" ? KIND.LINK : KIND.OTHER;
}
