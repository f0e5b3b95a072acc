/**
 * `skillshelf/langchain`: skills for LangChain and LangGraph, with the package `@langchain/core`.
 *
 * @module
 */
import type { ToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { plainText } from "./adapters/answer.js";
import { type CallableTool, callableTools, type ToolSource } from "./adapters/callable.js";
import { imageOf } from "./adapters/images.js";
import { membersOf } from "./given.js";
import { peerMissing } from "./peer.js";
import type { ArgumentsSchema, JSONValue, ToolOptions, ToolResult } from "./types.js";

export type { ToolSource };

export interface LangChainToolOptions extends ToolOptions {
  /**
   * Whether results have images as content blocks, for models and providers that take them there; off by
   * default, since others refuse the request.
   */
  images?: boolean;
}

/** What a tool came to: text, and an image where it is of one. */
export type SkillToolContent =
  | string
  | ({ type: "text"; text: string } | { type: "image"; mimeType: string; data: string })[];

/** A structured tool, as `createAgent`, `ToolNode` and `bindTools` take it. */
export type StructuredSkillTool = StructuredToolInterface<
  ArgumentsSchema,
  Record<string, JSONValue>,
  SkillToolContent | ToolMessage
>;

type Package = Pick<typeof import("@langchain/core/messages"), "ToolMessage"> &
  Pick<typeof import("@langchain/core/tools"), "tool">;

/**
 * The tools of a catalog or a session as LangChain takes them; its agents and tool nodes run them by
 * themselves, and `tool.invoke(call)` makes a `ToolMessage` of a call. With a session make them anew for
 * each run: a skill may bring tools along.
 *
 * ```ts
 * const tools = await skillTools(catalog);
 * const agent = createAgent({ model, tools, systemPrompt: catalog.prompt() });
 * ```
 */
export async function skillTools(
  source: ToolSource,
  options: LangChainToolOptions = {},
): Promise<StructuredSkillTool[]> {
  const { images = false, ...toolOptions } = membersOf(options) ?? {};
  const tools = callableTools(source, toolOptions);
  const sdk = await importPackage();
  return tools.map((callable) => structuredTool(sdk, callable, images));
}

/** Callbacks, and with them traces, are told only of what its own tools do. */
async function importPackage(): Promise<Package> {
  try {
    const [messages, tools] = await Promise.all([
      import("@langchain/core/messages"),
      import("@langchain/core/tools"),
    ]);
    return { ToolMessage: messages.ToolMessage, tool: tools.tool };
  } catch (cause) {
    throw peerMissing("skillshelf/langchain", "@langchain/core", cause);
  }
}

function structuredTool(
  sdk: Package,
  { name, description, inputSchema, call }: CallableTool,
  images: boolean,
): StructuredSkillTool {
  const run = async (
    input: unknown,
    config: { signal?: AbortSignal; toolCall?: { id?: string } },
  ) => {
    const result = await call(input, { signal: config.signal });
    const id = config.toolCall?.id;
    if (!result.isError || id === undefined) return contentOf(result, images);
    const content = plainText(result);
    return new sdk.ToolMessage({ status: "error", content, tool_call_id: id, name });
  };
  // It judges arguments by their schema, and tells the model only that they do not fit. The core says
  // what is wrong, and takes what is close: so one tool is shown, and one that takes anything runs.
  const shown = sdk.tool(run, { name, description, schema: inputSchema });
  const judgedHere = sdk.tool(run, { name, description, schema: {} });
  return Object.assign(shown, { invoke: judgedHere.invoke.bind(judgedHere) });
}

function contentOf(result: ToolResult, images: boolean): SkillToolContent {
  const image = images ? imageOf(result) : undefined;
  if (image === undefined) return plainText(result);
  const { mediaType, base64 } = image;
  return [
    { type: "text", text: result.content },
    { type: "image", mimeType: mediaType, data: base64 },
  ];
}
