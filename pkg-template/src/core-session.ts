/** The session in the module that a session of this package stands for. */
import { answerValue, optionsText } from "./answers.js";
import type { CatalogHandle, SessionHandle, Work } from "./core/skillshelf.js";
import type { CoreCatalog } from "./core-catalog.js";
import { type Connector, drive } from "./driver.js";
import { withCore } from "./engine.js";
import { type ErrorFacts, SkillError } from "./errors.js";
import { plainToolOptions } from "./tools.js";
import type {
  Diagnostic,
  Loaded,
  SessionEvent,
  SessionOptions,
  SessionState,
  ToolOptions,
  ToolResult,
} from "./types.js";

/** More events than these are folded, so that a long conversation does not grow without bound. */
const JOURNAL = 100;

/** What one call led to. */
export interface Happening {
  /** Each twice: what the journal has is nothing that a listener could change. */
  readonly events: { told: SessionEvent; kept: SessionEvent }[];
  /** There where the listener refused one. */
  refusal?: Refusal;
  /** Whether its call has ended before it was told. */
  isLate?: boolean;
}

/** What a call comes to whose event the listener refused. */
export interface Refusal {
  error: SkillError;
  result: ToolResult;
}

/** Begins anew by itself after the module was started anew. */
export class CoreSession {
  readonly core: CoreCatalog;
  readonly #onEvent: SessionOptions["onEvent"];
  /** How tools are named and results look. */
  readonly tools: ToolOptions | undefined;
  #handle: SessionHandle;
  /** The catalog that it began in. */
  #of: CatalogHandle;
  /** What happened until now. */
  #journal: SessionEvent[];
  /** Names of what was loaded before and is left out now. */
  readonly #leftOut: string[];
  readonly #untold: Happening[] = [];
  #isTelling = false;
  #servers: { connector: Connector; options: string } | undefined;

  constructor(core: CoreCatalog, options: SessionOptions | undefined) {
    this.core = core;
    this.#onEvent = options?.onEvent;
    this.tools = options?.tools ? plainToolOptions(options.tools) : undefined;
    this.#of = core.handle;
    this.#handle = begun(
      core,
      optionsText(this.tools ? { ...options, tools: this.tools } : options),
    );
    this.#journal = this.state().events;
    const { handle } = this;
    this.#leftOut = JSON.parse(withCore(() => handle.leftOut())) as string[];
  }

  /** The module's own session. */
  get handle(): SessionHandle {
    const of = this.core.handle;
    if (of !== this.#of) {
      this.#handle = begun(this.core, optionsText({ state: this.#journal, tools: this.tools }));
      this.#of = of;
      if (this.#servers !== undefined) this.connect(this.#servers);
    }
    return this.#handle;
  }

  /** What connects the servers of skills, where there is one. */
  get connector(): Connector | undefined {
    return this.#servers?.connector;
  }

  /** From now on servers of skills are connected. */
  connect(servers: { connector: Connector; options: string }): void {
    const { handle } = this;
    answerValue(withCore(() => handle.connectServers(servers.options)));
    this.#servers = servers;
  }

  disconnect(): void {
    this.#servers = undefined;
    try {
      const { handle } = this;
      withCore(() => handle.disconnectServers());
    } catch (error) {
      // What was disposed of, or lost with the module, connects nothing.
      if (!SkillError.isInstance(error)) throw error;
    }
  }

  /** What is to be said of the skills of this conversation. */
  diagnostics(): Diagnostic[] {
    const { handle } = this;
    return JSON.parse(withCore(() => handle.diagnostics())) as Diagnostic[];
  }

  /** What was found of servers. */
  serverFindings(): Diagnostic[] {
    const { handle } = this;
    return JSON.parse(withCore(() => handle.serverFindings())) as Diagnostic[];
  }

  /** What is loaded; also where the module was started anew and nobody has refreshed yet. */
  loaded(): Loaded[] {
    if (this.core.isStale) return this.#stored().loaded;
    const { handle } = this;
    return JSON.parse(withCore(() => handle.loaded())) as Loaded[];
  }

  /** The whole state, in the same way. */
  state(): SessionState {
    if (this.core.isStale) return this.#stored().state;
    const { handle } = this;
    return JSON.parse(withCore(() => handle.state())) as SessionState;
  }

  /** What the journal says by itself. */
  #stored(): { state: SessionState; loaded: Loaded[] } {
    const text = JSON.stringify({ state: this.#journal, leftOut: this.#leftOut });
    return withCore((core) => answerValue(core.storedSession(text)));
  }

  /** Notes what has happened since. */
  note(): Happening {
    const { handle } = this;
    const text = withCore(() => handle.takeEvents());
    const told = JSON.parse(text) as SessionEvent[];
    const kept = JSON.parse(text) as SessionEvent[];
    const events = told.map((event, index) => ({ told: event, kept: kept[index] as SessionEvent }));
    const happening: Happening = { events };
    this.#journal.push(...kept);
    if (events.length > 0) this.#untold.push(happening);
    return happening;
  }

  /** Tells the developer what was noted. Gives what a call comes to whose event was refused. */
  tell(happening: Happening): Refusal | undefined {
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
    if (this.#journal.length > JOURNAL) this.#journal = this.#stored().state.events;
    return happening.refusal;
  }

  /** Tells what one call led to, until an event of it is refused. */
  #tellOne(happening: Happening): void {
    for (const [index, { told, kept }] of happening.events.entries()) {
      try {
        this.#onEvent?.(told);
      } catch (error) {
        happening.refusal = this.#takeBack(happening.events.slice(index), kept, error);
        // Its call has its result already, so this is for nobody but the process.
        if (happening.isLate) void Promise.reject(happening.refusal.error);
        return;
      }
    }
  }

  /** Makes it as if these events had not happened. */
  #takeBack(events: Happening["events"], refused: SessionEvent, error: unknown): Refusal {
    const back = new Set(events.map(({ kept }) => kept));
    this.#journal = this.#journal.filter((event) => !back.has(event));
    const text = optionsText({
      state: this.#journal,
      event: refused.type,
      skill: refused.name,
      message: messageOf(error),
    });
    const { handle } = this;
    const answer = answerValue<RefusedFacts>(withCore(() => handle.takeBack(text)));
    return {
      error: new SkillError(answer.error, { cause: error }),
      result: { content: answer.content, ...answer.result },
    };
  }
}

/** What the core says of a refused event. */
interface RefusedFacts {
  error: ErrorFacts;
  content: string;
  result: Omit<ToolResult, "content">;
}

/** What a function threw, in words. */
function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error) || "it gave no reason";
  } catch {
    return "it gave no reason";
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
