// Files in a zip.

/** Makes a zip of files, one after the other. */
export async function zipped(
  paths: Iterable<string>,
  read: (path: string) => Promise<Uint8Array>,
): Promise<Blob> {
  const { BlobWriter, configure, Uint8ArrayReader, ZipWriter } = await import("@zip.js/zip.js");
  // This is a worker already.
  configure({ useWebWorkers: false });
  const writer = new ZipWriter(new BlobWriter("application/zip"));
  for (const path of paths) await writer.add(path, new Uint8ArrayReader(await read(path)));
  return writer.close();
}
