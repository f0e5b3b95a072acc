// The index, exactly as the model gets it, and what a budget does to it.

import type { App } from "../app.ts";
import { byId, fill, h } from "../dom.ts";
import type { Indexed } from "../engine/shapes.ts";
import type { State, Style } from "../store.ts";
import { counted, number } from "../words.ts";
import { budgetAt, LEAST, STEPS, stepOf } from "./budget.ts";

/** Lines in one block: what is out of sight is not laid out. */
const BLOCK = 100;
/** Names that are told at once. */
const MOST_NAMES = 200;

const NO_SKILLS = "Nothing: there is no skill that a model may load.";
const FORMS = {
  full: "Every skill, whole.",
  shortened: "Every name; descriptions share what room there is.",
  grouped: "Groups, with as many names as fit. The model lists or searches the others.",
  search: "No names. The model is told how to search.",
  none: "Nothing: there is no room for even a word on how to search.",
};

const LEADS = {
  lines:
    "This text is in the system prompt of every request, and nothing else of the skills. When a task fits one of its lines, the model asks for all of that skill.",
  search:
    "This text is in the system prompt of every request, and nothing else of the skills. The model searches for one that fits the task, and asks for all of it.",
  none: "Nothing of the skills is in the system prompt.",
};

export class IndexPanel {
  readonly #slider = byId<HTMLInputElement>("budget");

  /** `seeTask` shows what becomes of a task. */
  constructor(app: App, seeTask: () => void) {
    byId("see-task").addEventListener("click", seeTask);
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
    // Out of sight it is not followed: of thousands of skills it is a long text.
    app.store.watch(
      ({ view, budget, skills }) =>
        view === "index" && [budget, skills?.indexed, skills?.overview.rows],
      (state) => this.#show(state),
    );
  }

  #show(state: Readonly<State>): void {
    const { budget, skills } = state;
    const full = fullOf(state);
    // Steps of a short index may stand for one budget: then the slider stays where it was put.
    if (budgetAt(Number(this.#slider.value), full) !== budget) {
      this.#slider.value = String(stepOf(budget, full));
    }
    const words = budget === undefined ? "no limit" : `at most ${counted(budget, "token")}`;
    byId("budget-value").textContent = words;
    this.#slider.setAttribute("aria-valuetext", words);
    if (skills === undefined) return;
    this.#report(skills.indexed);
    const { rows } = skills.overview;
    const broken = rows.filter(({ kept, modelInvocable }) => kept && modelInvocable);
    byId("index-kept").textContent =
      broken.length > 0
        ? `Broken now, and here as it last was: ${broken.map(({ name }) => name).join(", ")}.`
        : "";
    const own = rows.filter(({ skipped, modelInvocable }) => !skipped && !modelInvocable).length;
    byId("index-own").textContent = own > 0 ? ` · ${number(own)} for a person alone` : "";
    const omits = budget !== undefined && skills.indexed.report.omitted.length > 0;
    byId("budget-note").hidden = !omits;
  }

  #report({ report }: Indexed): void {
    const { text, form, total, listed, shortened, omitted, characters, tokens, tools } = report;
    const block = byId("index-text");
    if (block.textContent !== text) fill(block, ...blocks(text));
    byId("index-lead").textContent =
      LEADS[text === "" ? "none" : listed === 0 ? "search" : "lines"];
    // Of a text that is not there nothing comes.
    byId("see-task").hidden = text === "";
    byId("index-form").textContent = total === 0 ? NO_SKILLS : FORMS[form];
    byId("index-facts").textContent = [
      counted(tokens, "token"),
      counted(characters, "character"),
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
