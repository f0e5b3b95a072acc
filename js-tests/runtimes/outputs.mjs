// What a runtime hands back: everything that the programs come to, as JSON text.

import { awkward, pieces } from "./programs.mjs";

/** `trees` is the JSON text of trees of files: their bytes, in base64, by path. */
export async function outputsOf(library, trees) {
  const files = JSON.parse(trees).map(decoded);
  return JSON.stringify({
    awkward: await awkward(library),
    pieces: await pieces(library, files),
  });
}

function decoded(tree) {
  const entries = Object.entries(tree).map(([path, base64]) => [path, bytesOf(base64)]);
  return Object.fromEntries(entries);
}

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
}
