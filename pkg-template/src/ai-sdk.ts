/**
 * `skillshelf/ai-sdk`: skills for the AI SDK, the package `ai`.
 *
 * @module
 */
import type { Tool } from "ai";
import { callableTools, type ToolSource } from "./adapters/callable.js";
import type { Image } from "./adapters/images.js";
import { outputOf, type SkillToolOutput } from "./adapters/output.js";
import { membersOf } from "./given.js";
import type { JSONValue, ToolOptions } from "./types.js";

export type { Image, SkillToolOutput, ToolSource };

export interface AISDKToolOptions extends ToolOptions {
  /**
   * Whether results have images as files, for models and providers that take them there; off by
   * default, since other providers write them out as text.
   */
  images?: boolean;
}

/** A set of tools by their names. */
export type SkillToolSet = Record<string, Tool<Record<string, JSONValue>, SkillToolOutput>>;

/**
 * The tools of a catalog or a session as the AI SDK takes them; it runs them by itself. With a session
 * make them anew for each call of `generateText` or `streamText`: a skill may bring tools along.
 *
 * ```ts
 * const { text } = await generateText({
 *   model,
 *   instructions: catalog.prompt(),
 *   tools: { ...skillTools(catalog), ...own },
 *   stopWhen: isStepCount(20),
 *   prompt,
 * });
 * ```
 */
export function skillTools(source: ToolSource, options: AISDKToolOptions = {}): SkillToolSet {
  const { images = false, ...toolOptions } = membersOf(options) ?? {};
  const tools = callableTools(source, toolOptions).map(
    ({ name, description, inputSchema, call }): [string, SkillToolSet[string]] => [
      name,
      {
        description,
        inputSchema,
        execute: async (input, { abortSignal }) =>
          outputOf(await call(input, { signal: abortSignal }), images),
        toModelOutput: ({ output }) => modelOutput(output),
      },
    ],
  );
  return Object.fromEntries(tools);
}

type ModelOutput = ReturnType<NonNullable<SkillToolSet[string]["toModelOutput"]>>;

/** A result that is an error is no thrown one: user interfaces would hide what it says. */
function modelOutput({ content, isError, image }: SkillToolOutput): ModelOutput {
  if (isError) return { type: "error-text", value: content };
  if (image === undefined) return { type: "text", value: content };
  const { mediaType, base64 } = image;
  return {
    type: "content",
    value: [
      { type: "text", text: content },
      { type: "file", mediaType, data: { type: "data", data: base64 } },
    ],
  };
}
