/** Catalogs: what was loaded, and what can be done with it. */
import { answerValue, frozen, optionsText, workText, workValue } from "./answers.js";
import type { CatalogHandle, Work } from "./core/skillshelf.js";
import { type DriveOptions, drive, driveAsync } from "./driver.js";
import { generation, withCore } from "./engine.js";
import { SkillError } from "./errors.js";
import type { HostTable } from "./hosts.js";
import { argumentsText, type ToolCaller, toolOptionsText, toolsOf } from "./tools.js";
import type {
  CallOptions,
  Catalog,
  Changes,
  Diagnostic,
  IndexReport,
  PromptOptions,
  Skill,
  SkillTools,
  SyncCatalog,
  SyncSkillTools,
  ToolOptions,
  ToolResult,
} from "./types.js";

/** A catalog that was loaded, and the hosts its files are on. */
export interface Loaded {
  handle: CatalogHandle;
  hosts: HostTable;
}

/** How a catalog is loaded: again after the module was started anew. */
export interface Recipe<Result> {
  /** Loads from the beginning. The signal of the first load is not that of later ones. */
  load(signal?: AbortSignal): Result;
  /** What it is loaded from. */
  sources: readonly unknown[];
  /** Tells the developer of findings. */
  report(diagnostics: readonly Diagnostic[]): void;
  /** Whether only errors are told: the others need not leave the core. */
  errorsOnly: boolean;
  concurrency?: number | undefined;
}

/** Where a skill of a catalog came from. */
interface Origin {
  shelf: Shelf;
  /** Its reading; absent where that is lost, so that only its name is left. */
  id: number | undefined;
}

const origins = new WeakMap<Skill, Origin & { generation: number }>();

/** The catalog that a skill came from, and its reading there. */
export function originOf(skill: Skill): Origin | undefined {
  const origin = origins.get(skill);
  if (origin === undefined) return undefined;
  // A new instance counts its readings from the beginning.
  return { shelf: origin.shelf, id: origin.generation === generation() ? origin.id : undefined };
}

/** The handle of a catalog, which its views share. */
export class Shelf {
  #loaded: Loaded | undefined;
  #generation = generation();
  readonly #skills = new Map<number, Skill>();
  readonly #view: { base: Shelf; patterns: string; of: CatalogHandle } | undefined;

  constructor(loaded: Loaded, view?: { base: Shelf; patterns: string; of: CatalogHandle }) {
    this.#loaded = loaded;
    this.#view = view;
  }

  /** The module's own catalog. */
  get handle(): CatalogHandle {
    return this.#current().handle;
  }

  get hosts(): HostTable {
    return this.#current().hosts;
  }

  /** Handle and hosts as they are now: a view follows its base through a restart of the module. */
  #current(): Loaded {
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

