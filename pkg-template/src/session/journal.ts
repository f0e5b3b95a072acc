/** What happened in a session until now, from which it can begin anew. */
import { answerValue } from "../answers.js";
import { withCore } from "../engine.js";
import type { Loaded, SessionEvent, SessionState } from "../types.js";

/** So many events are kept as they are; more are folded, so that a long conversation stays small. */
const KEPT = 100;

export class Journal {
  #events: SessionEvent[];
  #foldAt: number;
  /** Names of what was loaded before and is left out now. */
  readonly #leftOut: readonly string[];

  constructor(events: SessionEvent[], leftOut: readonly string[]) {
    this.#events = events;
    this.#foldAt = foldedAt(events);
    this.#leftOut = leftOut;
  }

  get events(): readonly SessionEvent[] {
    return this.#events;
  }

  add(events: readonly SessionEvent[]): void {
    this.#events.push(...events);
  }

  /** Makes it as if these had not happened. */
  takeBack(events: ReadonlySet<SessionEvent>): void {
    this.#events = this.#events.filter((event) => !events.has(event));
  }

  /** Keeps the sum of the events in their place, where they are many. */
  fold(): void {
    if (this.#events.length <= this.#foldAt) return;
    this.#events = this.stored().state.events;
    this.#foldAt = foldedAt(this.#events);
  }

  /** What it says by itself, also where the session in the module is lost. */
  stored(): { state: SessionState; loaded: Loaded[] } {
    const text = JSON.stringify({ state: this.#events, leftOut: this.#leftOut });
    return withCore((core) => answerValue(core.storedSession(text)));
  }
}

/** Not again with the next event, however much is loaded. */
function foldedAt(events: readonly SessionEvent[]): number {
  return Math.max(KEPT, 2 * events.length);
}
