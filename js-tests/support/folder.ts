// Folders on the disk that are gone when the tests of a file are over.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";

let scratch: string | undefined;
after(() => {
  if (scratch !== undefined) fs.rmSync(scratch, { recursive: true });
});

/** A fresh folder with these files in it; its path has no links. */
export function folder(files: Record<string, string | Uint8Array> = {}): string {
  if (scratch === undefined) {
    scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "skillshelf-test-")));
  }
  const root = fs.mkdtempSync(path.join(scratch, "f-"));
  for (const [name, content] of Object.entries(files)) write(root, name, content);
  return root;
}

export function write(root: string, name: string, content: string | Uint8Array): void {
  const file = path.join(root, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
}

/** A link `name` in `root` that says `target`. */
export function link(root: string, name: string, target: string): void {
  const file = path.join(root, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.symlinkSync(target, file);
}
