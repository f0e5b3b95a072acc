// Archives made byte by byte, so that what is in them need not be true.

import { crc32, deflateRawSync } from "node:zlib";
import { bytes } from "./text.ts";

export interface ZipEntry {
  name: string | Uint8Array;
  content?: string | Uint8Array;
  /** 8 (deflated) by default; 0 is stored. */
  method?: number;
  /** The type and mode of Unix, such as 0o120777 for a link. */
  mode?: number;
  flags?: number;
  /** What stands after the end of what is deflated, as a part of it. */
  rest?: Uint8Array;
  /** What is said of the content, where it is not so. */
  size?: number;
  packedSize?: number;
  sum?: number;
  /** Where the directory says that the entry begins. */
  offset?: number;
  /** What the entry itself says, where it is something else than what the directory does. */
  local?: { name?: string; size?: number; sum?: number };
  /** Sizes and sum come after the content only. */
  descriptor?: boolean;
  /** Sizes are in a field for large ones. */
  zip64?: boolean;
  extra?: Uint8Array;
  /** The attributes of DOS, such as 0x10 for a directory; then it is of that system. */
  dos?: number;
}

const UTF8_NAMES = 0x800;
const DESCRIPTOR = 8;
const LARGE = 0xffffffff;

/** A zip of entries; a text as the content of a name makes an ordinary file. */
export function zipOf(
  given: Record<string, string | Uint8Array> | readonly ZipEntry[],
  hasLargeEnd = false,
  comment: Uint8Array = new Uint8Array(),
): Buffer {
  const entries: readonly ZipEntry[] = Array.isArray(given)
    ? given
    : Object.entries(given).map(([name, content]) => ({ name, content }));
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const [local, central] = zipEntry(entry, offset);
    parts.push(local);
    directory.push(central);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const isLarge = hasLargeEnd || entries.length >= 0xffff;
  const large = isLarge ? largeEnd(entries.length, list.length, offset) : Buffer.alloc(0);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(isLarge ? 0xffff : entries.length, 8);
  end.writeUInt16LE(isLarge ? 0xffff : entries.length, 10);
  end.writeUInt32LE(isLarge ? LARGE : list.length, 12);
  end.writeUInt32LE(isLarge ? LARGE : offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, list, large, end, comment]);
}

