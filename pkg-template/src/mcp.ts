/**
 * `skillshelf/mcp`: the servers that skills bring with them in their `mcp.json`.
 *
 * @module
 */
import { answerValue, optionsText } from "./answers.js";
import { withCore } from "./engine.js";
import { SkillError } from "./errors.js";
import type { ConnectionOptions } from "./mcp/connection.js";
import { ServerConnector } from "./mcp/connector.js";
import { importClient } from "./mcp/peer.js";
import { AsyncSession } from "./session.js";
import type { Diagnostic, Session } from "./types.js";

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

export interface SkillServerOptions {
  /**
   * Whether exactly this server may be started or connected: only `true` is a yes. Asked once for
   * each configuration, one at a time; `signal` is aborted when nobody waits any more, or by `close`.
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
  /** Ends all of them; done when their programs are gone. */
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
  // The core cannot tell a function from an object.
  if (typeof options.approve !== "function") {
    throw unsupported("The options cannot be used: approve must be a function.");
  }
  const client = await importClient();
  if (core.servers !== undefined) {
    throw unsupported("This session's servers are connected already: close() that first.");
  }
  const approve: SkillServerOptions["approve"] = (server, given) => options.approve(server, given);
  const connector = new ServerConnector(client, approve, connection);
  const environment = variables === undefined ? options.environment : valuesOf(variables);
  core.connect(connector, optionsText({ environment }));
  const close = async (): Promise<void> => {
    if (core.servers === connector) core.disconnect();
    await connector.close();
  };
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
