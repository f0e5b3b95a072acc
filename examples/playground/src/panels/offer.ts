// The site that a link names: nothing is asked of it before the person says so, since it was not they who
// entered it.

import { allowedAddress } from "../allowed-address.ts";
import type { App } from "../app.ts";
import { byId } from "../dom.ts";
import { select } from "../select.ts";
import { messageOf } from "../words.ts";
import type { BringPanel } from "./bring.ts";

/** Characters of an address. */
const MOST_SHOWN = 100;

export class Offer {
  readonly #app: App;
  readonly #bring: BringPanel;

  constructor(app: App, bring: BringPanel) {
    this.#app = app;
    this.#bring = bring;
    byId("offer-take").addEventListener("click", () => void this.#take());
    byId("offer-leave").addEventListener("click", () => this.#end());
    app.onOpen(() => app.store.set({ offered: undefined }));
    app.store.watch(
      ({ offered }) => [offered],
      ({ offered }) => {
        byId("offer").hidden = offered === undefined;
        if (offered === undefined) return;
        const { host, href } = new URL(offered.site);
        byId("offer-words").textContent =
          `This link is about the skills of ${short(href)}. Nothing has been asked of that site yet.`;
        byId("offer-take").textContent = `Load from ${host}`;
      },
    );
  }

  /** Asks whether skills are to be loaded from there, if that is allowed at all. */
  make(site: string, skill: string | undefined): void {
    try {
      // As a browser writes it: what turns text around in it, or looks like another letter, is spelled out.
      byId<HTMLInputElement>("site-url").value = allowedAddress(site).href;
    } catch (error) {
      this.#app.alerts.tell(messageOf(error));
      return;
    }
    this.#app.store.set({ offered: { site, skill } });
  }

  async #take(): Promise<void> {
    const { offered } = this.#app.store.state;
    if (offered === undefined) return;
    this.#end();
    if (await this.#bring.site(offered.site)) select(this.#app.store, offered.skill);
  }

  /** What had the focus is gone with the question. */
  #end(): void {
    this.#app.store.set({ offered: undefined });
    byId("views").focus({ preventScroll: true });
  }
}

/** An address that says no more than where it leads: who sends a link has no other words here. */
function short(address: string): string {
  return address.length > MOST_SHOWN ? `${address.slice(0, MOST_SHOWN)}…` : address;
}
