/** The servers of a session: approved, started once, kept, and ended. */

import { frozen } from "../answers.js";
import type { Connector } from "../driver.js";
import type { ServerApproval, SkillServerOptions } from "../mcp.js";
import { Connection, type ConnectionOptions, type ServerStart } from "./connection.js";
import { failureOf, ServerFailure } from "./failure.js";
import type { ClientPackage } from "./peer.js";

/** What the core asks for. */
interface ServerRequest {
  skill: string;
  version?: string;
  server: string;
  /** As the skill wrote it. */
  config: { type: "stdio" | "http"; cwd?: string };
  /** The same with nothing left to be replaced: never shown. */
  start: ServerStart;
  directory?: string;
  /** The skill is not there any more, so nothing of it can be started. */
  gone?: boolean;
}

interface ToolRequest extends ServerRequest {
  tool: string;
  arguments: Record<string, unknown>;
}

/** A server that runs, or is being started. */
interface Slot {
  skill: string;
  version: string | undefined;
  server: string;
  config: string;
  directory: string | undefined;
  connection: Connection;
  /** Who waits for its tools. */
  waiting: number;
}

export class ServerConnector implements Connector {
  readonly #sdk: ClientPackage;
  readonly #approve: SkillServerOptions["approve"];
  readonly #options: ConnectionOptions;
  /** By skill and server. */
  readonly #slots = new Map<string, Slot>();
  /** What was said, by exactly what was asked. */
  readonly #answers = new Map<string, Promise<boolean>>();
  /** The last question: they come one at a time. */
  #question: Promise<unknown> = Promise.resolve();
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;

  constructor(sdk: ClientPackage, options: SkillServerOptions) {
    this.#sdk = sdk;
    this.#approve = (server, given) => options.approve(server, given);
    this.#options = {
      startTimeout: milliseconds(options.startTimeout, 30_000),
      callTimeout: milliseconds(options.callTimeout, 60_000),
      stderr: options.stderr === "inherit" ? "inherit" : "ignore",
    };
  }

  connect(request: string, signal: AbortSignal | undefined): Promise<string> {
    return answer(async () => {
      const slot = await this.#slotOf(JSON.parse(request) as ServerRequest, signal, false);
      return { tools: await slot.connection.tools };
    });
  }

  callServer(request: string, signal: AbortSignal | undefined): Promise<string> {
    return answer(async () => {
      const call = JSON.parse(request) as ToolRequest;
      const { connection } = await this.#slotOf(call, signal, true);
      return connection.call(call.tool, call.arguments, signal);
    });
  }

  disconnect(request: string): void {
    const { skill, version, stay } = JSON.parse(request) as {
      skill: string;
      version?: string;
      stay: string[];
    };
    for (const slot of this.#slots.values()) {
      const isOfSkill = slot.skill === skill && slot.version === version;
      if (isOfSkill && !stay.includes(slot.server)) this.#end(slot);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const slot of this.#slots.values()) this.#end(slot);
    while (this.#ending.size > 0) await Promise.all(this.#ending);
  }

  #end({ connection }: Slot): void {
    const ended = connection.close().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  /** The server that is asked for, with its tools. */
  async #slotOf(
    request: ServerRequest,
    signal: AbortSignal | undefined,
    isCall: boolean,
  ): Promise<Slot> {
    const slot = this.#running(request, isCall) ?? (await this.#started(request, signal));
    await this.#ready(slot, signal);
    return slot;
  }

  /** A call is of what runs, wherever the skill's directory is by now; a load starts what is new. */
  #running(request: ServerRequest, isCall: boolean): Slot | undefined {
    const slot = this.#slots.get(keyOf(request));
    const isSame =
      slot?.config === JSON.stringify(request.config) &&
      (isCall || slot.directory === request.directory);
    return isSame && !slot.connection.isOver ? slot : undefined;
  }

  async #started(request: ServerRequest, signal: AbortSignal | undefined): Promise<Slot> {
    if (request.gone === true) throw new ServerFailure("gone");
    if (!(await this.#isApproved(request, signal))) throw new ServerFailure("refused");
    if (this.#isClosed || signal?.aborted === true) throw new ServerFailure("closed");
    // Somebody else may have started it while this one waited.
    const running = this.#running(request, false);
    if (running !== undefined) return running;
    const key = keyOf(request);
    const before = this.#slots.get(key);
    if (before !== undefined) this.#end(before);
    const { skill, version, server, directory, start } = request;
    const onEnd = (): void => {
      if (this.#slots.get(key) === slot) this.#slots.delete(key);
      this.#end(slot);
    };
    const slot: Slot = {
      skill,
      version,
      server,
      config: JSON.stringify(request.config),
      directory,
      connection: new Connection(this.#sdk, start, directory, this.#options, onEnd),
      waiting: 0,
    };
    this.#slots.set(key, slot);
    return slot;
  }

  /** Waits for the tools of a server. Nobody waits for what nobody wants any more. */
  async #ready(slot: Slot, signal: AbortSignal | undefined): Promise<void> {
    slot.waiting += 1;
    let isReady = false;
    const onAbort = (): void => {
      slot.waiting -= 1;
      if (slot.waiting === 0 && !isReady) this.#end(slot);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      await slot.connection.tools;
    } finally {
      isReady = true;
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Asks once for each configuration. */
  async #isApproved(request: ServerRequest, signal: AbortSignal | undefined): Promise<boolean> {
    const { skill, version, server, config, directory } = request;
    const { cwd: _, ...shown } = config;
    const asked = frozen({
      skill,
      ...(version !== undefined && { version }),
      server,
      ...shown,
      ...(directory !== undefined && { cwd: directory }),
    }) as ServerApproval;
    const key = JSON.stringify(asked);
    let said = this.#answers.get(key);
    if (said === undefined) {
      const turn = this.#question.then(async () => {
        if (this.#isClosed || signal?.aborted === true) throw new ServerFailure("closed");
        return untilAborted(this.#approve(asked, { signal }), signal);
      });
      said = turn.then((answered) => answered === true);
      this.#answers.set(key, said);
      this.#question = said.catch(() => this.#answers.delete(key));
    }
    try {
      return await said;
    } catch (error) {
      throw error instanceof ServerFailure ? error : new ServerFailure("approval");
    }
  }
}

function keyOf({ skill, version, server }: ServerRequest): string {
  return JSON.stringify([skill, version ?? null, server]);
}

/** The answer to the core; what went wrong is one too. */
async function answer(work: () => Promise<object>): Promise<string> {
  try {
    return JSON.stringify(await work(), wellFormed);
  } catch (error) {
    const { kind, detail } = failureOf(error);
    return JSON.stringify({ failed: kind, detail });
  }
}

/** What the runtime has; its types come with a newer version of the language. */
interface WellFormed {
  toWellFormed?(): string;
}

/** Half of a surrogate pair is no text to the core. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? ((value as WellFormed).toWellFormed?.() ?? value) : value;
}

/** What was said, unless nobody waits for it any more. */
async function untilAborted<T>(said: T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return said;
  let onAbort = (): void => {};
  const abort = new Promise<never>((_, fail) => {
    onAbort = () => fail(new ServerFailure("closed"));
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([said, abort]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** A time as the runtime's timers can keep it. */
function milliseconds(given: number | undefined, usual: number): number {
  const time = Number(given ?? usual);
  return time > 0 ? Math.min(time, 2 ** 31 - 2000) : usual;
}
