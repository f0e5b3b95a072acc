/** The session in the module that a session of this package stands for. */
import { answerValue, optionsText } from "./answers.js";
import type { CatalogHandle, ChangeHandle, SessionHandle, Work } from "./core/skillshelf.js";
import type { CoreCatalog } from "./core-catalog.js";
import { type Connector, type DriveOptions, drive, driveAsync } from "./driver.js";
import { generation, withCore } from "./engine.js";
import { type ErrorFacts, SkillError } from "./errors.js";
import { messageOf } from "./message-of.js";
import { printable } from "./printable.js";
import { madeOnce, tellsGroups, toolOptionsText } from "./tools.js";
import type {
  Diagnostic,
  Loaded,
  PromptOptions,
  SessionEvent,
  SessionOptions,
  SessionState,
  ToolOptions,
  ToolResult,
} from "./types.js";
import { unwaited } from "./unwaited.js";

/** So many events are kept as they are; more are folded, so that a long conversation stays small. */
const JOURNAL = 100;

/** Begins work of a session in the module. */
export type Start = (handle: SessionHandle) => Work;

/** Makes of work that is over what its call comes to; `refusal` where an event of it was refused. */
export type Take<T> = (work: Work, refusal: Refusal | undefined) => T;

/** What a call comes to whose event the listener refused. */
export interface Refusal {
  error: SkillError;
  result: ToolResult;
}

/** What connects the servers of a session's skills. */
export interface Servers {
  /** For one call. */
  begin(): ServersOfCall;
}

/** The servers that one call asks for: they are its own until it is settled which ones stay. */
export interface ServersOfCall extends Connector {
  settle(settlements: readonly Settlement[]): void;
  /** The call is over: what is not to stay, and nobody else wants, is ended. */
  release(): void;
}

/** Which servers a skill has from now on: its others end. */
export interface Settlement {
  skill: string;
  version?: string;
  stay: readonly string[];
}

/** What one call did, until all of it is told. */
interface Happening {
  readonly change: ChangeHandle;
  /** The instance of the module that has it. */
  readonly generation: number;
  /** Each twice: what the journal has is nothing that a listener could change. */
  readonly events: { told: SessionEvent; kept: SessionEvent }[];
  readonly servers: ServersOfCall | undefined;
  refusal?: Refusal;
  /** Whether its call has ended before it was told. */
  isLate?: boolean;
}

/** Begins anew by itself after the module was started anew. */
export class CoreSession {
  readonly core: CoreCatalog;
  /** How tools are named and results look. */
  readonly #tools: ToolOptions | undefined;
  /** The same as JSON text, as they are for the skills that there are. */
  readonly #toolOptions: () => string | undefined;
  readonly #onEvent: SessionOptions["onEvent"];
  #handle: SessionHandle;
  /** The catalog that it began in; none where it has to begin anew. */
  #of: CatalogHandle | undefined;
  /** What happened until now. */
  #journal: SessionEvent[];
  #foldAt = JOURNAL;
  /** Names of what was loaded before and is left out now. */
  readonly #leftOut: string[];
  readonly #untold: Happening[] = [];
  #isTelling = false;
  #servers: { servers: Servers; options: string } | undefined;
  #generation = generation();

