// What is off, where, and how to mend it; a problem leads to its place in the editor.

import type { Diagnostic } from "skillshelf/slim";
import type { App } from "../app.ts";
import { byId, counted, h } from "../dom.ts";
import { VirtualList } from "./virtual-list.ts";

const ROW_HEIGHT = 76;
const RANK = { error: 0, warning: 1, info: 2 };

export class ProblemsPanel {
  constructor(app: App) {
    const list = new VirtualList<Diagnostic>({
      label: "Problems",
      rowHeight: ROW_HEIGHT,
      render: rendered,
      onChoose: ({ path, line = 1, column = 1 }) => {
        const rows = app.store.state.skills?.overview.rows;
        if (path === undefined || !rows?.some((row) => row.path === path)) return;
        app.store.set({ selected: { path, place: { line, column } }, view: "edit" });
      },
    });
    byId("problem-list").append(list.element);
    app.store.watch(
      ({ skills }) => [skills?.overview],
      ({ skills }) => {
        const problems = [...(skills?.overview.problems ?? [])];
        problems.sort((a, b) => RANK[a.severity] - RANK[b.severity]);
        list.show(problems);
        const none = skills !== undefined && problems.length === 0;
        byId("no-problems").hidden = !none;
        byId("problem-count").textContent = problems.length > 0 ? String(problems.length) : "";
        byId("problem-summary").textContent =
          problems.length > 0
            ? `${counted(problems.length, "finding")}, errors first. Enter opens the place.`
            : "";
      },
    );
  }
}

function rendered(found: Diagnostic): Node[] {
  const { severity, message, hint } = found;
  return [
    h(
      "div",
      { class: "row-head" },
      h(
        "span",
        { class: `badge ${severity === "error" ? "bad" : severity === "warning" ? "warn" : ""}` },
        severity,
      ),
      h("span", { class: "place" }, placeOf(found)),
    ),
    h("div", { class: "row-text strong" }, message.slice(0, 400)),
    h("div", { class: "row-text" }, (hint ?? "").slice(0, 400)),
  ];
}

/** A path with line and column, as far as they are known. */
export function placeOf({ path = "", line, column }: Diagnostic): string {
  return [path, line, column].filter((part) => part !== undefined).join(":");
}
