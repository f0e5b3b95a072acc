// The views of the page as tabs.

import type { App } from "../app.ts";
import type { View } from "../store.ts";

export class Tabs {
  constructor(app: App) {
    const tabs = [...document.querySelectorAll<HTMLButtonElement>('[role="tab"]')];
    for (const [at, tab] of tabs.entries()) {
      tab.addEventListener("click", () => app.store.set({ view: viewOf(tab) }));
      tab.addEventListener("keydown", ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        const to = key === "Home" ? 0 : key === "End" ? tabs.length - 1 : step && at + step;
        const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
        if (next === undefined) return;
        next.focus();
        app.store.set({ view: viewOf(next) });
      });
    }
    app.store.watch(
      ({ view }) => [view],
      ({ view }) => {
        for (const tab of tabs) {
          const chosen = viewOf(tab) === view;
          tab.setAttribute("aria-selected", String(chosen));
          tab.tabIndex = chosen ? 0 : -1;
          const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
          if (panel) panel.hidden = !chosen;
        }
      },
    );
  }
}

function viewOf(tab: HTMLElement): View {
  return tab.dataset.view as View;
}
