/**
 * `skillshelf/anthropic`: skills for the Messages API of `@anthropic-ai/sdk`, and for its tool runner.
 *
 * @module
 */
import type Anthropic from "@anthropic-ai/sdk";
import { type AnsweredCalls, answerCalls, type CallForm, notAResponse } from "./adapters/answer.js";
import { callableTools, type ToolSource, withCall } from "./adapters/callable.js";
import { imageOf } from "./adapters/images.js";
import type { ArgumentsSchema, CallOptions, ToolOptions, ToolResult } from "./types.js";

export type { AnsweredCalls, ToolSource };

/** What a result says: text, and an image where it is of one. */
export type ResultContent = string | (Anthropic.TextBlockParam | Anthropic.ImageBlockParam)[];

/** A tool of the Messages API that the tool runner of the SDK can run as well. */
export interface RunnableSkillTool {
  name: string;
  description: string;
  input_schema: ArgumentsSchema;
  /** For the tool runner. What it throws is a result with `is_error` there. */
  run(
    input: unknown,
    context?: { signal?: AbortSignal | null | undefined },
  ): Promise<ResultContent>;
  /** For the tool runner. The core judges the input. */
  parse(input: unknown): unknown;
}

/** A call of a tool, in a message. */
export type ToolUse = Pick<Anthropic.ToolUseBlock, "type" | "id" | "name" | "input">;

/** A message of the user with the results of tool calls. */
export interface ToolResultMessage {
  role: "user";
  content: Anthropic.ToolResultBlockParam[];
}

/**
 * The tools of a catalog or a session as the Messages API takes them; `client.beta.messages.toolRunner`
 * takes them too. With a session make them anew for each request: a skill may bring tools along.
 *
 * ```ts
 * const tools = skillTools(catalog);
 * const message = await client.messages.create({ model, max_tokens, system: catalog.prompt(), tools, messages });
 * ```
 */
export function skillTools(source: ToolSource, options?: ToolOptions): RunnableSkillTool[] {
  return callableTools(source, options).map((tool) =>
    withCall(
      {
        name: tool.name,
        description: tool.description,
        input_schema: tool.inputSchema,
        run: async (input, context) => {
          const result = await tool.call(input, { signal: context?.signal ?? undefined });
          if (result.isError) throw new Error(result.content);
          return contentOf(result);
        },
        parse: (input) => input,
      },
      tool,
    ),
  );
}

/**
 * Carries out the calls of these tools in a message: `append` is the user's message with their
 * results, or empty; `others` are the calls of other tools.
 *
 * ```ts
 * messages.push({ role: "assistant", content: message.content });
 * const { append, others } = await answerToolCalls(tools, message);
 * messages.push(...append);
 * ```
 *
 * Results of other tools belong in the same message: `append[0].content` takes them.
 */
export async function answerToolCalls<Block extends { type: string }>(
  tools: Iterable<object>,
  message: { readonly content: readonly Block[] },
  options?: CallOptions,
): Promise<AnsweredCalls<ToolResultMessage, Block & ToolUse>> {
  const expected = "a message of the Messages API";
  const calls = (): (Block & ToolUse)[] => {
    if (!Array.isArray(message?.content)) throw notAResponse(expected);
    return message.content.filter(isToolUse);
  };
  const { append, others } = await answerCalls(tools, { calls, expected }, FORM, options);
  return { append: append.length === 0 ? [] : [{ role: "user", content: append }], others };
}

const FORM: CallForm<ToolUse, Anthropic.ToolResultBlockParam> = {
  read: ({ name, input }) => ({ name, args: input }),
  write: resultBlock,
};

function isToolUse<Block extends { type: string }>(block: Block): block is Block & ToolUse {
  return block.type === "tool_use";
}

function resultBlock({ id }: ToolUse, result: ToolResult): Anthropic.ToolResultBlockParam {
  return {
    type: "tool_result",
    tool_use_id: id,
    content: contentOf(result),
    ...(result.isError && { is_error: true }),
  };
}

function contentOf(result: ToolResult): ResultContent {
  const image = imageOf(result);
  if (image === undefined) return result.content;
  const { mediaType, base64 } = image;
  return [
    { type: "text", text: result.content },
    { type: "image", source: { type: "base64", media_type: mediaType, data: base64 } },
  ];
}
