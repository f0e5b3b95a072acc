/** A server of skills: one catalog, and each client by itself. */
import type { McpServer, Transport } from "@modelcontextprotocol/server";
import { answerValue, optionsText } from "../../answers.js";
import { coreCatalogOf } from "../../catalog.js";
import { ChangeLog } from "../../changes.js";
import type { CoreCatalog } from "../../core-catalog.js";
import { withCore } from "../../engine.js";
import { SkillError } from "../../errors.js";
import type {
  CreateSkillServerOptions,
  ListenOptions,
  SkillListener,
  SkillServer,
  SkillServerConnection,
  SkillServerTransport,
} from "../../mcp.js";
import { messageOf } from "../../message-of.js";
import { plainToolOptions } from "../../tools.js";
import type { Catalog, SyncCatalog } from "../../types.js";
import { unwaited } from "../../unwaited.js";
import { warn } from "../../warn.js";
import type { Client } from "./client.js";
import { ClientCalls } from "./client-calls.js";
import { HttpFront, type HttpOptions, type OptionNames } from "./http-front.js";
import { Limiter } from "./limiter.js";
import { type ListenAddress, listen } from "./listener.js";
import type { ServerPackage } from "./peer.js";
import { protocolServer, type Run, type Served } from "./protocol.js";
import { PublishedSkills } from "./published-skills.js";
import { type Replaced, ServedTools } from "./served-tools.js";
import { WatchedTransport } from "./watched-transport.js";

/** Requests of one client, and of all, that are worked on at the same time. */
const AT_ONCE = 4;
const AT_ONCE_IN_ALL = 16;
/** Requests of one client that wait. */
const MOST_WAITING = 1000;

/** The options as the core has judged them, with its defaults. */
interface JudgedOptions extends HttpOptions, Replaced {
  name: string;
  version: string;
  arguments: boolean;
}

/** What a caller says of the server beside its options. */
export interface Embedding {
  /** What the caller's own options of who may ask are called. */
  names?: OptionNames;
  /** Told that a client was given the list of skills; some may have been left out. */
  onListed?(): void;
}

/** The server of a catalog, with the official one that is imported once nothing is wrong. */
export async function skillServer(
  catalog: Catalog | SyncCatalog,
  options: CreateSkillServerOptions,
  official: () => Promise<ServerPackage>,
  embedding: Embedding = {},
): Promise<SkillServer> {
  const core = coreCatalogOf(catalog);
  if (core === undefined) {
    const message = "Only a catalog can be served: pass what loadSkills or loadSkillsSync gave.";
    throw new SkillError({ code: "SOURCE_UNSUPPORTED", message });
  }
  const { tools } = options ?? {};
  const plain = tools && plainToolOptions(core, tools);
  const judged = judgedOptions(plain ? { ...options, tools: plain } : options);
  // What gives names one after the other gives them once.
  const given = plain?.taken ? { ...tools, taken: plain.taken } : tools;
  const served = new ServedTools(core, given, judged);
  return new CatalogServer(core, await official(), {
    judged,
    served,
    given: options,
    embedding,
  });
}

const OPTION_NAMES: OptionNames = { hosts: "http.hosts", origins: "http.origins" };

function judgedOptions(options: CreateSkillServerOptions): JudgedOptions {
  const text = optionsText(options);
  return answerValue(withCore((exports) => exports.skillServerOptions(text)));
}

/** What a client is told when skills have changed. */
interface Listener {
  tools(): void;
  prompts(): void;
  resources(): void;
}

class CatalogServer implements SkillServer {
  readonly #core: CoreCatalog;
  readonly #options: JudgedOptions;
  readonly #tools: ServedTools;
  readonly #served: Served;
  /** How many wait is bounded for each client, and by the front for those without a session. */
  readonly #all = new Limiter(AT_ONCE_IN_ALL, Number.POSITIVE_INFINITY);
  readonly #clients = new Set<Client>();
  readonly #open = new Set<SkillServerConnection | SkillListener>();
  readonly #front: HttpFront;
  readonly #log: ChangeLog;
  readonly #ignore: () => void;
  #shownTools: string;
  #isClosed = false;

