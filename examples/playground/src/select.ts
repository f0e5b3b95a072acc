// Which skill is looked at.

import type { Store } from "./store.ts";

/** Selects the skill of this file, if there is one. */
export function select(store: Store, path: string | undefined): void {
  const rows = store.state.skills?.overview.rows;
  if (path !== undefined && rows?.some((row) => row.path === path)) {
    store.set({ selected: { path } });
  }
}
