/** Lines of a table with a title; the first column to the left, the others to the right. */
export function table({ title, columns, rows, notes = [] }) {
  const cells = [columns, ...rows.map((row) => columns.map((_, column) => row[column] ?? ""))];
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const line = (row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]),
      )
      .join("  ")
      .trimEnd();
  return [
    "",
    title,
    line(columns),
    widths.map((width) => "-".repeat(width)).join("  "),
    ...cells.slice(1).map(line),
    ...notes.map((note) => `  ${note}`),
  ].join("\n");
}

/** One note for each subject that could not be measured. */
export function failures(outcomes) {
  return [...outcomes]
    .filter(([, { error }]) => error !== undefined)
    .map(
      ([name, { error, samples }]) => `FAILED after ${samples.length} rounds: ${name}: ${error}`,
    );
}

export function milliseconds(value) {
  return `${digits(value)} ms`;
}

export function microseconds(value) {
  return `${digits(value)} µs`;
}

export function times(value) {
  return `${value.toFixed(2)} ×`;
}

/** `1.20 × (1.10–1.31)` */
export function ratioWithRange(ratio) {
  return `${times(ratio.median)} (${ratio.least.toFixed(2)}–${ratio.greatest.toFixed(2)})`;
}

/** `12.1–14.0` */
export function range({ least, greatest }) {
  return `${digits(least)}–${digits(greatest)}`;
}

/** With a separator for thousands. */
export function integer(value) {
  return Math.round(value).toLocaleString("en-US");
}

/** With as many digits as mean something. */
export function digits(value) {
  if (value >= 100) return integer(value);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
