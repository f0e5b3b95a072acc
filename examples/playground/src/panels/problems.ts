// What is off, where, and how to mend it; a problem leads to its place in the editor.

import type { Diagnostic } from "skillshelf/slim";
import type { App } from "../app.ts";
import { byId, h } from "../dom.ts";
import type { Overview } from "../engine/shapes.ts";
import { counted, number } from "../words.ts";
import { VirtualList } from "./virtual-list.ts";

const RANK = { error: 0, warning: 1, info: 2 };
const BADGES = { error: "bad", warning: "warn", info: "" };
/** Characters of one text of a row. */
const MOST_SHOWN = 600;
/** What a row has beside its lines, and the height of these. */
const PADDING = { x: 28, y: 20 };
const LINE = 20;

export class ProblemsPanel {
  readonly #list: VirtualList<Diagnostic>;
  readonly #words = byId<HTMLInputElement>("problem-words");
  readonly #severity = byId<HTMLSelectElement>("problem-severity");
  #problems: Diagnostic[] = [];

  constructor(app: App) {
    this.#list = new VirtualList<Diagnostic>({
      label: "Problems",
      idOf: idOf,
      heightOf: (found, width) => linesOf(found, width - PADDING.x) * LINE + PADDING.y,
      render: rendered,
      onChoose: ({ path, line = 1, column = 1 }) => {
        const rows = app.store.state.skills?.overview.rows;
        if (path === undefined || !rows?.some((row) => row.path === path)) return;
        app.store.set({ selected: { path, place: { line, column } }, view: "edit" });
      },
    });
    byId("problem-list").append(this.#list.element);
    this.#words.addEventListener("input", () => this.#show());
    this.#severity.addEventListener("change", () => this.#show());
    app.store.watch(
      ({ skills }) => [skills?.overview.problems],
      ({ skills }) => {
        const count = skills?.overview.problems.length ?? 0;
        byId("problem-count").textContent = count === 0 ? "" : number(count);
      },
    );
    // Out of sight they are only counted: of thousands the heights alone would take longer than a frame.
    app.store.watch(
      ({ view, skills }) => view === "problems" && [skills?.overview.problems],
      ({ skills }) => this.#take(skills?.overview),
    );
    app.onOpen(() => {
      this.#words.value = "";
      this.#severity.value = "";
      this.#show();
    });
  }

  #take(overview: Overview | undefined): void {
    this.#problems = [...(overview?.problems ?? [])];
    this.#problems.sort((a, b) => RANK[a.severity] - RANK[b.severity]);
    const none = this.#problems.length === 0;
    byId("no-problems").hidden = overview === undefined || !none;
    byId("problem-filter").hidden = none;
    byId("problem-note").hidden = none;
    this.#show();
  }

  #show(): void {
    const words = this.#words.value.trim().toLowerCase();
    const severity = this.#severity.value;
    const some = this.#problems.filter(
      (found) =>
        (severity === "" || found.severity === severity) &&
        (words === "" || textOf(found).toLowerCase().includes(words)),
    );
    this.#list.show(some);
    const all = counted(this.#problems.length, "finding");
    byId("problem-summary").textContent =
      this.#problems.length === 0
        ? ""
        : some.length === this.#problems.length
          ? `${all}, errors first. Choose one to open its place.`
          : `${number(some.length)} of ${all}.`;
  }
}

function idOf({ path, line, column, code, message }: Diagnostic): string {
  return [path, line, column, code, message].join("\n");
}

function textOf(found: Diagnostic): string {
  return [placeOf(found), found.code, found.message, hintOf(found)].join("\n");
}

/** How many lines a finding takes in this many CSS pixels: rather one too many than one that is not seen. */
function linesOf(found: Diagnostic, width: number): number {
  const room = Math.max(120, width);
  const place = placeOf(found).length * 7.8;
  // Beside what it is, or in lines of its own.
  const head = place + 76 <= room ? 1 : 1 + Math.ceil(place / room);
  // Some texts have more of the wide letters than others.
  const letters = Math.floor(room / (letterWidth() * 1.25));
  return head + wrapped(found.message, letters) + wrapped(hintOf(found), letters);
}

/** How many lines a text takes that has so many letters in each. */
function wrapped(text: string, letters: number): number {
  if (text === "") return 0;
  let lines = 1;
  let used = 0;
  for (const word of text.slice(0, MOST_SHOWN).split(/\s+/)) {
    let length = 0;
    for (const letter of word) length += letter > "\u2e7f" ? 2 : 1;
    if (used > 0 && used + 1 + length > letters) {
      lines += 1;
      used = 0;
    }
    // A word that is longer than a line goes on in the next ones.
    const more = Math.max(0, Math.ceil(length / letters) - 1);
    lines += more;
    used += (used > 0 ? 1 : 0) + length - more * letters;
  }
  return lines;
}

let measured: number | undefined;

/** How wide a letter of a row is in the letters that this system has. */
function letterWidth(): number {
  if (measured === undefined) {
    const sample = "the name of a skill is not that of its directory";
    const context = document.createElement("canvas").getContext("2d");
    if (context) context.font = `13.05px ${getComputedStyle(document.body).fontFamily}`;
    measured = (context?.measureText(sample).width ?? 7 * sample.length) / sample.length;
  }
  return measured;
}

function rendered(found: Diagnostic): Node[] {
  const { severity, message } = found;
  return [
    h(
      "div",
      { class: "row-head" },
      h("span", { class: `badge ${BADGES[severity]}` }, severity),
      h("span", { class: "place" }, placeOf(found)),
    ),
    h("div", { class: "row-text strong" }, message.slice(0, MOST_SHOWN)),
    h("div", { class: "row-text" }, hintOf(found).slice(0, MOST_SHOWN)),
  ];
}

/** How to mend it: here, where nobody has to have it read again. */
function hintOf({ code, hint = "" }: Diagnostic): string {
  return code === "kept-last-good"
    ? "The index has it as it last was. It cannot be loaded; it comes back once the file is right."
    : hint;
}

/** A path with line and column, as far as they are known. */
export function placeOf({ path = "", line, column }: Diagnostic): string {
  return [path, line, column].filter((part) => part !== undefined).join(":");
}
