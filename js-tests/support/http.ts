// Sites that serve skills, and what was asked of them.

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import type { Diagnostic, Host, HostEntry } from "skillshelf";
import { validSkill } from "./text.ts";

/** What a path answers: its body, or whatever a function does. */
export type Route = string | Uint8Array | ((ask: IncomingMessage, answer: ServerResponse) => void);

export interface Site {
  /** Without a slash at its end. */
  url: string;
  /** By path; those that are not here are 404. */
  routes: Record<string, Route>;
  /** The paths that were asked for. */
  asked: string[];
  /** The requests. */
  requests: IncomingMessage[];
  /** Ends it, as if the network were down. */
  close(): Promise<void>;
}

/** A site of its own port, until the test is over. */
export async function site(
  context: Pick<TestContext, "after">,
  routes: Record<string, Route> = {},
): Promise<Site> {
  const server = createServer((ask, answer) => {
    const path = ask.url ?? "";
    made.asked.push(path);
    made.requests.push(ask);
    const route = made.routes[path];
    if (route === undefined) {
      answer.statusCode = 404;
      answer.end("nothing here");
    } else if (typeof route === "function") {
      route(ask, answer);
    } else {
      answer.end(route);
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const made: Site = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    routes,
    asked: [],
    requests: [],
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  context.after(made.close);
  return made;
}

export const SECOND = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
export const INDEX = "/.well-known/agent-skills/index.json";
export const FIRST_INDEX = "/.well-known/skills/index.json";

export function digest(content: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

/** An entry of version 0.2.0, of a skill file. */
export function entry(name: string, content: string = validSkill(name)): Record<string, unknown> {
  const url = `${name}/SKILL.md`;
  return { name, type: "skill-md", description: "d", url, digest: digest(content) };
}

/** An index of version 0.2.0. */
export function index(...skills: unknown[]): string {
  return JSON.stringify({ $schema: SECOND, skills });
}

/** An index of version 0.1.0. */
export function firstIndex(skills: Record<string, string[]>): string {
  const entries = Object.entries(skills);
  return JSON.stringify({
    skills: entries.map(([name, files]) => ({ name, description: "d", files })),
  });
}

/** The routes of an index of version 0.2.0 of valid skills. */
export function published(...names: string[]): Record<string, Route> {
  const files = names.map((name) => [
    `/.well-known/agent-skills/${name}/SKILL.md`,
    validSkill(name),
  ]);
  return { [INDEX]: index(...names.map((name) => entry(name))), ...Object.fromEntries(files) };
}

/** Names of a directory, those of directories with a slash. */
export async function names(host: Host, directory = ""): Promise<string[]> {
  const entries: readonly HostEntry[] = await host.list(directory);
  return entries.map(({ name, kind }) => (kind === "directory" ? `${name}/` : name)).sort();
}

/** The text of a file. */
export async function textOf(host: Host, path: string): Promise<string> {
  return new TextDecoder().decode(await host.read(path));
}

/** What a host found: codes, each with the skill it is about. */
export function found(host: Host): string[] {
  return (host.diagnostics ?? []).map(({ code, skill }: Diagnostic) =>
    skill === undefined ? code : `${code} ${skill}`,
  );
}
