/** A zip: its entries as the central directory has them, and their content. */
import type { FileEntry } from "@zip.js/zip.js";
import { importPeer } from "../../peer.js";
import { crc32, inflated, TooMuch } from "./inflate.js";
import { type ArchiveEntry, ArchiveListing, type ArchiveRules } from "./rules.js";
import type { OpenedArchive } from "./unpack.js";

type ZipPackage = typeof import("@zip.js/zip.js/lib/zip-core-reader.js");
type ZipEntry = import("@zip.js/zip.js").Entry;

function importZip(): Promise<ZipPackage> {
  return importPeer("skillshelf/archive", "@zip.js/zip.js", () => {
    return import("@zip.js/zip.js/lib/zip-core-reader.js");
  });
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

/** What the list of names says twice, the core tells with the name. */
const DUPLICATE = "duplicate filename";

export async function openZip(bytes: Uint8Array, rules: ArchiveRules): Promise<OpenedArchive> {
  const { ZipReader } = await importZip();
  const reader = new ZipReader(new BytesReader(bytes) as never, READING);
  const listing = new ArchiveListing(rules);
  const found: ZipEntry[] = [];
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      listing.add(listed(entry));
      found.push(entry);
    }
  } catch (error) {
    if (reasonOf(error) !== DUPLICATE) throw error;
  }
  return {
    entries: listing.entries,
    async read(wanted) {
      const contents: Uint8Array[] = [];
      for (const index of wanted) {
        const entry = found[index];
        if (entry === undefined || entry.directory) throw new RangeError(`no file ${index}`);
        contents.push(await contentOf(entry, bytes, rules));
      }
      return contents;
    },
  };
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

function kindOf(entry: ZipEntry, type: number): ArchiveEntry["kind"] {
  if (type === LINK) return "link";
  if (entry.directory) return "directory";
  return type === REGULAR || type === 0 ? "file" : "special";
}

async function contentOf(
  entry: FileEntry,
  bytes: Uint8Array,
  rules: ArchiveRules,
): Promise<Uint8Array> {
  const { filename: name, uncompressedSize: size, compressedSize, compressionMethod } = entry;
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) {
    rules.refuse({ what: "packing", entry: name });
  }
  try {
    // Compares what the entry says of itself with what the directory does, and where others are.
    await entry.getData(undefined as never, READING);
    const start = entry.localDirectory?.dataOffset ?? bytes.length;
    const packed = bytes.subarray(start, start + compressedSize);
    if (compressionMethod === DEFLATED) return await inflated(packed, size, entry.crc32 ?? 0);
    if (packed.length !== size) throw new TooMuch();
    if (crc32(packed) !== entry.crc32) throw new Error("its content has another checksum");
    return packed.slice();
  } catch (error) {
    if (error instanceof TooMuch) rules.refuse({ what: "lying", entry: name });
    return rules.refuse({ what: "unreadable", entry: name, reason: wordsOf(error) });
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
export function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const reason = reasonOf(error);
  return typeof reason === "string" ? `${message} (${reason})` : message;
}
