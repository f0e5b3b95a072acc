/** Streamable HTTP: who may ask, how much, and which session a request belongs to. */
import type {
  McpHttpHandler,
  McpServer,
  ServerNotifier,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Client } from "./client.js";
import { HttpSessions } from "./http-sessions.js";
import type { ServerPackage } from "./peer.js";
import { whenRead, whileRead } from "./when-read.js";

type Sdk = ServerPackage["server"];

/** As the core has judged them. */
export interface HttpOptions {
  hosts: string[];
  /** Whether these are this machine's since nothing was said of them. */
  ownHosts: boolean;
  origins: string[];
  maxBody: number;
  maxSessions: number;
  idleTimeout: number;
}

/** Who answers. */
export interface Backend {
  /** A client with a conversation of its own. */
  client(): Client;
  /** The server for one request of a client without, which is told the instructions or is not. */
  stateless(isTold: boolean): McpServer;
  report(error: unknown): void;
}

/** What the developer says who may ask with, as refusals name it. */
export interface OptionNames {
  hosts: string;
  origins: string;
}

/** A host as a request names it, which nothing else may follow: a reader of URLs would cut it off. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;
/** The same of the page that sends it. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

const SESSION = "mcp-session-id";
/** Requests without a session that are answered, or wait for that, at the same time. */
const MOST_WITHOUT_SESSION = 1000;
/** What a request is for, which the SDK compares with its body. */
const METHOD = "mcp-method";
/** What a client of the newer protocol asks to be told of changes. */
const LISTEN = "subscriptions/listen";
/** No name and path make a longer one; the SDK fails without a word at some length. */
const LONGEST_URI = 64 * 1024;
/** What begins without a session: the one answer with the instructions. */
const DISCOVER = "server/discover";

export class HttpFront {
  readonly #sdk: Sdk;
  readonly #options: HttpOptions;
  readonly #names: OptionNames;
  readonly #hosts: Set<string>;
  readonly #backend: Backend;
  readonly #sessions: HttpSessions;
  /** Clients of the newer protocol, which has no sessions. */
  readonly #stateless: McpHttpHandler;
  #withoutSession = 0;
  #isClosed = false;

