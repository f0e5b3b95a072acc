/** Answers to one client, as the protocol has them. */
import type { CallToolResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import type { SkillSource } from "@modelcontextprotocol/server/ext/skills";
import { encoded } from "../../base64.js";
import { SkillError, toldToRemote } from "../../errors.js";
import { failedCall, uriOf } from "../../tools.js";
import type { ToolResult } from "../../types.js";
import type { ClientCalls } from "./client-calls.js";
import { TooMany } from "./limiter.js";
import type { ServerPackage } from "./peer.js";
import type { PublishedSkills, SkillFile } from "./published-skills.js";

/** What all clients have in common. */
export interface Served {
  sdk: ServerPackage;
  name: string;
  version: string;
  skills: PublishedSkills;
  /** Tells the developer of a failure that is nobody's mistake. */
  report(error: unknown): void;
}

/** Does the work of a request, once it may begin. */
export type Run = <T>(work: () => Promise<T>) => Promise<T>;

/** The server for one client, which is told the instructions if there are some. */
export function protocolServer(
  served: Served,
  calls: ClientCalls,
  run: Run,
  instructions: string,
): McpServer {
  const { sdk, skills, name, version } = served;
  const changes = { listChanged: true };
  const mcp = new sdk.server.McpServer(
    { name, version },
    {
      capabilities: { tools: changes, prompts: changes, resources: changes },
      ...(instructions !== "" && { instructions }),
    },
  );
  const { server } = mcp;
  const answer: Answer = (context, work) => answered(served, run, context, work);
  const source = sourceOf(skills, answer);
  const onWarning = ({ path, message }: Record<"path" | "message", string>): void =>
    served.report(new Error(`${path}: ${message}`));
  new sdk.skills.SkillsExtension({ source, onWarning }).attach(mcp);

  server.setRequestHandler("tools/list", (_, context) =>
    answer(context, () => ({ tools: calls.tools() })),
  );
  server.setRequestHandler("tools/call", ({ params }, context) =>
    answer(context, async () => {
      const { signal } = context.mcpReq;
      const args = params.arguments ?? {};
      const called = calls.call(params.name, args, signal);
      return callResult(await called.catch((error) => reportedCall(served, error)));
    }),
  );
  server.setRequestHandler("prompts/list", ({ params }, context) =>
    answer(context, () => skills.prompts(params?.cursor)),
  );
  server.setRequestHandler("prompts/get", ({ params }, context) =>
    answer(context, async () => {
      const { signal } = context.mcpReq;
      const extra = params.arguments?.arguments ?? "";
      const text = await calls.prompt(params.name, extra, signal);
      return { messages: [{ role: "user" as const, content: { type: "text" as const, text } }] };
    }),
  );
  server.setRequestHandler("resources/list", ({ params }, context) =>
    answer(context, () => skills.files(params?.cursor)),
  );
  server.setRequestHandler("resources/read", ({ params }, context) =>
    answer(context, async () => ({ contents: [contents(await found(sdk, skills, params.uri))] })),
  );
  return mcp;
}

type Answer = <T>(context: ServerContext, work: () => T | Promise<T>) => Promise<T>;

/** The skills, as the extension asks for them. */
function sourceOf(skills: PublishedSkills, answer: Answer): SkillSource {
  return {
    list: (params, context) => answer(context, () => skills.list(params)),
    get: (uri, context) => answer(context, () => skills.get(uri)),
    read: (uri, context) => answer(context, () => skills.read(uri)),
    readDirectory: (uri, params, context) =>
      answer(context, () => skills.readDirectory(uri, params)),
  };
}

/** A call that failed altogether, as its result. The developer is told, since the model can do nothing. */
function reportedCall({ report }: Served, error: unknown): ToolResult {
  const result = failedCall(error);
  report(error);
  return result;
}

/** What a request comes to; a failure in words that name nothing of this machine. */
async function answered<T>(
  served: Served,
  run: Run,
  context: ServerContext,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await run(async () => {
      // Who has given up while waiting is not answered any more.
      context.mcpReq.signal.throwIfAborted();
      return work();
    });
  } catch (error) {
    throw protocolError(served, error, context.mcpReq.signal.aborted);
  }
}

function protocolError({ sdk, report }: Served, error: unknown, isAborted: boolean): Error {
  const { ProtocolError, ProtocolErrorCode } = sdk.server;
  const { InternalError, InvalidParams } = ProtocolErrorCode;
  if (error instanceof ProtocolError) return error;
  if (error instanceof TooMany) {
    const message = "Too many requests at the same time: wait for the answers to some.";
    return new ProtocolError(InternalError, message);
  }
  if (isAborted) return new ProtocolError(InternalError, "The request was cancelled.");
  if (!SkillError.isInstance(error)) {
    report(error);
    return new ProtocolError(InternalError, "The server failed. Ask its operator.");
  }
  const { text, kind } = toldToRemote(error);
  if (kind !== "server") return new ProtocolError(InvalidParams, text);
  report(error);
  return new ProtocolError(InternalError, text);
}

/** A file, or the error for one that is not there. */
async function found(sdk: ServerPackage, skills: PublishedSkills, uri: string): Promise<SkillFile> {
  try {
    return await skills.read(uri);
  } catch (error) {
    if (!SkillError.isInstance(error)) throw error;
    const { text, kind } = toldToRemote(error);
    throw kind === "missing" ? new sdk.server.ResourceNotFoundError(uri, text) : error;
  }
}

function contents(file: SkillFile) {
  if ("text" in file) return file;
  const { bytes, ...facts } = file;
  return { ...facts, blob: encoded(bytes) };
}

/** The result of a tool: its text, and beside it what is not text. */
function callResult(result: ToolResult): CallToolResult {
  const { content: text, isError, bytes, mediaType } = result;
  const content: CallToolResult["content"] = [{ type: "text", text }];
  const uri = uriOf(result);
  if (bytes !== undefined && mediaType !== undefined) {
    const data = encoded(bytes);
    const kind = mediaType.split("/", 1)[0];
    if (kind === "image" || kind === "audio") {
      content.push({ type: kind, data, mimeType: mediaType });
    } else if (uri !== undefined) {
      content.push({ type: "resource", resource: { uri, mimeType: mediaType, blob: data } });
    }
  }
  return { content, ...(isError && { isError }) };
}