  constructor(core: CoreCatalog, options: SessionOptions | undefined) {
    this.core = core;
    this.#onEvent = options?.onEvent;
    this.#tools = options?.tools;
    this.#toolOptions = toolOptionsText(core, options?.tools);
    const handle = begun(
      core,
      optionsText(options?.tools ? { ...options, tools: this.#ownTools() } : options),
    );
    this.#handle = handle;
    this.#of = core.handle;
    this.#leftOut = JSON.parse(withCore(() => handle.leftOut())) as string[];
    this.#journal = this.state().events;
    this.#foldAt = Math.max(JOURNAL, 2 * this.#journal.length);
  }

  /** The module's own session, which begins anew where the module did. */
  current(): SessionHandle {
    const of = this.core.handle;
    if (of !== this.#of) {
      const options = { state: this.#journal, tools: this.#ownTools() };
      this.#handle = begun(this.core, optionsText(options));
      this.#of = of;
      this.#generation = generation();
      if (this.#servers !== undefined) this.#connect(this.#servers.options);
    }
    return this.#handle;
  }

  /** Gives back what it holds in the module. Nothing of it is used after that. */
  dispose(): void {
    if (this.#generation === generation()) this.#handle.free();
  }

  /** Options of tools as JSON text: what these do not say, the session's own do. */
  toolOptions(options: ToolOptions | undefined): () => string | undefined {
    const given = toolOptionsText(this.core, options);
    const merged = (): string | undefined => {
      const [own, text] = [this.#toolOptions(), given()];
      if (own === undefined || text === undefined) return text ?? own;
      return withCore((core) => core.mergedToolOptions(own, text));
    };
    return tellsGroups(options) || tellsGroups(this.#tools) ? merged : madeOnce(merged);
  }

  /** Options of an index: what these do not say, the index that the session's tools are for does. */
  indexOptions(given: PromptOptions | undefined): PromptOptions | undefined {
    const own = this.#tools?.index;
    if (typeof own !== "object") return given;
    return given === undefined ? own : { ...own, ...given };
  }

  /** What of the session's own options a call needs that were not as they are now when it began. */
  callOptions(): string | undefined {
    return tellsGroups(this.#tools) ? this.#toolOptions() : undefined;
  }

  /** The session's own options as data. */
  #ownTools(): unknown {
    const text = this.#toolOptions();
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** Carries work to its end at once, and tells what it did. */
  now<T>(start: Start, take: Take<T>, options?: Pick<DriveOptions, "count" | "signal">): T {
    const handle = this.current();
    const servers = this.servers?.begin();
    try {
      const work = withCore(() => start(handle));
      const driving = { hosts: this.core.hosts, connector: servers, ...options };
      return drive(work, driving, (done) => take(done, this.#tell(done, servers)));
    } finally {
      servers?.release();
    }
  }

  /** The same over any hosts. */
  async later<T>(start: Start, take: Take<T>, options?: Pick<DriveOptions, "signal">): Promise<T> {
    const handle = this.current();
    const servers = this.servers?.begin();
    try {
      const work = withCore(() => start(handle));
      const driving = { hosts: this.core.hosts, connector: servers, ...options };
      return await driveAsync(work, driving, (done) => take(done, this.#tell(done, servers)));
    } finally {
      servers?.release();
    }
  }

  /** What connects the servers of skills, where there is something. */
  get servers(): Servers | undefined {
    return this.#servers?.servers;
  }

  /** From now on servers of skills are connected. */
  connect(servers: Servers, options: string): void {
    this.#connect(options);
    this.#servers = { servers, options };
  }

  #connect(options: string): void {
    const handle = this.current();
    answerValue(withCore(() => handle.connectServers(options)));
  }

  disconnect(): void {
    this.#servers = undefined;
    try {
      const handle = this.current();
      withCore(() => handle.disconnectServers());
    } catch (error) {
      // What was disposed of, or lost with the module, connects nothing.
      if (!SkillError.isInstance(error)) throw error;
    }
  }

  /** What is to be said of the skills of this conversation. */
  diagnostics(): Diagnostic[] {
    const handle = this.current();
    return JSON.parse(withCore(() => handle.diagnostics())) as Diagnostic[];
  }

  /** What was found of servers. */
  serverFindings(): Diagnostic[] {
    const handle = this.current();
    return JSON.parse(withCore(() => handle.serverFindings())) as Diagnostic[];
  }

  /** Whether its catalog is: given back, or gone with an instance of the module. */
  get #isLost(): boolean {
    return this.core.isDisposed || this.core.isStale;
  }

  /** What is loaded; also where the catalog is lost. */
  loaded(): Loaded[] {
    if (this.#isLost) return this.#stored().loaded;
    const handle = this.current();
    return JSON.parse(withCore(() => handle.loaded())) as Loaded[];
  }

  /** The whole state, in the same way. */
  state(): SessionState {
    if (this.#isLost) return this.#stored().state;
    const handle = this.current();
    return JSON.parse(withCore(() => handle.state())) as SessionState;
  }

  /** What the journal says by itself. */
  #stored(): { state: SessionState; loaded: Loaded[] } {
    const text = JSON.stringify({ state: this.#journal, leftOut: this.#leftOut });
    return withCore((core) => answerValue(core.storedSession(text)));
  }

  /**
   * Tells the developer what a call did, in the moment in which it ends, so that no other call goes
   * by what may still be refused. Gives what the call comes to whose event was.
   */
  #tell(work: Work, servers: ServersOfCall | undefined): Refusal | undefined {
    const change = work.change();
    if (change === undefined) return undefined;
    const text = change.events();
    const told = JSON.parse(text) as SessionEvent[];
    const kept = JSON.parse(text) as SessionEvent[];
    const events = told.map((event, index) => ({ told: event, kept: kept[index] as SessionEvent }));
    const happening: Happening = { change, generation: generation(), events, servers };
    this.#journal.push(...kept);
    this.#untold.push(happening);
    // What happens while an event is told is told after it, in the order of the journal.
    if (this.#isTelling) {
      happening.isLate = true;
      return undefined;
    }
    this.#isTelling = true;
    try {
      for (let next = this.#untold.shift(); next !== undefined; next = this.#untold.shift()) {
        this.#tellOne(next);
      }
    } finally {
      this.#isTelling = false;
    }
    this.#fold();
    return happening.refusal;
  }

  /** Tells what one call did, until an event of it is refused. */
  #tellOne(happening: Happening): void {
    for (const [taken, { told, kept }] of happening.events.entries()) {
      try {
        this.#onEventOf(told, kept);
      } catch (error) {
        happening.refusal = this.#takeBack(happening, taken, error);
        // Its call has its result already.
        if (happening.isLate) warn(happening.refusal.error.message);
        return;
      }
    }
    this.#conclude(happening, (change) => change.accept());
  }

  #onEventOf(told: SessionEvent, { type, name }: SessionEvent): void {
    const promised: unknown = this.#onEvent?.(told);
    // It was taken: what is promised comes too late to be refused.
    unwaited(promised, `onEvent failed later for the event ${type} of the skill ${name}`);
  }

  /** Makes it as if an event, and what the same call did after it, had not happened. */
  #takeBack(happening: Happening, taken: number, cause: unknown): Refusal {
    const back = new Set(happening.events.slice(taken).map(({ kept }) => kept));
    const [{ type, name }] = [...back] as [SessionEvent];
    this.#journal = this.#journal.filter((event) => !back.has(event));
    const happened = JSON.stringify({ state: this.#journal });
    this.#conclude(happening, (change) => change.refuse(taken, happened));
    const text = withCore((core) => core.refusedEvent(type, name, messageOf(cause)));
    const facts = JSON.parse(text) as RefusedFacts;
    return {
      error: new SkillError(facts.error, { cause }),
      result: { content: facts.content, ...facts.result },
    };
  }

  /** Tells the module, and whoever connects servers, what became of a change. */
  #conclude(
    { change, generation: of, servers }: Happening,
    how: (change: ChangeHandle) => string,
  ): void {
    if (of !== generation()) {
      // Lost while it was told. The journal has what counts, and the session begins with that.
      this.#of = undefined;
      return;
    }
    const settlements = answerValue<Settlement[]>(withCore(() => how(change)));
    servers?.settle(settlements);
  }

  #fold(): void {
    if (this.#journal.length <= this.#foldAt) return;
    this.#journal = this.#stored().state.events;
    // Not again with the next event, however much is loaded.
    this.#foldAt = Math.max(JOURNAL, 2 * this.#journal.length);
  }
}

/** What the core says of a refused event. */
interface RefusedFacts {
  error: ErrorFacts;
  content: string;
  result: Omit<ToolResult, "content">;
}

function warn(message: string): void {
  console.warn(`skillshelf: ${printable(message)}`);
}

function begun(core: CoreCatalog, options: string): SessionHandle {
  const { handle, hosts } = core;
  const work = withCore(() => handle.session(options));
  return drive(work, { hosts }, sessionOf);
}

function sessionOf(work: Work): SessionHandle {
  const handle = work.session();
  if (handle === undefined) {
    throw new SkillError({
      code: "INTERNAL",
      message: "An operation gave no session. Please report it.",
    });
  }
  return handle;
}
