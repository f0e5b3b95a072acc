// The page begins here.

import "./style.css";
import { followAddress, keepAddress } from "./address.ts";
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

const app = new App(byId("alerts"));
const asked = followAddress(app.store);
new Meter(app);
new SkillsPanel(app);
new IndexPanel(app);
new ProblemsPanel(app);
new TryPanel(app);
new EditPanel(app);
new Tabs(app);
const bring = new BringPanel(app);

// A net: nothing that fails does so without a word.
addEventListener("unhandledrejection", ({ reason }) => app.tell(messageOf(reason)));

void begin();

async function begin(): Promise<void> {
  const open = asked.site !== undefined && (await bring.site(asked.site));
  if (!open) {
    // What was wrong with the site stays to be read.
    const told = [...byId("alerts").childNodes];
    await bring.examples();
    byId("alerts").append(...told);
  }
  const { skill } = asked;
  const rows = app.store.state.skills?.overview.rows;
  if (skill !== undefined && rows?.some(({ path }) => path === skill)) {
    app.store.set({ selected: { path: skill } });
  }
  keepAddress(app.store);
  document.documentElement.dataset.ready = "true";
  // For the bench, and for whoever looks at it in the developer tools.
  performance.mark("ready");
}

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => {
    // Where there is none, such as on a plain address, the page works as long as there is a network.
    navigator.serviceWorker.register("./service-worker.js").catch(() => {});
  });
}
