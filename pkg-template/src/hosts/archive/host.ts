/** An archive as a host: unpacked into memory when it is asked for the first time. */
import { NEAR, SCAN } from "../../hosts.js";
import type { ByteRange, Diagnostic, Host, HostEntry, HostStat, SyncHost } from "../../types.js";
import { memoryHost } from "../memory.js";
import { bytesOf, checkSource } from "./bytes.js";
import { ArchiveRules } from "./rules.js";
import type { ArchiveOptions, ArchiveSource } from "./types.js";
import { type UnpackedArchive, unpackArchive } from "./unpack.js";

/**
 * The files of an archive as a host: a zip (also a `.skill`), a tar, or a tar in gzip, told by its
 * content. In it is one skill, a folder that is one, or a folder of skills.
 *
 * ```ts
 * const response = await fetch("https://example.com/skills.zip");
 * const catalog = await loadSkills({ host: archiveHost(response), label: "team" });
 * ```
 *
 * It is unpacked into memory at the first use, whole or not at all. Entries that are links, devices
 * or no paths inside of it are left out, each with a diagnostic; what is encrypted, damaged, larger
 * than `limits`, or has two names that are one on some disk is refused with `ARCHIVE_REFUSED`.
 *
 * Needs the package `@zip.js/zip.js` for a zip, and `modern-tar` for a tar.
 */
export function archiveHost(source: ArchiveSource, options?: ArchiveOptions): Host {
  checkSource(source);
  return new ArchiveHost(source, new ArchiveRules("skillshelf/archive", options));
}

class ArchiveHost implements Host {
  readonly [NEAR] = true;
  readonly ranges = true;
  diagnostics: readonly Diagnostic[] = [];
  readonly #source: ArchiveSource;
  readonly #rules: ArchiveRules;
  #files: Promise<SyncHost> | undefined;
  #isUnpacked = false;

  constructor(source: ArchiveSource, rules: ArchiveRules) {
    this.#source = source;
    this.#rules = rules;
    // A promise that fails before the first use is told of then.
    if (source instanceof Promise) source.catch(() => {});
  }

  /** A scan begins: what only a function can give anew is asked for again, unless it is there. */
  [SCAN](): void {
    if (typeof this.#source === "function" && !this.#isUnpacked) this.#files = undefined;
  }

  async list(directory: string): Promise<readonly HostEntry[]> {
    return (await this.#unpacked()).list(directory);
  }

  async read(file: string, range?: ByteRange): Promise<Uint8Array> {
    return (await this.#unpacked()).read(file, range);
  }

  async stat(path: string): Promise<HostStat | undefined> {
    return (await this.#unpacked()).stat?.(path);
  }

  #unpacked(): Promise<SyncHost> {
    if (this.#files !== undefined) return this.#files;
    const unpacking = this.#unpack();
    const files = unpacking.then(({ files }) => memoryHost(files));
    this.#files = files;
    // By now it may be another one that counts.
    const isWanted = (): boolean => this.#files === files;
    unpacking.then(
      ({ diagnostics }) => {
        if (!isWanted()) return;
        this.#isUnpacked = true;
        this.diagnostics = diagnostics;
      },
      () => {
        if (isWanted() && typeof this.#source === "function") this.#files = undefined;
      },
    );
    return files;
  }

  async #unpack(): Promise<UnpackedArchive> {
    const bytes = await bytesOf(this.#source, this.#rules);
    return unpackArchive(bytes, this.#rules);
  }
}
