/** Sessions: what one conversation has loaded. */
import { optionsText, optionsTextWithSignal, workValue } from "./answers.js";
import { indexOf, promptOf } from "./core-catalog.js";
import type { CoreSession, Start, Take } from "./core-session.js";
import { askedText, membersOf } from "./given.js";
import { counterOf } from "./index-options.js";
import { answered, answeredLater, type Carry, preparedCall, toolResult, toolsOf } from "./tools.js";
import type {
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

/** What a call comes to where a failure is a result too. */
const asResult: Take<ToolResult> = (work, refusal) => refusal?.result ?? toolResult(work);

/** What a call comes to that fails with an error. */
function asValue<T>(): Take<T> {
  return (work, refusal) => {
    if (refusal !== undefined) throw refusal.error;
    return workValue<T>(work);
  };
}

/** What both kinds of sessions do alike. */
abstract class BaseSession {
  readonly #session: CoreSession;

  constructor(session: CoreSession) {
    this.#session = session;
  }

  /** The session in the module that a session of this package stands for. */
  static coreOfAny(value: unknown): CoreSession | undefined {
    // No proxy is asked.
    const isSession = typeof value === "object" && value !== null && #session in value;
    return isSession ? (value as BaseSession).#session : undefined;
  }

  protected get session(): CoreSession {
    return this.#session;
  }

  prompt(options?: PromptOptions): string {
    return promptOf(
      this.#session.core,
      () => this.#session.current(),
      this.#session.indexOptions(options),
    );
  }

  index(options?: PromptOptions): IndexReport {
    return indexOf(
      this.#session.core,
      () => this.#session.current(),
      this.#session.indexOptions(options),
    );
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
    const unloaded = askedText(name);
    return this.answerNow((handle) => handle.unload(unloaded));
  }

  compact(options?: CompactOptions): Compaction {
    const given = membersOf(options);
    const text = optionsText(given);
    const count = counterOf(given?.budget);
    return this.#session.now((handle) => handle.compact(text), asValue<Compaction>(), { count });
  }

  forget(names: readonly string[]): void {
    const text = optionsText({ names });
    this.#session.now((handle) => handle.forget(text), asValue<null>());
  }

  toJSON(): SessionState {
    return this.#session.state();
  }

  /** A call that is over at once. */
  protected answerNow(start: Start, options?: CallOptions): ToolResult {
    return answered(options, (signal) => this.#session.now(start, asResult, { signal }));
  }
}

/** A session of a catalog whose hosts answer with promises. */
export class AsyncSession extends BaseSession implements Session {
  readonly #carry: Carry<Promise<ToolResult>> = (prepare, options) =>
    answeredLater(options, (signal) => this.session.later(prepare(), asResult, { signal }));

  /** The session in the module that such a session stands for. */
  static coreOf(value: unknown): CoreSession | undefined {
    const core = BaseSession.coreOfAny(value);
    return core !== undefined && value instanceof AsyncSession ? core : undefined;
  }

  tools(options?: ToolOptions): SkillTools {
    return toolsOf(() => this.session.current(), this.#carry, this.session.toolOptions(options));
  }

  call(tool: string, args: unknown, options?: CallOptions): Promise<ToolResult> {
    return this.#carry(() => preparedCall(tool, args, this.session.callOptions()), options);
  }

  async load(name: string, options?: CallOptions): Promise<ToolResult> {
    const loaded = askedText(name);
    return answeredLater(options, (signal) =>
      this.session.later((handle) => handle.load(loaded), asResult, { signal }),
    );
  }

  async expand(input: string, options?: ExpandOptions): Promise<Expansion> {
    const given = membersOf(options);
    const [line, text] = [askedText(input), optionsTextWithSignal(given)];
    const { signal } = given ?? {};
    return this.session.later((handle) => handle.expand(line, text), asValue<Expansion>(), {
      signal,
    });
  }

  async check(): Promise<Diagnostic[]> {
    return this.session.later((handle) => handle.checkSkills(), asValue<Diagnostic[]>());
  }
}

/** A session of a catalog whose hosts answer at once. */
export class BlockingSession extends BaseSession implements SyncSession {
  readonly #carry: Carry<ToolResult> = (prepare, options) =>
    answered(options, (signal) => this.session.now(prepare(), asResult, { signal }));

  tools(options?: ToolOptions): SyncSkillTools {
    return toolsOf(() => this.session.current(), this.#carry, this.session.toolOptions(options));
  }

  call(tool: string, args: unknown, options?: CallOptions): ToolResult {
    return this.#carry(() => preparedCall(tool, args, this.session.callOptions()), options);
  }

  load(name: string, options?: CallOptions): ToolResult {
    const loaded = askedText(name);
    return this.answerNow((handle) => handle.load(loaded), options);
  }

  expand(input: string, options?: ExpandOptions): Expansion {
    const given = membersOf(options);
    const [line, text] = [askedText(input), optionsTextWithSignal(given)];
    const { signal } = given ?? {};
    return this.session.now((handle) => handle.expand(line, text), asValue<Expansion>(), {
      signal,
    });
  }

  check(): Diagnostic[] {
    return this.session.now((handle) => handle.checkSkills(), asValue<Diagnostic[]>());
  }
}

/** The session in the module that a session stands for, with promises or without. */
export function coreSessionOf(value: unknown): CoreSession | undefined {
  return BaseSession.coreOfAny(value);
}
