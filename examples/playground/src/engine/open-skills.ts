// Skills that are open, with the edits that were made to them here.

import { type Catalog, loadSkills, type SearchHit, type Skill } from "skillshelf/slim";
import { checked, NOTHING } from "./check.ts";
import { EditedHost } from "./edited-host.ts";
import { Measure } from "./measure.ts";
import { joined, parentOf, withDirectories } from "./paths.ts";
import { Rows } from "./rows.ts";
import type {
  Checked,
  Edited,
  Files,
  Indexed,
  IndexOptions,
  Known,
  Overview,
  Progress,
  Reloaded,
  Update,
  Zipped,
} from "./shapes.ts";
import { sizeOf } from "./size.ts";
import { filesBeside } from "./skill-folder.ts";
import type { Brought } from "./sources.ts";
import { type Editions, Telling } from "./telling.ts";
import { zipped } from "./zip.ts";

/** Milliseconds between two words on how far something is. */
const PAUSE = 100;

/** What says that nothing could be read, rather than one skill. */
const OF_SOURCE = ["directory-unreadable", "source-not-a-directory"];

export type Tell = (progress: Progress) => void;

export class OpenSkills {
  /** Of all files, edits included: which of two skills has a name is the library's to say. */
  readonly catalog: Catalog;
  readonly #label: string;
  readonly #near: boolean;
  readonly #host: EditedHost;
  readonly #measure: Measure;
  readonly #tell: Tell;
  readonly #rows = new Rows();
  readonly #telling: Telling;
  #changes = 0;
  /** The index that was made last, as long as nothing that it shows has changed. */
  #indexed: { asked: string; indexed: Indexed } | undefined;
  /** What stands beside skill files, by their paths, since it was looked at. */
  readonly #beside = new Map<string, Promise<Record<string, Uint8Array>>>();
  #change: Promise<unknown> = Promise.resolve();

  private constructor(
    { label, near }: Brought,
    host: EditedHost,
    catalog: Catalog,
    tell: Tell,
    editions: Editions,
  ) {
    this.catalog = catalog;
    this.#label = label;
    this.#near = near;
    this.#host = host;
    this.#measure = new Measure(catalog);
    this.#tell = tell;
    this.#telling = new Telling(editions);
  }

  /** Reads what was brought; fails where nothing could be read at all, and where there is no skill. */
  static async read(
    brought: Brought,
    tell: Tell,
    signal: AbortSignal,
    editions: Editions,
  ): Promise<OpenSkills> {
    const host = new EditedHost(brought.host);
    let told = -Infinity;
    const catalog = await loadSkills(
      { host, label: brought.label },
      {
        signal,
        onDiagnostic: () => {},
        onProgress: ({ files }) => {
          if (performance.now() - told < PAUSE) return;
          told = performance.now();
          tell({ what: "loading", done: files });
        },
      },
    );
    const failure = catalog.isEmpty
      ? catalog.diagnostics.find(({ code }) => OF_SOURCE.includes(code))
      : undefined;
    // The host says it in its own words: not each of them is a directory to a person.
    if (failure) throw host.refusal ?? new Error(failure.message);
    const skills = new OpenSkills(brought, host, catalog, tell, editions);
    if (skills.#overview().rows.length === 0) {
      skills.close();
      throw new Error(
        `There is no skill in ${brought.label}. A skill is a folder with a SKILL.md; bring the folder that holds it.`,
      );
    }
    return skills;
  }

  /** Nobody asks for these skills any more. */
  close(): void {
    void this.#inTurn(async () => this.catalog.dispose());
  }

  /** Whether a page that has this means other skills than these. */
  areOthers(known: Known | undefined): boolean {
    return this.#telling.isOfOthers(known);
  }

  /** What a page that has `known` is to be told. */
  update(options: IndexOptions, known?: Known): Update {
    const whole = {
      overview: this.#overview(),
      indexed: this.index(options),
      measured: this.#measure.measured,
    };
    return this.#telling.tell(whole, known);
  }

