/** The catalog in the module that a catalog of this package stands for. */
import { frozen, optionsText, workText, workValue } from "./answers.js";
import type { CatalogHandle, Work } from "./core/skillshelf.js";
import { drive } from "./driver.js";
import { generation, withCore } from "./engine.js";
import { SkillError } from "./errors.js";
import { askedText } from "./given.js";
import type { HostTable } from "./hosts.js";
import { counterOf, plainIndexOptions } from "./index-options.js";
import type {
  CompleteOptions,
  Completion,
  IndexReport,
  PromptOptions,
  SearchHit,
  SearchOptions,
  Skill,
} from "./types.js";

/** Characters of a query that cross: the core reads no more of it, and would keep the room for good. */
const LONGEST_QUERY = 64 * 1024;

/** A catalog that was loaded, and the hosts its files are on. */
export interface LoadedCatalog {
  handle: CatalogHandle;
  hosts: HostTable;
}

/** Where a skill of a catalog came from. */
export interface SkillOrigin {
  core: CoreCatalog;
  /** Its reading; absent where that is lost, so that only its name is left. */
  id: number | undefined;
}

const origins = new WeakMap<Skill, SkillOrigin & { generation: number }>();

/** The catalog that a skill came from, and its reading there. */
export function originOf(skill: Skill): SkillOrigin | undefined {
  const origin = origins.get(skill);
  if (origin === undefined) return undefined;
  // A new instance counts its readings from the beginning.
  return { core: origin.core, id: origin.generation === generation() ? origin.id : undefined };
}

/** The handle of a catalog, which its views share. */
export class CoreCatalog {
  #loaded: LoadedCatalog | undefined;
  #generation = generation();
  readonly #skills = new Map<number, Skill>();
  readonly #listeners = new Set<() => void>();
  readonly #onDispose = new Set<() => void>();
  readonly #view: { base: CoreCatalog; patterns: string; of: CatalogHandle } | undefined;

  constructor(
    loaded: LoadedCatalog,
    view?: { base: CoreCatalog; patterns: string; of: CatalogHandle },
  ) {
    this.#loaded = loaded;
    this.#view = view;
  }

  /**
   * The module's own catalog. What a caller gave is read before it is taken: reading may run code of the
   * caller's, which may give the catalog back.
   */
  get handle(): CatalogHandle {
    return this.#current().handle;
  }

  get hosts(): HostTable {
    return this.#current().hosts;
  }

  /** Handle and hosts as they are now: a view follows its base through a restart of the module. */
  #current(): LoadedCatalog {
    if (this.#loaded === undefined) throw disposed();
    if (this.#view !== undefined) {
      const { base, patterns, of } = this.#view;
      const now = base.handle;
      if (now !== of) {
        this.replace({ handle: viewOf(now, patterns), hosts: base.hosts });
        this.#view.of = now;
      }
    } else if (this.isStale) {
      throw new SkillError({
        code: "INTERNAL",
        message:
          "The WebAssembly module was started anew, so this catalog is lost: refresh() it, or load it again.",
      });
    }
    return this.#loaded;
  }

  /** Whether it, or what it is a view of, was given back. */
  get isDisposed(): boolean {
    return this.#loaded === undefined || this.#view?.base.isDisposed === true;
  }

