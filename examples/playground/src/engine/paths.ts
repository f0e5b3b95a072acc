// Paths of a host: names with `/` between them, `""` for its root.

/** The directory that a path is in. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** A path, and the directories that it is in, up to the root. */
export function withDirectories(path: string): string[] {
  const all = [path];
  for (let at = path; at !== ""; ) {
    at = parentOf(at);
    all.push(at);
  }
  return all;
}

export function joined(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}
