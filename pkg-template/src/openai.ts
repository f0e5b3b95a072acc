/**
 * `skillshelf/openai`: skills for the Responses and Chat Completions APIs of the package `openai`.
 *
 * @module
 */
import type OpenAI from "openai";
import {
  type AnsweredCalls,
  answerCalls,
  type CallForm,
  notAResponse,
  plainText,
} from "./adapters/answer.js";
import {
  type CallableTool,
  callableTools,
  type ToolSource,
  withCall,
} from "./adapters/callable.js";
import { imageOf } from "./adapters/images.js";
import { isStrict } from "./adapters/strict.js";
import { SkillError } from "./errors.js";
import { membersOf, reading } from "./given.js";
import type { ArgumentsSchema, CallOptions, ToolOptions, ToolResult } from "./types.js";

export type { AnsweredCalls, ToolSource };

export interface OpenAIToolOptions extends ToolOptions {
  /** Which API the tools are for: `responses` (the default), or `chat` for Chat Completions. */
  api?: "responses" | "chat";
}

/** A tool of the Responses API. */
export interface ResponsesSkillTool {
  type: "function";
  name: string;
  description: string;
  parameters: ArgumentsSchema;
  /** Not for a tool of a skill's server whose schema cannot be held to. */
  strict: boolean;
}

/** A tool of the Chat Completions API that `runTools` of the SDK can run as well. */
export interface ChatSkillTool {
  type: "function";
  function: {
    name: string;
    description: string;
    parameters: ArgumentsSchema;
    strict: boolean;
    /** For `runTools`. */
    function(args: string, runner?: { controller: AbortController }): Promise<string>;
  };
}

/** A call in the output of a response. */
export type FunctionCall = Pick<
  OpenAI.Responses.ResponseFunctionToolCall,
  "type" | "name" | "arguments" | "call_id"
>;

/** What the Chat Completions API answers, as far as it is read. */
export interface ChatResponse {
  readonly choices: readonly {
    readonly message: {
      readonly tool_calls?: readonly OpenAI.ChatCompletionMessageToolCall[] | null;
    };
  }[];
}

/**
 * The tools of a catalog or a session as the Responses API takes them, or with `api: "chat"` the Chat
 * Completions API. With a session make them anew for each request: a skill may bring tools along.
 *
 * ```ts
 * const tools = skillTools(catalog);
 * const response = await client.responses.create({ model, instructions: catalog.prompt(), tools, input });
 * ```
 */
export function skillTools(
  source: ToolSource,
  options: OpenAIToolOptions & { api: "chat" },
): ChatSkillTool[];
export function skillTools(
  source: ToolSource,
  options?: OpenAIToolOptions & { api?: "responses" },
): ResponsesSkillTool[];
export function skillTools(
  source: ToolSource,
  options: OpenAIToolOptions = {},
): ChatSkillTool[] | ResponsesSkillTool[] {
  const { api = "responses", ...toolOptions } = membersOf(options) ?? {};
  const tools = callableTools(source, toolOptions);
  switch (api) {
    case "responses":
      return tools.map((tool) => withCall({ type: "function", ...definition(tool) }, tool));
    case "chat":
      return tools.map((tool) => withCall({ type: "function", function: runnable(tool) }, tool));
    default:
      throw new SkillError({
        code: "SOURCE_UNSUPPORTED",
        message: 'The options cannot be used: api must be "responses" or "chat".',
      });
  }
}

function definition({
  name,
  description,
  inputSchema,
}: CallableTool): Omit<ResponsesSkillTool, "type"> {
  return { name, description, parameters: inputSchema, strict: isStrict(inputSchema) };
}

function runnable(tool: CallableTool): ChatSkillTool["function"] {
  return {
    ...definition(tool),
    function: async (args, runner) =>
      plainText(await tool.call(args, { signal: runner?.controller.signal })),
  };
}

/**
 * Carries out the calls of these tools in a response of either API: `append` are their outputs, or
 * messages of the role `tool`; `others` are the calls of other functions.
 *
 * ```ts
 * input.push(...response.output);
 * const { append, others } = await answerToolCalls(tools, response);
 * input.push(...append);
 * ```
 *
 * Of a streamed response give what the SDK has put together: `finalResponse()` of
 * `client.responses.stream`, `finalChatCompletion()` of `client.chat.completions.stream`.
 */
export function answerToolCalls(
  tools: Iterable<object>,
  completion: ChatResponse,
  options?: CallOptions,
): Promise<
  AnsweredCalls<OpenAI.ChatCompletionToolMessageParam, OpenAI.ChatCompletionMessageToolCall>
>;
export function answerToolCalls<Item extends { type: string }>(
  tools: Iterable<object>,
  response: { readonly output: readonly Item[] },
  options?: CallOptions,
): Promise<
  AnsweredCalls<OpenAI.Responses.ResponseInputItem.FunctionCallOutput, Item & FunctionCall>
>;
export async function answerToolCalls(
  tools: Iterable<object>,
  response: Partial<ChatResponse> & { readonly output?: readonly { type: string }[] },
  options?: CallOptions,
): Promise<AnsweredCalls<unknown, unknown>> {
  const expected = "a response of the Responses or the Chat Completions API";
  const { output, choices } = reading("The response", () => {
    const { output, choices } = response ?? {};
    return { output, choices };
  });
  if (Array.isArray(output)) {
    const calls = (): FunctionCall[] => output.filter(isFunctionCall);
    return answerCalls(tools, { calls, expected }, RESPONSES, options);
  }
  if (Array.isArray(choices)) {
    const calls = (): Iterable<OpenAI.ChatCompletionMessageToolCall> =>
      choices[0]?.message.tool_calls ?? [];
    return answerCalls(tools, { calls, expected }, CHAT, options);
  }
  throw notAResponse(expected);
}

const RESPONSES: CallForm<FunctionCall, OpenAI.Responses.ResponseInputItem.FunctionCallOutput> = {
  read: ({ name, arguments: args }) => ({ name, args }),
  write: ({ call_id }, result) => ({
    type: "function_call_output",
    call_id,
    output: outputOf(result),
  }),
};

const CHAT: CallForm<OpenAI.ChatCompletionMessageToolCall, OpenAI.ChatCompletionToolMessageParam> =
  {
    read: (call) =>
      "function" in call ? { name: call.function.name, args: call.function.arguments } : undefined,
    write: ({ id }, result) => ({ role: "tool", tool_call_id: id, content: plainText(result) }),
  };

function isFunctionCall<Item extends { type: string }>(item: Item): item is Item & FunctionCall {
  return item.type === "function_call";
}

/** What the output says: text, and an image where it is of one. There is no word for an error. */
function outputOf(
  result: ToolResult,
): OpenAI.Responses.ResponseInputItem.FunctionCallOutput["output"] {
  const image = imageOf(result);
  if (image === undefined) return plainText(result);
  const { mediaType, base64 } = image;
  return [
    { type: "input_text", text: result.content },
    { type: "input_image", detail: "auto", image_url: `data:${mediaType};base64,${base64}` },
  ];
}