  /** Whether the instance it was made in is gone. */
  get isStale(): boolean {
    if (this.#loaded === undefined) throw disposed();
    return this.#view !== undefined ? this.#view.base.isStale : this.#generation !== generation();
  }

  /** Takes what was loaded anew. */
  replace(loaded: LoadedCatalog): void {
    if (this.#loaded === undefined) {
      loaded.handle.free();
      throw disposed();
    }
    this.#loaded = loaded;
    this.#generation = generation();
    this.#skills.clear();
  }

  /** The core that is refreshed when this view is. */
  get base(): CoreCatalog {
    return this.#view?.base.base ?? this;
  }

  /** Calls `listener` after each refresh, until the function that it gives is called. */
  onRefresh(listener: () => void): () => void {
    const { base } = this;
    base.#listeners.add(listener);
    return () => void base.#listeners.delete(listener);
  }

  /** Tells those who wait for it of a refresh. */
  announceRefresh(): void {
    for (const listener of [...this.base.#listeners]) listener();
  }

  /** A view, of patterns by the name that the developer knows them by. */
  only(patterns: { patterns: readonly string[] } | { only: readonly string[] }): CoreCatalog {
    const text = optionsText(patterns);
    const of = this.handle;
    const handle = viewOf(of, text);
    return new CoreCatalog({ handle, hosts: this.hosts }, { base: this, patterns: text, of });
  }

  prompt(options: PromptOptions | undefined): string {
    return promptOf(this, () => this.handle, options);
  }

  index(options: PromptOptions | undefined): IndexReport {
    return indexOf(this, () => this.handle, options);
  }

  /** The readings of all skills, by name. */
  ids(): Iterable<number> {
    const { handle } = this;
    return withCore(() => handle.ids());
  }

  complete(prefix: string, options: CompleteOptions | undefined): Completion[] {
    const [typed, text] = [askedText(prefix), optionsText(options)];
    const { handle, hosts } = this;
    const work = withCore(() => handle.complete(typed, text));
    return drive(work, { hosts }, workValue<Completion[]>);
  }

  search(query: string, options: SearchOptions | undefined): Work {
    const asked = askedText(query).slice(0, LONGEST_QUERY);
    const text = optionsText(options);
    const { handle } = this;
    return withCore(() => handle.search(asked, text));
  }

  /** What a search came to. */
  hits(work: Work): SearchHit[] {
    const found = workValue<(Omit<SearchHit, "skill"> & { id: number })[]>(work);
    return found.flatMap(({ id, score, matched }) => {
      const skill = this.skill(id);
      return skill === undefined ? [] : [{ skill, score, matched }];
    });
  }

  /** The skill of a reading; the same object each time. */
  skill(id: number): Skill | undefined {
    const known = this.#skills.get(id);
    if (known !== undefined) return known;
    const { handle } = this;
    const text = withCore(() => handle.skill(id));
    if (text === undefined) return undefined;
    const skill = frozen(JSON.parse(text) as Skill);
    origins.set(skill, { core: this, id, generation: this.#generation });
    this.#skills.set(id, skill);
    return skill;
  }

  /** Forgets skills that have another reading now. */
  prune(): void {
    const current = new Set(this.ids());
    for (const id of this.#skills.keys()) {
      if (!current.has(id)) this.#skills.delete(id);
    }
  }

  dispose(): void {
    if (this.#loaded === undefined) return;
    const { handle } = this.#loaded;
    const lost = this.#generation !== generation();
    this.#loaded = undefined;
    this.#skills.clear();
    if (!lost) handle.free();
    for (const work of [...this.#onDispose]) work();
  }

  /** Calls `work` once it, or what it is a view of, is given back; gives what takes that back. */
  whenDisposed(work: () => void): () => void {
    this.#onDispose.add(work);
    const forget = this.#view?.base.whenDisposed(work);
    return () => {
      this.#onDispose.delete(work);
      forget?.();
    };
  }
}

/** What has an index in the module: a catalog, or a session. */
interface Indexed {
  prompt(options: string): Work;
  index(options: string): Work;
}

/** The text of an index. */
export function promptOf(
  core: CoreCatalog,
  indexed: () => Indexed,
  options: PromptOptions | undefined,
): string {
  return driveIndex(core, options, (text) => indexed().prompt(text), workText);
}

/** An index, with what is to be known about it. */
export function indexOf(
  core: CoreCatalog,
  indexed: () => Indexed,
  options: PromptOptions | undefined,
): IndexReport {
  return driveIndex(core, options, (text) => indexed().index(text), workValue<IndexReport>);
}

function driveIndex<T>(
  core: CoreCatalog,
  options: PromptOptions | undefined,
  start: (options: string) => Work,
  take: (work: Work) => T,
): T {
  const text = optionsText(plainIndexOptions(core, options));
  const work = withCore(() => start(text));
  return drive(work, { hosts: core.hosts, count: counterOf(options?.budget) }, take);
}

/** A view of a catalog of the module. */
function viewOf(handle: CatalogHandle, patterns: string): CatalogHandle {
  const work = withCore(() => handle.only(patterns));
  return drive(work, { hosts: new Map() }, catalogOf);
}

/** The catalog that an operation came to. */
export function catalogOf(work: Work): CatalogHandle {
  const handle = work.catalog();
  if (handle === undefined) {
    throw new SkillError({
      code: "INTERNAL",
      message: "An operation gave no catalog. Please report it.",
    });
  }
  return handle;
}

function disposed(): SkillError {
  return new SkillError({
    code: "NOT_INITIALIZED",
    message: "This catalog was disposed of: load it again.",
  });
}
