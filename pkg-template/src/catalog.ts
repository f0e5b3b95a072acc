/** Catalogs: what was loaded, and what can be done with it. */
import { optionsText, optionsTextWithSignal, workText, workValue } from "./answers.js";
import type { Work } from "./core/skillshelf.js";
import { type CoreCatalog, type LoadedCatalog, originOf } from "./core-catalog.js";
import { CoreSession } from "./core-session.js";
import { type DriveOptions, drive, driveAsync } from "./driver.js";
import { withCore } from "./engine.js";
import { SkillError } from "./errors.js";
import { askedText, membersOf } from "./given.js";
import { announceScan } from "./hosts.js";
import { diagnosticsOf, hostDiagnostics, Known, type Reporting } from "./reports.js";
import { AsyncSession, BlockingSession } from "./session.js";
import {
  answered,
  answeredLater,
  type Carry,
  preparedCall,
  toolOptionsText,
  toolResult,
  toolsOf,
} from "./tools.js";
import type {
  CallOptions,
  Catalog,
  Changes,
  CompleteOptions,
  Completion,
  Diagnostic,
  ExpandOptions,
  Expansion,
  IndexReport,
  PromptOptions,
  RefreshOptions,
  SearchHit,
  SearchOptions,
  Session,
  SessionOptions,
  Skill,
  SkillFiles,
  SkillTools,
  SyncCatalog,
  SyncSession,
  SyncSkillTools,
  ToolOptions,
  ToolResult,
} from "./types.js";

/** How a catalog is loaded: again after the module was started anew. */
export interface Recipe<Result> extends Reporting {
  /** Loads from the beginning. The signal of the first load is not that of later ones. */
  load(signal?: AbortSignal): Result;
  /** What it is loaded from. */
  sources: readonly unknown[];
}

/** What Node, Bun and Deno ask for what they show of an object. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** A name as one of several: in quotes where it could be taken for more than one. */
function listed(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : JSON.stringify(name);
}

/** How many names are shown of a catalog. */
const NAMES_SHOWN = 10;

/** The catalog that each core belongs to. */
const owners = new WeakMap<CoreCatalog, Catalog | SyncCatalog>();

/** What both kinds of catalogs do alike. */
abstract class BaseCatalog<Result> {
  readonly #core: CoreCatalog;
  readonly #recipe: Recipe<Result>;

  constructor(core: CoreCatalog, recipe: Recipe<Result>) {
    this.#core = core;
    this.#recipe = recipe;
    BaseCatalog.#showInspected();
  }

  /** The core of a catalog of this package. */
  static coreCatalogOf(value: unknown): CoreCatalog | undefined {
    const isCatalog = typeof value === "object" && value !== null && #core in value;
    return isCatalog ? (value as BaseCatalog<unknown>).#core : undefined;
  }

  /** What a catalog of this package was loaded from. */
  static sourcesOf(catalog: unknown): readonly unknown[] {
    return catalog instanceof BaseCatalog ? catalog.recipe.sources : [];
  }

  protected get core(): CoreCatalog {
    return this.#core;
  }

  protected get recipe(): Recipe<Result> {
    return this.#recipe;
  }

  get size(): number {
    const { handle } = this.core;
    return withCore(() => handle.count());
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  get names(): readonly string[] {
    const { handle } = this.core;
    return JSON.parse(withCore(() => handle.names())) as string[];
  }

  get diagnostics(): readonly Diagnostic[] {
    return diagnosticsOf(this.core);
  }

  get(name: string, version?: string): Skill | undefined {
    const { core } = this;
    const wanted = version === undefined ? undefined : askedText(version);
    const asked = askedText(name);
    const work = withCore(() => core.handle.get(asked, wanted));
    const id = drive(work, { hosts: core.hosts }, (done) => workValue<number | null>(done));
    return id === null ? undefined : core.skill(id);
  }

  *[Symbol.iterator](): Iterator<Skill> {
    const { core } = this;
    for (const id of core.ids()) {
      const skill = core.skill(id);
      if (skill !== undefined) yield skill;
    }
  }

  prompt(options?: PromptOptions): string {
    return this.core.prompt(options);
  }

  index(options?: PromptOptions): IndexReport {
    return this.core.index(options);
  }

  complete(prefix: string, options?: CompleteOptions): Completion[] {
    return this.core.complete(prefix, options);
  }

  /** The session in the module that goes on from these options. */
  protected begin(options: SessionOptions | undefined): CoreSession {
    const { core } = this;
    const given = membersOf(options);
    const only = given?.only;
    return new CoreSession(only === undefined ? core : core.only({ only }), given);
  }

  dispose(): void {
    this.core.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  abstract get [Symbol.toStringTag](): string;

  /** With the first catalog: a class that does something by itself is one that no bundler leaves out. */
  static #showInspected(): void {
    if (Object.hasOwn(BaseCatalog.prototype, INSPECT)) return;
    /** `Catalog { 2 skills: pdf, review }` */
    const value = function (this: BaseCatalog<unknown>): string {
      return `${this[Symbol.toStringTag]} { ${this.#summary()} }`;
    };
    Object.defineProperty(BaseCatalog.prototype, INSPECT, { value });
  }

  #summary(): string {
    if (this.core.isDisposed) return "disposed of";
    if (this.core.isStale) return "lost with its module: refresh() it";
    const { names } = this;
    const shown = [
      ...names.slice(0, NAMES_SHOWN).map(listed),
      ...(names.length > NAMES_SHOWN ? ["…"] : []),
    ];
    const count = `${names.length} ${names.length === 1 ? "skill" : "skills"}`;
    return names.length === 0 ? count : `${count}: ${shown.join(", ")}`;
  }
}

