/** What the core says of an archive. */
import { answerValue, optionsText } from "../../answers.js";
import { withCore } from "../../engine.js";
import type { Diagnostic } from "../../types.js";
import type { ArchiveOptions } from "./types.js";

/** An entry as the archive has it. */
export interface ArchiveEntry {
  /** Decoded, and otherwise as it is. */
  name: string;
  kind: "file" | "directory" | "link" | "special";
  /** Where a link leads. */
  target?: string;
  /** In bytes, as the archive says. */
  size: number;
  encrypted?: boolean;
}

/** What is unpacked of an archive. */
export interface ArchivePlan {
  /** Which entries, counted from 0, and their paths. */
  files: { entry: number; path: string }[];
  diagnostics: Diagnostic[];
}

/** What is wrong with an archive; the core has the words. */
export type ArchiveFault =
  | { what: "unreadable"; entry?: string; reason: string }
  | { what: "content" | "packing"; entry: string }
  | { what: "unpacked"; packed: number }
  | { what: "format" | "packed" | "entries" | "names" };

/** The rules of the core for one archive. */
export class ArchiveRules {
  /** Bytes that an archive may have, entries, and bytes of their names. */
  readonly bounds: { bytes: number; entries: number; names: number };
  readonly #options: string;

  /** Throws what is wrong with options. */
  constructor(options: ArchiveOptions | undefined) {
    this.#options = optionsText(options);
    this.bounds = answerValue(withCore((core) => core.archiveBounds(this.#options)));
  }

  /** Which kind of archive it is; nothing where it is none. */
  formatOf(bytes: Uint8Array): "zip" | "gzip" | "tar" | undefined {
    const beginning = bytes.subarray(0, 512);
    return withCore((core) => core.archiveFormat(beginning)) as "zip" | "gzip" | "tar" | undefined;
  }

  /** How many bytes may come out of so many. */
  roomFor(packed: number): number {
    return answerValue(withCore((core) => core.archiveRoom(this.#options, packed)));
  }

  /** What is unpacked of an archive of so many bytes; throws where nothing is. */
  plan(packed: number, entries: readonly ArchiveEntry[]): ArchivePlan {
    const listing = JSON.stringify({ packed, entries: entries.map(withComposedName) });
    return answerValue(withCore((core) => core.archivePlan(this.#options, listing)));
  }

  /** Throws the refusal of the archive. */
  refuse(fault: ArchiveFault): never {
    answerValue(withCore((core) => core.archiveRefusal(this.#options, JSON.stringify(fault))));
    throw new TypeError(`an archive with the fault ${fault.what} was not refused`);
  }
}

/** The core asks the runtime how letters are composed, so that its tables are not shipped. */
function withComposedName(entry: ArchiveEntry): ArchiveEntry & { composed?: string } {
  const composed = entry.name.normalize("NFC");
  return composed === entry.name ? entry : { ...entry, composed };
}

/**
 * Entries as they come, as many as the core takes: the list of a hostile archive is a burden of its
 * own.
 */
export class ArchiveListing {
  readonly entries: ArchiveEntry[] = [];
  readonly #rules: ArchiveRules;
  #names = 0;

  constructor(rules: ArchiveRules) {
    this.#rules = rules;
  }

  add(entry: ArchiveEntry): void {
    const { bounds } = this.#rules;
    this.#names += entry.name.length + (entry.target?.length ?? 0);
    if (this.entries.length >= bounds.entries) this.#rules.refuse({ what: "entries" });
    if (this.#names > bounds.names) this.#rules.refuse({ what: "names" });
    this.entries.push(entry);
  }
}
