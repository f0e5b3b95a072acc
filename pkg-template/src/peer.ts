/** Packages that an entry point needs, and that this package does not bring along. */
import { SkillError } from "./errors.js";

/**
 * The error for one that cannot be imported. The import stands in a `try` of its own: there bundlers
 * let it be absent.
 */
export function peerMissing(entry: string, name: string, cause: unknown): SkillError {
  const problem = `${entry} needs the package ${name}, which cannot be imported`;
  const message = `${problem}: npm install ${name}`;
  return new SkillError({ code: "PEER_MISSING", message }, { cause });
}
