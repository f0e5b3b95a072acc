// What the page knows, and who wants to know when it changes.

import type { Indexed, IndexOptions, Measured, Overview } from "./engine/shapes.ts";

export type View = "index" | "try" | "edit" | "problems";
export type Style = NonNullable<IndexOptions["style"]>;

export interface State {
  view: View;
  style: Style;
  /** Tokens; absent where all may be shown. */
  budget: number | undefined;
  overview: Overview | undefined;
  indexed: Indexed | undefined;
  measured: Measured | undefined;
  /** The path of the skill's file. */
  selected: string | undefined;
  /** Where in it, when it is opened. */
  place: { line: number; column: number } | undefined;
  /** What is told of something long that is going on. */
  busy: string | undefined;
  /** What code would load the same. */
  origin: Origin;
}

/** Where the skills came from, as far as the code that loads them needs it. */
export type Origin =
  | { kind: "examples" | "pasted" | "dropped" }
  | { kind: "directory"; name: string }
  | { kind: "archive"; name: string }
  | { kind: "site"; url: string };

type Listener = (state: Readonly<State>) => void;

export class Store {
  readonly state: Readonly<State> = {
    view: "index",
    style: "markdown",
    budget: undefined,
    overview: undefined,
    indexed: undefined,
    measured: undefined,
    selected: undefined,
    place: undefined,
    busy: undefined,
    origin: { kind: "examples" },
  };
  readonly #listeners: { keys: readonly (keyof State)[]; listener: Listener }[] = [];

  /** Calls the listener when one of these has changed, and at once. */
  watch(keys: readonly (keyof State)[], listener: Listener): void {
    this.#listeners.push({ keys, listener });
    listener(this.state);
  }

  set(changes: Partial<State>): void {
    const { state } = this;
    const changed = (Object.keys(changes) as (keyof State)[]).filter(
      (key) => changes[key] !== state[key],
    );
    Object.assign(state, changes);
    for (const { keys, listener } of this.#listeners) {
      if (keys.some((key) => changed.includes(key))) listener(state);
    }
  }
}
