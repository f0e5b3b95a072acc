// The page begins here.

import "./style.css";
import "./edit/edit.css";
import "./panels/meter.css";
import "./panels/panels.css";
import "./try/composer.css";
import "./try/try.css";
import { type Asked, followAddress, keepAddress } from "./address.ts";
import { App, messageOf } from "./app.ts";
import { byId } from "./dom.ts";
import { EditPanel } from "./edit/panel.ts";
import { BringPanel } from "./panels/bring.ts";
import { IndexPanel } from "./panels/index-panel.ts";
import { Meter } from "./panels/meter.ts";
import { ProblemsPanel } from "./panels/problems.ts";
import { SkillsPanel } from "./panels/skills.ts";
import { Tabs } from "./panels/tabs.ts";
import { TryPanel } from "./try/panel.ts";
import { Unsaved } from "./unsaved.ts";

const app = new App(byId("alerts"));
const asked = followAddress(app.store, (now) => void follow(now));
new Meter(app);
new SkillsPanel(app);
new IndexPanel(app);
new ProblemsPanel(app);
new TryPanel(app);
new EditPanel(app);
new Tabs(app);
const bring = new BringPanel(app, new Unsaved(app));

// A net: nothing that fails does so without a word.
addEventListener("unhandledrejection", ({ reason }) => app.tell(messageOf(reason)));

void begin();

async function begin(): Promise<void> {
  if (asked.site !== undefined) await bring.site(asked.site);
  // A person may have opened something while the site did not answer.
  if (app.store.state.skills === undefined) {
    // What was wrong with the site stays to be read.
    const told = [...byId("alerts").childNodes];
    await bring.examples();
    byId("alerts").append(...told);
  }
  select(asked.skill);
  keepAddress(app.store);
  document.documentElement.dataset.ready = "true";
  // For the bench, and for whoever looks at it in the developer tools.
  performance.mark("ready");
}

/** A link that is entered while the page is open asks for the same as when it is opened by it. */
async function follow({ site, skill }: Asked): Promise<void> {
  const { origin } = app.store.state;
  const isOpen = origin.kind === "site" && origin.url === site;
  if (site !== undefined && !isOpen && !(await bring.site(site))) return;
  select(skill);
}

function select(skill: string | undefined): void {
  const rows = app.store.state.skills?.overview.rows;
  if (skill !== undefined && rows?.some(({ path }) => path === skill)) {
    app.store.set({ selected: { path: skill } });
  }
}

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => {
    // Where there is none, such as on a plain address, the page works as long as there is a network.
    navigator.serviceWorker.register("./service-worker.js").catch(() => {});
  });
}
