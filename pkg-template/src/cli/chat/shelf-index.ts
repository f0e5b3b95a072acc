/** How much of the system prompt a chat's index of skills may be. */
import type { PromptOptions } from "../../types.js";

/** With more skills, descriptions are cut, then skills are found by a tool. */
export const INDEX: PromptOptions = { budget: { characters: 20_000 } };
