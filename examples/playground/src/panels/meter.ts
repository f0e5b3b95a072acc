// What skills cost: always, when one is used, and if all of them were in every request.

import type { IndexReport } from "skillshelf/slim";
import type { App } from "../app.ts";
import { byId, fill, h } from "../dom.ts";
import type { Row, Size } from "../engine/shapes.ts";
import type { State } from "../store.ts";
import { counted, number } from "../words.ts";

const NOTHING: Size = { characters: 0, tokens: 0 };

export class Meter {
  constructor(app: App) {
    app.store.watch(
      ({ skills, selected }) => [skills, selected?.path],
      (state) => this.#show(state),
    );
  }

  #show(state: Readonly<State>): void {
    if (state.skills === undefined) return;
    const { indexed, measured, overview } = state.skills;
    const { report, full, tools } = indexed;
    const always = plus(report, tools);
    const used = usedOf(state);
    const pasted = measured && plus(measured.all, full);
    const most = Math.max(always.tokens, used?.size.tokens ?? 0, pasted?.tokens ?? 0, 1);
    line("always", most, always, alwaysOf(report, tools));
    const unknown = overview.near ? "measuring …" : "not read yet: each skill is a request";
    line("used", most, used?.size, used?.words ?? (measured ? "no skill loads" : unknown));
    line("pasted", most, pasted, pasted ? pastedOf(overview.rows) : unknown);
    byId("headline").textContent =
      overview.rows.length === 0
        ? "No skills here yet. Bring some, or begin with the examples."
        : report.total === 0
          ? unseenOf(overview.rows)
          : `${seenOf(report)} ${comparedOf(always, pasted)}`;
  }
}

/** The skill that is selected, or one of middling length. */
function usedOf({ skills, selected }: Readonly<State>): { size: Size; words: string } | undefined {
  const row = skills?.overview.rows.find(({ path }) => path === selected?.path);
  if (row?.size) return { size: row.size, words: `once: all of ${row.name}` };
  const typical = skills?.measured?.typical;
  return typical && { size: typical, words: "once: all of a typical skill" };
}

/** Why none of the skills is in any request. */
function unseenOf(rows: readonly Row[]): string {
  return rows.every(({ skipped }) => skipped)
    ? "Nothing here loads. Problems says why."
    : "The model sees nothing of these skills: only a person may load them.";
}

/** What of the skills is in every request. */
function seenOf({ total, listed, omitted }: IndexReport): string {
  if (listed === 0) return "The model sees no skill until it searches.";
  if (omitted.length > 0) return `The model always sees ${listed} of ${counted(total, "skill")}.`;
  return "The model always sees one line a skill.";
}

/** What that is, and what each part of it costs. */
function alwaysOf({ form, tokens }: IndexReport, tools: Size): string {
  const isWhole = form === "full" || form === "shortened";
  return `${isWhole ? "one line a skill" : "index"} ${number(tokens)} + tools ${number(tools.tokens)}`;
}

/** What is pasted in, if all is. */
function pastedOf(rows: readonly Row[]): string {
  const isAll = rows.every(({ skipped, size }) => skipped || size !== undefined);
  return `in every request: all of every skill${isAll ? "" : " that can be read"}`;
}

/** What that saves, or does not. */
function comparedOf(always: Size, pasted: Size | undefined): string {
  if (pasted === undefined) return "The rest is read when it is needed.";
  const ratio = pasted.tokens / Math.max(1, always.tokens);
  if (ratio < 1) {
    return "So few are these that all of them pasted in would cost less than the index and its tools.";
  }
  if (ratio < 1.2) return "The rest is read when it is needed.";
  const times = ratio < 10 ? ratio.toFixed(1) : number(Math.round(ratio));
  return `The rest is read when it is needed: ${times} times less than everything at once.`;
}

/** One bar, as long as its share of the longest. */
function line(id: string, most: number, size: Size | undefined, words: string): void {
  const bar = byId(`bar-${id}`);
  // Less than can be seen is no change, which would be moved.
  bar.style.width = `${(((size ?? NOTHING).tokens / most) * 100).toFixed(1)}%`;
  const cost = size
    ? [h("strong", {}, counted(size.tokens, "token")), ` ${counted(size.characters, "character")}`]
    : [h("span", {}, words)];
  fill(byId(`cost-${id}`), ...cost);
  byId(`note-${id}`).textContent = size ? words : "";
}

function plus(a: Size, b: Size): Size {
  return { characters: a.characters + b.characters, tokens: a.tokens + b.tokens };
}
