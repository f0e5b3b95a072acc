/**
 * `skillshelf/mcp`: the servers that skills bring with them in their `mcp.json`.
 *
 * @module
 */
import { optionsText } from "./answers.js";
import { SkillError } from "./errors.js";
import { ServerConnector } from "./mcp/connector.js";
import { importClient } from "./mcp/peer.js";
import { coreSessionOf } from "./session.js";
import type { Diagnostic, Session } from "./types.js";

/** A server that a skill wants to have started, or connected: what is asked the user. */
export type ServerApproval = {
  readonly skill: string;
  readonly version?: string;
  /** Its name in the skill's `mcp.json`. */
  readonly server: string;
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
   * each configuration, one at a time; `signal` is aborted when nobody waits any more.
   */
  approve(
    server: ServerApproval,
    options: { signal: AbortSignal | undefined },
  ): boolean | Promise<boolean>;
  /**
   * What references such as `${TOKEN}` in an `mcp.json` may stand for: values by name, or names of
   * this process's own variables. Nothing by default.
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
  const core = coreSessionOf(session);
  if (core === undefined) {
    throw unsupported(
      "Servers can only be connected to a session of a catalog from loadSkills: a session of loadSkillsSync cannot wait for them.",
    );
  }
  if (typeof options?.approve !== "function") {
    throw unsupported("The options cannot be used: approve must be a function.");
  }
  const client = await importClient();
  if (core.connector !== undefined) {
    throw unsupported("This session's servers are connected already: close() that first.");
  }
  const connector = new ServerConnector(client, options);
  const environment = environmentOf(options.environment);
  core.connect({ connector, options: optionsText({ environment }) });
  const close = async (): Promise<void> => {
    if (core.connector === connector) core.disconnect();
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

/** Values by name. Variables of this process are only looked up by the names that are given. */
function environmentOf(environment: SkillServerOptions["environment"]): unknown {
  if (!Array.isArray(environment)) return environment;
  const own = globalThis.process?.env ?? {};
  const values = environment.map((name: unknown) => [name, own[String(name)]] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function unsupported(message: string): SkillError {
  return new SkillError({ code: "SOURCE_UNSUPPORTED", message });
}
