/** A tar: its entries in their order, and their content. */
import type { TarHeader } from "modern-tar";
import { peerMissing } from "../../peer.js";
import { type ArchiveEntry, ArchiveListing, type ArchiveRules } from "./rules.js";
import { blocksOf, type TarBlock } from "./tar-blocks.js";
import type { OpenedArchive } from "./unpack.js";

type TarPackage = typeof import("modern-tar");

async function importTar({ entry }: ArchiveRules): Promise<TarPackage> {
  try {
    return await import("modern-tar");
  } catch (cause) {
    throw peerMissing(entry, "modern-tar", cause);
  }
}

export async function openTar(bytes: Uint8Array, rules: ArchiveRules): Promise<OpenedArchive> {
  const blocks = blocksOf(bytes, rules);
  const { unpackTar } = await importTar(rules);
  const listing = new ArchiveListing(rules);
  await unpackTar(bytes, {
    strict: true,
    filter: (header) => {
      listing.add(listed(header, blocks[listing.entries.length]));
      return false;
    },
  });
  if (listing.entries.length !== blocks.length) throw inTwoWays();
  return {
    entries: listing.entries,
    async read(wanted) {
      return wanted.map((entry) => {
        const block = blocks[entry];
        if (block === undefined) throw new RangeError(`no entry ${entry}`);
        return bytes.slice(block.start, block.start + block.size);
      });
    },
  };
}

function listed(header: TarHeader, block: TarBlock | undefined): ArchiveEntry {
  const { name, linkname = "" } = header;
  const kind = kindOf(header, block);
  const size = block?.size ?? 0;
  if (header.type === "file" && kind === "file" && header.size !== size) throw inTwoWays();
  return kind === "link" ? { name, kind, size, target: linkname } : { name, kind, size };
}

/** Types of what has a file's content: ordinary, as old archives have it, and contiguous. */
const FILES = "0\x007";

/**
 * The library takes types that it does not know for files: files with holes as GNU keeps them, labels
 * of volumes, parts of a file that goes on elsewhere. What is kept of a file with holes is no content.
 */
function kindOf({ type, pax = {} }: TarHeader, block: TarBlock | undefined): ArchiveEntry["kind"] {
  switch (type) {
    case "file": {
      const hasHoles = Object.keys(pax).some((key) => key.startsWith("GNU.sparse."));
      return !hasHoles && block && FILES.includes(block.type) ? "file" : "special";
    }
    case "directory":
      // By its name alone: what comes of it is the core's to say.
      return block && FILES.includes(block.type) ? "file" : "directory";
    case "link":
    case "symlink":
      return "link";
    default:
      return "special";
  }
}

function inTwoWays(): Error {
  return new Error("its headers can be read in two ways");
}
