// All files of what was brought, those that were edited as they are now.

import type { ByteRange, Diagnostic, Host, HostEntry, HostStat, SyncHost } from "skillshelf/slim";

type AnyHost = Host | SyncHost;

interface Edit {
  text: string;
  bytes: Uint8Array;
  version: string;
  /** The version of the file that it was made from, or that was told of since. */
  from: string | undefined;
  /** What the file was then; absent where it could not be read, or has become another since. */
  original: Uint8Array | undefined;
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

  /** Takes a text for a file from now on; one that the file has anyway is no edit. */
  async edit(path: string, text: string): Promise<void> {
    const { from, original } = this.#edits.get(path) ?? (await this.#beforeEdit(path));
    const bytes = encoder.encode(text);
    if (original !== undefined && isSame(bytes, original)) {
      this.revert(path);
      return;
    }
    this.#versions += 1;
    this.#edits.set(path, { text, bytes, version: `edit ${this.#versions}`, from, original });
  }

  /** The edited files that have become another file below their edits, since that was last asked. */
  async changedBelow(): Promise<string[]> {
    const changed: string[] = [];
    for (const [path, edit] of this.#edits) {
      const now = await this.#baseVersion(path);
      if (now === edit.from) continue;
      changed.push(path);
      edit.from = now;
      edit.original = undefined;
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

  async #beforeEdit(path: string): Promise<Pick<Edit, "from" | "original">> {
    const from = await this.#baseVersion(path);
    try {
      return { from, original: await this.#base.read(path) };
    } catch {
      return { from, original: undefined };
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

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
