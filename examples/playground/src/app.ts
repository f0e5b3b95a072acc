// What the page does: it asks the engine, and keeps what it answers.

import type { Alerts } from "./alerts.ts";
import type { Remote } from "./engine/rpc.ts";
import type { Edited, Given, IndexOptions, Known, Update } from "./engine/shapes.ts";
import { heard } from "./engine/telling.ts";
import type { Engine } from "./engine/worker.ts";
import { OneAtATime } from "./latest.ts";
import { originOf } from "./origin.ts";
import { startEngine } from "./start-engine.ts";
import { type State, Store } from "./store.ts";
import { messageOf, wordsOn } from "./words.ts";

export class App {
  readonly store = new Store();
  readonly engine: Remote<Engine>;
  readonly alerts: Alerts;
  /** How many are under way. */
  #openings = 0;
  readonly #onOpen: (() => void)[] = [];
  readonly #onReload: (() => void)[] = [];
  readonly #indexing = new OneAtATime(async (options: IndexOptions) => {
    const asked = this.known?.edition;
    const indexed = await this.engine.index(options);
    const { skills } = this.store.state;
    // What was told meanwhile came with an index of its own.
    if (skills?.edition === asked && skills) this.store.set({ skills: { ...skills, indexed } });
  });

  readonly #measuring = new OneAtATime(async (options: IndexOptions) => {
    const update = await this.engine.measure(options, this.known);
    if (update) this.#take(update, options);
  });

  constructor(alerts: Alerts) {
    this.alerts = alerts;
    this.engine = startEngine({
      onProgress: (progress) => this.store.set({ busy: wordsOn(progress) }),
      onFailure: () =>
        alerts.tell(
          "The engine of this page has failed. Reload the page; a recent browser is needed.",
        ),
    });
    this.store.watch(
      ({ style, budget }) => [style, budget],
      () => void this.#reindex(),
    );
  }

  /** What the options of the index are now. */
  get options(): IndexOptions {
    return optionsOf(this.store.state);
  }

  /** Calls the listener whenever other skills are open. */
  onOpen(listener: () => void): void {
    this.#onOpen.push(listener);
  }

  /** Calls the listener whenever the files were read again. */
  onReload(listener: () => void): void {
    this.#onReload.push(listener);
  }

  /** Opens skills; what goes wrong is told, and what was open stays. */
  async open(given: Given): Promise<boolean> {
    this.#openings += 1;
    this.store.set({ busy: "Reading skills …", opening: true });
    try {
      const { options } = this;
      const update = await this.engine.open(given, options);
      // It was stopped, or something else was asked for.
      if (update === undefined) return false;
      this.alerts.quiet();
      this.store.set({ origin: originOf(given), selected: undefined, saved: undefined });
      this.#show(update, options);
      for (const listener of this.#onOpen) listener();
      return true;
    } catch (error) {
      this.alerts.tell(messageOf(error));
      return false;
    } finally {
      this.#openings -= 1;
      if (this.#openings === 0) this.store.set({ busy: undefined, opening: false });
    }
  }

  /** What is being opened is not. */
  stopOpening(): void {
    void this.alerts.attempt(() => this.engine.stop());
  }

  async reload(): Promise<void> {
    this.store.set({ busy: "Reading again …" });
    await this.alerts.attempt(async () => {
      const { options } = this;
      const reloaded = await this.engine.reload(options, this.known);
      if (reloaded === undefined) return;
      const { changedBelow } = reloaded;
      this.#show(reloaded, options);
      if (changedBelow.length > 0) {
        this.alerts.tell(
          `Edited here and, since then, where they come from: ${changedBelow.join(", ")}. Your text stays; take edits back to see the other.`,
        );
      }
      const { selected, skills } = this.store.state;
      const isThere = skills?.overview.rows.some(({ path }) => path === selected?.path);
      if (selected && !isThere) this.store.set({ selected: undefined });
      for (const listener of this.#onReload) listener();
    });
    this.store.set({ busy: undefined });
  }

  /** Takes a text for a file; gives what came of it, unless other skills are open by then. */
  async edit(path: string, text: string): Promise<Edited | undefined> {
    const { options } = this;
    const edited = await this.engine.edit(path, text, options, this.known);
    if (edited === undefined) return undefined;
    this.#show(edited, options);
    return edited;
  }

  /** Takes back what was edited in a file. */
  async revert(path: string): Promise<void> {
    const { options } = this;
    const update = await this.engine.revert(path, options, this.known);
    if (update) this.#show(update, options);
  }

  /** Reads all bodies, to say what they would cost. */
  async #measure(): Promise<void> {
    await this.alerts.attempt(() => this.#measuring.do(this.options));
    this.store.set({ busy: undefined });
  }

  /** Makes the index anew, as the options are now. */
  #reindex(): Promise<void> {
    if (this.store.state.skills === undefined) return Promise.resolve();
    return this.alerts.attempt(() => this.#indexing.do(this.options));
  }

  /** What the page has: the engine tells what is another by now. */
  get known(): Known | undefined {
    const { skills } = this.store.state;
    return skills && { opened: skills.opened, edition: skills.edition };
  }

  /** Shows what the engine answered to a call with these options. */
  #show(update: Update, options: IndexOptions): void {
    this.#take(update, options);
    const { skills } = this.store.state;
    // To read every skill of a site would cost requests that nobody has asked for.
    if (skills?.measured === undefined && skills?.overview.near) void this.#measure();
  }

  #take(update: Update, options: IndexOptions): void {
    this.store.set({ skills: heard(this.store.state.skills, update) });
    // They may have been changed while it was at work.
    if (JSON.stringify(options) !== JSON.stringify(this.options)) void this.#reindex();
  }
}

function optionsOf({ style, budget }: Readonly<State>): IndexOptions {
  return budget === undefined ? { style } : { style, budget: { tokens: budget } };
}
