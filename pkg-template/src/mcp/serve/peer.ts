/** The official server, which this package does not bring along. */
import { peerMissing } from "../../peer.js";

type Server = typeof import("@modelcontextprotocol/server");
type Skills = typeof import("@modelcontextprotocol/server/ext/skills");
type Stdio = typeof import("@modelcontextprotocol/server/stdio");

/** What is used of it; the command has this inside. */
export interface ServerPackage {
  server: Pick<
    Server,
    | "createMcpHandler"
    | "isInitializeRequest"
    | "isJsonContentType"
    | "isLegacyRequest"
    | "McpServer"
    | "ProtocolError"
    | "ProtocolErrorCode"
    | "readRequestBody"
    | "ResourceNotFoundError"
    | "validateHostHeader"
    | "validateOriginHeader"
    | "WebStandardStreamableHTTPServerTransport"
  >;
  skills: Pick<Skills, "SkillsExtension">;
  /** What only those need who serve over standard input and output. */
  stdio(): Promise<Pick<Stdio, "serveStdio" | "StdioServerTransport">>;
}

const NAME = "@modelcontextprotocol/server";

export async function importServer(): Promise<ServerPackage> {
  try {
    const [server, skills] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("@modelcontextprotocol/server/ext/skills"),
    ]);
    return { server, skills, stdio: importStdio };
  } catch (cause) {
    throw peerMissing("skillshelf/mcp", NAME, cause);
  }
}

async function importStdio(): Promise<Stdio> {
  try {
    return await import("@modelcontextprotocol/server/stdio");
  } catch (cause) {
    throw peerMissing("skillshelf/mcp", NAME, cause);
  }
}
