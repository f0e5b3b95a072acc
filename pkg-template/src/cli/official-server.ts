/**
 * The official server, for the command. It is bundled apart, with all that it needs, and read only by
 * who serves.
 *
 * @module
 */
import {
  createMcpHandler,
  isInitializeRequest,
  isJsonContentType,
  isLegacyRequest,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  readRequestBody,
  validateHostHeader,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { ServerPackage } from "../mcp/serve/peer.js";

export const officialServer: ServerPackage = {
  server: {
    createMcpHandler,
    isInitializeRequest,
    isJsonContentType,
    isLegacyRequest,
    McpServer,
    ProtocolError,
    ProtocolErrorCode,
    readRequestBody,
    ResourceNotFoundError,
    validateHostHeader,
    validateOriginHeader,
    WebStandardStreamableHTTPServerTransport,
  },
  skills: { SkillsExtension },
  stdio: async () => ({ serveStdio, StdioServerTransport }),
};
