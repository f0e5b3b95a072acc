// All files of what was brought, those that were edited as they are now.

import type { ByteRange, Diagnostic, Host, HostEntry, HostStat, SyncHost } from "skillshelf/slim";

type AnyHost = Host | SyncHost;

interface Edit {
  text: string;
  bytes: Uint8Array;
  version: string;
}

const encoder = new TextEncoder();

export class EditedHost implements Host {
  /** As the other host: what cannot do one of these is asked for more by the library. */
  readonly ranges: boolean;
  readonly stat?: (path: string) => Promise<HostStat | undefined>;
  readonly #base: AnyHost;
  readonly #edits = new Map<string, Edit>();
  #versions = 0;

  constructor(base: AnyHost) {
    this.#base = base;
    this.ranges = base.ranges ?? false;
    if (base.stat) this.stat = async (path) => this.#editedStat(path) ?? (await base.stat?.(path));
  }

  /** What is off with the other host as a whole. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#base.diagnostics ?? [];
  }

  get editedPaths(): Iterable<string> {
    return this.#edits.keys();
  }

  /** Takes a text for a file from now on. */
  edit(path: string, text: string): void {
    this.#versions += 1;
    this.#edits.set(path, {
      text,
      bytes: encoder.encode(text),
      version: `edit ${this.#versions}`,
    });
  }

  /** The file is again as it was brought. */
  revert(path: string): void {
    this.#edits.delete(path);
  }

  /** What a file was edited to. */
  editedText(path: string): string | undefined {
    return this.#edits.get(path)?.text;
  }

  async list(directory: string): Promise<readonly HostEntry[]> {
    const entries = await this.#base.list(directory);
    if (this.#edits.size === 0) return entries;
    const before = directory === "" ? "" : `${directory}/`;
    return entries.map((entry) => {
      const edit = this.#edits.get(before + entry.name);
      return edit === undefined ? entry : { ...entry, size: edit.bytes.length };
    });
  }

  async read(file: string, range?: ByteRange): Promise<Uint8Array> {
    const edit = this.#edits.get(file);
    if (edit === undefined) return this.#base.read(file, range);
    if (range === undefined || !this.ranges) return edit.bytes;
    return edit.bytes.slice(range.offset, range.offset + range.length);
  }

  #editedStat(path: string): HostStat | undefined {
    const edit = this.#edits.get(path);
    return edit && { kind: "file", size: edit.bytes.length, version: edit.version };
  }
}
