/** Bytes out of gzip, by the runtime's own decompressor. */
import { SkillError } from "../../errors.js";
import { turn } from "../turn.js";
import { joined } from "./joined.js";

/** Given at a time; some decompressors unpack all of it at once, a thousand times as much at most. */
const PIECE = 32 * 1024;

/** That more came out than may. */
export class TooMuch extends Error {}

/** That it is several gzip files in a row. */
export class Members extends Error {}

/** That it is no gzip file. Each runtime has words of its own. */
class Damaged extends Error {
  constructor(cause?: unknown) {
    super("its compressed bytes are not one whole gzip file", { cause });
  }
}

/** What has come out so far. */
interface Output {
  readonly pieces: Uint8Array[];
  size: number;
  /** Whether nothing more is wanted, or comes. */
  isOver: boolean;
}

/**
 * What is in a gzip file, whose sum and length are checked. Throws {@link TooMuch} once more than
 * `most` bytes have come, and {@link Members} where it is several files in a row.
 */
export async function gunzip(packed: Uint8Array, most: number): Promise<Uint8Array> {
  try {
    const bytes = await decompressed(packed, most);
    checkEnds(packed, trailerOf(crc32(bytes), bytes.length));
    return bytes;
  } catch (error) {
    if (error instanceof Damaged && indexOf(packed, MEMBER, 1) !== -1) throw new Members();
    throw error;
  }
}

/** How a gzip file begins. */
const MEMBER = Uint8Array.of(0x1f, 0x8b, 8);

/** Ten bytes that say no more than that gzip begins. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/** What is in a deflated stream, which must come to exactly this size and sum. */
export async function inflated(
  deflated: Uint8Array,
  size: number,
  sum: number,
): Promise<Uint8Array> {
  const trailer = trailerOf(sum, size);
  const parts = [HEADER, deflated, trailer];
  const packed = joined(parts, HEADER.length + deflated.length + trailer.length);
  const bytes = await decompressed(packed, size);
  checkEnds(packed, trailer);
  return bytes;
}

/** The sum and the length at the end of a gzip file. */
function trailerOf(sum: number, size: number): Uint8Array {
  const trailer = new DataView(new ArrayBuffer(8));
  trailer.setUint32(0, sum, true);
  trailer.setUint32(4, size, true);
  return new Uint8Array(trailer.buffer);
}

/**
 * Runtimes differ in what they make of bytes after the end of a gzip file, and of an empty one before
 * it: what has either is damaged in all of them.
 */
function checkEnds(packed: Uint8Array, trailer: Uint8Array): void {
  const end = packed.length - trailer.length;
  const isAtEnd = indexOf(packed, trailer, end) === end;
  const isEarlier = indexOf(packed.subarray(0, end), trailer) !== -1;
  if (!isAtEnd || isEarlier || hasEmptyBefore(packed)) throw new Damaged();
}

/** Whether one seems to begin after the end of one with nothing in it, whose sum and length are 0. */
function hasEmptyBefore(packed: Uint8Array): boolean {
  for (let at = indexOf(packed, MEMBER, 8); at !== -1; at = indexOf(packed, MEMBER, at + 1)) {
    if (packed.subarray(at - 8, at).every((byte) => byte === 0)) return true;
  }
  return false;
}

function indexOf(bytes: Uint8Array, part: Uint8Array, from = 0): number {
  const [first = 0] = part;
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    let same = 1;
    while (same < part.length && bytes[at + same] === part[same]) same += 1;
    if (same === part.length) return at;
  }
  return -1;
}

async function decompressed(packed: Uint8Array, most: number): Promise<Uint8Array> {
  const { readable, writable } = decompressor();
  const output: Output = { pieces: [], size: 0, isOver: false };
  const reading = read(output, readable.getReader(), most);
  // What goes wrong while writing goes wrong while reading too, and is told there.
  write(packed, writable.getWriter(), output).catch(() => {});
  await reading;
  return joined(output.pieces, output.size);
}

function decompressor(): DecompressionStream {
  if (typeof DecompressionStream === "function") return new DecompressionStream("gzip");
  const message =
    "The archive cannot be unpacked: this runtime has no DecompressionStream. " +
    "Pass it uncompressed, or its files to memoryHost.";
  throw new SkillError({ code: "SOURCE_UNSUPPORTED", message });
}

async function read(
  output: Output,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  most: number,
): Promise<void> {
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(damaged);
      if (done) return;
      output.size += value.length;
      if (output.size > most) throw new TooMuch();
      output.pieces.push(value);
    }
  } finally {
    output.isOver = true;
    reader.cancel().catch(() => {});
  }
}

function damaged(cause: unknown): never {
  throw new Damaged(cause);
}

async function write(
  packed: Uint8Array,
  writer: WritableStreamDefaultWriter<BufferSource>,
  output: Output,
): Promise<void> {
  // Whoever waits for it hears of an error by `write` and `close`.
  writer.closed.catch(() => {});
  for (let at = 0; at < packed.length && !output.isOver; at += PIECE) {
    if (at > 0) await drained(output);
    await writer.write(packed.subarray(at, at + PIECE) as Uint8Array<ArrayBuffer>);
  }
  await writer.close();
}

/**
 * Waits until nothing more comes out. Not every runtime holds up who writes faster than is read, and
 * of what was deflated a thousand times as much would wait in memory.
 */
async function drained(output: Output): Promise<void> {
  let size: number;
  do {
    size = output.size;
    await turn();
  } while (output.size !== size);
}

/** The sum that zip and gzip keep of their content: CRC-32, as RFC 1952 has it. */
export function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum = (sum >>> 8) ^ (TABLE[(sum ^ byte) & 0xff] ?? 0);
  }
  return ~sum >>> 0;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let sum = index;
  for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  return sum;
});
