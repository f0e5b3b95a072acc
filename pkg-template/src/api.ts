/** What every entry point offers, wherever the module comes from. */
export { allowedTools } from "./allowed-tools.js";
export {
  defineSkill,
  estimateTokens,
  mendSkill,
  parseSkill,
  stringifySkill,
  validateSkill,
} from "./define.js";
export { type ErrorFacts, SkillError } from "./errors.js";
export { memoryHost } from "./hosts/memory.js";
export { loadSkills, loadSkillsSync } from "./load.js";
export type * from "./types.js";
