// Paths of a host: names with `/` between them, `""` for its root.

/** The directory that a path is in. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Whether a path is in a directory, at any depth. */
export function isBelow(path: string, directory: string): boolean {
  return directory === "" || path.startsWith(`${directory}/`);
}

export function joined(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}
