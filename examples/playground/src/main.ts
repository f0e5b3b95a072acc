// The page begins here.

import "./style.css";
import "./edit/edit.css";
import "./panels/meter.css";
import "./panels/panels.css";
import "./try/composer.css";
import "./try/try.css";
import { type Asked, followAddress, keepAddress } from "./address.ts";
import { Alerts } from "./alerts.ts";
import { App } from "./app.ts";
import { byId } from "./dom.ts";
import { EditPanel } from "./edit/panel.ts";
import { BringPanel } from "./panels/bring.ts";
import { IndexPanel } from "./panels/index-panel.ts";
import { Meter } from "./panels/meter.ts";
import { Offer } from "./panels/offer.ts";
import { ProblemsPanel } from "./panels/problems.ts";
import { SkillsPanel } from "./panels/skills.ts";
import { Tabs } from "./panels/tabs.ts";
import { select } from "./select.ts";
import { TryPanel } from "./try/panel.ts";
import { Unsaved } from "./unsaved.ts";
import { messageOf } from "./words.ts";

const app = new App(new Alerts(byId("alerts")));
const asked = followAddress(app.store, follow);
new Meter(app);
new SkillsPanel(app);
new ProblemsPanel(app);
const tries = new TryPanel(app);
new IndexPanel(app, () => tries.show());
const edit = new EditPanel(app);
new Tabs(app);
const bring = new BringPanel(app, new Unsaved(app, () => edit.isEditing));
const offer = new Offer(app, bring);

// A net: nothing that fails does so without a word.
addEventListener("unhandledrejection", ({ reason }) => app.alerts.tell(messageOf(reason)));

void begin();

async function begin(): Promise<void> {
  await bring.examples();
  follow(asked);
  keepAddress(app.store);
  document.documentElement.dataset.ready = "true";
  // For the bench, and for whoever looks at it in the developer tools.
  performance.mark("ready");
}

/** Does what an address asks for: by which the page is opened, or that is entered while it is open. */
function follow({ site, skill }: Asked): void {
  const { origin } = app.store.state;
  const isOpen = origin.kind === "site" && origin.url === site;
  if (site !== undefined && !isOpen) {
    offer.make(site, skill);
  } else {
    app.store.set({ offered: undefined });
    select(app.store, skill);
  }
}

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => {
    // Where there is none, such as on a plain address, the page works as long as there is a network.
    navigator.serviceWorker.register("./service-worker.js").catch(() => {});
  });
}
