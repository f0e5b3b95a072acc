/**
 * `skillshelf/mcp`: skills as a server of the Model Context Protocol, and the servers that skills
 * bring with them in their `mcp.json`.
 *
 * @module
 */
import { answerValue, optionsText } from "./answers.js";
import { withCore } from "./engine.js";
import { SkillError } from "./errors.js";
import type { ConnectionOptions } from "./mcp/connection.js";
import { ServerConnector } from "./mcp/connector.js";
import { importClient } from "./mcp/peer.js";
import { importServer } from "./mcp/serve/peer.js";
import { skillServer } from "./mcp/serve/skill-server.js";
import { AsyncSession } from "./session.js";
import type { Catalog, Diagnostic, Session, SyncCatalog, ToolOptions } from "./types.js";

/** A server that a skill wants to have started, or connected: what is asked the user. */
export type ServerApproval = {
  readonly skill: string;
  readonly version?: string;
  /** Its name in the skill's `mcp.json`. */
  readonly server: string;
  /**
   * All of it in one line, for a person: what could be taken for something else is in quotes, and
   * characters that are not seen, or that turn others around, are their numbers (`\u{202e}`).
   */
  readonly display: string;
  /** What a person should know of it, such as that it has characters that are not seen. */
  readonly warnings: readonly string[];
} & (
  | {
      readonly type: "stdio";
      /** No shell reads it. */
      readonly command: string;
      readonly args: readonly string[];
      /** As the skill wrote it: references such as `${TOKEN}` are not replaced here. */
      readonly env: Readonly<Record<string, string>>;
      /** The directory it runs in; absent where the skill is not on a disk. */
      readonly cwd?: string;
    }
  | {
      readonly type: "http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    }
);

/** How servers are approved and connected; what is unknown throws `SOURCE_UNSUPPORTED`. */
export interface SkillServerOptions {
  /**
   * Whether exactly this server may be started or connected: only `true` is a yes. Asked once for
   * each configuration, one at a time, and after another answer again when the user loads the skill
   * (`session.load`, `expand`); `signal` is aborted when nobody waits any more, or by `close`.
   * Show a person `display`.
   */
  approve(server: ServerApproval, options: { signal: AbortSignal }): boolean | Promise<boolean>;
  /**
   * What references such as `${TOKEN}` in an `mcp.json` may stand for: values by name, or names of
   * this process's own variables. Nothing by default. A server whose references have no value is
   * not asked about. Values of four bytes and more are taken out of what messages and diagnostics
   * repeat of a server; its tools and their results are given as they are.
   */
  environment?: Readonly<Record<string, string>> | readonly string[];
  /** Milliseconds until a server must have listed its tools; 30,000 by default. */
  startTimeout?: number;
  /** Milliseconds until a tool must have answered; 60,000 by default. */
  callTimeout?: number;
  /** What becomes of what programs write to their standard error; `ignore` by default. */
  stderr?: "ignore" | "inherit";
}

/** The servers of a session's skills. */
export interface SkillServers extends AsyncDisposable {
  /** What was found of them, and of the files that name them. */
  readonly diagnostics: readonly Diagnostic[];
  /** Ends all of them; done when their programs are gone. `dispose` of the catalog ends them too. */
  close(): Promise<void>;
}

/**
 * From now on the servers in the `mcp.json` of a skill are connected when the session loads the
 * skill, once `approve` has said yes; their tools are among `session.tools()`, under the name of the
 * skill, until it is unloaded.
 *
 * In a session that goes on from a stored state, the servers of skills that are loaded already are
 * connected, and approved anew, when one of their tools is called or the skill is loaded again.
 *
 * Needs the package `@modelcontextprotocol/client`.
 *
 * ```ts
 * const session = catalog.session();
 * await using servers = await connectSkillServers(session, {
 *   approve: ({ skill, server, ...what }) => ask(`Start ${server} of ${skill}?`, what),
 *   environment: { TOKEN: token },
 * });
 * ```
 */
export async function connectSkillServers(
  session: Session,
  options: SkillServerOptions,
): Promise<SkillServers> {
  const core = AsyncSession.coreOf(session);
  if (core === undefined) {
    throw unsupported(
      "Servers can only be connected to a session of a catalog from loadSkills: a session of loadSkillsSync cannot wait for them.",
    );
  }
  const text = optionsText(options);
  const { variables, ...connection } = answerValue<JudgedOptions>(
    withCore((exports) => exports.serverOptions(text)),
  );
  const client = await importClient();
  if (core.servers !== undefined) {
    throw unsupported("This session's servers are connected already: close() that first.");
  }
  const approve: SkillServerOptions["approve"] = (server, given) => options.approve(server, given);
  const connector = new ServerConnector(client, approve, connection);
  const environment = variables === undefined ? options.environment : valuesOf(variables);
  core.connect(connector, optionsText({ environment }));
  const close = async (): Promise<void> => {
    forget();
    if (core.servers === connector) core.disconnect();
    await connector.close();
  };
  const forget = core.core.whenDisposed(() => void close());
  return {
    get diagnostics() {
      return core.serverFindings();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The options as the core has judged them, with its defaults. */
interface JudgedOptions extends ConnectionOptions {
  /** Names of variables of this process, where names were given. */
  variables?: string[];
}

/** Those variables of this process that are set. */
function valuesOf(variables: readonly string[]): Record<string, string> {
  const own = globalThis.process?.env ?? {};
  const values = variables.map((name) => [name, own[name]] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
}

function unsupported(message: string): SkillError {
  return new SkillError({ code: "SOURCE_UNSUPPORTED", message });
}

/** What cannot be used, or is unknown, throws `SOURCE_UNSUPPORTED`, which names it. */
export interface CreateSkillServerOptions {
  /** What the server is called; `skillshelf` by default. */
  name?: string;
  /** Its version; that of this package by default. */
  version?: string;
  /**
   * Names and set of the tools. All of them by default, since clients see no index but what they ask
   * for. `directory` is off, since clients are elsewhere; `true` is refused.
   */
  tools?: ToolOptions;
  /** Whether prompts fill their argument into the body, as `arguments` of `expand`. */
  arguments?: boolean;
  /** Who may ask over HTTP, and how much. */
  http?: {
    /**
     * Names of hosts that requests may be addressed to, such as `skills.example`. By default those of
     * this machine, and the address that `listen` is told.
     */
    hosts?: readonly string[];
    /**
     * Names of the hosts whose pages may send requests, such as `app.example`; those of this machine
     * by default. Requests without an origin are not of pages.
     */
    origins?: readonly string[];
    /** Bytes of a request; 1 MiB by default. */
    maxBody?: number;
    /** Sessions at the same time; 1,000 by default. */
    maxSessions?: number;
    /** Milliseconds after which a session ends that nobody uses; ten minutes by default. */
    idleTimeout?: number;
  };
  /** Told what went wrong that is no client's mistake. Without it, one `console.warn`. */
  onError?(error: unknown): void;
}

/** A transport of the official server, such as its `StdioServerTransport`. */
export interface SkillServerTransport {
  /** Begins to take messages. */
  start(): Promise<void>;
  /** Ends the connection. */
  close(): Promise<void>;
}

/** A client that is connected. */
export interface SkillServerConnection {
  /** Resolves when the client has left, or the connection was closed. */
  readonly closed: Promise<void>;
  /** Ends the connection. */
  close(): Promise<void>;
}

/** What cannot be used, or is unknown, throws `SOURCE_UNSUPPORTED`, which names it. */
export interface ListenOptions {
  /** The address; `127.0.0.1` by default, which nobody but this machine reaches. */
  host?: string;
  /** 0, the default, is any that is free. */
  port?: number;
  /** The path of the URL; `/mcp` by default. */
  path?: string;
}

/** A place at which a server listens. */
export interface SkillListener extends AsyncDisposable {
  /** Where clients connect. */
  readonly url: string;
  /** Takes no more requests; what is being answered may end first. */
  close(): Promise<void>;
}

/** Skills, served to any number of clients. */
export interface SkillServer extends AsyncDisposable {
  /** Clients that are connected now. Requests of clients without a session are not counted. */
  readonly connections: number;
  /** Serves one client: over this process's standard input and output, or a transport. */
  connect(transport?: SkillServerTransport): Promise<SkillServerConnection>;
  /** Answers a request over streamable HTTP, in any runtime that has such requests. */
  fetch(request: Request): Promise<Response>;
  /** Listens with Node's own server. */
  listen(options?: ListenOptions): Promise<SkillListener>;
  /** Ends all connections. The catalog stays. */
  close(): Promise<void>;
}

/**
 * Serves the skills of a catalog over the Model Context Protocol: the skill tools, the skills
 * extension (SEP-2640) with the files as resources, and a prompt for each skill that a user may
 * invoke. What one client has loaded is its own. Clients are told when a refresh has changed
 * something, whoever refreshes: you, or `watch`.
 *
 * Needs the package `@modelcontextprotocol/server`.
 *
 * ```ts
 * const server = await createSkillServer(await loadSkills("./skills"));
 * await server.connect(); // over standard input and output; or:
 * const { url } = await server.listen({ port: 3000 });
 * ```
 */
export async function createSkillServer(
  catalog: Catalog | SyncCatalog,
  options: CreateSkillServerOptions = {},
): Promise<SkillServer> {
  return skillServer(catalog, options, importServer);
}
