// A box for paths: what `read_skill_file` says to each, and why it refuses some.

import type { App } from "../app.ts";
import { fill, h } from "../dom.ts";

/** Paths that lead out, each in its own way. */
const HOSTILE = [
  "../",
  "../../etc/passwd",
  "/etc/passwd",
  "C:\\Windows\\win.ini",
  "a/../../b",
  "SKILL.md:stream",
  "NUL",
];
const MOST_OPTIONS = 200;
/** Of a long file. */
const MOST_SHOWN = 4_000;

export function pathBox(app: App): HTMLElement {
  const skill = h("select", { id: "path-skill" });
  const path = h("input", {
    id: "path",
    type: "text",
    spellcheck: "false",
    autocomplete: "off",
    value: "../",
  });
  const answer = h("div", { class: "path-answer", role: "status" });
  const read = () =>
    app.alerts.attempt(async () => {
      const { content, isError, code } = await app.engine.read(skill.value, path.value);
      fill(
        answer,
        h(
          "span",
          { class: isError ? "badge bad" : "badge good" },
          isError ? `refused: ${code}` : "read",
        ),
        h(
          "pre",
          { tabindex: 0, role: "region", "aria-label": "Answer" },
          content.slice(0, MOST_SHOWN),
        ),
      );
      // The column scrolls, and the answer is its last part.
      answer.scrollIntoView({ block: "nearest" });
    });
  const tries = HOSTILE.map((hostile) =>
    h(
      "button",
      {
        type: "button",
        class: "chip",
        onclick: () => {
          path.value = hostile;
          void read();
        },
      },
      hostile,
    ),
  );
  let last: string | undefined;
  app.store.watch(
    ({ view, skills, selected }) => view === "try" && [skills?.overview.rows, selected],
    ({ skills, selected }) => {
      const rows = skills?.overview.rows.filter(({ modelInvocable }) => modelInvocable) ?? [];
      // What was chosen here stays, until another skill is chosen in the list.
      const isSame = selected?.path === last;
      const own = isSame ? rows.find(({ name }) => name === skill.value) : undefined;
      last = selected?.path;
      const chosen = own ?? rows.find((row) => row.path === selected?.path) ?? rows[0];
      // Thousands of options would take long to make, and nobody reads them.
      const names = rows.slice(0, MOST_OPTIONS).map(({ name }) => name);
      if (chosen && !names.includes(chosen.name)) names.unshift(chosen.name);
      if (names.join("\n") !== [...skill.options].map(({ value }) => value).join("\n")) {
        fill(skill, ...names.map((name) => h("option", { value: name }, name)));
      }
      if (chosen) skill.value = chosen.name;
    },
  );
  const form = h(
    "form",
    {
      onsubmit: (event: Event) => {
        event.preventDefault();
        void read();
      },
    },
    h("label", { for: "path-skill" }, "Skill"),
    skill,
    h("label", { for: "path" }, "Path"),
    h("div", { class: "line" }, path, h("button", { type: "submit" }, "Read")),
  );
  return h(
    "details",
    { class: "card", id: "path-box" },
    h("summary", {}, "Try to read a file"),
    h(
      "p",
      { class: "note" },
      "What read_skill_file answers a model. Each skill's directory is a jail.",
    ),
    form,
    h("div", { class: "chips" }, ...tries),
    answer,
  );
}
