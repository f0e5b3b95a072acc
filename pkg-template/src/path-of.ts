/** Paths as developers of Node give them. */
import { fileURLToPath } from "node:url";
import { givenText } from "./given.js";

/** The path that was given: as text, or as a `file:` URL. `taker` begins the error: what takes it. */
export function pathOf(given: string | URL, taker: string): string {
  if (typeof given === "string" && !/^file:/i.test(given)) return given;
  try {
    return fileURLToPath(given);
  } catch (cause) {
    const shown = shownOf(given);
    throw new TypeError(
      `${taker} the path of a directory or a file: URL; what it was given is ${shown}.`,
      { cause },
    );
  }
}

function shownOf(given: unknown): string {
  if (given === null) return "null";
  if (typeof given === "string") return JSON.stringify(given);
  return typeof given === "object" ? givenText(given) : typeof given;
}
