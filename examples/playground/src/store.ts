// What the page knows, and who wants to know when it changes.

import type { IndexOptions, Shown } from "./engine/shapes.ts";
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
  /** How many changes were downloaded: until there are more, no edit is on this page alone. */
  saved: number | undefined;
  /** What is told of something long that is going on. */
  busy: string | undefined;
  /** Whether that is an opening, which can be stopped. */
  opening: boolean;
  /** What code would load the same. */
  origin: Origin;
}

/** What of the state a listener is about; `false` as long as it wants to be told nothing. */
type Pick = (state: Readonly<State>) => readonly unknown[] | false;
type Listener = (state: Readonly<State>) => void;

interface Watch {
  pick: Pick;
  listener: Listener;
  /** What it was told last. */
  told: readonly unknown[] | undefined;
}

export class Store {
  readonly #watches: Watch[] = [];
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

  /** Calls the listener at once, and when one of what `pick` gives is another than it was told. */
  watch(pick: Pick, listener: Listener): void {
    const watch: Watch = { pick, listener, told: undefined };
    this.#watches.push(watch);
    this.#tell(watch);
  }

  set(changes: Partial<State>): void {
    this.#state = { ...this.#state, ...changes };
    for (const watch of this.#watches) this.#tell(watch);
  }

  #tell(watch: Watch): void {
    const { pick, listener, told } = watch;
    const now = pick(this.#state);
    if (now === false || (told && now.every((value, at) => value === told[at]))) return;
    watch.told = now;
    listener(this.#state);
  }
}
