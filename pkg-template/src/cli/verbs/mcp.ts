/** `skillshelf mcp` */

import { answerValue, optionsText } from "../../answers.js";
import { withCore } from "../../engine.js";
import { SkillError } from "../../errors.js";
import type { ListenAddress } from "../../mcp/serve/listener.js";
import type { ServerPackage } from "../../mcp/serve/peer.js";
import { skillServer } from "../../mcp/serve/skill-server.js";
import type { CreateSkillServerOptions, ListenOptions } from "../../mcp.js";
import { messageOf } from "../../message-of.js";
import type { Catalog } from "../../types.js";
import { DONE, UsageError } from "../exit.js";
import { findingLine, MOST_ERRORS, tellFindings } from "../findings.js";
import { type Screen, visibleLine } from "../screen.js";
import { serve } from "../serve.js";
import { loadShelf } from "../shelf.js";
import { type OptionSpecs, type OptionValues, ROOT_OPTIONS, type Verb, verb } from "../verb.js";

/**
 * Characters that are told while it serves the client that started it. Many read none of them, and a
 * full pipe would hold up the answers.
 */
const MOST_TOLD = 10_000;

/** The code of what MCP clients are not given in lists. */
const NOT_PUBLISHED = "not-published";

const OF_HTTP = {
  host: {
    type: "string",
    value: "ADDRESS",
    help: "The address to listen at; 127.0.0.1 by default, which only this machine reaches",
  },
  "allow-host": {
    type: "string",
    multiple: true,
    value: "NAME",
    help: "A name that requests may be addressed to, instead of this machine's; repeatable",
  },
  "allow-origin": {
    type: "string",
    multiple: true,
    value: "NAME",
    help: "A host whose pages may send requests, instead of this machine's; repeatable",
  },
} as const satisfies OptionSpecs;

const OPTIONS = {
  ...ROOT_OPTIONS,
  http: {
    type: "string",
    optional: /^\d+$/,
    value: "PORT",
    help: "Serve over HTTP, at this port or any that is free, and print the URL",
  },
  ...OF_HTTP,
  arguments: {
    type: "boolean",
    help: "Fill $ARGUMENTS and $1 to $9 in skills that a user invokes",
  },
} as const satisfies OptionSpecs;

export const mcp: Verb = verb({
  name: "mcp",
  operands: "[DIR…]",
  count: [0, Infinity],
  summary: "Serve the skills to clients of the Model Context Protocol",
  details: `Serves the skills below the folders over standard input and output, for a client that starts
this command, until that one leaves; with --http for any number of clients, until Ctrl+C.
Files may change meanwhile: clients are told.`,
  options: OPTIONS,
  async run({ options, operands, screen }) {
    const http = placeOf(options);
    if (http !== undefined) tellWhoIsAnswered(http, options["allow-host"], screen);
    const wanted = { roots: [...options.root, ...operands], trust: options.trust };
    const catalog = await loadShelf(wanted, screen);
    const tell = teller(screen, http === undefined ? MOST_TOLD : Infinity);
    const onError = (error: unknown): void => {
      tell(messageOf(error));
      mend(error, catalog);
    };
    const serving = { ...serverOptionsOf(options), onError };
    const names = { hosts: "--allow-host", origins: "--allow-origin" };
    const onListed = tellerOfUnlisted(catalog, tell, screen);
    const server = await skillServer(catalog, serving, importOfficialServer, { names, onListed });
    tellFindings(catalog, { ...wanted, most: MOST_ERRORS }, screen);
    await serve({
      catalog,
      server,
      http,
      watch: { onError, onChange: ({ summary }) => tell(summary) },
      signal: ended(),
      onOpen: (url) => {
        if (url !== undefined) screen.out.line(url);
      },
    });
    return DONE;
  },
});

type Options = OptionValues<typeof OPTIONS>;

/** Where it listens, if it is to. */
function placeOf({ http, host, ...names }: Options): ListenOptions | undefined {
  if (http !== undefined) {
    return { ...(http !== true && { port: Number(http) }), ...(host !== undefined && { host }) };
  }
  const given: Partial<Options> = { host, ...names };
  for (const name of Object.keys(OF_HTTP) as (keyof typeof OF_HTTP)[]) {
    if ((given[name]?.length ?? 0) > 0) throw new UsageError(`--${name} goes with --http.`);
  }
  return undefined;
}

/** Says that nobody else is answered, where the address alone looks as if everybody were. */
function tellWhoIsAnswered(http: ListenOptions, hosts: readonly string[], { err }: Screen): void {
  const text = optionsText(http);
  const { isWildcard } = answerValue<ListenAddress>(withCore((core) => core.listenOptions(text)));
  if (!isWildcard || hosts.length > 0) return;
  err.line(
    "Only requests to localhost are answered: add --allow-host NAME for other names of this machine.",
  );
}

/** Tells, once each, which skills a client was not given in a list. */
function tellerOfUnlisted(
  catalog: Catalog,
  tell: (text: string) => void,
  { err }: Screen,
): () => void {
  const told = new Set<string>();
  return () => {
    for (const finding of catalog.diagnostics) {
      if (finding.code !== NOT_PUBLISHED) continue;
      const line = findingLine(finding, err);
      if (!told.has(line)) tell(line);
      told.add(line);
    }
  };
}

function serverOptionsOf(options: Options): CreateSkillServerOptions {
  const { "allow-host": hosts, "allow-origin": origins } = options;
  return {
    arguments: options.arguments,
    http: { ...(hosts.length > 0 && { hosts }), ...(origins.length > 0 && { origins }) },
  };
}

/** Says what happens while it serves, each on a line, in so many characters at most. */
function teller({ err }: Screen, most: number): (text: string) => void {
  let left = most;
  return (text) => {
    if (left < 0) return;
    const line = visibleLine(text);
    left -= line.length;
    err.line(left < 0 ? "More is not told." : line);
  };
}

/** Gives the catalog back to a module that has failed and was started anew. */
function mend(error: unknown, catalog: Catalog): void {
  const isLost = SkillError.isInstance(error) && error.code === "INTERNAL";
  // What goes wrong with it is told to the next who asks.
  if (isLost) catalog.refresh().catch(() => {});
}

async function importOfficialServer(): Promise<ServerPackage> {
  const { officialServer } = await import("#official-server");
  return officialServer;
}

/** Aborted when the person, or the system, ends the command. Who asks twice does not wait. */
function ended(): AbortSignal {
  const end = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => end.abort());
  }
  return end.signal;
}
