// A server over standard input and output with two tools, one of which takes no arguments.

import { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

const TOOLS = [
  { name: "now", description: "Says the time.", inputSchema: { type: "object" } },
  {
    name: "in",
    description: "Says the time in a place.",
    inputSchema: {
      type: "object",
      properties: { place: { type: "string", format: "uri" } },
      required: ["place"],
      additionalProperties: false,
    },
  },
];

const server = new Server({ name: "clock", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler("tools/list", () => ({ tools: TOOLS }));
server.setRequestHandler("tools/call", ({ params }) =>
  params.name === "now"
    ? { content: [{ type: "text", text: "noon" }] }
    : { content: [{ type: "text", text: "No such place." }], isError: true },
);
await server.connect(new StdioServerTransport());
