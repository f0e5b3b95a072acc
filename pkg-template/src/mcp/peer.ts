/** The official client, which this package does not bring along. */
import { importPeer } from "../peer.js";

export type ClientPackage = typeof import("@modelcontextprotocol/client");
export type StdioPackage = typeof import("@modelcontextprotocol/client/stdio");

export function importClient(): Promise<ClientPackage> {
  return importPeer("skillshelf/mcp", "@modelcontextprotocol/client", () => {
    return import("@modelcontextprotocol/client");
  });
}

/** What starts programs; nothing where there are none. */
export async function importStdio(): Promise<StdioPackage | undefined> {
  try {
    return await import("@modelcontextprotocol/client/stdio");
  } catch {
    return undefined;
  }
}