  /** Whether the instance it was made in is gone. */
  get isStale(): boolean {
    if (this.#loaded === undefined) throw disposed();
    return this.#view !== undefined ? this.#view.base.isStale : this.#generation !== generation();
  }

  /** Takes what was loaded anew. */
  replace(loaded: Loaded): void {
    if (this.#loaded === undefined) {
      loaded.handle.free();
      throw disposed();
    }
    this.#loaded = loaded;
    this.#generation = generation();
    this.#skills.clear();
  }

  /** The shelf that is refreshed when this view is. */
  get base(): Shelf {
    return this.#view?.base.base ?? this;
  }

  only(patterns: readonly string[]): Shelf {
    const of = this.handle;
    const text = optionsText({ patterns });
    const handle = viewOf(of, text);
    return new Shelf({ handle, hosts: this.hosts }, { base: this, patterns: text, of });
  }

  /** The skill of a reading; the same object each time. */
  skill(id: number): Skill | undefined {
    const known = this.#skills.get(id);
    if (known !== undefined) return known;
    const { handle } = this;
    const text = withCore(() => handle.listing(id));
    if (text === undefined) return undefined;
    const skill = frozen(JSON.parse(text) as Skill);
    origins.set(skill, { shelf: this, id, generation: this.#generation });
    this.#skills.set(id, skill);
    return skill;
  }

  /** Forgets skills that have another reading now. */
  prune(): void {
    const { handle } = this;
    const current = new Set(withCore(() => handle.ids()));
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
  }
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

/** What both kinds of catalogs do alike. */
abstract class BaseCatalog<Result> {
  readonly #shelf: Shelf;
  protected readonly recipe: Recipe<Result>;

  constructor(shelf: Shelf, recipe: Recipe<Result>) {
    this.#shelf = shelf;
    this.recipe = recipe;
  }

  /** The shelf of a catalog of this package. */
  static shelfOf(value: unknown): Shelf | undefined {
    const isCatalog = typeof value === "object" && value !== null && #shelf in value;
    return isCatalog ? (value as BaseCatalog<unknown>).#shelf : undefined;
  }

  protected get shelf(): Shelf {
    return this.#shelf;
  }

  get size(): number {
    const { handle } = this.shelf;
    return withCore(() => handle.count());
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  get names(): readonly string[] {
    const { handle } = this.shelf;
    return JSON.parse(withCore(() => handle.names())) as string[];
  }

  get diagnostics(): readonly Diagnostic[] {
    return diagnosticsOf(this.shelf);
  }

  get(name: string, version?: string): Skill | undefined {
    const { shelf } = this;
    const wanted = version === undefined ? undefined : String(version);
    const asked = String(name);
    const work = withCore(() => shelf.handle.get(asked, wanted));
    const id = drive(work, { hosts: shelf.hosts }, (done) => workValue<number | null>(done));
    return id === null ? undefined : shelf.skill(id);
  }

  *[Symbol.iterator](): Iterator<Skill> {
    const { shelf } = this;
    const { handle } = shelf;
    for (const id of withCore(() => handle.ids())) {
      const skill = shelf.skill(id);
      if (skill !== undefined) yield skill;
    }
  }

  prompt(options?: PromptOptions): string {
    const { handle } = this.shelf;
    const text = optionsText(options);
    return withCore(() => handle.prompt(text)) ?? this.index(options).text;
  }

  index(options?: PromptOptions): IndexReport {
    const { handle } = this.shelf;
    const text = optionsText(options);
    return answerValue<IndexReport>(withCore(() => handle.index(text)));
  }

  dispose(): void {
    this.shelf.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** What the hosts of a catalog found themselves. */
function hostDiagnostics({ hosts }: Shelf): Diagnostic[] {
  return [...hosts.values()].flatMap((host) => host.diagnostics ?? []);
}

/** Everything that was found, by the core and by the hosts. */
function diagnosticsOf(shelf: Shelf, errorsOnly = false): Diagnostic[] {
  const { handle } = shelf;
  const found = JSON.parse(withCore(() => handle.diagnostics(errorsOnly))) as Diagnostic[];
  return [...found, ...hostDiagnostics(shelf)];
}

/** Tells the developer of what a catalog found when it was loaded. */
export function reportAll(shelf: Shelf, recipe: Recipe<unknown>): void {
  recipe.report(diagnosticsOf(shelf, recipe.errorsOnly));
}

/** Tells the developer of findings that were not there before. */
function reportNew(shelf: Shelf, recipe: Recipe<unknown>, before: Diagnostic[]): void {
  const known = new Set(before.map((diagnostic) => JSON.stringify(diagnostic)));
  const after = diagnosticsOf(shelf, recipe.errorsOnly);
  recipe.report(after.filter((diagnostic) => !known.has(JSON.stringify(diagnostic))));
}

/** Catalogs among the sources that were lost with the same instance of the module. */
function lostCatalogs({ sources }: Recipe<unknown>): (Catalog | SyncCatalog)[] {
  return sources.filter((source): source is Catalog | SyncCatalog => {
    return shelfOf(source)?.isStale === true;
  });
}

/** What a reload after a trap has to say: everything is new. */
function allAdded(shelf: Shelf): Changes {
  const { handle } = shelf;
  const added = JSON.parse(withCore(() => handle.names())) as string[];
  return { added, changed: [], removed: [], diagnostics: diagnosticsOf(shelf) };
}

function startCall(shelf: Shelf, tool: unknown, args: unknown, options: string): Work {
  const { handle } = shelf;
  const name = typeof tool === "string" ? tool : "";
  const text = argumentsText(args);
  return withCore(() => handle.call(name, text, options));
}

function toolResult(work: Work): ToolResult {
  const content = work.text() ?? "";
  const bytes = work.bytes();
  const facts = workValue<Omit<ToolResult, "content" | "bytes">>(work);
  return { content, ...facts, ...(bytes && { bytes }) };
}

/** Whatever goes wrong in a call is a result, but for an abort. */
function failedCall(error: unknown): ToolResult {
  if (!SkillError.isInstance(error) || error.code === "ABORTED") throw error;
  return { content: error.message, isError: true, code: error.code };
}

/** A catalog whose hosts answer with promises. */
export class AsyncCatalog extends BaseCatalog<Promise<Loaded>> implements Catalog {
  #drive<T>(start: () => Work, take: (work: Work) => T, signal?: AbortSignal): Promise<T> {
    const { concurrency } = this.recipe;
    const options: DriveOptions = { hosts: this.shelf.hosts, signal, concurrency };
    return driveAsync(start(), options, take);
  }

  async body(name: string): Promise<string> {
    const { handle } = this.shelf;
    const asked = String(name);
    return this.#drive(() => withCore(() => handle.body(asked)), workText);
  }

  only(patterns: string[]): AsyncCatalog {
    return new AsyncCatalog(this.shelf.only(patterns), this.recipe);
  }

  tools(options?: ToolOptions): SkillTools {
    const text = toolOptionsText(options);
    const { handle } = this.shelf;
    const caller: ToolCaller<Promise<ToolResult>> = {
      call: (tool, args, callOptions) => this.#call(tool, args, text, callOptions),
      check: (tool, args) => withCore(() => this.shelf.handle.check(tool, args, text)),
    };
    return toolsOf(
      withCore(() => handle.tools(text)),
      caller,
    ) as unknown as SkillTools;
  }

  call(tool: string, args: unknown, options?: CallOptions): Promise<ToolResult> {
    return this.#call(tool, args, "{}", options);
  }

  async #call(
    tool: string,
    args: unknown,
    toolOptions: string,
    options?: CallOptions,
  ): Promise<ToolResult> {
    try {
      const start = (): Work => startCall(this.shelf, tool, args, toolOptions);
      return await this.#drive(start, toolResult, options?.signal);
    } catch (error) {
      return failedCall(error);
    }
  }

  async refresh(): Promise<Changes> {
    const { base } = this.shelf;
    if (base.isStale) {
      for (const source of lostCatalogs(this.recipe)) await source.refresh();
      base.replace(await this.recipe.load());
      return allAdded(this.shelf);
    }
    const before = diagnosticsOf(base, this.recipe.errorsOnly);
    const { handle } = this.shelf;
    const changes = await this.#drive(() => withCore(() => handle.refresh()), workValue<Changes>);
    return refreshed(this.shelf, this.recipe, before, changes);
  }
}

/** A catalog whose hosts answer at once. */
export class BlockingCatalog extends BaseCatalog<Loaded> implements SyncCatalog {
  body(name: string): string {
    const { handle, hosts } = this.shelf;
    const asked = String(name);
    return drive(
      withCore(() => handle.body(asked)),
      { hosts },
      workText,
    );
  }

  only(patterns: string[]): BlockingCatalog {
    return new BlockingCatalog(this.shelf.only(patterns), this.recipe);
  }

  tools(options?: ToolOptions): SyncSkillTools {
    const text = toolOptionsText(options);
    const { handle } = this.shelf;
    const caller: ToolCaller<ToolResult> = {
      call: (tool, args, callOptions) => this.#call(tool, args, text, callOptions),
      check: (tool, args) => withCore(() => this.shelf.handle.check(tool, args, text)),
    };
    return toolsOf(
      withCore(() => handle.tools(text)),
      caller,
    ) as unknown as SyncSkillTools;
  }

  call(tool: string, args: unknown, options?: CallOptions): ToolResult {
    return this.#call(tool, args, "{}", options);
  }

  #call(tool: string, args: unknown, toolOptions: string, options?: CallOptions): ToolResult {
    try {
      const { shelf } = this;
      const driving = { hosts: shelf.hosts, signal: options?.signal };
      return drive(startCall(shelf, tool, args, toolOptions), driving, toolResult);
    } catch (error) {
      return failedCall(error);
    }
  }

  refresh(): Changes {
    const { base } = this.shelf;
    if (base.isStale) {
      for (const source of lostCatalogs(this.recipe)) source.refresh();
      base.replace(this.recipe.load());
      return allAdded(this.shelf);
    }
    const before = diagnosticsOf(base, this.recipe.errorsOnly);
    const { handle, hosts } = this.shelf;
    const changes = drive(
      withCore(() => handle.refresh()),
      { hosts },
      workValue<Changes>,
    );
    return refreshed(this.shelf, this.recipe, before, changes);
  }
}

function refreshed(
  shelf: Shelf,
  recipe: Recipe<unknown>,
  before: Diagnostic[],
  changes: Changes,
): Changes {
  shelf.base.prune();
  if (shelf !== shelf.base) shelf.prune();
  reportNew(shelf, recipe, before);
  return { ...changes, diagnostics: [...changes.diagnostics, ...hostDiagnostics(shelf)] };
}

/** The shelf of a catalog of this package. */
export function shelfOf(value: unknown): Shelf | undefined {
  return BaseCatalog.shelfOf(value);
}
