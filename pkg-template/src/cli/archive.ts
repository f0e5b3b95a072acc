/**
 * A skill as a `.tar.gz` whose bytes depend on nothing but its files: not on when, where or by whom it
 * is made. Node's own zlib compresses differently from one version and processor to the next.
 */
import { gzipSync } from "fflate";
import { packTar } from "modern-tar";

/** What the header of a gzip file has for a system that is not told. */
const SYSTEM_BYTE = 9;
const UNKNOWN_SYSTEM = 255;

const HASHBANG = [0x23, 0x21] as const;

/** Packs files, sorted by their paths. */
export async function packed(
  files: readonly [path: string, bytes: Uint8Array][],
): Promise<Uint8Array> {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  const tar = await packTar(
    sorted.map(([name, body]) => ({
      header: {
        name,
        size: body.length,
        type: "file" as const,
        // What a script is does not depend on the disk that it is on.
        mode: isScript(body) ? 0o755 : 0o644,
        mtime: new Date(0),
        uid: 0,
        gid: 0,
        uname: "",
        gname: "",
      },
      body,
    })),
  );
  const gzip = gzipSync(tar, { level: 9, mtime: 0 });
  gzip[SYSTEM_BYTE] = UNKNOWN_SYSTEM;
  return gzip;
}

function isScript(bytes: Uint8Array): boolean {
  return bytes[0] === HASHBANG[0] && bytes[1] === HASHBANG[1];
}
