/** The difference of two texts, as people know it from version control. */

/** Lines around a change that are shown too. */
const CONTEXT = 2;
/** More lines than this between the first and the last change are told as one change. */
const MOST_COMPARED = 2000;

type Change = [sign: " " | "-" | "+", line: string, number: number];

/**
 * The changed lines with some around them. Ends of lines are not compared line by line: they differ
 * in all lines at once.
 */
export function difference(before: string, after: string): string[] {
  const changes = changesOf(linesOf(before), linesOf(after));
  const shown: string[] = [];
  let last = -1;
  for (const [index, [sign, line, number]] of changes.entries()) {
    if (!isNearChange(changes, index)) continue;
    if (index !== last + 1 || shown.length === 0) shown.push(`@@ line ${number} @@`);
    shown.push(`${sign}${line}`);
    last = index;
  }
  return shown;
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

function isNearChange(changes: readonly Change[], index: number): boolean {
  const near = changes.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  return near.some(([sign]) => sign !== " ");
}

function changesOf(before: readonly string[], after: readonly string[]): Change[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  const room = Math.min(before.length, after.length) - start;
  while (end < room && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = (lines: readonly string[], from: number): Change[] =>
    lines.map((line, index) => [" ", line, from + index + 1]);
  return [
    ...same(before.slice(0, start), 0),
    ...middle(
      before.slice(start, before.length - end),
      after.slice(start, after.length - end),
      start,
    ),
    ...same(before.slice(before.length - end), before.length - end),
  ];
}

/** The part in which the texts differ, by their longest common lines. */
function middle(before: readonly string[], after: readonly string[], from: number): Change[] {
  const common = before.length + after.length > MOST_COMPARED ? [] : table(before, after);
  const changes: Change[] = [];
  let [old, young] = [0, 0];
  while (old < before.length || young < after.length) {
    const [left, right] = [before[old], after[young]];
    const below = common[old + 1]?.[young] ?? 0;
    const beside = common[old]?.[young + 1] ?? 0;
    if (left !== undefined && left === right && common.length > 0) {
      changes.push([" ", left, from + old + 1]);
      old += 1;
      young += 1;
    } else if (left !== undefined && (right === undefined || below >= beside)) {
      changes.push(["-", left, from + old + 1]);
      old += 1;
    } else {
      changes.push(["+", right ?? "", from + old + 1]);
      young += 1;
    }
  }
  return changes;
}

/** How many lines the rests of both texts have in common, from each pair of lines on. */
function table(before: readonly string[], after: readonly string[]): number[][] {
  const rows = Array.from({ length: before.length + 1 }, () =>
    new Array<number>(after.length + 1).fill(0),
  );
  for (let old = before.length - 1; old >= 0; old -= 1) {
    for (let young = after.length - 1; young >= 0; young -= 1) {
      const [row, next] = [rows[old], rows[old + 1]];
      if (row === undefined || next === undefined) continue;
      row[young] =
        before[old] === after[young]
          ? (next[young + 1] ?? 0) + 1
          : Math.max(next[young] ?? 0, row[young + 1] ?? 0);
    }
  }
  return rows;
}
