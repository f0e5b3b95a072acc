// Edits are on this page alone: before others take their place, and before the page is left, the person
// is asked.

import type { App } from "./app.ts";
import { byId } from "./dom.ts";
import type { State } from "./store.ts";
import { counted } from "./words.ts";

export class Unsaved {
  readonly #app: App;
  readonly #isEditing: () => boolean;
  readonly #dialog = byId<HTMLDialogElement>("unsaved");

  /** `isEditing` tells whether a text is on its way of which the list of skills does not know yet. */
  constructor(app: App, isEditing: () => boolean) {
    this.#app = app;
    this.#isEditing = isEditing;
    byId("unsaved-keep").addEventListener("click", () => this.#dialog.close());
    byId("unsaved-lose").addEventListener("click", () => this.#dialog.close("lose"));
    addEventListener("beforeunload", (event) => {
      if (isEditing() || editedIn(app.store.state).length > 0) event.preventDefault();
    });
  }

  /** Whether what is open may be replaced. */
  async mayBeLost(): Promise<boolean> {
    const edited = editedIn(this.#app.store.state);
    if (edited.length === 0 && !this.#isEditing()) return true;
    // The person is being asked for something else.
    if (this.#dialog.open) return false;
    const what =
      edited.length > 0
        ? `${counted(edited.length, "skill")} edited here: ${someOf(edited)}.`
        : "A skill was edited here just now.";
    byId("unsaved-words").textContent =
      `${what} Other skills take their place. To keep the edits, download all as a zip in Edit.`;
    this.#dialog.returnValue = "";
    this.#dialog.showModal();
    await new Promise((closed) => this.#dialog.addEventListener("close", closed, { once: true }));
    return this.#dialog.returnValue === "lose";
  }
}

/** The names of skills with edits that were not downloaded as they are. */
export function editedIn({ skills, saved }: Readonly<State>): string[] {
  if (skills === undefined || skills.overview.changes === saved) return [];
  return skills.overview.rows.filter(({ edited }) => edited).map(({ name }) => name);
}

/** The first of many names. */
export function someOf(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(", ")} …` : names.join(", ");
}
