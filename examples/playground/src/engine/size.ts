// How much a text is.

import { estimateTokens } from "skillshelf/slim";
import type { Size } from "./shapes.ts";

export function sizeOf(text: string): Size {
  let characters = 0;
  for (const _ of text) characters += 1;
  return { characters, tokens: estimateTokens(text) };
}
