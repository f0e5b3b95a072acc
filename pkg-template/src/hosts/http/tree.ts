/** The skills of a host over HTTP as directories. */
import type { HostEntry } from "../../types.js";
import { failure } from "../arguments.js";

/** What stands at a path. */
export type Place<File> =
  | { kind: "directory"; entries: HostEntry[] }
  | { kind: "file"; file: File };

/** What stands at `path` among files, by their paths; nothing where nothing does. */
export function placeIn<File>(
  files: ReadonlyMap<string, File>,
  path: string,
): Place<File> | undefined {
  const file = files.get(path);
  if (file !== undefined) return { kind: "file", file };
  const start = path === "" ? "" : `${path}/`;
  const entries = new Map<string, HostEntry>();
  for (const each of files.keys()) {
    if (!each.startsWith(start)) continue;
    const rest = each.slice(start.length);
    const end = rest.indexOf("/");
    const name = end === -1 ? rest : rest.slice(0, end);
    entries.set(name, { name, kind: end === -1 ? "file" : "directory" });
  }
  if (entries.size === 0 && path !== "") return undefined;
  return { kind: "directory", entries: [...entries.values()] };
}

/** The error for a path where nothing is, or something of another kind. */
export function notThere(path: string, place: { kind: string } | undefined): Error {
  if (place === undefined) return failure("ENOENT", "no such file or directory", path);
  return place.kind === "file"
    ? failure("ENOTDIR", "not a directory", path)
    : failure("EISDIR", "a directory, not a file", path);
}
