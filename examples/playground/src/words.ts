// What the page knows, in words: numbers, how far something is, and what went wrong.

import type { Progress } from "./engine/shapes.ts";

const numbers = new Intl.NumberFormat("en-US");

/** A number as people read it. */
export function number(value: number): string {
  return numbers.format(value);
}

/** A count and what is counted. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** How far something long is. */
export function wordsOn({ what, done, total }: Progress): string {
  if (what === "loading") return `Reading skills: ${number(done)} files …`;
  return `Measuring: ${number(done)} of ${number(total ?? done)} …`;
}

/** An error in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
