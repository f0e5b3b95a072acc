/**
 * `skillshelf/mastra`: skills for Mastra, the package `@mastra/core`.
 *
 * @module
 */
import type { Tool } from "@mastra/core/tools";
import { type CallableTool, callableTools, type ToolSource } from "./adapters/callable.js";
import type { Image } from "./adapters/images.js";
import { outputOf, type SkillToolOutput } from "./adapters/output.js";
import { membersOf } from "./given.js";
import { peerMissing } from "./peer.js";
import type { JSONValue, StandardSchema, ToolOptions } from "./types.js";

export type { Image, SkillToolOutput, ToolSource };

export interface MastraToolOptions extends ToolOptions {
  /**
   * Whether results have images, for models and providers that take them there; off by default, since
   * others write them out as text.
   */
  images?: boolean;
}

/** A set of tools by their names. */
export type SkillToolSet = Record<string, Tool<Record<string, JSONValue>, SkillToolOutput>>;

type Package = Pick<typeof import("@mastra/core/tools"), "Tool">;

/**
 * The tools of a catalog or a session as an agent takes them; Mastra runs them by itself. With a session
 * give the agent a function, so that they are made anew for each run: a skill may bring tools along.
 *
 * ```ts
 * const agent = new Agent({
 *   id: "reviewer",
 *   name: "Reviewer",
 *   instructions: catalog.prompt(),
 *   model: "anthropic/claude-sonnet-5-5",
 *   tools: await skillTools(catalog),
 * });
 * ```
 */
export async function skillTools(
  source: ToolSource,
  options: MastraToolOptions = {},
): Promise<SkillToolSet> {
  const { images = false, ...toolOptions } = membersOf(options) ?? {};
  const tools = callableTools(source, toolOptions);
  const sdk = await importPackage();
  return Object.fromEntries(tools.map((tool) => [tool.name, mastraTool(sdk, tool, images)]));
}

/** What it has not made itself, Mastra takes for a tool of the AI SDK. */
async function importPackage(): Promise<Package> {
  try {
    return await import("@mastra/core/tools");
  } catch (cause) {
    throw peerMissing("skillshelf/mastra", "@mastra/core", cause);
  }
}

function mastraTool(
  { Tool }: Package,
  { name, description, inputSchema, call }: CallableTool,
  images: boolean,
): SkillToolSet[string] {
  return new Tool<Record<string, JSONValue>, SkillToolOutput>({
    id: name,
    description,
    inputSchema: unshared(inputSchema),
    execute: async (input, { abortSignal }) =>
      outputOf(await call(input, { signal: abortSignal }), images),
    toModelOutput: modelOutput,
  });
}

/** A schema that gives copies of itself: Mastra adapts what it gets to the model, in its place. */
function unshared(schema: CallableTool["inputSchema"]): StandardSchema {
  const copy = () => structuredClone(schema);
  const jsonSchema = { input: copy, output: copy };
  return { "~standard": { ...schema["~standard"], jsonSchema } };
}

/** What Mastra itself says of arguments that the schema does not take. */
interface ValidationError {
  error: true;
  message: string;
}

function modelOutput(output: SkillToolOutput | ValidationError): unknown {
  if ("error" in output) return { type: "error-text", value: output.message };
  const { content, isError, image } = output;
  if (isError) return { type: "error-text", value: content };
  if (image === undefined) return { type: "text", value: content };
  const { mediaType, base64 } = image;
  return {
    type: "content",
    value: [
      { type: "text", text: content },
      { type: "media", mediaType, data: base64 },
    ],
  };
}
