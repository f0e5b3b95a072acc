// What of the state is in the address: how things look, and skills that are public anyway. Nothing of
// what a person brings from their own disk.

import type { State, Store, Style, View } from "./store.ts";

const VIEWS: readonly View[] = ["index", "try", "edit", "problems"];
const STYLES: readonly Style[] = ["markdown", "plain", "xml", "json"];

/** What an address asks for. */
export interface Asked {
  site: string | undefined;
  skill: string | undefined;
}

/** Takes what the address says, now and whenever a person changes it: then `changed` is told. */
export function followAddress(store: Store, changed: (asked: Asked) => void): Asked {
  const take = (): Asked => {
    const asked = new URLSearchParams(location.hash.slice(1));
    const budget = Number(asked.get("budget"));
    store.set({
      view: VIEWS.find((name) => name === asked.get("view")) ?? "index",
      style: STYLES.find((name) => name === asked.get("style")) ?? "markdown",
      budget: Number.isSafeInteger(budget) && budget > 0 ? budget : undefined,
    });
    const site = asked.get("site") ?? undefined;
    const skill = asked.get("skill") ?? undefined;
    return { site: site !== undefined && isPublic(site) ? site : undefined, skill };
  };
  addEventListener("hashchange", () => changed(take()));
  return take();
}

/** Keeps the address as the state is. */
export function keepAddress(store: Store): void {
  const pick = ({ view, style, budget, origin, selected, offered }: Readonly<State>) =>
    [view, style, budget, origin, selected, offered] as const;
  store.watch(pick, (state) => {
    const { view, style, budget } = state;
    const { site, skill } = state.offered ?? publicPart(state);
    const said = new URLSearchParams();
    if (view !== "index") said.set("view", view);
    if (style !== "markdown") said.set("style", style);
    if (budget !== undefined) said.set("budget", String(budget));
    if (site !== undefined) said.set("site", site);
    if (skill !== undefined) said.set("skill", skill);
    const hash = said.size > 0 ? `#${said}` : "";
    history.replaceState(null, "", `${location.pathname}${location.search}${hash}`);
  });
}

/** What of the skills that are open is public anyway. */
function publicPart({ origin, selected }: Readonly<State>): Asked {
  const skill = selected?.path;
  if (origin.kind === "site" && isPublic(origin.url)) return { site: origin.url, skill };
  return { site: undefined, skill: origin.kind === "examples" ? skill : undefined };
}

/** An address with a password or a query may say what others are not to know. */
function isPublic(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, search, hash } = new URL(address);
  return (
    /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === "")
  );
}