  constructor(
    core: CoreCatalog,
    sdk: ServerPackage,
    options: {
      judged: JudgedOptions;
      served: ServedTools;
      given: CreateSkillServerOptions;
      embedding: Embedding;
    },
  ) {
    this.#core = core;
    this.#options = options.judged;
    this.#tools = options.served;
    const { name, version } = this.#options;
    const report = reporter(options.given);
    const { names = OPTION_NAMES, onListed } = options.embedding;
    this.#served = { sdk, name, version, skills: new PublishedSkills(core, onListed), report };
    this.#front = new HttpFront(sdk.server, this.#options, names, {
      client: () => this.#client(),
      stateless: (isTold) => this.#stateless(isTold),
      report,
    });
    this.#shownTools = this.#toolsNow();
    this.#log = new ChangeLog(core);
    this.#ignore = core.onRefresh(() => this.#onRefresh());
  }

  get connections(): number {
    return this.#clients.size;
  }

  async connect(given?: SkillServerTransport): Promise<SkillServerConnection> {
    this.#mustBeOpen();
    const { serveStdio, StdioServerTransport } = await this.#served.sdk.stdio();
    this.#mustBeOpen();
    const inner = (given as Transport | undefined) ?? new StdioServerTransport();
    let isOver = (): void => {};
    const closed = new Promise<void>((resolve) => {
      isOver = resolve;
    });
    let client: Client | undefined;
    const transport = new WatchedTransport(inner, () => {
      client?.end();
      this.#open.delete(connection);
      isOver();
    });
    const taken = (): Promise<void> => transport.taken();
    const handle = serveStdio(
      () => {
        // What only looks what the server can is followed by the client itself.
        client?.end();
        client = this.#client(taken);
        return client.mcp;
      },
      {
        transport,
        onerror: (error) => {
          if (!isNoMessage(error)) this.#served.report(error);
        },
      },
    );
    const connection: SkillServerConnection = {
      closed,
      close: async () => {
        await handle.close();
        await transport.close();
      },
    };
    this.#open.add(connection);
    return connection;
  }

  fetch = (request: Request): Promise<Response> => this.#front.fetch(request);

  async listen(options?: ListenOptions): Promise<SkillListener> {
    this.#mustBeOpen();
    const text = optionsText(options);
    const place = answerValue<ListenAddress>(withCore((exports) => exports.listenOptions(text)));
    if (!place.isWildcard) this.#front.isAlso(place.name);
    const report = this.#served.report;
    // All addresses are none that anybody asks for.
    const name = place.isWildcard ? (this.#front.name ?? place.name) : place.name;
    const named = { ...place, name };
    const listener = await listen(named, this.fetch, report, () => this.#open.delete(listener));
    this.#open.add(listener);
    if (this.#isClosed) await listener.close();
    return listener;
  }

  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#ignore();
      this.#log.dispose();
    }
    // Streams first: who listens would keep a connection open.
    await this.#front.close();
    await Promise.all([...this.#open].map((one) => one.close()));
    for (const client of [...this.#clients]) client.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #mustBeOpen(): void {
    if (!this.#isClosed) return;
    const message = "This server was closed: create another one.";
    throw new SkillError({ code: "NOT_INITIALIZED", message });
  }

  /** A client with a conversation of its own. */
  #client(taken: () => Promise<void> = async () => {}): Client {
    const calls = this.#calls(true);
    const own = new Limiter(AT_ONCE, MOST_WAITING);
    const run: Run = (work) =>
      own.run(async () => {
        await taken();
        return this.#all.run(work);
      });
    const mcp = protocolServer(this.#served, calls, run, this.#tools.instructions());
    const client = {
      mcp,
      end: () => {
        if (!this.#clients.delete(client)) return;
        calls.close();
      },
    };
    this.#clients.add(client);
    return client;
  }

  /** The server for one request of a client that has no conversation. */
  #stateless(isTold: boolean): McpServer {
    const run: Run = (work) => this.#all.run(work);
    const instructions = isTold ? this.#tools.instructions() : "";
    return protocolServer(this.#served, this.#calls(false), run, instructions);
  }

  #calls(hasSession: boolean): ClientCalls {
    const { arguments: fills } = this.#options;
    return new ClientCalls(this.#core, this.#tools, { arguments: fills, hasSession });
  }

  #onRefresh(): void {
    this.#tools.forget();
    const { added, changed, removed } = this.#log.take();
    if (added.length + changed.length + removed.length === 0) return;
    const tools = this.#toolsNow();
    const isOther = tools !== this.#shownTools;
    this.#shownTools = tools;
    for (const listener of this.#listeners()) {
      if (isOther) listener.tools();
      listener.prompts();
      listener.resources();
    }
  }

  *#listeners(): Iterable<Listener> {
    for (const { mcp } of this.#clients) {
      // A client that is gone by now, or was never there, is told nothing.
      const tell = (send: () => Promise<void>) => (): void => {
        if (mcp.isConnected()) send().catch(() => {});
      };
      yield {
        tools: tell(() => mcp.server.sendToolListChanged()),
        prompts: tell(() => mcp.server.sendPromptListChanged()),
        resources: tell(() => mcp.server.sendResourceListChanged()),
      };
    }
    const { notify } = this.#front;
    yield {
      tools: () => notify.toolsChanged(),
      prompts: () => notify.promptsChanged(),
      resources: () => notify.resourcesChanged(),
    };
  }

  /** What the tools are now, to be compared. */
  #toolsNow(): string {
    return JSON.stringify(this.#calls(false).tools());
  }
}

/** Whether a client has sent what is no message: its own mistake, which may be any number of them. */
function isNoMessage(error: Error): boolean {
  return "issues" in error;
}

function reporter(options: CreateSkillServerOptions): (error: unknown) => void {
  return (error) => {
    if (options.onError !== undefined) {
      const promised: unknown = options.onError(error);
      unwaited(promised, "onError failed later");
      return;
    }
    warn(messageOf(error));
  };
}
