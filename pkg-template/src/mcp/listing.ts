/** The tools that a server lists. */
import type { Client } from "@modelcontextprotocol/client";
import { ServerFailure } from "./failure.js";
import { plain } from "./plain.js";

/** How much is read of what a server sends: the core has the bounds. */
export interface ServerBounds {
  /** Bytes of one message, and of one answer over HTTP. */
  message: number;
  /** Messages that are no answers, one after the other. */
  messages: number;
  /** Levels of an answer. */
  levels: number;
  /** Bytes of the definitions of tools. */
  list: number;
  pages: number;
  tools: number;
}

/** Takes what a server sends as it is: the core judges it. */
export const ANYTHING = {
  "~standard": {
    version: 1,
    vendor: "skillshelf",
    validate: (value: unknown): { value: unknown } => ({ value }),
  },
} as const;

/** The definitions of a server's tools, each as JSON text. */
export async function listTools(
  client: Client,
  bounds: ServerBounds,
  timeout: number,
): Promise<string[]> {
  const tools: string[] = [];
  let size = 0;
  let cursor: string | undefined;
  for (let page = 0; page < bounds.pages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const request = { method: "tools/list", params } as const;
    const listed = (await client.request(request, ANYTHING, { timeout })) as {
      tools?: unknown;
      nextCursor?: unknown;
    } | null;
    for (const tool of Array.isArray(listed?.tools) ? listed.tools : []) {
      const { value, isMended } = plain(tool, bounds.levels);
      // With other names in it, it would be another tool: none that can be read.
      const text = isMended ? "" : JSON.stringify(value);
      size += text.length;
      if (size > bounds.list) throw new ServerFailure("flood");
      tools.push(text);
      if (tools.length === bounds.tools) return tools;
    }
    const next = listed?.nextCursor;
    if (typeof next !== "string" || next === "") return tools;
    cursor = next;
  }
  throw new ServerFailure("flood");
}
