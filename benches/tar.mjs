import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const BLOCK = 512;

/** The regular files of a gzipped tar archive: `{ path, bytes }`, in its order. */
export function* tarFiles(archive) {
  const bytes = gunzipSync(readFileSync(archive));
  let longPath;
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header[0] === 0) return;
    const size = Number.parseInt(text(header, 124, 12), 8);
    if (!Number.isSafeInteger(size)) throw new Error("not a tar archive: a header has no size");
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;

    const type = text(header, 156, 1);
    if (type === "L") {
      longPath = text(content, 0, size);
    } else if (type === "x") {
      longPath = extendedPath(content) ?? longPath;
    } else {
      if (type === "" || type === "0")
        yield { path: longPath ?? headerPath(header), bytes: content };
      longPath = undefined;
    }
  }
}

function headerPath(header) {
  const prefix = text(header, 257, 6) === "ustar" ? text(header, 345, 155) : "";
  const name = text(header, 0, 100);
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** The path in a pax header, whose records are `<length> <key>=<value>\n`. */
function extendedPath(content) {
  for (let at = 0; at < content.length; ) {
    const blank = content.indexOf(0x20, at);
    const length = Number.parseInt(content.toString("utf8", at, blank), 10);
    if (!(length > 0)) return undefined;
    const record = content.toString("utf8", blank + 1, at + length - 1);
    if (record.startsWith("path=")) return record.slice("path=".length);
    at += length;
  }
  return undefined;
}

/** An archive of these files: `{ path, bytes }`, with paths of at most 100 characters. */
export function tarOf(files) {
  const blocks = files.flatMap(({ path, bytes }) => [
    headerOf(path, bytes.length),
    bytes,
    Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function headerOf(path, size) {
  const header = Buffer.alloc(BLOCK);
  header.write(path, 0);
  header.write("0000644\0", 100);
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  header.write("        0ustar\u000000", 148);
  // The sum of all bytes, its own field taken as blanks.
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** A field of a header: up to its first NUL. */
function text(bytes, start, length) {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end < 0 ? length : end);
}
