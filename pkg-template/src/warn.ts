/** A line on the console, for what no function of the developer is told. */

/** Tells of it, and with it of what it came from, which the console shows in its own way. */
export function warn(message: string, ...from: readonly unknown[]): void {
  console.warn(`skillshelf: ${printable(message)}`, ...from);
}

/** Text for a terminal, on one line: names of files and skills may hold what a terminal obeys. */
function printable(text: string): string {
  return text.replace(/\p{C}|\p{Zl}|\p{Zp}/gu, " ");
}
