/** Texts on the lines and in the columns of a terminal, and how many of a thing there are. */

/** Characters that take two columns of a terminal. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** How many columns of a terminal a text takes. */
export function columnsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) columns += columnsOfGrapheme(segment);
  return columns;
}

function columnsOfGrapheme(grapheme: string): number {
  return WIDE.test(grapheme) || grapheme.includes("\ufe0f") ? 2 : 1;
}

/** Text cut to a number of columns, with `…` at its end where something is missing. */
export function fitted(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  let kept = "";
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) {
    columns += columnsOfGrapheme(segment);
    if (columns > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Text with blanks up to a number of columns. */
export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - columnsOf(text)));
}

/** Text in lines of at most `width` columns, broken between words. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && columnsOf(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

/** Text with one blank for each run of blanks and ends of lines, and none around it. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** A number of things: `1 file`, `2 files`. */
export function counted(count: number, thing: string): string {
  const number = String(count).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${number} ${thing}${count === 1 ? "" : "s"}`;
}
