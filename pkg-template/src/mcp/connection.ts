/** One server: started or reached, asked for its tools, called, and ended. */
import type { Client, Transport } from "@modelcontextprotocol/client";
import type { JSONValue } from "../types.js";
import { boundedFetch } from "./bounded-fetch.js";
import { failureOf, ServerFailure } from "./failure.js";
import { type ClientPackage, importStdio } from "./peer.js";

/** What is started, with nothing left to be replaced. */
export type ServerStart =
  | { type: "stdio"; command: string; args: string[]; env: Record<string, string> }
  | { type: "http"; url: string; headers: Record<string, string> };

export interface ConnectionOptions {
  /** Milliseconds. */
  startTimeout: number;
  /** Milliseconds. */
  callTimeout: number;
  stderr: "ignore" | "inherit";
  /** Tools that are read of what a server lists: the core has the bound. */
  mostTools: number;
}

/** What a tool answered: a result of the protocol, or an error of it. */
export type ToolAnswer = { result: JSONValue } | { error: string };

/** Bytes of one message, and of one answer over HTTP. */
const LARGEST_MESSAGE = 8 * 1024 * 1024;
/** Messages that are not answers, in one second. */
const MOST_MESSAGES = 2000;
/** Bytes of the definitions of tools; the core has the other bounds. */
const LARGEST_LIST = 1024 * 1024;
const MOST_PAGES = 50;
/** Milliseconds that a server has for its end. The client kills programs after four seconds. */
const END = 8000;
const FAREWELL = 1000;
/** Milliseconds between two looks at whether a program is still there. */
const GLANCE = 50;

/** What a server says when it has other tools. */
const TOOLS_CHANGED = "notifications/tools/list_changed";

/** Takes what a server sends as it is: the core judges it. */
const ANYTHING = {
  "~standard": {
    version: 1,
    vendor: "skillshelf",
    validate: (value: unknown): { value: unknown } => ({ value }),
  },
} as const;

export class Connection {
  #tools: Promise<string[]>;
  /** Whether it has said that it has other tools by now. */
  #isStale = false;
  readonly #options: ConnectionOptions;
  readonly #onEnd: () => void;
  /** Those who wait for it. */
  readonly #waiting = new Set<(failure: ServerFailure) => void>();
  #client: Client | undefined;
  #transport: (Transport & { terminateSession?(): Promise<void>; pid?: number | null }) | undefined;
  #failure: ServerFailure | undefined;
  #end: Promise<void> | undefined;
  #isGone = false;
  #second = 0;
  #messages = 0;

  constructor(
    sdk: ClientPackage,
    start: ServerStart,
    directory: string | undefined,
    options: ConnectionOptions,
    onEnd: () => void,
  ) {
    this.#options = options;
    this.#onEnd = onEnd;
    this.#tools = this.#listed(this.#start(sdk, start, directory));
  }

  /** The definitions of its tools, each as JSON text. */
  get tools(): Promise<string[]> {
    return this.#tools;
  }

  /** The same as they are now: it is asked again where it has said that they have changed. */
  list(): Promise<string[]> {
    const client = this.#client;
    if (this.#isStale && client !== undefined && !this.isOver) {
      this.#isStale = false;
      this.#tools = this.#listed(this.#list(client));
    }
    return this.#tools;
  }

  /** Whether it is of no more use. */
  get isOver(): boolean {
    return this.#isGone || this.#failure !== undefined || this.#isDead();
  }

  async call(
    tool: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ToolAnswer> {
    await this.tools;
    const client = this.#client;
    if (client === undefined || this.isOver) throw this.#failure ?? new ServerFailure("ended");
    const timeout = this.#options.callTimeout;
    const request = { method: "tools/call", params: { name: tool, arguments: args } } as const;
    const sent = client.request(request, ANYTHING, { timeout: timeout + 1000, signal });
    try {
      return { result: (await this.#within(timeout, sent)) as JSONValue };
    } catch (error) {
      if (isProtocolError(error)) return { error: error.message };
      const failure = failureOf(error);
      // A server that has forgotten the session is met anew.
      if (failure.kind === "status" && failure.detail === "404") this.close(failure);
      throw failure;
    }
  }

  /** Ends it. Done when its program is gone. */
  close(failure: ServerFailure = new ServerFailure("closed")): Promise<void> {
    this.#fail(failure);
    this.#end ??= this.#shutDown();
    return this.#end;
  }

  /** A server whose tools cannot be had is ended. */
  #listed(work: Promise<string[]>): Promise<string[]> {
    const tools = this.#within(this.#options.startTimeout, work).catch((error: unknown) => {
      const failure = failureOf(error);
      this.close(failure);
      throw this.#failure ?? failure;
    });
    // Whoever asked may have gone away.
    tools.catch(() => {});
    return tools;
  }

