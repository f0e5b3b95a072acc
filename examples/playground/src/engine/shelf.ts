// The skills that were brought, with the edits that were made to them here.

import {
  type Catalog,
  type Diagnostic,
  type Host,
  loadSkills,
  mendSkill,
  parseSkill,
  type SearchHit,
  type Skill,
  type SyncHost,
  validateSkill,
} from "skillshelf/slim";
import { EditedHost, isBelow, isSkillFile, parentOf } from "./edited-host.ts";
import { filesBelow, zipped } from "./host-files.ts";
import { rowsOf } from "./rows.ts";
import type {
  Checked,
  Edited,
  Given,
  Indexed,
  IndexOptions,
  Measured,
  Overview,
  Progress,
  Shown,
  Size,
  SkillFile,
} from "./shapes.ts";
import { sizeOf, sum } from "./size.ts";
import { opened } from "./sources.ts";

/** Files of one skill that are shown, and looked at when it is checked. */
const MOST_FILES = 200;
/** Files of a zip. */
const MOST_ZIPPED = 50_000;
/** Milliseconds between two words on how far something is. */
const PAUSE = 100;

interface Base {
  host: Host | SyncHost;
  label: string;
  near: boolean;
  catalog: Catalog;
}

export class Shelf {
  readonly #address: string;
  readonly #tell: (progress: Progress) => void;
  readonly #edits = new Map<string, string>();
  readonly #beside = new Map<string, Record<string, Uint8Array>>();
  #base: Base | undefined;
  #live: Catalog | undefined;
  #measured: Measured | undefined;

  constructor(address: string, tell: (progress: Progress) => void) {
    this.#address = address;
    this.#tell = tell;
  }

