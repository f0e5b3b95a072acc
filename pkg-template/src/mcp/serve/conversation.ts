/** What one client has loaded, and what it is answered. */
import { answerValue, optionsText, workText, workValue } from "../../answers.js";
import type { SessionHandle, Work } from "../../core/skillshelf.js";
import type { CoreCatalog } from "../../core-catalog.js";
import { CoreSession } from "../../core-session.js";
import { type DriveOptions, drive, driveAsync } from "../../driver.js";
import { withCore } from "../../engine.js";
import { counterOf } from "../../index-options.js";
import { type Callee, plainToolOptions, startCall, toolResult } from "../../tools.js";
import type { ArgumentsSchema, Expansion, ToolOptions, ToolResult } from "../../types.js";

export interface ToolDefinition {
  name: string;
  description: string;
  inputSchema: ArgumentsSchema;
}

/** What clients may not change of the tools: they are elsewhere, and see no index but what they ask for. */
function remoteTools(core: CoreCatalog, options: ToolOptions | undefined): ToolOptions {
  return { set: "full", ...plainToolOptions(core, options ?? {}), directory: false };
}

/** The same for clients without a conversation, which have nothing to unload. */
function withoutUnload(options: ToolOptions): ToolOptions {
  const { set } = options;
  if (typeof set !== "object") return options;
  return { ...options, set: set.filter((tool) => tool !== "unload_skill") };
}

/** One client: a conversation of its own, or requests that have nothing to do with each other. */
export class Conversation {
  readonly #core: CoreCatalog;
  readonly #session: CoreSession | undefined;
  readonly #tools: string;
  readonly #expand: string;
  readonly #count: DriveOptions["count"];
  #running = 0;
  #isClosed = false;

  constructor(
    core: CoreCatalog,
    options: { tools?: ToolOptions | undefined; arguments: boolean; hasSession: boolean },
  ) {
    const remote = remoteTools(core, options.tools);
    const tools = options.hasSession ? remote : withoutUnload(remote);
    this.#core = core;
    this.#tools = optionsText(tools);
    this.#count = counterOf(options.tools?.index?.budget);
    this.#expand = optionsText({ arguments: options.arguments });
    this.#session = options.hasSession ? new CoreSession(core, { tools }) : undefined;
  }

  /** What the client is told when it connects. */
  instructions(): string {
    const { handle, hosts } = this.#core;
    const work = withCore(() => handle.instructions(this.#tools));
    return drive(work, { hosts, count: this.#count }, workText);
  }

  tools(): ToolDefinition[] {
    const handle = this.#session?.current() ?? this.#core.handle;
    return answerValue(withCore(() => handle.tools(this.#tools)));
  }

  call(tool: string, args: unknown, signal: AbortSignal): Promise<ToolResult> {
    const start = (callee: Callee): Work => startCall(callee, tool, args, this.#tools);
    const session = this.#session;
    if (session !== undefined) return this.#inSession(session, start, toolResult, signal);
    const { handle, hosts } = this.#core;
    return driveAsync(start(handle), { hosts, signal }, toolResult);
  }

  async prompt(name: string, extra: string, signal: AbortSignal): Promise<Expansion> {
    const start = (handle: SessionHandle): Work =>
      withCore(() => handle.skillPrompt(name, extra, this.#expand));
    const session = this.#session ?? new CoreSession(this.#core, undefined);
    try {
      return await this.#inSession(session, start, workValue<Expansion>, signal);
    } finally {
      // For one who has no conversation it was one for this moment.
      if (session !== this.#session) session.dispose();
    }
  }

  /** Gives back what it holds, once nothing is under way any more. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#running === 0) this.#session?.dispose();
  }

  async #inSession<T>(
    session: CoreSession,
    start: (handle: SessionHandle) => Work,
    take: (work: Work) => T,
    signal: AbortSignal,
  ): Promise<T> {
    this.#running += 1;
    try {
      return await session.later(start, take, { signal });
    } finally {
      this.#running -= 1;
      if (this.#isClosed && this.#running === 0) this.#session?.dispose();
    }
  }
}
