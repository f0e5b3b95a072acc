/**
 * `skillshelf/openai-agents`: skills for the OpenAI Agents SDK, the package `@openai/agents`.
 *
 * @module
 */
import type { FunctionTool } from "@openai/agents";
import { plainText } from "./adapters/answer.js";
import { type CallableTool, callableTools, type ToolSource } from "./adapters/callable.js";
import { imageOf } from "./adapters/images.js";
import { isStrict } from "./adapters/strict.js";
import { peerMissing } from "./peer.js";
import type { JSONSchema, ToolOptions, ToolResult } from "./types.js";

export type { ToolSource };

/** What a tool came to: text, and an image where it is of one. */
export type SkillToolOutput =
  | string
  | (
      | { type: "text"; text: string }
      | { type: "image"; image: { data: string; mediaType: string } }
    )[];

/** The schemas of arguments, in the words of the SDK. */
export interface AgentSkillToolParameters {
  type: "object";
  properties: { [name: string]: JSONSchema };
  required: string[];
  additionalProperties: boolean;
}

/** A tool of an agent, whatever its context is: that is why it has not the hooks for one. */
export type AgentSkillTool = Omit<
  FunctionTool<unknown, AgentSkillToolParameters, SkillToolOutput>,
  | "customDataExtractor"
  | "inputGuardrails"
  | "outputGuardrails"
  | "errorFunction"
  | "timeoutErrorFunction"
>;

type Package = typeof import("@openai/agents");

/**
 * The tools of a catalog or a session as an agent takes them; the SDK runs them by itself. With a
 * session make them anew for each run: a skill may bring tools along.
 *
 * ```ts
 * const tools = await skillTools(catalog);
 * const agent = new Agent({ name: "Reviewer", instructions: catalog.prompt(), tools });
 * ```
 */
export async function skillTools(
  source: ToolSource,
  options?: ToolOptions,
): Promise<AgentSkillTool[]> {
  const tools = callableTools(source, options);
  const { tool } = await importPackage();
  return tools.map((callable) => agentTool(tool, callable));
}

/** What the SDK does with tools, it does only with those that it has made. */
async function importPackage(): Promise<Package> {
  try {
    return await import("@openai/agents");
  } catch (cause) {
    throw peerMissing("skillshelf/openai-agents", "@openai/agents", cause);
  }
}

function agentTool(
  tool: Package["tool"],
  { name, description, inputSchema, call }: CallableTool,
): AgentSkillTool {
  const { properties, required } = inputSchema;
  const execute = async (
    input: unknown,
    _context?: unknown,
    details?: { signal?: AbortSignal },
  ): Promise<SkillToolOutput> => outputOf(await call(input, { signal: details?.signal }));
  if (isStrict(inputSchema)) {
    const parameters = {
      type: "object",
      properties,
      required,
      additionalProperties: false,
    } as const;
    return tool({ name, description, parameters, strict: true, execute });
  }
  // A copy is no Standard Schema, which the SDK wants to be strict. The type of the last member is the
  // SDK's word for one that is not; it is sent as it is.
  const parameters = { ...inputSchema } as typeof inputSchema & { additionalProperties: true };
  return tool({ name, description, parameters, strict: false, execute });
}

/** There is no word for an error; one that is thrown would be told in the words of the SDK. */
function outputOf(result: ToolResult): SkillToolOutput {
  const image = imageOf(result);
  if (image === undefined) return plainText(result);
  const { mediaType, base64 } = image;
  return [
    { type: "text", text: result.content },
    { type: "image", image: { data: base64, mediaType } },
  ];
}