/** The end of a directory with more entries than 16 bits can count, and where it is. */
function largeEnd(entries: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.write("PK\x06\x06", "latin1");
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(45, 12);
  end.writeUInt16LE(45, 14);
  end.writeBigUInt64LE(BigInt(entries), 24);
  end.writeBigUInt64LE(BigInt(entries), 32);
  end.writeBigUInt64LE(BigInt(length), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.write("PK\x06\x07", 56, "latin1");
  end.writeBigUInt64LE(BigInt(offset + length), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

/** An entry as it stands before its content, with it, and as it stands in the directory. */
function zipEntry(entry: ZipEntry, begins: number): [local: Buffer, central: Buffer] {
  const { name, content = "", method = 8, mode = 0, zip64 = false, local = {} } = entry;
  const raw = typeof content === "string" ? bytes(content) : content;
  const deflated = method === 8 ? deflateRawSync(raw) : Buffer.from(raw);
  const packed = Buffer.concat([deflated, entry.rest ?? new Uint8Array()]);
  const size = entry.size ?? raw.length;
  const packedSize = entry.packedSize ?? packed.length;
  const sum = entry.sum ?? crc32(raw);
  const flags =
    (entry.flags ?? (typeof name === "string" ? UTF8_NAMES : 0)) |
    (entry.descriptor ? DESCRIPTOR : 0);
  const facts = { flags, method, zip64, extra: entry.extra ?? new Uint8Array() };
  const head = Buffer.concat([
    Buffer.from("PK\x03\x04", "latin1"),
    entry.descriptor
      ? common({ ...facts, name, sum: 0, size: 0, packedSize: 0 })
      : common({
          ...facts,
          name: local.name ?? name,
          sum: local.sum ?? sum,
          size: local.size ?? size,
          packedSize,
        }),
  ]);
  const tail = Buffer.alloc(entry.descriptor ? 16 : 0);
  if (entry.descriptor) {
    tail.write("PK\x07\x08", "latin1");
    tail.writeUInt32LE(sum, 4);
    tail.writeUInt32LE(packedSize, 8);
    tail.writeUInt32LE(size, 12);
  }
  const fields = common({ ...facts, name, sum, size, packedSize });
  const attributes = Buffer.alloc(14);
  attributes.writeUInt32LE(((mode << 16) | (entry.dos ?? 0)) >>> 0, 6);
  attributes.writeUInt32LE(entry.offset ?? begins, 10);
  const central = Buffer.concat([
    Buffer.from(`PK\x01\x02\x14${entry.dos === undefined ? "\x03" : "\0"}`, "latin1"),
    fields.subarray(0, 26),
    attributes,
    fields.subarray(26),
  ]);
  return [Buffer.concat([head, packed, tail]), central];
}

/** What both say of an entry, then its name and extra fields. */
function common(facts: {
  flags: number;
  method: number;
  sum: number;
  size: number;
  packedSize: number;
  name: string | Uint8Array;
  zip64: boolean;
  extra: Uint8Array;
}): Buffer {
  const name = typeof facts.name === "string" ? bytes(facts.name) : facts.name;
  const large = Buffer.alloc(facts.zip64 ? 20 : 0);
  if (facts.zip64) {
    large.writeUInt16LE(1, 0);
    large.writeUInt16LE(16, 2);
    large.writeBigUInt64LE(BigInt(facts.size), 4);
    large.writeBigUInt64LE(BigInt(facts.packedSize), 12);
  }
  const out = Buffer.alloc(26);
  out.writeUInt16LE(20, 0);
  out.writeUInt16LE(facts.flags, 2);
  out.writeUInt16LE(facts.method, 4);
  out.writeUInt32LE(0x5a8f6000, 6);
  out.writeUInt32LE(facts.sum >>> 0, 10);
  out.writeUInt32LE(facts.zip64 ? LARGE : facts.packedSize, 14);
  out.writeUInt32LE(facts.zip64 ? LARGE : facts.size, 18);
  out.writeUInt16LE(name.length, 22);
  out.writeUInt16LE(large.length + facts.extra.length, 24);
  return Buffer.concat([out, name, large, facts.extra]);
}

export interface TarEntry {
  name: string;
  content?: string | Uint8Array;
  /** `0` (a file) by default. */
  type?: string;
  link?: string;
  /** What the header says, where it is not so. */
  size?: number;
  prefix?: string;
  /** As old archives and GNU have it; `ustar` by default. */
  magic?: string;
  sum?: number;
}

const BLOCK = 512;

/** A tar of entries; a text as the content of a name makes an ordinary file. */
export function tarOf(
  given: Record<string, string | Uint8Array> | readonly TarEntry[],
  end = 2 * BLOCK,
): Buffer {
  const entries: readonly TarEntry[] = Array.isArray(given)
    ? given
    : Object.entries(given).map(([name, content]) => ({ name, content }));
  return Buffer.concat([...entries.flatMap(tarEntry), Buffer.alloc(end)]);
}

function tarEntry(entry: TarEntry): Buffer[] {
  const { name, content = "", type = "0", link = "", prefix = "", magic = "ustar\x0000" } = entry;
  const raw = typeof content === "string" ? bytes(content) : content;
  const head = Buffer.alloc(BLOCK);
  head.write(name, 0, 100);
  head.write("0000644\0", 100, "latin1");
  head.write("0000000\0".repeat(2), 108, "latin1");
  head.write(`${octal(entry.size ?? raw.length, 11)}\0`, 124, "latin1");
  head.write("00000000000\0", 136, "latin1");
  head.write("        ", 148, "latin1");
  head.write(type, 156, "latin1");
  head.write(link, 157, 100);
  head.write(magic, 257, "latin1");
  head.write(prefix, 345, 155);
  const sum = entry.sum ?? head.reduce((total, byte) => total + byte, 0);
  head.write(`${octal(sum, 6)}\0 `, 148, "latin1");
  return [head, Buffer.from(raw), Buffer.alloc(-raw.length & (BLOCK - 1))];
}

function octal(number: number, digits: number): string {
  return number.toString(8).padStart(digits, "0");
}

/** A pax header for the entry that follows. */
export function paxOf(records: Record<string, string>, type = "x"): TarEntry {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = Buffer.byteLength(` ${key}=${value}\n`);
    let length = rest + 1;
    while (rest + String(length).length !== length) length = rest + String(length).length;
    return `${length} ${key}=${value}\n`;
  });
  return { name: "PaxHeaders/x", type, content: lines.join("") };
}
