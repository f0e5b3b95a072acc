/**
 * `skillshelf/google`: skills for the Gemini models, with the package `@google/genai`.
 *
 * @module
 */
import type { FunctionCall, FunctionResponse, Part } from "@google/genai";
import { type AnsweredCalls, answerCalls, notAResponse } from "./adapters/answer.js";
import { callableTools, type ToolSource, withCall } from "./adapters/callable.js";
import { imageOf } from "./adapters/images.js";
import { membersOf } from "./given.js";
import type { ArgumentsSchema, CallOptions, ToolOptions, ToolResult } from "./types.js";

export type { AnsweredCalls, ToolSource };

/** The declaration of a function, for `functionDeclarations` of a tool. */
export interface SkillFunctionDeclaration {
  name: string;
  description: string;
  parametersJsonSchema: ArgumentsSchema;
}

export interface GoogleCallOptions extends CallOptions {
  /**
   * Whether results have images as parts, for models that take them there; off by default, since
   * others refuse the request.
   */
  images?: boolean;
}

/** What a model answers, as far as it is read. */
export interface GoogleResponse {
  /** There are none where the prompt was blocked. */
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly Part[] } }[];
  /** What the SDK gives has it always. */
  readonly functionCalls?: readonly FunctionCall[] | undefined;
}

/** A content of the user with the results of function calls. */
export interface FunctionResponseContent {
  role: "user";
  parts: { functionResponse: FunctionResponse }[];
}

/**
 * The tools of a catalog or a session as function declarations: one tool takes them all, your own
 * beside them. With a session make them anew for each request: a skill may bring tools along.
 *
 * ```ts
 * const functions = skillTools(catalog);
 * const config = { systemInstruction: catalog.prompt(), tools: [{ functionDeclarations: functions }] };
 * const response = await client.models.generateContent({ model, contents, config });
 * ```
 */
export function skillTools(source: ToolSource, options?: ToolOptions): SkillFunctionDeclaration[] {
  return callableTools(source, options).map((tool) => {
    const { name, description, inputSchema } = tool;
    return withCall({ name, description, parametersJsonSchema: inputSchema }, tool);
  });
}

/**
 * Carries out the calls of these functions in a response: `append` is the user's content with their
 * results, or empty; `others` are the calls of other functions.
 *
 * ```ts
 * contents.push(response.candidates[0].content);
 * const { append, others } = await answerToolCalls(functions, response);
 * contents.push(...append);
 * ```
 *
 * Results of other functions belong in the same content: `append[0].parts` takes them. Of a streamed
 * response give the parts of all its chunks: `{ candidates: [{ content: { role: "model", parts } }] }`.
 */
export async function answerToolCalls(
  tools: Iterable<object>,
  response: GoogleResponse,
  options: GoogleCallOptions = {},
): Promise<AnsweredCalls<FunctionResponseContent, FunctionCall>> {
  const { images = false, ...callOptions } = membersOf(options) ?? {};
  const form = {
    read: readCall,
    write: (call: FunctionCall, result: ToolResult) => responsePart(call, result, images),
  };
  const found = { calls: () => callsOf(response), expected: EXPECTED };
  const { append, others } = await answerCalls(tools, found, form, callOptions);
  return { append: append.length === 0 ? [] : [{ role: "user", parts: append }], others };
}

const EXPECTED = "a response of generateContent";

function callsOf(response: GoogleResponse): FunctionCall[] {
  const { candidates } = response ?? {};
  if (Array.isArray(candidates)) {
    const parts: readonly Part[] = candidates[0]?.content?.parts ?? [];
    return parts.flatMap(({ functionCall }) => functionCall ?? []);
  }
  if ("functionCalls" in Object(response)) return [];
  throw notAResponse(EXPECTED);
}

/** A call without arguments may have no `args`. */
function readCall({ name, args = {} }: FunctionCall): { name: string; args: unknown } | undefined {
  return name === undefined ? undefined : { name, args };
}

function responsePart(
  { id, name }: FunctionCall,
  result: ToolResult,
  images: boolean,
): FunctionResponseContent["parts"][number] {
  const { content, isError } = result;
  const image = images ? imageOf(result) : undefined;
  // GIF is no type that the models take.
  const isTaken = image !== undefined && image.mediaType !== "image/gif";
  return {
    functionResponse: {
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
      response: isError ? { error: content } : { output: content },
      ...(isTaken && {
        parts: [{ inlineData: { mimeType: image.mediaType, data: image.base64 } }],
      }),
    },
  };
}
