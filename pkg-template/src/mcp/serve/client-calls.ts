/** What one client has loaded, and what it is answered. */
import { answerValue, optionsText, workText } from "../../answers.js";
import type { SessionHandle, Work } from "../../core/skillshelf.js";
import type { CoreCatalog } from "../../core-catalog.js";
import { CoreSession } from "../../core-session.js";
import { driveAsync } from "../../driver.js";
import { withCore } from "../../engine.js";
import { preparedCall, toolResult } from "../../tools.js";
import type { ArgumentsSchema, ToolResult } from "../../types.js";
import type { ServedTools } from "./served-tools.js";

export interface ToolDefinition {
  name: string;
  description: string;
  inputSchema: ArgumentsSchema;
}

/** One client: a conversation of its own, or requests that have nothing to do with each other. */
export class ClientCalls {
  readonly #core: CoreCatalog;
  readonly #served: ServedTools;
  readonly #session: CoreSession | undefined;
  readonly #expand: string;
  #running = 0;
  #isClosed = false;

  constructor(
    core: CoreCatalog,
    served: ServedTools,
    options: { arguments: boolean; hasSession: boolean },
  ) {
    this.#core = core;
    this.#served = served;
    this.#expand = optionsText({ arguments: options.arguments });
    this.#session = options.hasSession ? new CoreSession(core, { tools: served.own }) : undefined;
  }

  tools(): ToolDefinition[] {
    const text = this.#tools();
    const handle = this.#session?.current() ?? this.#core.handle;
    return answerValue(withCore(() => handle.tools(text)));
  }

  async call(tool: string, args: unknown, signal: AbortSignal): Promise<ToolResult> {
    const start = preparedCall(tool, args, this.#tools());
    const session = this.#session;
    if (session !== undefined) return this.#inSession(session, start, toolResult, signal);
    const { handle, hosts } = this.#core;
    return driveAsync(start(handle), { hosts, signal }, toolResult);
  }

  /** What a skill stands for that a user invokes. */
  async prompt(name: string, extra: string, signal: AbortSignal): Promise<string> {
    const expand = this.#expand;
    const session = this.#session;
    if (session !== undefined) {
      const start = (handle: SessionHandle): Work =>
        withCore(() => handle.skillPrompt(name, extra, expand));
      return this.#inSession(session, start, workText, signal);
    }
    const text = this.#tools();
    const { handle, hosts } = this.#core;
    const work = withCore(() => handle.skillPrompt(name, extra, expand, text));
    return driveAsync(work, { hosts, signal }, workText);
  }

  /** Gives back what it holds, once nothing is under way any more. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#running === 0) this.#session?.dispose();
  }

  /** What calls are made with. */
  #tools(): string {
    return this.#served.text(this.#session !== undefined);
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
