/** Unpacking an archive: what the core says of its entries, done to their bytes. */
import { SkillError } from "../../errors.js";
import type { Diagnostic } from "../../types.js";
import { gunzip, Members, TooMuch } from "./inflate.js";
import type { ArchiveEntry, ArchiveRules } from "./rules.js";
import { openTar } from "./tar.js";
import { libraryWords, openZip } from "./zip.js";

/** An archive of which only the list is known yet. */
export interface OpenedArchive {
  entries: readonly ArchiveEntry[];
  /** Why nothing is taken even where the core finds nothing wrong with the list. */
  fault?: unknown;
  /** The contents of entries, given by their numbers in rising order. */
  read(wanted: readonly number[]): Promise<Uint8Array[]>;
}

/** What came out of an archive: all of it, or nothing. */
export interface UnpackedArchive {
  /** By path, with `/` between names. */
  files: Record<string, Uint8Array>;
  /** What was left out, and why. */
  diagnostics: Diagnostic[];
}

/**
 * Unpacks a zip, a tar or a tar in gzip. Throws `ARCHIVE_REFUSED` where nothing of it is taken. The
 * files are frozen, and without a prototype, so that any name is one like others.
 */
export async function unpackArchive(
  bytes: Uint8Array,
  rules: ArchiveRules,
): Promise<UnpackedArchive> {
  try {
    const { entries, fault, read } = await opened(bytes, rules);
    const { files: planned, diagnostics } = rules.plan(bytes.length, entries);
    if (fault !== undefined) throw fault;
    const contents = await read(planned.map(({ entry }) => entry));
    const files: Record<string, Uint8Array> = Object.create(null);
    planned.forEach(({ path }, index) => {
      const content = contents[index];
      if (content === undefined) throw new Error(`the content of ${path} is missing`);
      files[path] = content;
    });
    return { files: Object.freeze(files), diagnostics };
  } catch (error) {
    if (error instanceof SkillError) throw error;
    return rules.refuse({ what: "unreadable", reason: libraryWords(error) });
  }
}

async function opened(bytes: Uint8Array, rules: ArchiveRules): Promise<OpenedArchive> {
  switch (rules.formatOf(bytes)) {
    case "zip":
      return openZip(bytes, rules);
    case "tar":
      return openTar(bytes, rules);
    case "gzip": {
      const tar = await unzipped(bytes, rules);
      return rules.formatOf(tar) === "tar" ? openTar(tar, rules) : rules.refuse({ what: "format" });
    }
    default:
      return rules.refuse({ what: "format" });
  }
}

async function unzipped(bytes: Uint8Array, rules: ArchiveRules): Promise<Uint8Array> {
  try {
    return await gunzip(bytes, rules.roomFor(bytes.length));
  } catch (error) {
    if (error instanceof TooMuch) return rules.refuse({ what: "unpacked", packed: bytes.length });
    if (error instanceof Members) return rules.refuse({ what: "members" });
    throw error;
  }
}
