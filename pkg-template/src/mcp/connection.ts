/** One server: started or reached, asked for its tools, called, and ended. */
import type { Client, Transport } from "@modelcontextprotocol/client";
import { within } from "../waiting.js";
import { Allowance } from "./allowance.js";
import { boundedFetch } from "./bounded-fetch.js";
import { leaveCancelled } from "./cancelled.js";
import { failureOf, ServerFailure } from "./failure.js";
import { ANYTHING, listTools, type ServerBounds } from "./listing.js";
import type { ClientPackage } from "./peer.js";
import { plain } from "./plain.js";
import { checkPlace, type ProgramStart, programTransport, runs, untilGone } from "./program.js";

/** What is started, with nothing left to be replaced. */
export type ServerStart =
  | ProgramStart
  | { type: "http"; url: string; headers: Record<string, string> };

export interface ConnectionOptions {
  /** Milliseconds. */
  startTimeout: number;
  /** Milliseconds. */
  callTimeout: number;
  stderr: "ignore" | "inherit";
  bounds: ServerBounds;
}

/** What a tool answered: a result of the protocol, and what had to be changed of it; or an error of it. */
export type ToolAnswer =
  | { result: unknown; isCut: boolean; isMended: boolean }
  | { error: unknown };

/** What asking for more of a stream counts as: so many messages. */
const RESUMPTION = 100;
/** Milliseconds that a server has for its end. The client kills programs after four seconds. */
const END = 8000;
const FAREWELL = 1000;
/** Milliseconds between two looks at whether a program that is waited for is still there. */
const GLANCE = 500;
/** Milliseconds that the client waits longer than is waited here: here is said why. */
const LATER = 1000;

/** What a server says when it has other tools. */
const TOOLS_CHANGED = "notifications/tools/list_changed";

type AnyTransport = Transport & {
  /** Of a server over HTTP that has sessions. */
  terminateSession?(): Promise<void>;
  /** Of a program, while the client has it. */
  readonly pid?: number | null;
};

/** A client and what it speaks over. */
interface Link {
  readonly client: Client;
  readonly transport: AnyTransport;
}

