// Skills that bring servers, and sessions that connect them.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { type Catalog, loadSkills, type Session, type ToolResult } from "skillshelf";
import {
  connectSkillServers,
  type ServerApproval,
  type SkillServerOptions,
  type SkillServers,
} from "skillshelf/mcp";
import { folder, write } from "./folder.ts";

const SERVER = fileURLToPath(new URL("mcp-server.mjs", import.meta.url));

/** The entry of a server that behaves so. */
export function program(behavior: string, ...args: string[]): Record<string, unknown> {
  return { command: process.execPath, args: [SERVER, behavior, ...args] };
}

/** A folder with a skill `s` that brings these servers. */
export function skillWith(servers: Record<string, unknown>, name = "s"): string {
  const root = folder();
  addSkill(root, name, servers);
  return root;
}

export function addSkill(root: string, name: string, servers: Record<string, unknown>): void {
  write(
    root,
    `${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo ${name}.\n`,
  );
  write(root, `${name}/mcp.json`, JSON.stringify({ mcpServers: servers }));
}

export interface Connected {
  root: string;
  catalog: Catalog;
  session: Session;
  servers: SkillServers;
  /** What was asked. */
  asked: ServerApproval[];
}

const open = new Set<SkillServers>();
after(async () => {
  await Promise.all([...open].map((servers) => servers.close()));
});

/** Connects the servers of a session; closed when the tests of a file are over. */
export async function connectedTo(
  session: Session,
  options: Partial<SkillServerOptions> = {},
): Promise<{ servers: SkillServers; asked: ServerApproval[] }> {
  const asked: ServerApproval[] = [];
  const approve = options.approve ?? (() => true);
  const servers = await connectSkillServers(session, {
    ...options,
    approve: (server, given) => {
      asked.push(server);
      return approve(server, given);
    },
  });
  open.add(servers);
  return { servers, asked };
}

/** A session on a folder, whose servers are connected. */
export async function connected(
  root: string,
  options: Partial<SkillServerOptions> = {},
): Promise<Connected> {
  const catalog = await loadSkills(root, { onDiagnostic: () => {} });
  const session = catalog.session();
  return { root, catalog, session, ...(await connectedTo(session, options)) };
}

/** The same with a skill `s` that brings these servers. */
export function connectedWith(
  servers: Record<string, unknown>,
  options: Partial<SkillServerOptions> = {},
): Promise<Connected> {
  return connected(skillWith(servers), options);
}

/** The names of the tools that came from servers. */
export function served(session: Session): string[] {
  const names = session.tools().map(({ name }) => name);
  return names.filter((name) => name.includes("__"));
}

/** What a tool answers that must not fail. */
export async function said(session: Session, tool: string, args: unknown = {}): Promise<string> {
  const result = await session.call(tool, args);
  assert.equal(result.isError, false, result.content);
  return result.content;
}

/** The failure of a server. */
export function assertFailed(result: ToolResult, expected: RegExp): void {
  assert.equal(result.code, "SERVER_FAILED", result.content);
  assert.equal(result.isError, true);
  assert.match(result.content, expected);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a program is gone. */
export async function isGone(pid: number): Promise<void> {
  for (let waited = 0; isAlive(pid); waited += 1) {
    assert.ok(waited < 500, `${pid} is still there`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A file in which servers leave their numbers. */
export function startLog(): { file: string; pids(): number[] } {
  const file = path.join(folder(), "starts");
  return {
    file,
    pids: () => {
      if (!fs.existsSync(file)) return [];
      return fs.readFileSync(file, "utf8").trim().split("\n").map(Number);
    },
  };
}
