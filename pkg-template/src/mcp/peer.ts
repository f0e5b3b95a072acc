/** The official client, which this package does not bring along. */
import { SkillError } from "../errors.js";

export type ClientPackage = typeof import("@modelcontextprotocol/client");
export type StdioPackage = typeof import("@modelcontextprotocol/client/stdio");

export async function importClient(): Promise<ClientPackage> {
  try {
    return await import("@modelcontextprotocol/client");
  } catch (cause) {
    throw new SkillError(
      {
        code: "PEER_MISSING",
        message:
          "skillshelf/mcp needs the package @modelcontextprotocol/client, which cannot be imported: " +
          "npm install @modelcontextprotocol/client",
      },
      { cause },
    );
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
