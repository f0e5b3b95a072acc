/** A tar: its entries in their order, and their content. */
import type { TarHeader } from "modern-tar";
import { peerMissing } from "../../peer.js";
import { type ArchiveEntry, ArchiveListing, type ArchiveRules } from "./rules.js";
import type { OpenedArchive } from "./unpack.js";

type TarPackage = typeof import("modern-tar");

async function importTar(): Promise<TarPackage> {
  try {
    return await import("modern-tar");
  } catch (cause) {
    throw peerMissing("skillshelf/archive", "modern-tar", cause);
  }
}

export async function openTar(bytes: Uint8Array, rules: ArchiveRules): Promise<OpenedArchive> {
  const { unpackTar } = await importTar();
  const headers: TarHeader[] = [];
  const listing = new ArchiveListing(rules);
  await unpackTar(bytes, {
    strict: true,
    filter: (header) => {
      listing.add(listed(header));
      headers.push(header);
      return false;
    },
  });
  markUnknownTypes(bytes, headers, listing.entries);
  return {
    entries: listing.entries,
    async read(wanted) {
      const left = new Set(wanted);
      let index = -1;
      const found = await unpackTar(bytes, {
        strict: true,
        filter: () => {
          index += 1;
          return left.has(index);
        },
      });
      return found.map(({ header, data }) => {
        if (data?.length === header.size) return data;
        throw new Error(`the content of ${header.name} is not there`);
      });
    },
  };
}

function listed(header: TarHeader): ArchiveEntry {
  const { name, size, linkname = "" } = header;
  const kind = kindOf(header);
  return kind === "link" ? { name, kind, size, target: linkname } : { name, kind, size };
}

function kindOf({ type, pax = {} }: TarHeader): ArchiveEntry["kind"] {
  switch (type) {
    case "file":
      // What is kept of a file with holes is no content.
      return Object.keys(pax).some((key) => key.startsWith("GNU.sparse.")) ? "special" : "file";
    case "directory":
      return "directory";
    case "link":
    case "symlink":
      return "link";
    default:
      return "special";
  }
}

const BLOCK = 512;
const TYPE = 156;
/** Types of what belongs to the entry that follows: pax headers, and long names of GNU. */
const PREFACES = "xgLK";
/** Types of what has a file's content: ordinary, as old archives have it, and contiguous. */
const FILES = "0\x007";
const DIRECTORY = "5";

/**
 * The library takes types that it does not know for files: files with holes as GNU keeps them, labels
 * of volumes, parts of a file that goes on elsewhere. What each entry really is stands in its header,
 * which is found by the sizes of those before it.
 */
function markUnknownTypes(
  bytes: Uint8Array,
  headers: readonly TarHeader[],
  entries: readonly ArchiveEntry[],
): void {
  let at = 0;
  const type = (): string => String.fromCharCode(bytes[at + TYPE] ?? 0);
  headers.forEach((header, index) => {
    while (PREFACES.includes(type())) at += BLOCK + padded(sizeAt(bytes, at));
    const entry = entries[index];
    if (entry?.kind === "file" && !FILES.includes(type())) entry.kind = "special";
    // What is a directory by its name alone has content all the same.
    const hasContent = header.type === "directory" && type() !== DIRECTORY;
    at +=
      BLOCK + padded(hasContent ? Number(header.pax?.["size"] ?? sizeAt(bytes, at)) : header.size);
  });
  const end = bytes.subarray(at, at + BLOCK);
  if (end.length < BLOCK || end.some((byte) => byte !== 0)) {
    throw new Error("its headers are not where their sizes say");
  }
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

/** The size that a header has. */
function sizeAt(bytes: Uint8Array, at: number): number {
  const field = bytes.subarray(at + 124, at + 136);
  if ((field[0] ?? 0) & 0x80) {
    return field.reduce((size, byte, index) => size * 256 + (index === 0 ? byte & 0x7f : byte), 0);
  }
  const [digits = ""] = String.fromCharCode(...field).split("\0");
  return Number.parseInt(digits.replaceAll(" ", "") || "0", 8);
}
