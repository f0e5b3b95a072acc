// The list of skills: all of them, those with problems, or those that fit a task.

import type { App } from "../app.ts";
import { byId, h } from "../dom.ts";
import type { Row } from "../engine/shapes.ts";
import { counted, number } from "../words.ts";
import { VirtualList } from "./virtual-list.ts";

/** How many a search shows. */
const MOST_FOUND = 50;
const ROW_HEIGHT = 58;

export class SkillsPanel {
  readonly #app: App;
  readonly #list: VirtualList<Row>;
  readonly #words = byId<HTMLInputElement>("filter");
  readonly #mode = byId<HTMLSelectElement>("filter-mode");
  readonly #count = byId("skill-count");
  /** How the index shows a skill that it does not show whole. */
  #marks = new Map<string, string>();
  #asked = 0;

  constructor(app: App) {
    this.#app = app;
    this.#list = new VirtualList<Row>({
      label: "Skills",
      idOf: ({ path }) => path,
      heightOf: () => ROW_HEIGHT,
      render: (row) => this.#rendered(row),
      onChoose: (row) => {
        app.store.set({ selected: { path: row.path }, view: "edit" });
        this.#showViews();
      },
      onMove: (row) => app.store.set({ selected: { path: row.path } }),
    });
    byId("skill-list").append(this.#list.element);
    const show = () => void app.alerts.attempt(() => this.#show());
    this.#words.addEventListener("input", show);
    this.#words.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      this.#list.enter();
    });
    this.#mode.addEventListener("change", show);
    byId("show-all").addEventListener("click", () => {
      this.#clear();
      show();
      this.#words.focus();
    });
    app.store.watch(({ skills }) => [skills?.overview.rows], show);
    app.store.watch(
      ({ selected }) => [selected?.path],
      ({ selected }) => this.#list.activate(selected?.path),
    );
    app.store.watch(
      ({ skills }) => [skills?.indexed],
      ({ skills }) => {
        const { shortened = [], omitted = [] } = skills?.indexed.report ?? {};
        this.#marks = new Map([
          ...shortened.map((name) => [name, "cut"] as const),
          ...omitted.map((name) => [name, "left out"] as const),
        ]);
        this.#list.redraw();
      },
    );
    app.onOpen(() => this.#clear());
  }

  #clear(): void {
    this.#words.value = "";
    this.#mode.value = "words";
  }

  /** Where the views are below the list, one would not see that anything has happened in them. */
  #showViews(): void {
    const views = byId("views");
    const { bottom } = this.#list.element.getBoundingClientRect();
    if (views.getBoundingClientRect().top >= bottom) views.scrollIntoView();
  }

  async #show(): Promise<void> {
    const { skills } = this.#app.store.state;
    if (skills === undefined) return;
    const { overview } = skills;
    this.#asked += 1;
    const asked = this.#asked;
    const rows = await this.#wanted(overview.rows);
    // A later letter has been typed since.
    if (asked !== this.#asked) return;
    this.#list.show(rows);
    const all = counted(overview.rows.length, "skill");
    const isCut = this.#mode.value === "task" && rows.length === MOST_FOUND;
    this.#count.textContent =
      rows.length === overview.rows.length
        ? all
        : `${isCut ? "the best " : ""}${number(rows.length)} of ${all}`;
    const isLost = rows.length === 0 && overview.rows.length > 0;
    byId("nothing-found").hidden = !isLost;
    byId("nothing-found-words").textContent =
      this.#words.value.trim() === "" ? "No skill has a problem." : "No skill fits these words.";
  }

  async #wanted(rows: readonly Row[]): Promise<readonly Row[]> {
    const words = this.#words.value.trim().toLowerCase();
    if (this.#mode.value === "task" && words !== "") return this.#found(rows, words);
    const some = this.#mode.value === "problems" ? rows.filter(hasProblem) : rows;
    if (words === "") return some;
    const parts = words.split(/\s+/);
    return some.filter(({ name, description }) => {
      const text = `${name} ${description}`.toLowerCase();
      return parts.every((part) => text.includes(part));
    });
  }

  async #found(rows: readonly Row[], task: string): Promise<Row[]> {
    // The first search of thousands reads their bodies.
    this.#count.textContent = "Searching …";
    const names = await this.#app.engine.search(task, MOST_FOUND);
    const byName = new Map(rows.filter(({ skipped }) => !skipped).map((row) => [row.name, row]));
    return names.flatMap((name) => byName.get(name) ?? []);
  }

  #rendered(row: Row): Node[] {
    const { name, description, skipped, kept, edited, errors, warnings, modelInvocable } = row;
    const mark = this.#marks.get(name);
    const badges = [
      skipped && badge("bad", "not loaded"),
      kept && badge("bad", "broken now"),
      !skipped && !kept && errors > 0 && badge("bad", counted(errors, "error")),
      !kept && warnings > 0 && badge("warn", counted(warnings, "warning")),
      edited && badge("", "edited"),
      !skipped && !modelInvocable && badge("", "user only"),
      mark !== undefined && !skipped && badge("quiet", mark),
    ];
    return [
      h("div", { class: "row-head" }, h("span", { class: "row-name" }, shown(name)), ...badges),
      h("div", { class: "row-text" }, shown(description)),
    ];
  }
}

/** What the words of badges mean; those that count say it themselves. */
const MEANINGS: Readonly<Record<string, string>> = {
  "not loaded": "An error keeps it out; Problems has it.",
  "broken now":
    "The index has it as it last was. It cannot be loaded; it comes back once the file is right.",
  edited: "It is another here than it was brought.",
  "user only": "Only a person may load it: the model is not told of it.",
  cut: "The index has only a part of its description, for want of room.",
  "left out": "The index does not name it, for want of room.",
};

function badge(kind: string, words: string): HTMLElement {
  return h("span", { class: `badge ${kind}`.trim(), title: MEANINGS[words] ?? words }, words);
}

function hasProblem({ errors, warnings }: Row): boolean {
  return errors + warnings > 0;
}

/** As much of a text as a row can show. */
function shown(text: string): string {
  return text.slice(0, 300);
}
