/** Packages that an entry point needs, and that this package does not bring along. */
import { SkillError } from "./errors.js";

/** Imports one; where it cannot be, the error names it and the command that installs it. */
export async function importPeer<T>(
  entry: string,
  name: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const message =
      `${entry} needs the package ${name}, which cannot be imported: ` + `npm install ${name}`;
    throw new SkillError({ code: "PEER_MISSING", message }, { cause });
  }
}
