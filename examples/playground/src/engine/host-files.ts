// The files of a host, and all of them in a zip.

import type { Host, SyncHost } from "skillshelf/slim";
import type { SkillFile } from "./shapes.ts";

type AnyHost = Host | SyncHost;

/** Directories with names such as these are never entered. */
const PASSED_OVER = /^(\.git|node_modules|\..*)$/;

/** The files below a directory, in the order of their paths; no more than `most`. */
export async function filesBelow(
  host: AnyHost,
  directory: string,
  most: number,
): Promise<SkillFile[]> {
  const found: SkillFile[] = [];
  const open = [directory];
  while (open.length > 0 && found.length < most) {
    const at = open.shift() ?? "";
    for (const { name, kind, size } of await host.list(at)) {
      const path = at === "" ? name : `${at}/${name}`;
      if (kind === "directory" && !PASSED_OVER.test(name)) open.push(path);
      if (kind === "file") found.push({ path, size: size ?? 0 });
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, most);
}

/** A zip of these files. */
export async function zipped(
  files: Iterable<{ path: string; content: () => Promise<Uint8Array> }>,
): Promise<Blob> {
  const { BlobWriter, configure, Uint8ArrayReader, ZipWriter } = await import("@zip.js/zip.js");
  // This is a worker already.
  configure({ useWebWorkers: false });
  const writer = new ZipWriter(new BlobWriter("application/zip"));
  for (const { path, content } of files) {
    await writer.add(path, new Uint8ArrayReader(await content()));
  }
  return writer.close();
}
