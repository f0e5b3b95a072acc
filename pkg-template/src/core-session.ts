/** The session in the module that a session of this package stands for. */
import { answerValue, optionsText } from "./answers.js";
import type { CatalogHandle, SessionHandle, Work } from "./core/skillshelf.js";
import type { CoreCatalog } from "./core-catalog.js";
import { type Connector, drive } from "./driver.js";
import { withCore } from "./engine.js";
import { SkillError } from "./errors.js";
import type { Diagnostic, SessionEvent, SessionOptions, SessionState } from "./types.js";

/** More events than these are folded, so that a long conversation does not grow without bound. */
const JOURNAL = 100;

/** Begins anew by itself after the module was started anew. */
export class CoreSession {
  readonly core: CoreCatalog;
  readonly #onEvent: SessionOptions["onEvent"];
  #handle: SessionHandle;
  /** The catalog that it began in. */
  #of: CatalogHandle;
  /** What happened until now. */
  #journal: SessionEvent[];
  readonly #untold: SessionEvent[] = [];
  #isTelling = false;
  #servers: { connector: Connector; options: string } | undefined;

  constructor(core: CoreCatalog, options: SessionOptions | undefined) {
    this.core = core;
    this.#onEvent = options?.onEvent;
    this.#of = core.handle;
    this.#handle = begun(core, optionsText(options));
    this.#journal = this.state().events;
  }

  /** The module's own session. */
  get handle(): SessionHandle {
    const of = this.core.handle;
    if (of !== this.#of) {
      this.#handle = begun(this.core, JSON.stringify({ state: this.#journal }));
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

  /** What was found of servers. */
  serverFindings(): Diagnostic[] {
    const { handle } = this;
    return JSON.parse(withCore(() => handle.serverFindings())) as Diagnostic[];
  }

  state(): SessionState {
    const { handle } = this;
    return JSON.parse(withCore(() => handle.state())) as SessionState;
  }

  /** Notes what has happened since. */
  note(): void {
    const { handle } = this;
    const events = JSON.parse(withCore(() => handle.takeEvents())) as SessionEvent[];
    this.#journal.push(...events);
    if (this.#journal.length > JOURNAL) this.#journal = this.state().events;
    this.#untold.push(...events);
  }

  /** Tells the developer what was noted; all of it, also where the function throws for one. */
  tell(): void {
    // What happens while an event is told is told after it, in the order of the journal.
    if (this.#isTelling) return;
    const thrown: unknown[] = [];
    this.#isTelling = true;
    for (let event = this.#untold.shift(); event !== undefined; event = this.#untold.shift()) {
      try {
        this.#onEvent?.(event);
      } catch (error) {
        thrown.push(error);
      }
    }
    this.#isTelling = false;
    if (thrown.length > 0) throw thrown[0];
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
