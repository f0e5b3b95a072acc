// What skills cost: always, when one is used, and if all of them were in every request.

import type { IndexReport } from "skillshelf/slim";
import type { App } from "../app.ts";
import { byId, counted, fill, h, number } from "../dom.ts";
import type { Size } from "../engine/shapes.ts";
import type { State } from "../store.ts";

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
    line("always", most, always, `index ${number(report.tokens)} + tools ${number(tools.tokens)}`);
    const unknown = overview.near ? "measuring …" : "not read yet: each skill is a request";
    line("used", most, used?.size, used?.words ?? (measured ? "no skill loads" : unknown));
    line("pasted", most, pasted, pasted ? "in every request" : unknown);
    byId("headline").textContent =
      overview.rows.length === 0
        ? "No skills here yet. Bring some, or begin with the examples."
        : `${seenOf(report)} ${comparedOf(always, pasted)}`;
  }
}

/** The skill that is selected, or one of middling length. */
function usedOf({ skills, selected }: Readonly<State>): { size: Size; words: string } | undefined {
  const { overview, measured } = skills ?? {};
  const name = overview?.rows.find(({ path }) => path === selected?.path)?.name;
  const own = name === undefined ? undefined : measured?.each.get(name);
  if (own !== undefined) return { size: own, words: `once, for ${name}` };
  const sizes = [...(measured?.each.values() ?? [])].sort((a, b) => a.tokens - b.tokens);
  const middle = sizes[sizes.length >> 1];
  return middle && { size: middle, words: "once, for a typical skill" };
}

/** What of the skills is in every request. */
function seenOf({ total, listed, omitted }: IndexReport): string {
  if (total === 0) return "The model sees nothing of these skills.";
  if (listed === 0) return "The model sees no skill until it searches.";
  if (omitted.length > 0) return `The model always sees ${listed} of ${counted(total, "skill")}.`;
  return "The model always sees one line a skill.";
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
  bar.style.width = `${((size ?? NOTHING).tokens / most) * 100}%`;
  const cost = size
    ? [h("strong", {}, counted(size.tokens, "token")), ` ${counted(size.characters, "character")}`]
    : [h("span", {}, words)];
  fill(byId(`cost-${id}`), ...cost);
  byId(`note-${id}`).textContent = size ? words : "";
}

function plus(a: Size, b: Size): Size {
  return { characters: a.characters + b.characters, tokens: a.tokens + b.tokens };
}
