/** What tells one state of a browser's file from another. */
import { digest } from "../digest.js";
import type { WebFile } from "./file-tree.js";

/**
 * By size and time; times are whole milliseconds, in which a program can edit a file twice, so the
 * content of a file that has just been edited counts too. It goes on counting until the next edit:
 * a version stays while its file does, however long ago the edit is by then.
 */
export class FileVersions {
  /** Of files whose content counts, by their paths. */
  readonly #compared = new Map<string, Compared>();

  async of(path: string, file: WebFile): Promise<string> {
    const stamp = `${file.size}-${file.lastModified}`;
    if (file.size > LARGEST_COMPARED) return stamp;
    const isRecent = Date.now() - file.lastModified < RECENT;
    const known = this.#compared.get(path);
    if (known?.stamp !== stamp && !isRecent) {
      this.#compared.delete(path);
      return stamp;
    }
    if (known?.stamp === stamp && known.isFinal) return known.version;
    const version = `${stamp}-${digest(new Uint8Array(await file.arrayBuffer()))}`;
    this.#compared.set(path, { stamp, version, isFinal: !isRecent });
    return version;
  }
}

interface Compared {
  readonly stamp: string;
  readonly version: string;
  /** Read when no further edit could have had the same time. */
  readonly isFinal: boolean;
}

/** Milliseconds. */
const RECENT = 2000;
/** Of larger files no version is asked for often, and none is a skill file. */
const LARGEST_COMPARED = 1_048_576;
