// All files of what was brought, those that were edited as they are now.

import type { ByteRange, Diagnostic, Host, HostEntry, HostStat, SyncHost } from "skillshelf/slim";

type AnyHost = Host | SyncHost;

interface Edit {
  text: string;
  bytes: Uint8Array;
  version: string;
  /** The version of the file that it was made from, or that was told of since. */
  from: string | undefined;
}

const encoder = new TextEncoder();

export class EditedHost implements Host {
  /** As the other host: what cannot do one of these is asked for more by the library. */
  readonly ranges: boolean;
  readonly stat?: (path: string) => Promise<HostStat | undefined>;
  /** What the other host said where its root could not be listed. */
  refusal: unknown;
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
  async edit(path: string, text: string): Promise<void> {
    const before = this.#edits.get(path);
    const from = before === undefined ? await this.#baseVersion(path) : before.from;
    this.#versions += 1;
    const version = `edit ${this.#versions}`;
    this.#edits.set(path, { text, bytes: encoder.encode(text), version, from });
  }

  /** The edited files that have become another file below their edits, since that was last asked. */
  async changedBelow(): Promise<string[]> {
    const changed: string[] = [];
    for (const [path, edit] of this.#edits) {
      const now = await this.#baseVersion(path);
      if (now !== edit.from) changed.push(path);
      edit.from = now;
    }
    return changed;
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
    const entries = await this.#listed(directory);
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

  async #listed(directory: string): Promise<readonly HostEntry[]> {
    try {
      return await this.#base.list(directory);
    } catch (error) {
      if (directory === "") this.refusal = error;
      throw error;
    }
  }

  async #baseVersion(path: string): Promise<string | undefined> {
    return (await this.#base.stat?.(path))?.version;
  }

  #editedStat(path: string): HostStat | undefined {
    const edit = this.#edits.get(path);
    return edit && { kind: "file", size: edit.bytes.length, version: edit.version };
  }
}
