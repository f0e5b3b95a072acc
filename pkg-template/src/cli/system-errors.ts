/** Errors of the system, in words that say what helps. */
import { shownPath } from "./paths.js";

const PROBLEMS: Record<string, string> = {
  ENOTDIR: "a part of this path is a file, not a folder; name another place",
  EEXIST: "there is something else of this name already; name another place",
  EISDIR: "it is a folder; name a file",
  ENOENT: "it is not there any more; try again",
  EACCES: "you may not do this here; change its permissions, or name another place",
  EPERM: "you may not do this here; change its permissions, or name another place",
  EROFS: "nothing can be written there; name another place",
  ENOSPC: "the disk is full; make room",
};

/** What is said of it; its own words where there are no better ones. */
export function systemErrorText({ code = "", path, message }: NodeJS.ErrnoException): string {
  const problem = PROBLEMS[code];
  if (problem === undefined || path === undefined) return message;
  return `${shownPath(path)}: ${problem} (${code}).`;
}
