// What the page knows, and who wants to know when it changes.

import type { IndexOptions, Overview, Shown } from "./engine/shapes.ts";
import type { Origin } from "./origin.ts";

export type View = "index" | "try" | "edit" | "problems";
export type Style = NonNullable<IndexOptions["style"]>;

/** Where in a file; both count from 1. */
export interface Place {
  line: number;
  column: number;
}

/** A skill, by the path of its file, and where in it, when it is opened. */
export interface Selected {
  path: string;
  place?: Place;
}

/** A site that a link names, and which of its skills. */
export interface Offered {
  site: string;
  skill: string | undefined;
}

export interface State {
  view: View;
  style: Style;
  /** Tokens; absent where all may be shown. */
  budget: number | undefined;
  /** What is known of the skills that are open; absent before any are. */
  skills: Readonly<Shown> | undefined;
  selected: Readonly<Selected> | undefined;
  /** What is asked for once the person says so: nobody entered that address. */
  offered: Readonly<Offered> | undefined;
  /** What was downloaded: as long as it is what is open, no edit is on this page alone. */
  saved: Overview | undefined;
  /** What is told of something long that is going on. */
  busy: string | undefined;
  /** Whether that is an opening, which can be stopped. */
  opening: boolean;
  /** What code would load the same. */
  origin: Origin;
}

/** What of the state a listener is about. */
type Pick = (state: Readonly<State>) => readonly unknown[];
type Listener = (state: Readonly<State>) => void;

export class Store {
  readonly #watches: { pick: Pick; listener: Listener }[] = [];
  #state: Readonly<State> = {
    view: "index",
    style: "markdown",
    budget: undefined,
    skills: undefined,
    selected: undefined,
    offered: undefined,
    saved: undefined,
    busy: undefined,
    opening: false,
    origin: { kind: "examples" },
  };

  /** The state as it is now; a later one is another object. */
  get state(): Readonly<State> {
    return this.#state;
  }

  /** Calls the listener when one of what `pick` gives is another than before, and at once. */
  watch(pick: Pick, listener: Listener): void {
    this.#watches.push({ pick, listener });
    listener(this.#state);
  }

  set(changes: Partial<State>): void {
    const before = this.#state;
    const after = { ...before, ...changes };
    this.#state = after;
    for (const { pick, listener } of this.#watches) {
      const old = pick(before);
      if (pick(after).some((value, at) => value !== old[at])) listener(after);
    }
  }
}
