/** The bytes of an archive, in whichever form they come. */
import { SkillError } from "../../errors.js";
import { isBytes } from "../../hosts.js";
import type { ArchiveRules } from "./rules.js";
import type { ArchiveBlob, ArchiveResponse, ArchiveSource, ArchiveStream } from "./types.js";

/** What a reader of a stream has. */
interface ChunkReader {
  read(): Promise<{ done: boolean; value?: unknown }>;
  cancel(reason?: unknown): Promise<unknown>;
}

/** All bytes of an archive; throws as soon as they are more than may be. */
export async function bytesOf(source: ArchiveSource, rules: ArchiveRules): Promise<Uint8Array> {
  const content: unknown = await (typeof source === "function" ? source() : source);
  const bytes = isBuffer(content) ? new Uint8Array(content) : content;
  if (!isBytes(bytes)) return collected(chunksOf(bytes), rules);
  if (bytes.length > rules.bounds.bytes) rules.refuse({ what: "packed" });
  return bytes;
}

async function collected(chunks: AsyncIterable<unknown>, rules: ArchiveRules): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    if (!isBytes(chunk)) throw unsupported("a stream of it gives something else than bytes");
    size += chunk.length;
    if (size > rules.bounds.bytes) rules.refuse({ what: "packed" });
    pieces.push(chunk);
  }
  return joined(pieces, size);
}

/** Pieces of bytes as one. */
export function joined(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function chunksOf(content: unknown): AsyncIterable<unknown> {
  if (isObject(content)) {
    if ("body" in content && "ok" in content) return chunksOfResponse(content as ArchiveResponse);
    if (has(content, "getReader")) return chunksOfStream(content as ArchiveStream);
    if (has(content, Symbol.asyncIterator)) return content as AsyncIterable<unknown>;
    if (has(content, "stream")) return chunksOfStream((content as ArchiveBlob).stream());
  }
  throw unsupported(
    "it takes bytes, a Blob, a Response, a stream of bytes, or a function or promise of one",
  );
}

async function* chunksOfResponse({ body, ok, status }: ArchiveResponse): AsyncIterable<unknown> {
  if (!ok) {
    const message = `The archive could not be fetched: the response has the status ${status}. Correct its address, or try again.`;
    throw new SkillError({ code: "HOST_FAILED", message });
  }
  if (body !== null) yield* chunksOfStream(body);
}

/** Not every runtime can iterate over a stream. */
async function* chunksOfStream(stream: ArchiveStream): AsyncIterable<unknown> {
  const reader = stream.getReader() as ChunkReader;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Without effect where it has ended or failed; what becomes of the rest is not waited for.
    reader.cancel().catch(() => {});
  }
}

function isBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === "[object ArrayBuffer]";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function has(value: object, method: PropertyKey): boolean {
  return typeof (value as Record<PropertyKey, unknown>)[method] === "function";
}

function unsupported(problem: string): SkillError {
  const message = `archiveHost cannot use what it was given: ${problem}.`;
  return new SkillError({ code: "SOURCE_UNSUPPORTED", message });
}
