const FENCE = /^---[ \t]*\r?$/;
const NAME_KEY = /^(["']?)name\1[ \t]*:/;

/**
 * The text of a skill file under another name, or undefined where it has no front matter.
 *
 * Only the lines of the `name` key change; a file without one gets it. So every copy differs from
 * every other in its text, and no library can answer from a cache by content.
 */
export function renamed(text, name) {
  const lines = text.split("\n");
  const opening = lines[0].replace(/^\uFEFF/, "");
  if (!FENCE.test(opening)) return undefined;
  const close = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  if (close < 0) return undefined;

  const line = `name: ${name}${opening.endsWith("\r") ? "\r" : ""}`;
  const at = lines.findIndex(
    (candidate, index) => index > 0 && index < close && NAME_KEY.test(candidate),
  );
  if (at < 0) {
    lines.splice(1, 0, line);
  } else {
    lines.splice(at, nameLines(lines, at, close), line);
  }
  return lines.join("\n");
}

/** The key's line and the indented ones after it, which continue its value. */
function nameLines(lines, at, close) {
  let end = at + 1;
  while (end < close && /^[ \t]+\S/.test(lines[end])) end += 1;
  return end - at;
}