  async #start(
    sdk: ClientPackage,
    start: ServerStart,
    directory: string | undefined,
  ): Promise<string[]> {
    const transport = await this.#transportOf(sdk, start, directory);
    // It may have been closed meanwhile.
    if (this.#failure !== undefined) throw this.#failure;
    this.#transport = transport;
    // The client starts it some moments from now. What was closed until then must not begin.
    const begin = transport.start.bind(transport);
    transport.start = async () => {
      if (this.#failure !== undefined) throw this.#failure;
      await begin();
    };
    // The client keeps both, and calls them first.
    transport.onmessage = (message) => {
      if (!("result" in message || "error" in message)) this.#count();
      this.#isStale ||= "method" in message && message.method === TOOLS_CHANGED;
    };
    transport.onclose = () => {
      this.#isGone = true;
      // The client closes what fails in its beginning, and then says why: that counts.
      setTimeout(() => this.close(new ServerFailure("ended")));
    };
    const client = new sdk.Client({ name: "skillshelf", version: "1" }, { capabilities: {} });
    // It hears of what the transport could not read too, and of answers that nobody asked for.
    client.onerror = () => this.#count();
    this.#client = client;
    await client.connect(transport, { timeout: this.#options.startTimeout + 1000 });
    if (client.getServerCapabilities()?.tools === undefined) return [];
    return this.#list(client);
  }

  async #transportOf(
    sdk: ClientPackage,
    start: ServerStart,
    directory: string | undefined,
  ): Promise<Transport> {
    if (start.type === "http") {
      const { headers } = start;
      const fetch = boundedFetch(LARGEST_MESSAGE, (failure) => this.close(failure));
      return new sdk.StreamableHTTPClientTransport(new URL(start.url), {
        requestInit: { headers },
        fetch,
      });
    }
    const stdio = await importStdio();
    if (stdio === undefined) throw new ServerFailure("unsupported");
    const { command, args, env } = start;
    return new stdio.StdioClientTransport({
      command,
      args,
      env,
      stderr: this.#options.stderr,
      maxBufferSize: LARGEST_MESSAGE,
      ...(directory !== undefined && { cwd: directory }),
    });
  }

  async #list(client: Client): Promise<string[]> {
    const timeout = this.#options.startTimeout + 1000;
    const tools: string[] = [];
    let size = 0;
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const request = { method: "tools/list", params } as const;
      const listed = (await client.request(request, ANYTHING, { timeout })) as {
        tools?: unknown;
        nextCursor?: unknown;
      } | null;
      for (const tool of Array.isArray(listed?.tools) ? listed.tools : []) {
        const text = JSON.stringify(tool) ?? "null";
        size += text.length;
        if (size > LARGEST_LIST) throw new ServerFailure("flood");
        tools.push(text);
        if (tools.length === this.#options.mostTools) return tools;
      }
      const next = listed?.nextCursor;
      if (typeof next !== "string" || next === "") return tools;
      cursor = next;
    }
    throw new ServerFailure("flood");
  }

  /** Waits for `work` until a time or the end of the server. */
  #within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        clearTimeout(timer);
        clearInterval(glances);
        this.#waiting.delete(fail);
      };
      const fail = (failure: ServerFailure): void => {
        finish();
        reject(failure);
      };
      const timer = setTimeout(
        () => fail(new ServerFailure("timeout", String(milliseconds / 1000))),
        milliseconds,
      );
      const glances = setInterval(() => {
        if (this.#isDead()) this.close(new ServerFailure("ended"));
      }, GLANCE * 10);
      this.#waiting.add(fail);
      if (this.#failure !== undefined) fail(this.#failure);
      work.then(
        (value) => {
          finish();
          resolve(value);
        },
        (error: unknown) => {
          finish();
          reject(this.#failure ?? error);
        },
      );
    });
  }

  /** Counts what came unasked. */
  #count(): void {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#messages = 0;
    }
    this.#messages += 1;
    if (this.#messages > MOST_MESSAGES) this.close(new ServerFailure("flood"));
  }

  #fail(failure: ServerFailure): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    for (const fail of [...this.#waiting]) fail(failure);
    this.#onEnd();
  }

  async #shutDown(): Promise<void> {
    // What is started now is closed once it is there: `#start` sees the failure.
    const transport = this.#transport;
    if (transport === undefined) return;
    const { pid } = transport;
    const gone = typeof pid === "number" ? untilGone(pid) : Promise.resolve();
    await before(FAREWELL, Promise.resolve(transport.terminateSession?.()));
    // What a program has started itself may keep its output open, and the client waits for that.
    const closed = transport.close();
    await before(END, typeof pid === "number" ? Promise.race([closed, gone]) : closed);
    await before(END, gone);
  }

  /**
   * Whether its program is gone. Its output says so too, but not while something that it has
   * started itself holds that open.
   */
  #isDead(): boolean {
    const pid = this.#transport?.pid;
    return typeof pid === "number" && !runs(pid);
  }
}

/** Whether there is a program of this number. */
function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function untilGone(pid: number): Promise<void> {
  for (const end = Date.now() + 2 * END; runs(pid) && Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, GLANCE));
  }
}

/** Waits for `work`, whatever becomes of it, but no longer than that. */
async function before(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}

/** An error that the server itself answered with. */
function isProtocolError(error: unknown): error is Error {
  return error instanceof Error && typeof (error as { code?: unknown }).code === "number";
}