/** Catalogs that sources are of, and that were lost with the same instance of the module. */
function lostCatalogs({ sources }: Recipe<unknown>): (Catalog | SyncCatalog)[] {
  const lost = new Set<Catalog | SyncCatalog>();
  for (const source of sources) {
    const core = coreCatalogOf(source) ?? originOf(source as Skill)?.core;
    if (core === undefined) continue;
    if (core.isDisposed) throw sourceDisposed();
    const owner = owners.get(core);
    if (core.isStale && owner !== undefined) lost.add(owner);
  }
  return [...lost];
}

function sourceDisposed(): SkillError {
  return new SkillError({
    code: "NOT_INITIALIZED",
    message:
      "A catalog that this one was loaded from was disposed of, so this one cannot be loaded again: load both anew.",
  });
}

/** What a reload after a trap has to say: everything is new. */
export function allAdded(core: CoreCatalog): Changes {
  const { handle } = core;
  const added = JSON.parse(withCore(() => handle.names())) as string[];
  return { added, changed: [], removed: [], diagnostics: diagnosticsOf(core) };
}

/** A catalog whose hosts answer with promises. */
export class AsyncCatalog extends BaseCatalog<Promise<LoadedCatalog>> implements Catalog {
  readonly #carry: Carry<Promise<ToolResult>> = (prepare, options) =>
    answeredLater(options, async (signal) => {
      const start = prepare();
      const { handle } = this.core;
      return this.#drive(() => start(handle), toolResult, signal);
    });

  constructor(core: CoreCatalog, recipe: Recipe<Promise<LoadedCatalog>>) {
    super(core, recipe);
    owners.set(core, this);
  }

  #drive<T>(start: () => Work, take: (work: Work) => T, signal?: AbortSignal): Promise<T> {
    const options: DriveOptions = { hosts: this.core.hosts, signal };
    return driveAsync(start(), options, take);
  }

  async body(name: string): Promise<string> {
    const asked = askedText(name);
    const { handle } = this.core;
    return this.#drive(() => withCore(() => handle.body(asked)), workText);
  }

  only(patterns: readonly string[]): AsyncCatalog {
    return new AsyncCatalog(this.core.only({ patterns }), this.recipe);
  }

  tools(options?: ToolOptions): SkillTools {
    const given = toolOptionsText(this.core, options);
    return toolsOf(() => this.core.handle, this.#carry, given);
  }

  call(tool: string, args: unknown, options?: CallOptions): Promise<ToolResult> {
    return this.#carry(() => preparedCall(tool, args), options);
  }

  async expand(input: string, options?: ExpandOptions): Promise<Expansion> {
    const given = membersOf(options);
    const [line, text] = [askedText(input), optionsTextWithSignal(given)];
    const { handle } = this.core;
    const start = (): Work => withCore(() => handle.expand(line, text));
    return this.#drive(start, workValue<Expansion>, given?.signal);
  }

  async search(query: string, options?: SearchOptions): Promise<SearchHit[]> {
    const { core } = this;
    return this.#drive(
      () => core.search(query, options),
      (work) => core.hits(work),
    );
  }

  async files(name: string): Promise<SkillFiles> {
    const asked = askedText(name);
    const { handle } = this.core;
    return this.#drive(() => withCore(() => handle.resources(asked)), workValue<SkillFiles>);
  }

  session(options?: SessionOptions): Session {
    return new AsyncSession(this.begin(options));
  }

  async refresh(options?: RefreshOptions): Promise<Changes> {
    const { base } = this.core;
    if (base.isStale) {
      for (const source of lostCatalogs(this.recipe)) await source.refresh();
      base.replace(await this.recipe.load());
      base.announceRefresh();
      return allAdded(this.core);
    }
    const known = new Known(base);
    try {
      const given = membersOf(options);
      const text = optionsText(given);
      const { handle } = this.core;
      if (given?.files === undefined) announceScan(base.hosts);
      const start = (): Work => withCore(() => handle.refresh(text));
      const changes = await this.#drive(start, workValue<Changes>);
      return refreshed(this.core, this.recipe, known, changes);
    } finally {
      known.dispose();
    }
  }

  get [Symbol.toStringTag](): string {
    return "Catalog";
  }
}

