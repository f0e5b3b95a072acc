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
  | { what: "format" | "members" | "packed" | "entries" | "attributes" | "names" };

/** The rules of the core for one archive. */
export class ArchiveRules {
  /** Bytes that an archive may have, entries, their attributes, and bytes of their names. */
  readonly bounds: { bytes: number; entries: number; attributes: number; names: number };
  /** The entry point that has the host, for who lacks a package that it needs. */
  readonly entry: string;
  /** Whether an archive has to be one skill, at its root. */
  readonly #isSkill: boolean;
  readonly #options: string;

  /** Throws what is wrong with options. */
  constructor(
    entry: string,
    options: ArchiveOptions | undefined,
    { isSkill = false }: { isSkill?: boolean } = {},
  ) {
    this.entry = entry;
    this.#isSkill = isSkill;
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
    const facts = { packed, skill: this.#isSkill, entries: entries.map(withFoldedName) };
    const listing = JSON.stringify(facts);
    return answerValue(withCore((core) => core.archivePlan(this.#options, listing)));
  }

  /** Throws the refusal of the archive. */
  refuse(fault: ArchiveFault): never {
    answerValue(withCore((core) => core.archiveRefusal(this.#options, JSON.stringify(fault))));
    throw new TypeError(`an archive with the fault ${fault.what} was not refused`);
  }
}

/**
 * The core asks the runtime what letters are one on disks that tell them not apart, so that its tables
 * are not shipped.
 */
function withFoldedName(entry: ArchiveEntry): ArchiveEntry & { folded?: string } {
  const { name } = entry;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is the first of all ASCII characters
  if (/^[\x00-\x7f]*$/.test(name)) return entry;
  return { ...entry, folded: name.normalize("NFC").toUpperCase().normalize("NFC") };
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

/** What a tar says of its entries before their headers, as much as the core takes. */
export class TarTally {
  readonly #rules: ArchiveRules;
  #bytes = 0;
  #attributes = 0;

  constructor(rules: ArchiveRules) {
    this.#rules = rules;
  }

  /** Attributes of all entries at most. */
  get most(): number {
    return this.#rules.bounds.attributes;
  }

  addBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#rules.bounds.names) this.#rules.refuse({ what: "names" });
  }

  addAttributes(attributes: number): void {
    this.#attributes += attributes;
    if (this.#attributes > this.most) this.#rules.refuse({ what: "attributes" });
  }
}
