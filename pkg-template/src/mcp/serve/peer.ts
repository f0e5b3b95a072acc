/** The official server, which this package does not bring along. */
import { peerMissing } from "../../peer.js";

/** What is used of it. */
export interface ServerPackage {
  server: typeof import("@modelcontextprotocol/server");
  skills: typeof import("@modelcontextprotocol/server/ext/skills");
}
export type StdioPackage = typeof import("@modelcontextprotocol/server/stdio");

const NAME = "@modelcontextprotocol/server";

export async function importServer(): Promise<ServerPackage> {
  try {
    const [server, skills] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("@modelcontextprotocol/server/ext/skills"),
    ]);
    return { server, skills };
  } catch (cause) {
    throw peerMissing("skillshelf/mcp", NAME, cause);
  }
}

export async function importStdio(): Promise<StdioPackage> {
  try {
    return await import("@modelcontextprotocol/server/stdio");
  } catch (cause) {
    throw peerMissing("skillshelf/mcp", NAME, cause);
  }
}
