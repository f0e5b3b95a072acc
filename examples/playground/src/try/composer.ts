// Where a task is typed; after a slash, skills and commands complete.

import type { Completion } from "skillshelf/slim";
import type { App } from "../app.ts";
import { fill, h } from "../dom.ts";

/** Commands of the page: they win over skills. */
export const COMMANDS = [
  { name: "compact", description: "Shortens the conversation" },
  { name: "new", description: "Begins a new conversation" },
];

export interface Composer {
  element: HTMLElement;
  button: HTMLButtonElement;
}

/** `send` says whether a line was taken; one that was not is put back, unless another was begun. */
export function composer(app: App, send: (line: string) => Promise<boolean>): Composer {
  const list = h("ul", {
    id: "completions",
    role: "listbox",
    "aria-label": "Skills and commands",
    hidden: true,
  });
  const input = h("input", {
    id: "task",
    type: "text",
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": "completions",
    "aria-autocomplete": "list",
    autocomplete: "off",
    placeholder: "A task, or / for a skill",
  });
  let found: Completion[] = [];
  let active = -1;

  const show = () => {
    const open = found.length > 0;
    list.hidden = !open;
    input.setAttribute("aria-expanded", String(open));
    fill(
      list,
      ...found.map((completion, at) => option(completion, at === active, at, () => take(at))),
    );
    if (active >= 0) input.setAttribute("aria-activedescendant", `completion-${active}`);
    else input.removeAttribute("aria-activedescendant");
  };
  const close = () => {
    found = [];
    active = -1;
    show();
  };
  const take = (at: number) => {
    const completion = found[at];
    if (completion) input.value = `${completion.insert} `;
    close();
    input.focus();
  };
  input.addEventListener("input", async () => {
    const line = input.value;
    const completions = line.startsWith("/")
      ? await app.engine.complete(line, COMMANDS).catch(() => [])
      : [];
    if (line !== input.value) return;
    // Who was going down the list goes on where they were.
    const chosen = found[active]?.insert;
    found = completions;
    active = found.findIndex(({ insert }) => insert === chosen);
    show();
  });
  input.addEventListener("keydown", (event) => {
    if (found.length === 0) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      active = (active + step + found.length) % found.length;
      show();
    } else if (event.key === "Tab" || (event.key === "Enter" && active >= 0)) {
      event.preventDefault();
      take(Math.max(0, active));
    } else if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
  });
  input.addEventListener("blur", () => setTimeout(close, 150));
  const button = h("button", { type: "submit", class: "primary" }, "Send");
  const element = h(
    "form",
    {
      class: "composer",
      onsubmit: async (event: Event) => {
        event.preventDefault();
        const line = input.value;
        if (line.trim() === "") return;
        input.value = "";
        close();
        const taken = await send(line);
        if (taken || input.value !== "") return;
        input.value = line;
        // What is typed next takes its place.
        input.select();
      },
    },
    list,
    h("label", { for: "task", class: "visually-hidden" }, "Task"),
    input,
    button,
  );
  return { element, button };
}

function option(
  { insert, kind, description }: Completion,
  active: boolean,
  at: number,
  take: () => void,
) {
  return h(
    "li",
    {
      role: "option",
      id: `completion-${at}`,
      "aria-selected": String(active),
      onmousedown: (event: Event) => {
        event.preventDefault();
        take();
      },
    },
    h("span", { class: "row-name" }, insert),
    kind === "command" && h("span", { class: "badge" }, "command"),
    h("span", { class: "row-text" }, (description ?? "").slice(0, 160)),
  );
}
