/** The servers of a session: approved, started once, kept, and ended. */

import { frozen } from "../answers.js";
import type { Connector } from "../driver.js";
import type { ServerApproval, SkillServerOptions } from "../mcp.js";
import { Approvals } from "./approvals.js";
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
  /** The same in one line for a person, with nothing in it that cannot be seen. */
  display: string;
  /** What a person should know of it. */
  warnings: readonly string[];
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
  /** Loads that are not over and calls that wait for it, each with the way to leave it. */
  wanting: Set<() => void>;
  /** Whether a loaded skill has it: then it stays without anyone who wants it. */
  isKept: boolean;
}

export class ServerConnector implements Connector {
  readonly #sdk: ClientPackage;
  readonly #options: ConnectionOptions;
  readonly #approvals: Approvals;
  /** By skill and server. */
  readonly #slots = new Map<string, Slot>();
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;

  constructor(
    sdk: ClientPackage,
    approve: SkillServerOptions["approve"],
    options: ConnectionOptions,
  ) {
    this.#sdk = sdk;
    this.#approvals = new Approvals(approve);
    this.#options = options;
  }

  /** The load that asks is over once `disconnect` says which servers stay, or with its signal. */
  connect(request: string, signal: AbortSignal | undefined): Promise<string> {
    return answer(async () => {
      const slot = await this.#slotOf(JSON.parse(request) as ServerRequest, signal, false);
      return { tools: await slot.connection.list() };
    });
  }

  callServer(request: string, signal: AbortSignal | undefined): Promise<string> {
    return answer(async () => {
      const call = JSON.parse(request) as ToolRequest;
      const slot = await this.#slotOf(call, signal, true);
      await slot.connection.tools;
      this.#keep(slot);
      return slot.connection.call(call.tool, call.arguments, signal);
    });
  }

  disconnect(request: string): void {
    const { skill, version, stay } = JSON.parse(request) as {
      skill: string;
      version?: string;
      stay: string[];
    };
    for (const slot of this.#slots.values()) {
      if (slot.skill !== skill || slot.version !== version) continue;
      if (stay.includes(slot.server)) this.#keep(slot);
      else this.#end(slot);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#approvals.close();
    for (const slot of this.#slots.values()) this.#end(slot);
    while (this.#ending.size > 0) await Promise.all(this.#ending);
  }

  #end(slot: Slot): void {
    this.#keep(slot);
    const ended = slot.connection.close().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  /** From now on nobody's leaving ends it. */
  #keep(slot: Slot): void {
    slot.isKept = true;
    for (const leave of slot.wanting) leave();
  }

  /** The server that is asked for, which may still be starting. */
  async #slotOf(
    request: ServerRequest,
    signal: AbortSignal | undefined,
    isCall: boolean,
  ): Promise<Slot> {
    const slot = this.#running(request, isCall) ?? (await this.#started(request, signal));
    if (!slot.isKept) this.#want(slot, signal);
    return slot;
  }

  /** What nobody wants any more is ended, also where it has started while another one had not. */
  #want(slot: Slot, signal: AbortSignal | undefined): void {
    const leave = (): void => {
      signal?.removeEventListener("abort", leave);
      slot.wanting.delete(leave);
      if (slot.wanting.size === 0 && !slot.isKept) this.#end(slot);
    };
    slot.wanting.add(leave);
    signal?.addEventListener("abort", leave);
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
    if (!(await this.#approvals.of(approvalOf(request), signal))) {
      throw new ServerFailure("refused");
    }
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
      wanting: new Set(),
      isKept: false,
    };
    this.#slots.set(key, slot);
    return slot;
  }
}

/** What is asked the developer: never what references stand for. */
function approvalOf(request: ServerRequest): ServerApproval {
  const { skill, version, server, config, directory, display, warnings } = request;
  const { cwd: _, ...shown } = config;
  return frozen({
    skill,
    ...(version !== undefined && { version }),
    server,
    ...shown,
    ...(directory !== undefined && { cwd: directory }),
    display,
    warnings,
  }) as ServerApproval;
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
