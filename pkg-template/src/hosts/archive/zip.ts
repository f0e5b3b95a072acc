/** A zip: its entries as the central directory has them, and their content. */
import type { FileEntry } from "@zip.js/zip.js";
import { SkillError } from "../../errors.js";
import { peerMissing } from "../../peer.js";
import { crc32, inflated } from "./inflate.js";
import { type ArchiveEntry, ArchiveListing, type ArchiveRules } from "./rules.js";
import type { OpenedArchive } from "./unpack.js";

type ZipPackage = typeof import("@zip.js/zip.js/lib/zip-core-reader.js");
type ZipEntry = import("@zip.js/zip.js").Entry;

async function importZip({ entry }: ArchiveRules): Promise<ZipPackage> {
  try {
    return await import("@zip.js/zip.js/lib/zip-core-reader.js");
  } catch (cause) {
    throw peerMissing(entry, "@zip.js/zip.js", cause);
  }
}

const STORED = 0;
const DEFLATED = 8;

/**
 * What is said twice in a zip must be the same, or two readers would unpack two things; which names
 * are taken is the core's to say.
 */
const READING = {
  strictness: "strict",
  filenameValidation: "tolerant",
  checkOverlappingEntryOnly: true,
  useWebWorkers: false,
} as const;

/** What a directory lists twice, the core tells with the name; the reader goes no further. */
const DUPLICATE = "duplicate filename";

export async function openZip(bytes: Uint8Array, rules: ArchiveRules): Promise<OpenedArchive> {
  const { ZipReader } = await importZip(rules);
  const reader = new ZipReader(new BytesReader(bytes) as never, READING);
  const listing = new ArchiveListing(rules);
  const found: ZipEntry[] = [];
  let fault: unknown;
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      listing.add(listed(entry));
      found.push(entry);
    }
  } catch (error) {
    if (reasonOf(error) !== DUPLICATE) throw error;
    fault = error;
  }
  checkComment(reader.comment);
  return {
    entries: listing.entries,
    fault,
    async read(wanted) {
      // Who reads the entries themselves reads those that are left out here, too.
      const starts: number[] = [];
      for (const entry of found) starts.push(await contentStart(entry, rules));
      const contents: Uint8Array[] = [];
      for (const index of wanted) {
        const [entry, start] = [found[index], starts[index]];
        if (entry === undefined || start === undefined) throw new RangeError(`no entry ${index}`);
        const packed = bytes.subarray(start, start + entry.compressedSize);
        contents.push(await contentOf(entry, packed, rules));
      }
      return contents;
    },
  };
}

/** An end within the comment is one that other readers take for the end of the archive. */
function checkComment(comment: Uint8Array | undefined): void {
  const text = String.fromCharCode(...(comment ?? []));
  if (text.includes("PK\x05\x06")) throw new Error("its comment has another end of a zip");
}

/** The types of file that Unix keeps in the upper half of an entry's attributes. */
const TYPE = 0o170000;
const REGULAR = 0o100000;
const LINK = 0o120000;

function listed(entry: ZipEntry): ArchiveEntry {
  const type = (entry.externalFileAttributes >>> 16) & TYPE;
  const { filename: name, uncompressedSize: size, encrypted } = entry;
  return { name, kind: kindOf(entry, type), size, encrypted };
}

/** A directory is one by its name; what is one by its attributes alone is a file to other readers. */
function kindOf(entry: ZipEntry, type: number): ArchiveEntry["kind"] {
  if (type === LINK) return "link";
  const isNamedSo = /[/\\]$/.test(entry.filename) && entry.uncompressedSize === 0;
  if (entry.directory) return isNamedSo ? "directory" : "special";
  return type === REGULAR || type === 0 ? "file" : "special";
}

/**
 * Where the content of an entry begins, once the library has compared what the entry says of itself
 * with what the directory does, and where others are.
 */
async function contentStart(entry: ZipEntry, rules: ArchiveRules): Promise<number> {
  const { filename, compressionMethod } = entry;
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) {
    return rules.refuse({ what: "packing", entry: filename });
  }
  try {
    return await contentStartOfLibrary(entry as FileEntry);
  } catch (error) {
    return rules.refuse({ what: "unreadable", entry: filename, reason: libraryWords(error) });
  }
}

/**
 * Asked for no more than where entries overlap, `getData` compares, reads no content and leaves alone
 * what it is given to write to; `localDirectory` then has what the entry says of itself, and since
 * version 2.24 where its content begins.
 */
async function contentStartOfLibrary(entry: FileEntry): Promise<number> {
  await entry.getData(new WritableStream(), READING);
  const start = entry.localDirectory?.dataOffset;
  if (start === undefined) throw new Error("nobody tells where its content begins");
  return start;
}

async function contentOf(
  entry: ZipEntry,
  packed: Uint8Array,
  rules: ArchiveRules,
): Promise<Uint8Array> {
  const content = await unpacked(packed, entry);
  return content ?? rules.refuse({ what: "content", entry: entry.filename });
}

/** The content of an entry; nothing where it is not what the archive says. */
async function unpacked(
  packed: Uint8Array,
  { compressionMethod, uncompressedSize: size, crc32: sum = 0 }: ZipEntry,
): Promise<Uint8Array | undefined> {
  if (compressionMethod === STORED) {
    return packed.length === size && crc32(packed) === sum ? packed.slice() : undefined;
  }
  try {
    return await inflated(packed, size, sum);
  } catch (error) {
    if (error instanceof SkillError) throw error;
    return undefined;
  }
}

/** What the reader of zips reads from. */
class BytesReader {
  readonly size: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.size = bytes.length;
  }

  async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    return this.#bytes.subarray(offset, offset + length);
  }
}

function reasonOf(error: unknown): unknown {
  return (error as { reason?: unknown } | null)?.reason;
}

/** What a library says of an archive, with its reason. */
export function libraryWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const reason = reasonOf(error);
  return typeof reason === "string" ? `${message} (${reason})` : message;
}
