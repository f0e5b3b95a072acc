/** Catalogs: what was loaded, and what can be done with it. */
import { answerValue, optionsText, workText, workValue } from "./answers.js";
import { signalOf } from "./call-options.js";
import type { Work } from "./core/skillshelf.js";
import { type CoreCatalog, type Loaded, originOf } from "./core-catalog.js";
import { type DriveOptions, drive, driveAsync } from "./driver.js";
import { withCore } from "./engine.js";
import { SkillError, toldToModel } from "./errors.js";
import { diagnosticsOf, hostDiagnostics, type Reporting, reportNew } from "./reports.js";
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

/** How a catalog is loaded: again after the module was started anew. */
export interface Recipe<Result> extends Reporting {
  /** Loads from the beginning. The signal of the first load is not that of later ones. */
  load(signal?: AbortSignal): Result;
  /** What it is loaded from. */
  sources: readonly unknown[];
}

/** What Node, Bun and Deno ask for what they show of an object. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** A name that a caller gave, which may be anything; what is no text names nothing. */
function nameText(name: unknown): string {
  try {
    return String(name);
  } catch {
    return "";
  }
}

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
  }

  /** The core of a catalog of this package. */
  static coreCatalogOf(value: unknown): CoreCatalog | undefined {
    const isCatalog = typeof value === "object" && value !== null && #core in value;
    return isCatalog ? (value as BaseCatalog<unknown>).#core : undefined;
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
    const wanted = version === undefined ? undefined : nameText(version);
    const asked = nameText(name);
    const work = withCore(() => core.handle.get(asked, wanted));
    const id = drive(work, { hosts: core.hosts }, (done) => workValue<number | null>(done));
    return id === null ? undefined : core.skill(id);
  }

  *[Symbol.iterator](): Iterator<Skill> {
    const { core } = this;
    const { handle } = core;
    for (const id of withCore(() => handle.ids())) {
      const skill = core.skill(id);
      if (skill !== undefined) yield skill;
    }
  }

  prompt(options?: PromptOptions): string {
    const { handle } = this.core;
    const text = optionsText(options);
    return withCore(() => handle.prompt(text)) ?? this.index(options).text;
  }

  index(options?: PromptOptions): IndexReport {
    const { handle } = this.core;
    const text = optionsText(options);
    return answerValue<IndexReport>(withCore(() => handle.index(text)));
  }

  dispose(): void {
    this.core.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  abstract get [Symbol.toStringTag](): string;

  static {
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
function allAdded(core: CoreCatalog): Changes {
  const { handle } = core;
  const added = JSON.parse(withCore(() => handle.names())) as string[];
  return { added, changed: [], removed: [], diagnostics: diagnosticsOf(core) };
}

function startCall(core: CoreCatalog, tool: unknown, args: unknown, options: string): Work {
  const { handle } = core;
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
  return { content: toldToModel(error), isError: true, code: error.code };
}

/** A catalog whose hosts answer with promises. */
export class AsyncCatalog extends BaseCatalog<Promise<Loaded>> implements Catalog {
  constructor(core: CoreCatalog, recipe: Recipe<Promise<Loaded>>) {
    super(core, recipe);
    owners.set(core, this);
  }

  #drive<T>(start: () => Work, take: (work: Work) => T, signal?: AbortSignal): Promise<T> {
    const options: DriveOptions = { hosts: this.core.hosts, signal };
    return driveAsync(start(), options, take);
  }

  async body(name: string): Promise<string> {
    const { handle } = this.core;
    const asked = nameText(name);
    return this.#drive(() => withCore(() => handle.body(asked)), workText);
  }

  only(patterns: readonly string[]): AsyncCatalog {
    return new AsyncCatalog(this.core.only(patterns), this.recipe);
  }

  tools(options?: ToolOptions): SkillTools {
    const text = toolOptionsText(options);
    const { handle } = this.core;
    const caller: ToolCaller<Promise<ToolResult>> = {
      call: (tool, args, callOptions) => this.#call(tool, args, text, callOptions),
      check: (tool, args) => withCore(() => this.core.handle.check(tool, args, text)),
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
    const signal = signalOf(options);
    try {
      const start = (): Work => startCall(this.core, tool, args, toolOptions);
      return await this.#drive(start, toolResult, signal);
    } catch (error) {
      return failedCall(error);
    }
  }

  async refresh(): Promise<Changes> {
    const { base } = this.core;
    if (base.isStale) {
      for (const source of lostCatalogs(this.recipe)) await source.refresh();
      base.replace(await this.recipe.load());
      return allAdded(this.core);
    }
    const before = diagnosticsOf(base, this.recipe.errorsOnly);
    const { handle } = this.core;
    const changes = await this.#drive(() => withCore(() => handle.refresh()), workValue<Changes>);
    return refreshed(this.core, this.recipe, before, changes);
  }

  get [Symbol.toStringTag](): string {
    return "Catalog";
  }
}

/** A catalog whose hosts answer at once. */
export class BlockingCatalog extends BaseCatalog<Loaded> implements SyncCatalog {
  constructor(core: CoreCatalog, recipe: Recipe<Loaded>) {
    super(core, recipe);
    owners.set(core, this);
  }

  body(name: string): string {
    const { handle, hosts } = this.core;
    const asked = nameText(name);
    return drive(
      withCore(() => handle.body(asked)),
      { hosts },
      workText,
    );
  }

  only(patterns: readonly string[]): BlockingCatalog {
    return new BlockingCatalog(this.core.only(patterns), this.recipe);
  }

  tools(options?: ToolOptions): SyncSkillTools {
    const text = toolOptionsText(options);
    const { handle } = this.core;
    const caller: ToolCaller<ToolResult> = {
      call: (tool, args, callOptions) => this.#call(tool, args, text, callOptions),
      check: (tool, args) => withCore(() => this.core.handle.check(tool, args, text)),
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
    const signal = signalOf(options);
    try {
      const { core } = this;
      const driving = { hosts: core.hosts, signal };
      return drive(startCall(core, tool, args, toolOptions), driving, toolResult);
    } catch (error) {
      return failedCall(error);
    }
  }

  refresh(): Changes {
    const { base } = this.core;
    if (base.isStale) {
      for (const source of lostCatalogs(this.recipe)) source.refresh();
      base.replace(this.recipe.load());
      return allAdded(this.core);
    }
    const before = diagnosticsOf(base, this.recipe.errorsOnly);
    const { handle, hosts } = this.core;
    const changes = drive(
      withCore(() => handle.refresh()),
      { hosts },
      workValue<Changes>,
    );
    return refreshed(this.core, this.recipe, before, changes);
  }

  get [Symbol.toStringTag](): string {
    return "SyncCatalog";
  }
}

function refreshed(
  core: CoreCatalog,
  recipe: Recipe<unknown>,
  before: Diagnostic[],
  changes: Changes,
): Changes {
  core.base.prune();
  if (core !== core.base) core.prune();
  reportNew(core, recipe, before);
  return { ...changes, diagnostics: [...changes.diagnostics, ...hostDiagnostics(core)] };
}

/** The core of a catalog of this package. */
export function coreCatalogOf(value: unknown): CoreCatalog | undefined {
  return BaseCatalog.coreCatalogOf(value);
}
