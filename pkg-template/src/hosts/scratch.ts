/**
 * Reading into memory that is used again. A scan wants the beginnings of thousands of files and
 * copies each at once; an array for each would take a third as long as opening and reading it.
 */
import type { ByteRange, SyncOpenedFile } from "../types.js";

/** Names the method, which is not for people who use hosts. */
export const readScratch: unique symbol = Symbol("readScratch");

/** An open file of this package's own disk host. */
export interface ScratchFile {
  /** {@link SyncOpenedFile.read}, valid until the next call for any file. */
  [readScratch](range: ByteRange): Uint8Array;
}

export function isScratchFile(file: SyncOpenedFile): file is SyncOpenedFile & ScratchFile {
  return readScratch in file;
}
