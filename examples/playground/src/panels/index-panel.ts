// The index, exactly as the model gets it, and what a budget does to it.

import type { App } from "../app.ts";
import { byId, counted, fill, h, number } from "../dom.ts";
import type { Indexed } from "../engine/shapes.ts";
import type { State, Style } from "../store.ts";

/** The smallest budget that the slider gives. */
const LEAST = 40;
/** Steps of the slider; the last one is no budget at all. */
const STEPS = 200;
/** Lines in one block: what is out of sight is not laid out. */
const BLOCK = 100;
/** Names that are told at once. */
const MOST_NAMES = 200;

const FORMS = {
  full: "Every skill, whole.",
  shortened: "Every name; descriptions share what room there is.",
  grouped: "Groups, with as many names as fit. The model lists or searches the others.",
  search: "No names. The model is told how to search.",
  none: "Nothing: there is no room for even a word on how to search.",
};

export class IndexPanel {
  readonly #slider = byId<HTMLInputElement>("budget");

  constructor(app: App) {
    for (const input of document.querySelectorAll<HTMLInputElement>('input[name="style"]')) {
      input.addEventListener("change", () => app.store.set({ style: input.value as Style }));
    }
    this.#slider.max = String(STEPS);
    this.#slider.addEventListener("input", () => {
      app.store.set({ budget: budgetAt(Number(this.#slider.value), fullOf(app.store.state)) });
    });
    app.store.watch(
      ({ style }) => [style],
      ({ style }) => {
        for (const input of document.querySelectorAll<HTMLInputElement>('input[name="style"]')) {
          input.checked = input.value === style;
        }
      },
    );
    app.store.watch(
      ({ budget, skills }) => [budget, skills?.indexed],
      (state) => this.#show(state),
    );
  }

  #show(state: Readonly<State>): void {
    const { budget, skills } = state;
    this.#slider.value = String(stepOf(budget, fullOf(state)));
    const words = budget === undefined ? "no limit" : `at most ${counted(budget, "token")}`;
    byId("budget-value").textContent = words;
    this.#slider.setAttribute("aria-valuetext", words);
    if (skills !== undefined) this.#report(skills.indexed);
  }

  #report({ report }: Indexed): void {
    const { text, form, total, listed, shortened, omitted, characters, tokens, tools } = report;
    const block = byId("index-text");
    if (block.textContent !== text) fill(block, ...blocks(text));
    byId("index-form").textContent = FORMS[form];
    byId("index-facts").textContent = [
      `${number(tokens)} tokens`,
      `${number(characters)} characters`,
      `${number(listed)} of ${number(total)} named`,
      `${number(shortened.length)} shortened`,
      `${number(omitted.length)} left out`,
    ].join(" · ");
    names("index-shortened", "Shortened", shortened);
    names("index-omitted", "Left out", omitted);
    byId("index-tools").textContent =
      tools.length > 0 ? `It tells the model to call ${tools.join(", ")}.` : "";
  }
}

/** What the whole index comes to in the chosen style. */
function fullOf({ skills }: Readonly<State>): number {
  return Math.max(LEAST + 1, skills?.indexed.full.tokens ?? 0);
}

/** Which budget a step stands for: small ones are told apart best. */
function budgetAt(step: number, full: number): number | undefined {
  if (step >= STEPS) return undefined;
  return Math.round(LEAST * (full / LEAST) ** (step / STEPS));
}

function stepOf(budget: number | undefined, full: number): number {
  if (budget === undefined) return STEPS;
  const share = Math.log(budget / LEAST) / Math.log(full / LEAST);
  return Math.round(Math.min(1, Math.max(0, share)) * (STEPS - 1));
}

function blocks(text: string): Node[] {
  const lines = text.split("\n");
  const all: Node[] = [];
  for (let at = 0; at < lines.length; at += BLOCK) {
    const some = lines.slice(at, at + BLOCK).join("\n");
    all.push(h("span", { class: "block" }, at + BLOCK < lines.length ? `${some}\n` : some));
  }
  return all;
}

function names(id: string, title: string, all: readonly string[]): void {
  const details = byId<HTMLDetailsElement>(id);
  details.hidden = all.length === 0;
  const more = all.length - MOST_NAMES;
  fill(
    details,
    h("summary", {}, `${title}: ${number(all.length)}`),
    h("p", {}, all.slice(0, MOST_NAMES).join(", ") + (more > 0 ? ` and ${number(more)} more` : "")),
  );
}
