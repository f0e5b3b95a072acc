/** Names in a column, each with a text beside it. */
import { columnsOf, fitted, padded } from "./columns.js";
import type { Format, Output } from "./screen.js";

/** No name takes more columns than this; longer ones are followed by their text anyway. */
const WIDEST_NAME = 32;
const BETWEEN = "  ";

/** A name and its text, as a terminal may be given them. */
export interface NamedRow {
  name: string;
  text: string;
  color: Format;
}

/** A line for each, cut to the terminal's width. */
export function namedRows(rows: readonly NamedRow[], out: Output, before = ""): string[] {
  const width = Math.min(WIDEST_NAME, Math.max(0, ...rows.map(({ name }) => columnsOf(name))));
  const room = out.width - before.length - BETWEEN.length;
  return rows.map(({ name, text, color }) => {
    const cut = padded(fitted(name, room), width);
    const rest = fitted(text, Math.max(1, room - columnsOf(cut)));
    return `${before}${out.paint(color, cut)}${BETWEEN}${rest}`;
  });
}
