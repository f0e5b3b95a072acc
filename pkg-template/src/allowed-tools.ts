/** What the skills of a conversation ask to be allowed. */
import { withCore } from "./engine.js";
import { SkillError } from "./errors.js";
import { coreSessionOf } from "./session.js";
import type { Session, SyncSession } from "./types.js";

/**
 * All tools that the `allowed-tools` of the loaded skills name, sorted, each once, as they are written:
 * `Bash(git add:*)` too. They are what the files said when the skills were loaded. What was unloaded,
 * dropped (`compact`, `forget`) or is left out by `only` adds nothing.
 *
 * Nothing in this package goes by it: a skill that asks for a tool has not been granted it. Whether one
 * of your tools may run without asking the user is for you to say, and whoever wrote the skill wrote
 * this list.
 */
export function allowedTools(session: Session | SyncSession): string[] {
  const core = coreSessionOf(session);
  if (core === undefined) {
    throw new SkillError({
      code: "SOURCE_UNSUPPORTED",
      message: "allowedTools takes a session: what catalog.session() gives.",
    });
  }
  const handle = core.current();
  return JSON.parse(withCore(() => handle.allowedTools())) as string[];
}
