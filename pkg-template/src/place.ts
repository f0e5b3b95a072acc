/** Directories of hosts, as the core takes them. */
import { type AnyHost, hostFacts } from "./hosts.js";

/** Where a directory is on its host, and what it is called. */
export interface Place {
  path: string;
  /** What stands before the host's paths wherever they are shown. */
  prefix: string;
  label: string;
}

/** JSON text of a directory. Without a host it can only be shown. */
export function placeText(host: AnyHost | undefined, place: Place): string {
  return JSON.stringify({ ...(host && hostFacts(host)), ...place });
}

/** What stands before paths of a directory of the disk wherever they are shown. */
export function prefixOf(directory: string): string {
  const trimmed = directory.replace(/(?<=.)[/\\]+$/, "");
  return trimmed === "." ? "" : trimmed;
}

export function trimSlashes(path: string): string {
  return path.replace(/^(?:\.?\/+)+|\/+$/g, "").replace(/^\.$/, "");
}
