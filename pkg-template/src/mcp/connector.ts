/** The servers of a session: approved, started once, kept, and ended. */

import { frozen } from "../answers.js";
import type { ServerApproval, SkillServerOptions } from "../mcp.js";
import type { Servers, ServersOfCall, Settlement } from "../session/servers.js";
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
  /** A person wants it: who said no is asked again. */
  anew?: boolean;
  /** The skill is not there any more, so nothing of it can be started. */
  gone?: boolean;
}

interface ToolRequest extends ServerRequest {
  tool: string;
  arguments: Record<string, unknown>;
}

/** A server that runs, or is being started. */
interface Slot {
  readonly skill: string;
  readonly version: string | undefined;
  readonly server: string;
  readonly config: string;
  readonly directory: string | undefined;
  readonly connection: Connection;
  /** Calls that are not over and asked for it. */
  readonly wanting: Set<ServersOfCall>;
  /** Whether a loaded skill has it: then it stays without a call that wants it. */
  isKept: boolean;
}

export class ServerConnector implements Servers {
  readonly #sdk: ClientPackage;
  readonly #options: ConnectionOptions;
  readonly #approvals: Approvals;
  /** A server whose configuration has changed runs twice, until the load that found it is settled. */
  readonly #slots = new Set<Slot>();
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

  begin(): ServersOfCall {
    const over = new AbortController();
    const { signal } = over;
    const call: ServersOfCall = {
      connect: (request) =>
        answer(async () => {
          const asked = JSON.parse(request) as ServerRequest;
          const slot = await this.#slotOf(asked, false, call, signal);
          return { tools: await slot.connection.list() };
        }),
      callServer: (request) =>
        answer(async () => {
          const asked = JSON.parse(request) as ToolRequest;
          const slot = await this.#slotOf(asked, true, call, signal);
          return slot.connection.call(asked.tool, asked.arguments, signal);
        }),
      settle: (settlements) => {
        for (const settlement of settlements) this.#settle(settlement, call);
      },
      release: () => {
        over.abort();
        this.#release(call);
      },
    };
    return call;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#approvals.close();
    for (const slot of this.#slots) this.#end(slot);
    while (this.#ending.size > 0) await Promise.all(this.#ending);
  }

  /** Of a server that runs twice, the one stays that the call has asked for. */
  #settle({ skill, version, stay }: Settlement, call: ServersOfCall): void {
    const slots = [...this.#slots].filter(
      (slot) => slot.skill === skill && slot.version === version,
    );
    const wanted = slots.filter((slot) => slot.wanting.has(call));
    for (const slot of slots) {
      const isReplaced = wanted.some((other) => other !== slot && other.server === slot.server);
      const isUsed = slot.wanting.has(call) || (slot.isKept && !isReplaced);
      slot.isKept = isUsed && stay.includes(slot.server);
      slot.wanting.delete(call);
      this.#endUnwanted(slot);
    }
  }

  #release(call: ServersOfCall): void {
    for (const slot of this.#slots) {
      if (slot.wanting.delete(call)) this.#endUnwanted(slot);
    }
  }

  #endUnwanted(slot: Slot): void {
    if (!slot.isKept && slot.wanting.size === 0) this.#end(slot);
  }

  #end(slot: Slot): void {
    this.#slots.delete(slot);
    const ended = slot.connection.close().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  /** The server that is asked for, which may still be starting. */
  async #slotOf(
    request: ServerRequest,
    isCall: boolean,
    call: ServersOfCall,
    signal: AbortSignal,
  ): Promise<Slot> {
    const running = this.#running(request, isCall);
    if (running === undefined) await this.#approve(request, signal);
    if (this.#isClosed || signal.aborted) throw new ServerFailure("closed");
    // Somebody else may have started it while this one waited.
    const slot = running ?? this.#running(request, false) ?? this.#started(request);
    // What a loaded skill has is ended when it is unloaded, whoever calls it.
    if (!isCall || !slot.isKept) slot.wanting.add(call);
    return slot;
  }

  /** A call is of what runs, wherever the skill's directory is by now; a load starts what is new. */
  #running(request: ServerRequest, isCall: boolean): Slot | undefined {
    const config = JSON.stringify(request.config);
    return [...this.#slots].find(
      (slot) =>
        slot.skill === request.skill &&
        slot.version === request.version &&
        slot.server === request.server &&
        slot.config === config &&
        (isCall || slot.directory === request.directory) &&
        !slot.connection.isOver,
    );
  }

  async #approve(request: ServerRequest, signal: AbortSignal): Promise<void> {
    if (request.gone === true) throw new ServerFailure("gone");
    if (!(await this.#approvals.of(approvalOf(request), request.anew === true, signal))) {
      throw new ServerFailure("refused");
    }
  }

  #started({ skill, version, server, config, directory, start }: ServerRequest): Slot {
    const onEnd = (): void => this.#end(slot);
    const slot: Slot = {
      skill,
      version,
      server,
      config: JSON.stringify(config),
      directory,
      connection: new Connection(this.#sdk, start, directory, this.#options, onEnd),
      wanting: new Set(),
      isKept: false,
    };
    this.#slots.add(slot);
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

/** The answer to the core; what went wrong is one too. What servers sent in it is plain already. */
async function answer(work: () => Promise<object>): Promise<string> {
  try {
    return JSON.stringify(await work());
  } catch (error) {
    const { kind, detail } = failureOf(error);
    return JSON.stringify({ failed: kind, detail });
  }
}
