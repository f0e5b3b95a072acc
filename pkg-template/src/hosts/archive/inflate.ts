/** Bytes out of gzip, by the decompressor that every runtime has. */
import { joined } from "./bytes.js";

/**
 * Given at a time: some decompressors unpack all that they are given at once, a thousand times as
 * much at most.
 */
const PIECE = 16 * 1024;

/** That more came out than may. */
export class TooMuch extends Error {}

/**
 * What is in gzip, whose sum and length are checked. Throws {@link TooMuch} once more than `most`
 * bytes have come.
 */
export async function gunzip(packed: readonly Uint8Array[], most: number): Promise<Uint8Array> {
  const decompressor = new DecompressionStream("gzip");
  const reader = decompressor.readable.getReader();
  // What goes wrong while writing goes wrong while reading too, and is told there.
  write(packed, decompressor.writable.getWriter()).catch(() => {});
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(pieces, size);
    size += value.length;
    if (size > most) {
      reader.cancel().catch(() => {});
      throw new TooMuch();
    }
    pieces.push(value);
  }
}

async function write(
  packed: readonly Uint8Array[],
  writer: WritableStreamDefaultWriter<BufferSource>,
): Promise<void> {
  // Whoever waits for it hears of an error by `write` and `close`.
  writer.closed.catch(() => {});
  for (const bytes of packed) {
    for (let at = 0; at < bytes.length; at += PIECE) {
      await writer.ready;
      await writer.write(bytes.subarray(at, at + PIECE) as Uint8Array<ArrayBuffer>);
    }
  }
  await writer.close();
}

/** Ten bytes that say no more than that gzip begins. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/** What is in a deflated stream, which must come to exactly this size and sum. */
export function inflated(deflated: Uint8Array, size: number, sum: number): Promise<Uint8Array> {
  const trailer = new DataView(new ArrayBuffer(8));
  trailer.setUint32(0, sum, true);
  trailer.setUint32(4, size, true);
  return gunzip([HEADER, deflated, new Uint8Array(trailer.buffer)], size);
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
