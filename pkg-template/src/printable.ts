/** Text for a terminal, on one line: names of files and skills may hold what a terminal obeys. */
export function printable(text: string): string {
  return text.replace(/\p{C}|\p{Zl}|\p{Zp}/gu, " ");
}
