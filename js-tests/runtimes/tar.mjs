// A tar in gzip that is larger than what a decompressor gets at a time, made where it is unpacked.

const BLOCK = 512;
const text = new TextEncoder();

/** A tar of ordinary files, by their paths. */
export function tarOf(files) {
  const parts = Object.entries(files).flatMap(([name, content]) => [
    header(name, content.length),
    content,
    new Uint8Array(-content.length & (BLOCK - 1)),
  ]);
  return joined([...parts, new Uint8Array(2 * BLOCK)]);
}

function header(name, size) {
  const head = new Uint8Array(BLOCK);
  const put = (at, field) => head.set(text.encode(field), at);
  put(0, name);
  put(100, "0000644\0");
  put(124, `${size.toString(8).padStart(11, "0")}\0`);
  put(148, "        0");
  put(257, "ustar\x0000");
  const sum = head.reduce((total, byte) => total + byte, 0);
  put(148, `${sum.toString(8).padStart(6, "0")}\0 `);
  return head;
}

function joined(parts) {
  const bytes = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Bytes that hardly get smaller, the same ones each time. */
export function noise(length) {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

/** By the runtime itself. */
export async function gzipped(bytes) {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}
