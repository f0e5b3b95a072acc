/** A client that stays. */
import type { McpServer } from "@modelcontextprotocol/server";

export interface Client {
  readonly mcp: McpServer;
  /** Forgets it. */
  end(): void;
}