  /** The index and what goes with it, as a request to a model has them. */
  index(options: IndexOptions): Indexed {
    const asked = JSON.stringify(options);
    if (this.#indexed?.asked !== asked) this.#indexed = { asked, indexed: this.#indexNow(options) };
    return this.#indexed.indexed;
  }

  /** Reads again what has changed where the skills are; edits made here stay. */
  reload(options: IndexOptions, known?: Known): Promise<Reloaded> {
    return this.#inTurn(async () => {
      const { removed } = await this.catalog.refresh();
      this.#beside.clear();
      this.#indexed = undefined;
      this.#measure.forget([...removed, ...this.catalog.names]);
      const changedBelow = await this.#host.changedBelow();
      return { ...this.update(options, known), changedBelow };
    });
  }

  /** Takes a text for a file from now on; tells in one answer what follows. */
  edit(path: string, text: string, options: IndexOptions, known?: Known): Promise<Edited> {
    return this.#inTurn(async () => {
      await this.#host.edit(path, text);
      await this.#readAgain(path);
      const checked = await this.check(path, text);
      const isEdited = this.#host.editedText(path) !== undefined;
      return { ...this.update(options, known), checked, isEdited };
    });
  }

  /** Takes back what was edited in a file. */
  revert(path: string, options: IndexOptions, known?: Known): Promise<Update> {
    return this.#inTurn(async () => {
      this.#host.revert(path);
      await this.#readAgain(path);
      return this.update(options, known);
    });
  }

  /** Reads all bodies, to say what they come to. */
  async measure(options: IndexOptions, known?: Known): Promise<Update> {
    let told = performance.now();
    await this.#measure.run(async (done, total) => {
      if (performance.now() - told < PAUSE) return;
      told = performance.now();
      this.#tell({ what: "measuring", done, total });
      await turn();
    });
    return this.update(options, known);
  }

  search(task: string, limit: number): Promise<SearchHit[]> {
    return this.catalog.search(task, { limit, bodies: this.#near });
  }

  /** The files of the skill that this file makes, that one first. */
  async files(path: string): Promise<Files> {
    const { paths, more } = await this.#filesBeside(path);
    return { paths: [path, ...paths], more };
  }

  /** A file as text; `undefined` for what is none. */
  async text(path: string): Promise<string | undefined> {
    const edited = this.#host.editedText(path);
    if (edited !== undefined) return edited;
    const bytes = await this.#host.read(path);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return undefined;
    }
  }

  /** What is off in a file as it is written now. */
  async check(path: string, text: string): Promise<Checked> {
    const skill = this.#skillOf(path);
    if (skill === undefined && !this.#isRefused(path)) return NOTHING;
    const hasDirectory =
      skill === undefined ? parentOf(path) !== "" : skill.source?.directory !== undefined;
    return checked(path, text, hasDirectory ? await this.#besideOf(path) : undefined);
  }

  /** The files of all skills, edits included. */
  async zip(): Promise<Zipped> {
    const paths = new Set<string>();
    const incomplete: string[] = [];
    for (const path of await this.#skillFiles()) {
      const files = await this.files(path);
      for (const file of files.paths) paths.add(file);
      if (files.more) incomplete.push(path);
    }
    const zip = await zipped([...paths].sort(), (path) => this.#host.read(path));
    return { zip, incomplete };
  }

  #overview(): Overview {
    const { diagnostics } = this.catalog;
    const touched = new Set([...this.#host.editedPaths].flatMap(withDirectories));
    const rows = this.#rows.of(this.catalog, diagnostics, {
      // Its own file, or one beside it.
      isEdited: (path, directory) =>
        touched.has(path) || (directory !== undefined && touched.has(parentOf(path))),
      sizeOf: (name) => this.#measure.sizeOf(name),
    });
    return {
      label: this.#label,
      near: this.#near,
      changes: this.#changes,
      rows,
      problems: [...diagnostics],
    };
  }

  #indexNow(options: IndexOptions): Indexed {
    const report = this.catalog.index(options);
    const { budget, ...whole } = options;
    const { characters, tokens } = budget === undefined ? report : this.catalog.index(whole);
    const definitions = this.catalog.tools({ index: options }).map(definitionText);
    return { report, full: { characters, tokens }, tools: sizeOf(definitions.join("\n")) };
  }

  /** What was read of a file is read again, and what of others hangs on that. */
  async #readAgain(path: string): Promise<void> {
    this.#changes += 1;
    const before = this.#skillOf(path);
    const was = JSON.stringify(before);
    const { added, changed, removed } = await this.catalog.refresh({ files: [path] });
    const after = this.#skillOf(path);
    const names = [before?.name, after?.name].filter((name) => name !== undefined);
    const others = [...added, ...changed, ...removed].filter((name) => name !== after?.name);
    // The index has nothing of a body.
    if (others.length > 0 || was !== JSON.stringify(after)) this.#indexed = undefined;
    const isMeasured = this.#measure.measured !== undefined;
    this.#measure.forget([...added, ...changed, ...removed, ...names]);
    if (isMeasured) await this.#measure.run(async () => {});
    // To a check of its own file it says nothing.
    if (after === undefined) this.#beside.clear();
  }

  #skillOf(path: string): Skill | undefined {
    for (const skill of this.catalog) if (skill.source?.path === path) return skill;
    return undefined;
  }

  /** Whether a file should be a skill and is none. */
  #isRefused(path: string): boolean {
    return this.catalog.diagnostics.some(
      (found) => found.path === path && found.severity === "error",
    );
  }

  #filesBeside(path: string): Promise<Files> {
    return filesBeside(this.#host, this.catalog, path, this.#skillOf(path));
  }

  /** What stands beside a skill file, read once. Of a site it is asked for when it is opened. */
  #besideOf(path: string): Promise<Record<string, Uint8Array>> {
    let beside = this.#beside.get(path);
    if (beside === undefined) {
      beside = this.#near ? this.#readBeside(path) : Promise.resolve({});
      this.#beside.set(path, beside);
    }
    return beside;
  }

  async #readBeside(path: string): Promise<Record<string, Uint8Array>> {
    const directory = joined(parentOf(path), "");
    const { paths } = await this.#filesBeside(path);
    const files: [string, Uint8Array][] = [];
    for (const file of paths) {
      files.push([file.slice(directory.length), await this.#host.read(file)]);
    }
    // Assigning to a property would make something else of a file that is named `__proto__`.
    return Object.fromEntries(files);
  }

  /** The files of all skills, of those too that do not load or have lost their name to another. */
  async #skillFiles(): Promise<Set<string>> {
    const { rows, problems } = this.#overview();
    const paths = new Set(rows.filter(({ skipped }) => !skipped).map(({ path }) => path));
    for (const { path } of problems) {
      if (path === undefined || paths.has(path)) continue;
      const stat = await this.#host.stat?.(path);
      if (stat?.kind === "file") paths.add(path);
    }
    return paths;
  }

  /** Changes follow one another: none is to see half of another. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#change.then(change);
    this.#change = done.catch(() => {});
    return done;
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

/** Lets what waits have its turn: an edit is not to wait for a measure. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