  constructor(sdk: Sdk, options: HttpOptions, names: OptionNames, backend: Backend) {
    this.#sdk = sdk;
    this.#options = options;
    this.#names = names;
    this.#hosts = new Set(options.hosts);
    this.#backend = backend;
    this.#sessions = new HttpSessions(options);
    this.#stateless = sdk.createMcpHandler(
      ({ requestInfo }) => backend.stateless(requestInfo?.headers.get(METHOD) === DISCOVER),
      {
        legacy: "reject",
        maxSubscriptions: options.maxSessions,
        maxRequestBodySize: options.maxBody,
      },
    );
  }

  /** Tells the clients of the newer protocol what has changed. */
  get notify(): ServerNotifier {
    return this.#stateless.notify;
  }

  /** Requests may be addressed to this name too, unless the developer has said to which. */
  isAlso(host: string): void {
    if (this.#options.ownHosts) this.#hosts.add(host);
  }

  /** A name that requests may be addressed to. */
  get name(): string | undefined {
    return this.#options.hosts[0];
  }

  async fetch(request: Request): Promise<Response> {
    if (this.#isClosed) return refusal(503, "The server is being closed.");
    try {
      return this.#refused(request) ?? (await this.#answer(request));
    } catch (error) {
      this.#backend.report(error);
      return refusal(500, "The server failed. Ask its operator.");
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#sessions.close(), this.#stateless.close()]);
  }

  /** The answer to one who may not ask: a page elsewhere that was given the name of this machine. */
  #refused(request: Request): Response | undefined {
    const { origins } = this.#options;
    const host = request.headers.get("host") ?? new URL(request.url).host;
    if (!HOST.test(host) || !this.#sdk.validateHostHeader(host, [...this.#hosts]).ok) {
      const names = `the hosts that the server answers to (${this.#names.hosts})`;
      return refusal(403, `The Host of this request is not among ${names}.`);
    }
    const origin = request.headers.get("origin");
    const isPlain = origin === null || ORIGIN.test(origin);
    if (!isPlain || !this.#sdk.validateOriginHeader(origin, origins).ok) {
      const names = `those that may ask the server (${this.#names.origins})`;
      return refusal(403, `The Origin of this request is not among ${names}.`);
    }
    return undefined;
  }

  async #answer(request: Request): Promise<Response> {
    if (request.method !== "POST") return this.#inSession(request);
    const { maxBody } = this.#options;
    if (!this.#sdk.isJsonContentType(request.headers.get("content-type"))) {
      return refusal(415, "The Content-Type must be application/json.");
    }
    // A client that leaves before it has sent all of it is no failure of the server.
    const body = await this.#sdk.readRequestBody(request, maxBody).catch(() => undefined);
    if (body === undefined) return refusal(400, "The request did not come to its end.");
    if (body.tooLarge) return refusal(413, `A request has at most ${maxBody} bytes.`);
    let parsedBody: unknown;
    try {
      parsedBody = JSON.parse(body.text);
    } catch {
      const code = this.#sdk.ProtocolErrorCode.ParseError;
      return refusal(400, "The request is not JSON.", { code });
    }
    const id = idOfLongUri(parsedBody);
    if (id !== undefined) {
      const message = `A URI has at most ${LONGEST_URI} characters.`;
      return refusal(400, message, { code: this.#sdk.ProtocolErrorCode.InvalidParams, id });
    }
    // What was read is given along: its body cannot be read a second time.
    const { url, method, headers, signal } = request;
    const read = new Request(url, { method, headers, signal });
    if (!(await this.#sdk.isLegacyRequest(read, parsedBody))) {
      return this.#withoutOne(read, parsedBody);
    }
    return this.#inSession(read, parsedBody);
  }

  /** Answers one who has no session, where not too many wait already. */
  async #withoutOne(request: Request, parsedBody: unknown): Promise<Response> {
    if (this.#withoutSession >= MOST_WITHOUT_SESSION) {
      const headers = { "retry-after": "1" };
      return refusal(503, "There are too many requests: try again later.", { headers });
    }
    this.#withoutSession += 1;
    try {
      const answer = this.#stateless.fetch(request, { parsedBody });
      // One that listens has its answer at once.
      return isListening(parsedBody) ? await whileRead(answer, () => {}) : await answer;
    } finally {
      this.#withoutSession -= 1;
    }
  }

  async #inSession(request: Request, parsedBody?: unknown): Promise<Response> {
    const id = request.headers.get(SESSION);
    if (id === null) {
      const isFirst = this.#sdk.isInitializeRequest(parsedBody);
      return isFirst ? this.#begin(request, parsedBody) : refusal(400, `There is no ${SESSION}.`);
    }
    const session = this.#sessions.use(id);
    if (session === undefined) return refusal(404, "There is no such session: begin a new one.");
    const given = parsedBody === undefined ? {} : { parsedBody };
    const answer = session.transport.handleRequest(request, given);
    const until = request.method === "GET" ? whileRead : whenRead;
    return until(answer, session.release);
  }

  /** A new session, where there is room for one. */
  async #begin(request: Request, parsedBody: unknown): Promise<Response> {
    const release = this.#sessions.reserve();
    if (release === undefined) {
      const headers = { "retry-after": "60" };
      return refusal(503, "There are too many sessions: try again later.", { headers });
    }
    const client = this.#backend.client();
    const transport: WebStandardStreamableHTTPServerTransport =
      new this.#sdk.WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => {
          // It takes the place that was kept for it.
          release();
          this.#sessions.add(id, transport, () => client.end());
        },
        onsessionclosed: (id) => this.#sessions.end(id),
        maxRequestBodySize: this.#options.maxBody,
      });
    try {
      await client.mcp.connect(transport);
      return await transport.handleRequest(request, { parsedBody });
    } finally {
      release();
      // Where it came to no session, the answer is whole already.
      if (transport.sessionId === undefined) {
        client.end();
        void client.mcp.close();
      }
    }
  }
}

/** Whether a request is to be told what changes from now on, in the newer protocol. */
function isListening(message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === LISTEN;
}

/** The id of a request, or of one among many, for a URI that is too long to be one of ours. */
function idOfLongUri(message: unknown): string | number | null | undefined {
  for (const one of Array.isArray(message) ? message : [message]) {
    const { id, params } = (one ?? {}) as { id?: unknown; params?: { uri?: unknown } | null };
    const uri = params?.uri;
    if (typeof uri !== "string" || uri.length <= LONGEST_URI) continue;
    return typeof id === "string" || typeof id === "number" ? id : null;
  }
  return undefined;
}

/** An answer that refuses a request, as the protocol's own are. */
function refusal(
  status: number,
  message: string,
  {
    code = -32000,
    id = null,
    headers = {},
  }: { code?: number; id?: string | number | null; headers?: Record<string, string> } = {},
): Response {
  const error = { jsonrpc: "2.0", error: { code, message }, id };
  return Response.json(error, { status, headers });
}