/** What has become of a connection. It goes from one to the next, and may leave some out. */
type State =
  | { readonly is: "beginning" }
  | { readonly is: "open"; readonly link: Link }
  /** The server has gone. The client, which knows why, is about to say it. */
  | { readonly is: "lost"; readonly link: Link }
  | { readonly is: "over"; readonly why: ServerFailure; readonly end: Promise<void> };

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #onEnd: () => void;
  readonly #allowance: Allowance;
  /** Aborted when it is over. */
  readonly #over = new AbortController();
  #state: State = { is: "beginning" };
  #tools: Promise<string[]>;
  /** Whether it has said that it has other tools by now. */
  #isStale = false;

  constructor(
    sdk: ClientPackage,
    start: ServerStart,
    directory: string | undefined,
    options: ConnectionOptions,
    onEnd: () => void,
  ) {
    this.#options = options;
    this.#onEnd = onEnd;
    this.#allowance = new Allowance(options.bounds.messages);
    this.#tools = this.#listed(this.#begin(sdk, start, directory));
  }

  /** The definitions of its tools, each as JSON text; asked for again where it has said that they have changed. */
  list(): Promise<string[]> {
    if (this.#isStale && this.#state.is === "open") {
      this.#isStale = false;
      this.#tools = this.#listed(this.#list(this.#state.link.client));
    }
    return this.#tools;
  }

  /** Whether it is of no more use. */
  get isOver(): boolean {
    return this.#state.is === "lost" || this.#state.is === "over" || this.#isDead();
  }

  async call(
    tool: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ToolAnswer> {
    await this.#tools;
    const { callTimeout, bounds } = this.#options;
    const request = { method: "tools/call", params: { name: tool, arguments: args } } as const;
    try {
      const { client } = this.#link();
      const sent = client.request(request, ANYTHING, { timeout: callTimeout + LATER, signal });
      const { value, ...changes } = plain(await this.#within(callTimeout, sent), bounds.levels);
      return { result: value, ...changes };
    } catch (error) {
      if (isProtocolError(error)) return { error: plain(error.message, 1).value };
      const failure = failureOf(error);
      // A server that has forgotten the session is met anew.
      if (failure.kind === "status" && failure.detail === "404") this.close(failure);
      // Its tools were there, so it can be started again.
      throw failure.kind === "ended" ? new ServerFailure("stopped") : failure;
    }
  }

  /** Ends it. Done when its program is gone. */
  close(why: ServerFailure = new ServerFailure("closed")): Promise<void> {
    if (this.#state.is === "over") return this.#state.end;
    const end = "link" in this.#state ? shutDown(this.#state.link.transport) : Promise.resolve();
    this.#state = { is: "over", why, end };
    this.#over.abort();
    this.#onEnd();
    return end;
  }

  #link(): Link {
    if (this.#state.is === "over") throw this.#state.why;
    if (this.#state.is !== "open" || this.#isDead()) throw new ServerFailure("ended");
    return this.#state.link;
  }

  /** A server whose tools cannot be had is ended. */
  #listed(work: Promise<string[]>): Promise<string[]> {
    const tools = this.#within(this.#options.startTimeout, work).catch((error: unknown) => {
      this.close(failureOf(error));
      throw this.#why(error);
    });
    // Whoever asked may have gone away.
    tools.catch(() => {});
    return tools;
  }

  /** Why it is over, where it is; else what went wrong. */
  #why(error: unknown): unknown {
    return this.#state.is === "over" ? this.#state.why : error;
  }

  async #begin(
    sdk: ClientPackage,
    start: ServerStart,
    directory: string | undefined,
  ): Promise<string[]> {
    const client = new sdk.Client({ name: "skillshelf", version: "1" }, { capabilities: {} });
    const transport = await this.#transportOf(sdk, start, directory);
    this.#listen(client, transport);
    // The client starts it some moments from now. What was closed until then must not begin.
    const begin = transport.start.bind(transport);
    transport.start = async () => {
      if (directory !== undefined) await checkPlace(directory);
      if (this.#state.is === "over") throw this.#state.why;
      await begin();
    };
    // It may have been closed meanwhile.
    if (this.#state.is === "over") throw this.#state.why;
    this.#state = { is: "open", link: { client, transport } };
    await client.connect(transport, { timeout: this.#options.startTimeout + LATER });
    return client.getServerCapabilities()?.tools === undefined ? [] : this.#list(client);
  }

  /** Hears of all that comes. */
  #listen(client: Client, transport: AnyTransport): void {
    const { received } = leaveCancelled(transport);
    // The client keeps both, and calls them first.
    transport.onmessage = (message) => {
      received(message);
      if (!("result" in message || "error" in message)) this.#count();
      this.#isStale ||= "method" in message && message.method === TOOLS_CHANGED;
    };
    transport.onclose = () => {
      if (this.#state.is === "open") this.#state = { is: "lost", link: this.#state.link };
      // The client closes what fails in its beginning, and then says why: that counts.
      setTimeout(() => this.close(new ServerFailure("ended")));
    };
    // The client hears of what the transport could not read too, and of answers that nobody asked for.
    client.onerror = () => this.#count();
  }

  async #transportOf(
    sdk: ClientPackage,
    start: ServerStart,
    directory: string | undefined,
  ): Promise<AnyTransport> {
    const { stderr, bounds } = this.#options;
    if (start.type === "stdio") {
      return programTransport(start, directory, { stderr, maxBufferSize: bounds.message });
    }
    const fetch = boundedFetch(bounds.message, {
      mayResume: () => this.#allowance.take(RESUMPTION),
      failed: (failure) => this.close(failure),
    });
    const { url, headers } = start;
    return new sdk.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, fetch });
  }

  #list(client: Client): Promise<string[]> {
    const { bounds, startTimeout } = this.#options;
    return listTools(client, bounds, startTimeout + LATER);
  }

  /** Waits for `work` until a time or the end of the server. */
  async #within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
    const glances = setInterval(() => {
      if (this.#isDead()) this.close(new ServerFailure("ended"));
    }, GLANCE);
    try {
      return await within(() => work, {
        signal: this.#over.signal,
        left: () => this.#why(new ServerFailure("closed")),
        milliseconds,
        late: () => new ServerFailure("timeout", String(milliseconds / 1000)),
      });
    } catch (error) {
      throw this.#why(error);
    } finally {
      clearInterval(glances);
    }
  }

  /** Counts what came unasked. */
  #count(): void {
    if (!this.#allowance.take(1)) this.close(new ServerFailure("flood"));
  }

  /**
   * Whether its program is gone. Its output says so too, but not while something that it has
   * started itself holds that open.
   */
  #isDead(): boolean {
    const pid = this.#state.is === "open" ? this.#state.link.transport.pid : undefined;
    return typeof pid === "number" && !runs(pid);
  }
}

/** Ends a server; done when its program is gone. */
async function shutDown(transport: AnyTransport): Promise<void> {
  const { pid } = transport;
  const gone = typeof pid === "number" ? untilGone(pid, 2 * END) : Promise.resolve();
  await atMost(FAREWELL, Promise.resolve(transport.terminateSession?.()));
  // What a program has started itself may keep its output open, and the client waits for that.
  const closed = transport.close();
  await atMost(END, typeof pid === "number" ? Promise.race([closed, gone]) : closed);
  await atMost(END, gone);
}

/** Waits for `work`, whatever becomes of it, but no longer than that. */
async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  await within(() => work, { milliseconds }).catch(() => {});
}

/** An error that the server itself answered with. */
function isProtocolError(error: unknown): error is Error {
  return error instanceof Error && typeof (error as { code?: unknown }).code === "number";
}