/** A catalog whose hosts answer at once. */
export class BlockingCatalog extends BaseCatalog<LoadedCatalog> implements SyncCatalog {
  readonly #carry: Carry<ToolResult> = (prepare, options) =>
    answered(options, (signal) => {
      const start = prepare();
      const { handle, hosts } = this.core;
      return drive(start(handle), { hosts, signal }, toolResult);
    });

  constructor(core: CoreCatalog, recipe: Recipe<LoadedCatalog>) {
    super(core, recipe);
    owners.set(core, this);
  }

  body(name: string): string {
    const asked = askedText(name);
    const { handle, hosts } = this.core;
    return drive(
      withCore(() => handle.body(asked)),
      { hosts },
      workText,
    );
  }

  only(patterns: readonly string[]): BlockingCatalog {
    return new BlockingCatalog(this.core.only({ patterns }), this.recipe);
  }

  tools(options?: ToolOptions): SyncSkillTools {
    const given = toolOptionsText(this.core, options);
    return toolsOf(() => this.core.handle, this.#carry, given);
  }

  call(tool: string, args: unknown, options?: CallOptions): ToolResult {
    return this.#carry(() => preparedCall(tool, args), options);
  }

  expand(input: string, options?: ExpandOptions): Expansion {
    const given = membersOf(options);
    const [line, text] = [askedText(input), optionsTextWithSignal(given)];
    const { handle, hosts } = this.core;
    return drive(
      withCore(() => handle.expand(line, text)),
      { hosts, signal: given?.signal },
      workValue<Expansion>,
    );
  }

  search(query: string, options?: SearchOptions): SearchHit[] {
    const { core } = this;
    return drive(core.search(query, options), { hosts: core.hosts }, (work) => core.hits(work));
  }

  files(name: string): SkillFiles {
    const asked = askedText(name);
    const { handle, hosts } = this.core;
    return drive(
      withCore(() => handle.resources(asked)),
      { hosts },
      workValue<SkillFiles>,
    );
  }

  session(options?: SessionOptions): SyncSession {
    return new BlockingSession(this.begin(options));
  }

  refresh(options?: RefreshOptions): Changes {
    const { base } = this.core;
    if (base.isStale) {
      for (const source of lostCatalogs(this.recipe)) source.refresh();
      base.replace(this.recipe.load());
      base.announceRefresh();
      return allAdded(this.core);
    }
    const known = new Known(base);
    try {
      const text = optionsText(options);
      const { handle, hosts } = this.core;
      const changes = drive(
        withCore(() => handle.refresh(text)),
        { hosts },
        workValue<Changes>,
      );
      return refreshed(this.core, this.recipe, known, changes);
    } finally {
      known.dispose();
    }
  }

  get [Symbol.toStringTag](): string {
    return "SyncCatalog";
  }
}

function refreshed(
  core: CoreCatalog,
  recipe: Recipe<unknown>,
  known: Known,
  changes: Changes,
): Changes {
  core.base.prune();
  if (core !== core.base) core.prune();
  known.reportNew(core, recipe);
  core.announceRefresh();
  return { ...changes, diagnostics: [...changes.diagnostics, ...hostDiagnostics(core)] };
}

/** The core of a catalog of this package. */
export function coreCatalogOf(value: unknown): CoreCatalog | undefined {
  return BaseCatalog.coreCatalogOf(value);
}

/** The catalogs that a catalog of this package was loaded from. */
export function sourceCatalogsOf(catalog: Catalog | SyncCatalog): (Catalog | SyncCatalog)[] {
  return BaseCatalog.sourcesOf(catalog).filter((source): source is Catalog | SyncCatalog => {
    return coreCatalogOf(source) !== undefined;
  });
}
