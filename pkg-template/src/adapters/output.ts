/** What a tool came to, for SDKs that keep it as data beside what the model gets. */
import type { ToolResult } from "../types.js";
import { type Image, imageOf } from "./images.js";

/** What a tool came to: plain JSON, so that it can be stored with the messages of a user interface. */
export interface SkillToolOutput extends Omit<ToolResult, "bytes"> {
  /** Where it is of one, and images were asked for. */
  image?: Image;
}

/** The same as data, with its image where that is asked for. */
export function outputOf(result: ToolResult, images: boolean): SkillToolOutput {
  const { bytes: _, ...output } = result;
  const image = images ? imageOf(result) : undefined;
  return { ...output, ...(image && { image }) };
}
