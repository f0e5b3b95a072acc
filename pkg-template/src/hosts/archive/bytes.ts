/** The bytes of an archive, in whichever form they come. */
import { SkillError } from "../../errors.js";
import { isBytes } from "../../hosts.js";
import { Collector } from "../collector.js";
import { wordsOf } from "../words.js";
import type { ArchiveRules } from "./rules.js";
import type { ArchiveBlob, ArchiveResponse, ArchiveSource, ArchiveStream } from "./types.js";

/** What a reader of a stream has. */
interface ChunkReader {
  read(): Promise<{ done: boolean; value?: unknown }>;
  cancel(reason?: unknown): Promise<unknown>;
}

/** Throws where something can never be an archive: a path, most likely. */
export function checkSource(source: unknown): void {
  const methods = ["getReader", "stream", "then", Symbol.asyncIterator];
  const isKnown =
    typeof source === "function" ||
    isBytes(source) ||
    isBuffer(source) ||
    (isObject(source) && (isResponse(source) || methods.some((method) => has(source, method))));
  if (!isKnown) throw unsupported(TAKES);
}

const TAKES =
  "it takes bytes, a Blob, a Response, a stream of bytes, or a function or promise of one; " +
  "of a file pass createReadStream(path), of a site fetch(url)";

function isResponse(content: object): content is ArchiveResponse {
  return "body" in content && "ok" in content;
}

/** All bytes of an archive; throws as soon as they are more than may be, and where none come. */
export async function bytesOf(source: ArchiveSource, rules: ArchiveRules): Promise<Uint8Array> {
  try {
    return await given(source, rules);
  } catch (error) {
    throw SkillError.isInstance(error) ? error : unread(error);
  }
}

/** What gives it failed: that nothing is there either is a fault, and no archive without files. */
function unread(cause: unknown): SkillError {
  const message = `The archive could not be read: ${wordsOf(cause)}. Correct what archiveHost is given, or try again.`;
  return new SkillError({ code: "HOST_FAILED", message }, { cause });
}

async function given(source: ArchiveSource, rules: ArchiveRules): Promise<Uint8Array> {
  const content: unknown = await (typeof source === "function" ? source() : source);
  const bytes = isBuffer(content) ? new Uint8Array(content) : content;
  if (!isBytes(bytes)) return collected(chunksOf(bytes), rules);
  if (bytes.length > rules.bounds.bytes) rules.refuse({ what: "packed" });
  return bytes;
}

async function collected(chunks: AsyncIterable<unknown>, rules: ArchiveRules): Promise<Uint8Array> {
  const all = new Collector();
  for await (const chunk of chunks) {
    if (!isBytes(chunk)) throw unsupported("a stream of it gives something else than bytes");
    if (all.size + chunk.length > rules.bounds.bytes) rules.refuse({ what: "packed" });
    await all.add(chunk);
  }
  return all.end();
}

function chunksOf(content: unknown): AsyncIterable<unknown> {
  if (isObject(content)) {
    if (isResponse(content)) return chunksOfResponse(content);
    if (has(content, "getReader")) return chunksOfStream(content as ArchiveStream);
    if (has(content, Symbol.asyncIterator)) return content as AsyncIterable<unknown>;
    if (has(content, "stream")) return chunksOfStream((content as ArchiveBlob).stream());
  }
  throw unsupported(TAKES);
}

async function* chunksOfResponse(response: ArchiveResponse): AsyncIterable<unknown> {
  const { body, ok, status } = response;
  if ((response as { bodyUsed?: unknown }).bodyUsed === true) {
    throw unsupported(
      "the response was read already; pass a clone of it, or a function that fetches",
    );
  }
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
