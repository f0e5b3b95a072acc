/** What a budget keeps from an index. */
import type { IndexReport } from "../types.js";
import { counted } from "./columns.js";

/** In words; nothing where all of every skill is shown, or nothing fits. */
export function leftOutOf({ form, total, listed, shortened }: IndexReport): string | undefined {
  if (form === "full" || form === "none") return undefined;
  const cut = `${shortened.length} without all of their description`;
  return `Named: ${listed} of ${counted(total, "skill")}, ${cut} (${form}).`;
}