  /** The skills as they are now, edits included. */
  get catalog(): Catalog {
    if (this.#live === undefined) throw new Error("No skills are open yet.");
    return this.#live;
  }

  /** Opens what was brought; where that fails, what was open before stays. */
  async open(given: Given, options: IndexOptions): Promise<Shown> {
    const { host, label, near } = await opened(given, this.#address);
    let told = -Infinity;
    const catalog = await loadSkills(
      { host, label },
      {
        onDiagnostic: () => {},
        onProgress: ({ files }) => {
          if (performance.now() - told < PAUSE) return;
          told = performance.now();
          this.#tell({ what: "loading", done: files });
        },
      },
    );
    const failure = catalog.isEmpty ? catalog.diagnostics.find(isOfSource) : undefined;
    if (failure) throw new Error([failure.message, failure.hint].filter(Boolean).join(" "));
    this.#base = { host, label, near, catalog };
    this.#edits.clear();
    this.#beside.clear();
    this.#measured = undefined;
    await this.#renew();
    return this.#shown(options);
  }

  /** Reads again what has changed where the skills are; edits made here stay. */
  async reload(options: IndexOptions): Promise<Shown> {
    await this.#opened.catalog.refresh();
    this.#beside.clear();
    this.#measured = undefined;
    await this.#renew();
    return this.#shown(options);
  }

  #shown(options: IndexOptions): Shown {
    const shown = { overview: this.overview(), indexed: this.index(options) };
    return this.#measured === undefined ? shown : { ...shown, measured: this.#measured };
  }

  overview(): Overview {
    const { label, near } = this.#opened;
    const problems = this.#problems();
    const rows = rowsOf(this.catalog, problems, (path) => this.#isEdited(path));
    return { label, near, rows, problems };
  }

  /** The index and what goes with it, as a request to a model has them. */
  index(options: IndexOptions): Indexed {
    const report = this.catalog.index(options);
    const { budget, ...whole } = options;
    const { characters, tokens } = budget === undefined ? report : this.catalog.index(whole);
    const definitions = this.catalog.tools({ index: options }).map(definitionText);
    return { report, full: { characters, tokens }, tools: sizeOf(definitions.join("\n")) };
  }

  /** Reads all bodies, a few at a time; nothing where the skills have changed meanwhile. */
  async measure(): Promise<Measured | undefined> {
    const { catalog } = this;
    const each = new Map<string, Size>();
    let told = performance.now();
    const names = [...catalog.names];
    while (names.length > 0) {
      const some = names.splice(0, 8);
      const sizes = await Promise.all(some.map((name) => bodySize(catalog, name)));
      some.forEach((name, at) => {
        const size = sizes[at];
        if (size) each.set(name, size);
      });
      if (performance.now() - told > PAUSE) {
        told = performance.now();
        this.#tell({ what: "measuring", done: each.size, total: catalog.size });
        await turn();
      }
      if (catalog !== this.#live) return undefined;
    }
    this.#measured = { all: sum(each.values()), each };
    return this.#measured;
  }

  /** The skills that fit a task, the best first. */
  async search(query: string, limit: number): Promise<{ name: string; matched: string[] }[]> {
    const hits = await this.found(query, limit);
    return hits.map(({ skill, matched }) => ({ name: skill.name, matched }));
  }

  found(query: string, limit: number): Promise<SearchHit[]> {
    return this.catalog.search(query, { limit, bodies: this.#opened.near });
  }

  /** The files of the skill that this file belongs to. */
  async files(path: string): Promise<SkillFile[]> {
    if (!isSkillFile(path)) return [{ path, size: (await this.#bytes(path)).length }];
    return filesBelow(this.#host, parentOf(path), MOST_FILES);
  }

  /** A file as text; `undefined` for what is none. */
  async text(path: string): Promise<string | undefined> {
    const edited = this.#edits.get(path);
    if (edited !== undefined) return edited;
    const bytes = await this.#bytes(path);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return undefined;
    }
  }

  /** What is off in a file as it is written now. */
  async check(path: string, text: string): Promise<Checked> {
    if (!isSkillFile(path)) {
      const loose = parentOf(path) === "" && path.endsWith(".md");
      return loose
        ? judged(text, validateSkill({ "SKILL.md": text }, { hints: true }))
        : { diagnostics: [], mends: [] };
    }
    const directory = parentOf(path);
    const files = { ...(await this.#filesBeside(directory)), "SKILL.md": text };
    const name = directory.split("/").at(-1);
    return judged(
      text,
      validateSkill(files, { hints: true, ...(name ? { directory: name } : {}) }),
    );
  }

  /** Takes a text for a file from now on; tells in one answer what follows. */
  async edit(path: string, text: string, options: IndexOptions): Promise<Edited> {
    this.#edits.set(path, text);
    if (!isSkillFile(path)) this.#beside.clear();
    await this.#renewed(path);
    const checked = await this.check(path, text);
    return { ...this.#shown(options), checked };
  }

  /** Takes back what was edited in a file. */
  async revert(path: string, options: IndexOptions): Promise<Shown> {
    this.#edits.delete(path);
    this.#beside.clear();
    await this.#renewed(path);
    return this.#shown(options);
  }

  /** The skills after a change of one file; what was measured of the others stays. */
  async #renewed(path: string): Promise<void> {
    const before = this.#skillOf(path)?.name;
    const measured = this.#measured;
    await this.#renew();
    if (measured === undefined) return;
    const each = new Map(measured.each);
    if (before !== undefined) each.delete(before);
    const after = this.#skillOf(path)?.name;
    const size = after === undefined ? undefined : await bodySize(this.catalog, after);
    if (after !== undefined && size !== undefined) each.set(after, size);
    this.#measured = { all: sum(each.values()), each };
  }

  #skillOf(path: string): Skill | undefined {
    return [...this.catalog].find(({ source }) => source?.path === path);
  }

  /** The file with what can safely be mended. */
  mended(text: string): string {
    return mendSkill(text).text;
  }

  /** All files, edits included, or those of one skill. */
  async zip(directory = ""): Promise<Blob> {
    const host = this.#host;
    const found = await filesBelow(host, directory, MOST_ZIPPED);
    const paths = new Set(found.map(({ path }) => path));
    for (const path of this.#edits.keys()) if (isBelow(path, directory)) paths.add(path);
    return zipped(
      [...paths].sort().map((path) => ({ path, content: async () => await this.#bytes(path) })),
    );
  }

  get #opened(): Base {
    if (this.#base === undefined) throw new Error("No skills are open yet.");
    return this.#base;
  }

  /** All files of what is open, those that were edited as they are now. */
  get #host(): Host | SyncHost {
    const { host } = this.#opened;
    if (this.#edits.size === 0) return host;
    const edits = this.#edits;
    const encoder = new TextEncoder();
    return {
      list: async (directory) => await host.list(directory),
      read: async (file) => {
        const text = edits.get(file);
        return text === undefined ? await host.read(file) : encoder.encode(text);
      },
    };
  }

  async #bytes(path: string): Promise<Uint8Array> {
    return await this.#host.read(path);
  }

  /** Puts the edited skills before those that were brought. */
  async #renew(): Promise<void> {
    const { host, label, catalog } = this.#opened;
    if (this.#edits.size === 0) {
      this.#live = catalog;
      return;
    }
    const replaced = [...catalog].filter(({ source }) => source && this.#isEdited(source.path));
    const files = [...replaced.map(({ source }) => source?.path ?? ""), ...this.#edits.keys()];
    const directories = [...new Set(files.filter(isSkillFile).map(parentOf))];
    const edited = new EditedHost(host, this.#edits, directories);
    // A view takes names as patterns; one with a star in it is shadowed by the edit instead.
    const patterns = replaced.map(({ name }) => name).filter((name) => !name.includes("*"));
    const others = patterns.length > 0 ? catalog.only(patterns.map((name) => `!${name}`)) : catalog;
    this.#live = await loadSkills([{ host: edited, label }, others], { onDiagnostic: () => {} });
  }

  /** Whether the skill of this file is one that edits belong to. */
  #isEdited(path: string): boolean {
    if (this.#edits.has(path)) return true;
    return (
      isSkillFile(path) && [...this.#edits.keys()].some((edited) => isBelow(edited, parentOf(path)))
    );
  }

  /** What is told of edited skills, and of all others what was told when they were read. */
  #problems(): Diagnostic[] {
    const { catalog } = this.#opened;
    if (this.#live === catalog) return [...catalog.diagnostics];
    const isOld = ({ path }: Diagnostic) => path !== undefined && this.#isEdited(path);
    const fresh = this.catalog.diagnostics.filter(
      (found) => isOld(found) && found.code !== "duplicate-name",
    );
    return [...fresh, ...catalog.diagnostics.filter((found) => !isOld(found))];
  }

  /** The other files of a skill, read once. */
  async #filesBeside(directory: string): Promise<Record<string, Uint8Array>> {
    const known = this.#beside.get(directory);
    if (known !== undefined) return known;
    const files: Record<string, Uint8Array> = {};
    for (const { path } of await this.#listedBelow(directory)) {
      if (!isSkillFile(path)) files[relative(path, directory)] = await this.#bytes(path);
    }
    this.#beside.set(directory, files);
    return files;
  }

  /** A skill that was only pasted has no others. */
  async #listedBelow(directory: string): Promise<SkillFile[]> {
    try {
      return await filesBelow(this.#host, directory, MOST_FILES);
    } catch {
      return [];
    }
  }
}

/** Whether nothing could be read, rather than one skill. */
function isOfSource({ severity, path = "" }: Diagnostic): boolean {
  return severity === "error" && !path.endsWith(".md");
}

function judged(text: string, diagnostics: Diagnostic[]): Checked {
  const { body } = parseSkill(text);
  const { mends } = mendSkill(text);
  return body === undefined ? { diagnostics, mends } : { diagnostics, mends, size: sizeOf(body) };
}

async function bodySize(catalog: Catalog, name: string): Promise<Size | undefined> {
  try {
    return sizeOf(await catalog.body(name));
  } catch {
    // Its finding is in the list of problems.
    return undefined;
  }
}

function definitionText({
  name,
  description,
  inputSchema,
}: {
  name: string;
  description: string;
  inputSchema: object;
}) {
  return JSON.stringify({ name, description, parameters: inputSchema });
}

function relative(path: string, directory: string): string {
  return directory === "" ? path : path.slice(directory.length + 1);
}

/** Lets what waits have its turn: an edit is not to wait for a measure. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
