// The files of a host with some of them edited, and nothing of it beyond what these belong to.

import type { Host, HostEntry, HostStat, SyncHost } from "skillshelf/slim";

type AnyHost = Host | SyncHost;

const encoder = new TextEncoder();

/**
 * A host that has the edited files, the directories that lead to them, and all of the skills that they
 * belong to. It is put before the catalog of the whole host: then an edit costs what its
 * skill costs, however many others there are.
 */
export class EditedHost implements Host {
  readonly #base: AnyHost;
  readonly #texts: ReadonlyMap<string, string>;
  /** Directories whose files are all here. */
  readonly #whole: readonly string[];

  constructor(base: AnyHost, texts: ReadonlyMap<string, string>, skills: readonly string[]) {
    this.#base = base;
    this.#texts = texts;
    this.#whole = skills;
  }

  async list(directory: string): Promise<HostEntry[]> {
    const entries = new Map<string, HostEntry>();
    if (this.#isWhole(directory)) {
      for (const entry of await this.#listed(directory)) entries.set(entry.name, entry);
    }
    const before = directory === "" ? "" : `${directory}/`;
    const paths = [...this.#texts.keys(), ...this.#whole.map((skill) => `${skill}/`)];
    for (const path of paths) {
      if (!path.startsWith(before)) continue;
      const [name = "", ...deeper] = path.slice(before.length).split("/");
      if (name !== "") entries.set(name, { name, kind: deeper.length > 0 ? "directory" : "file" });
    }
    if (entries.size === 0) throw missing(directory);
    return [...entries.values()];
  }

  async read(file: string, range?: { offset: number; length: number }): Promise<Uint8Array> {
    const text = this.#texts.get(file);
    if (text !== undefined) return encoder.encode(text);
    if (!this.#isWhole(file)) throw missing(file);
    return this.#base.ranges ? this.#base.read(file, range) : this.#base.read(file);
  }

  async stat(path: string): Promise<HostStat | undefined> {
    const text = this.#texts.get(path);
    if (text === undefined) return this.#isWhole(path) ? await this.#base.stat?.(path) : undefined;
    return { kind: "file", size: encoder.encode(text).length, version: text };
  }

  #isWhole(path: string): boolean {
    return this.#whole.some((directory) => isBelow(path, directory));
  }

  /** A skill that was only pasted is nowhere else. */
  async #listed(directory: string): Promise<readonly HostEntry[]> {
    try {
      return await this.#base.list(directory);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }
}

/** Whether a file makes its directory a skill. */
export function isSkillFile(path: string): boolean {
  return /(^|\/)SKILL\.md$/i.test(path);
}

/** The directory of a path, `""` at the top. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Whether a path is a directory or in it. */
export function isBelow(path: string, directory: string): boolean {
  return directory === "" || path === directory || path.startsWith(`${directory}/`);
}

function missing(path: string): Error {
  return Object.assign(new Error(`There is no ${path}.`), { code: "ENOENT" });
}

function isMissing(error: unknown): boolean {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return code === "ENOENT" || code === "ENOTDIR" || name === "NotFoundError";
}
