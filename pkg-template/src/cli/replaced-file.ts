/** Writing a file at once: whoever reads it meanwhile sees the old one or the new one, never half. */
import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Puts a file in the place of what is there, with these rights if they are given. */
export function replaceFile(file: string, content: string | Uint8Array, mode?: number): void {
  const next = `${file}.${process.pid}.new`;
  try {
    writeFileSync(next, content, { flag: "wx" });
    if (mode !== undefined) chmodSync(next, mode);
    renameSync(next, file);
  } finally {
    rmSync(next, { force: true });
  }
}
