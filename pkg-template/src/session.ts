/** Sessions: what one conversation has loaded. */
import { optionsText, optionsTextWithSignal, workValue } from "./answers.js";
import { signalOf } from "./call-options.js";
import type { SessionHandle, Work } from "./core/skillshelf.js";
import type { CoreSession, Happening } from "./core-session.js";
import { type DriveOptions, drive, driveAsync } from "./driver.js";
import { withCore } from "./engine.js";
import { givenText } from "./given.js";
import { type Carry, failedCall, startCall, toolResult, toolsOf } from "./tools.js";
import type {
  Budget,
  CallOptions,
  Compaction,
  CompactOptions,
  CompleteOptions,
  Completion,
  Diagnostic,
  ExpandOptions,
  Expansion,
  IndexReport,
  Loaded,
  PromptOptions,
  Session,
  SessionState,
  SkillTools,
  SyncSession,
  SyncSkillTools,
  ToolOptions,
  ToolResult,
} from "./types.js";

type Start = (handle: SessionHandle) => Work;

/** What both kinds of sessions do alike. */
abstract class BaseSession {
  readonly #session: CoreSession;

  constructor(session: CoreSession) {
    this.#session = session;
  }

  /** The session in the module that a session of this package stands for. */
  static coreSessionOf(value: unknown): CoreSession | undefined {
    const isSession = typeof value === "object" && value !== null && #session in value;
    return isSession ? (value as BaseSession).#session : undefined;
  }

  protected get session(): CoreSession {
    return this.#session;
  }

  prompt(options?: PromptOptions): string {
    return this.#session.core.prompt(options);
  }

  index(options?: PromptOptions): IndexReport {
    return this.#session.core.index(options);
  }

  complete(prefix: string, options?: CompleteOptions): Completion[] {
    return this.#session.core.complete(prefix, options);
  }

  get loaded(): readonly Loaded[] {
    return this.#session.loaded();
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#session.diagnostics();
  }

  unload(name: string): ToolResult {
    const unloaded = givenText(name);
    return this.resultNow((handle) => handle.unload(unloaded));
  }

  compact(options?: CompactOptions): Compaction {
    const text = optionsText(options);
    const count = counter(options?.budget);
    return this.now((handle) => handle.compact(text), workValue<Compaction>, { count });
  }

  forget(names: readonly string[]): void {
    const text = optionsText({ names });
    this.now((handle) => handle.forget(text), workValue<null>);
  }

  toJSON(): SessionState {
    return this.#session.state();
  }

  /** Carries work to its end at once, and tells what has happened. */
  protected now<T>(
    start: Start,
    result: (work: Work) => T,
    options?: Pick<DriveOptions, "count" | "signal">,
  ): T {
    const { done, happening } = this.#run(start, result, options);
    const refusal = this.#session.tell(happening);
    if (refusal !== undefined) throw refusal.error;
    return done;
  }

  /** The same for what is a result also where it fails. */
  protected resultNow(start: Start, options?: CallOptions): ToolResult {
    const signal = signalOf(options);
    try {
      const { done, happening } = this.#run(start, toolResult, { signal });
      return this.#session.tell(happening)?.result ?? done;
    } catch (error) {
      return failedCall(error);
    }
  }

  #run<T>(
    start: Start,
    result: (work: Work) => T,
    options?: Pick<DriveOptions, "count" | "signal">,
  ): Noted<T> {
    const { handle, core, connector } = this.#session;
    const work = withCore(() => start(handle));
    return drive(work, { hosts: core.hosts, connector, ...options }, this.noting(result));
  }

  /** Takes a result, and notes in the same moment what has happened. */
  protected noting<T>(result: (work: Work) => T): (work: Work) => Noted<T> {
    return (work) => ({ done: result(work), happening: this.#session.note() });
  }
}

/** A result, and what led to it. */
interface Noted<T> {
  done: T;
  happening: Happening;
}

/** The developer's own way to count tokens, if there is one: the core asks for it. */
function counter(budget: Budget | undefined): DriveOptions["count"] {
  if (typeof budget !== "object" || budget === null || !("count" in budget)) return undefined;
  return (text) => budget.count?.(text) ?? Number.NaN;
}

/** A session of a catalog whose hosts answer with promises. */
export class AsyncSession extends BaseSession implements Session {
  readonly #carry = async (start: Start, options?: CallOptions): Promise<ToolResult> => {
    const signal = signalOf(options);
    try {
      const { done, happening } = await this.#run(start, toolResult, signal);
      return this.session.tell(happening)?.result ?? done;
    } catch (error) {
      return failedCall(error);
    }
  };

  async #run<T>(start: Start, result: (work: Work) => T, signal?: AbortSignal): Promise<Noted<T>> {
    const { handle, core, connector } = this.session;
    const driving = { hosts: core.hosts, connector, signal };
    const work = withCore(() => start(handle));
    return driveAsync(work, driving, this.noting(result));
  }

  /** Carries work to its end, and tells what has happened. */
  async #later<T>(start: Start, result: (work: Work) => T, signal?: AbortSignal): Promise<T> {
    const { done, happening } = await this.#run(start, result, signal);
    const refusal = this.session.tell(happening);
    if (refusal !== undefined) throw refusal.error;
    return done;
  }

  tools(options?: ToolOptions): SkillTools {
    return toolsOf(() => this.session.handle, this.#carry, options ?? this.session.tools);
  }

  call(tool: string, args: unknown, options?: CallOptions): Promise<ToolResult> {
    return this.#carry((handle) => startCall(handle, tool, args), options);
  }

  async load(name: string, options?: CallOptions): Promise<ToolResult> {
    const loaded = givenText(name);
    return this.#carry((handle) => handle.load(loaded), options);
  }

  async expand(input: string, options?: ExpandOptions): Promise<Expansion> {
    const [line, text] = [givenText(input), optionsTextWithSignal(options)];
    const start: Start = (handle) => handle.expand(line, text);
    return this.#later(start, workValue<Expansion>, options?.signal);
  }

  check(): Promise<Diagnostic[]> {
    return this.#later((handle) => handle.checkSkills(), workValue<Diagnostic[]>);
  }
}

/** A session of a catalog whose hosts answer at once. */
export class BlockingSession extends BaseSession implements SyncSession {
  readonly #carry: Carry<ToolResult> = (start, options) => this.resultNow(start, options);

  tools(options?: ToolOptions): SyncSkillTools {
    return toolsOf(() => this.session.handle, this.#carry, options ?? this.session.tools);
  }

  call(tool: string, args: unknown, options?: CallOptions): ToolResult {
    return this.#carry((handle) => startCall(handle, tool, args), options);
  }

  load(name: string, options?: CallOptions): ToolResult {
    const loaded = givenText(name);
    return this.resultNow((handle) => handle.load(loaded), options);
  }

  expand(input: string, options?: ExpandOptions): Expansion {
    const [line, text] = [givenText(input), optionsTextWithSignal(options)];
    const start: Start = (handle) => handle.expand(line, text);
    return this.now(start, workValue<Expansion>, { signal: options?.signal });
  }

  check(): Diagnostic[] {
    return this.now((handle) => handle.checkSkills(), workValue<Diagnostic[]>);
  }
}

/** The session in the module of a session whose catalog's hosts answer with promises. */
export function coreSessionOf(value: unknown): CoreSession | undefined {
  return value instanceof AsyncSession ? BaseSession.coreSessionOf(value) : undefined;
}
