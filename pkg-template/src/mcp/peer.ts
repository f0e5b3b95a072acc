/** The official client, which this package does not bring along. */
import { peerMissing } from "../peer.js";

export type ClientPackage = typeof import("@modelcontextprotocol/client");
export type StdioPackage = typeof import("@modelcontextprotocol/client/stdio");

export async function importClient(): Promise<ClientPackage> {
  try {
    return await import("@modelcontextprotocol/client");
  } catch (cause) {
    throw peerMissing("skillshelf/mcp", "@modelcontextprotocol/client", cause);
  }
}

/** What starts programs; nothing where there are none. */
export async function importStdio(): Promise<StdioPackage | undefined> {
  try {
    return await import("@modelcontextprotocol/client/stdio");
  } catch {
    return undefined;
  }
}
