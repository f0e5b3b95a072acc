/** What a session of this package is in the module. */
import { answerValue, optionsText } from "./answers.js";
import type { CatalogHandle, SessionHandle, Work } from "./core/skillshelf.js";
import type { CoreCatalog } from "./core-catalog.js";
import { type DriveOptions, drive, driveAsync } from "./driver.js";
import { generation, withCore } from "./engine.js";
import { SkillError } from "./errors.js";
import { Journal } from "./session/journal.js";
import type { Servers } from "./session/servers.js";
import { type Refusal, Telling } from "./session/telling.js";
import { madeOnce, tellsGroups, toolOptionsText } from "./tools.js";
import type {
  Diagnostic,
  Loaded,
  PromptOptions,
  SessionOptions,
  SessionState,
  ToolOptions,
} from "./types.js";

/** Begins work of a session in the module. */
export type Start = (handle: SessionHandle) => Work;

/** Makes of work that is over what its call comes to; `refusal` where an event of it was refused. */
export type Take<T> = (work: Work, refusal: Refusal | undefined) => T;

/** The session in the module, which begins anew by itself after the module was started anew. */
export class CoreSession {
  readonly core: CoreCatalog;
  /** How tools are named and results look. */
  readonly #tools: ToolOptions | undefined;
  /** The same as JSON text, as they are for the skills that there are. */
  readonly #toolOptions: () => string | undefined;
  #handle: SessionHandle;
  /** The catalog that it began in; none where it has to begin anew. */
  #of: CatalogHandle | undefined;
  readonly #journal: Journal;
  readonly #telling: Telling;
  #servers: { servers: Servers; options: string } | undefined;
  #generation = generation();

  constructor(core: CoreCatalog, options: SessionOptions | undefined) {
    this.core = core;
    this.#tools = options?.tools;
    this.#toolOptions = toolOptionsText(core, options?.tools);
    const handle = begun(
      core,
      optionsText(options?.tools ? { ...options, tools: this.#ownTools() } : options),
    );
    this.#handle = handle;
    this.#of = core.handle;
    const leftOut = JSON.parse(withCore(() => handle.leftOut())) as string[];
    const { events } = JSON.parse(withCore(() => handle.state())) as SessionState;
    this.#journal = new Journal(events, leftOut);
    this.#telling = new Telling(this.#journal, options?.onEvent, () => {
      this.#of = undefined;
    });
  }

  /** The module's own session, which begins anew where the module did. */
  current(): SessionHandle {
    const of = this.core.handle;
    if (of !== this.#of) {
      const options = { state: this.#journal.events, tools: this.#ownTools() };
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
      return drive(work, driving, (done) => take(done, this.#telling.tell(done, servers)));
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
      return await driveAsync(work, driving, (done) =>
        take(done, this.#telling.tell(done, servers)),
      );
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
    if (this.#isLost) return this.#journal.stored().loaded;
    const handle = this.current();
    return JSON.parse(withCore(() => handle.loaded())) as Loaded[];
  }

  /** The whole state, in the same way. */
  state(): SessionState {
    if (this.#isLost) return this.#journal.stored().state;
    const handle = this.current();
    return JSON.parse(withCore(() => handle.state())) as SessionState;
  }
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
