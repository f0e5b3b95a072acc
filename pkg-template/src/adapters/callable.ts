/** What every adapter begins with: the tools of a catalog or a session, each with its call. */
import { SkillError } from "../errors.js";
import type {
  CallOptions,
  Catalog,
  Session,
  SkillTool,
  SyncCatalog,
  SyncSession,
  ToolOptions,
  ToolResult,
} from "../types.js";

/** What has tools. */
export type ToolSource = Catalog | SyncCatalog | Session | SyncSession;

/** A tool that no SDK has given its form yet. */
export interface CallableTool extends Pick<SkillTool, "name" | "description" | "inputSchema"> {
  /** Rejects only with `ABORTED`. */
  call(args: unknown, options?: CallOptions): Promise<ToolResult>;
}

/** The tools of a catalog or a session. */
export function callableTools(
  source: ToolSource,
  options: ToolOptions | undefined,
): CallableTool[] {
  if (typeof source?.tools !== "function") {
    throw new SkillError({
      code: "SOURCE_UNSUPPORTED",
      message:
        "skillTools takes a catalog or a session: pass what loadSkills has given (await it), or its session().",
    });
  }
  const tools = source.tools(options);
  const definitions: Iterable<Omit<SkillTool, "execute">> = tools;
  return Array.from(definitions, ({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
    call: async (args, given) => tools.call(name, args, given),
  }));
}

const CALLABLE = Symbol("skillshelf.callable");

/**
 * A tool in an SDK's form that remembers its call: where it is spread into another object too, and
 * nowhere in JSON.
 */
export function withCall<Tool extends object>(tool: Tool, callable: CallableTool): Tool {
  return Object.assign(tool, { [CALLABLE]: callable });
}

/** The tool that one in an SDK's form was made of; nothing for the tools of others. */
export function callableOf(tool: object): CallableTool | undefined {
  return (tool as { [CALLABLE]?: CallableTool })[CALLABLE];
}
