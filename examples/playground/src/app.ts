// What the page does: it asks the engine, and keeps what it answers.

import { h, number } from "./dom.ts";
import { connect, type Port, type Remote } from "./engine/rpc.ts";
import type { Checked, Given, IndexOptions, Progress, Shown } from "./engine/shapes.ts";
import type { Engine } from "./engine/worker.ts";
import { OneAtATime } from "./latest.ts";
import { originOf } from "./origin.ts";
import { type State, Store } from "./store.ts";

export class App {
  readonly store = new Store();
  readonly engine: Remote<Engine>;
  readonly #alerts: HTMLElement;
  /** How many are under way. */
  #openings = 0;
  readonly #onOpen: (() => void)[] = [];
  readonly #onReload: (() => void)[] = [];
  readonly #indexing = new OneAtATime(async (options: IndexOptions) => {
    const asked = this.store.state.skills?.overview;
    const indexed = await this.engine.index(options);
    const { skills } = this.store.state;
    // Other skills came with their own index.
    if (skills?.overview === asked && skills) this.store.set({ skills: { ...skills, indexed } });
  });

  constructor(alerts: HTMLElement) {
    const worker = new Worker(new URL("./engine/worker.ts", import.meta.url), { type: "module" });
    this.#alerts = alerts;
    this.engine = connect<Engine>(worker as Port);
    worker.addEventListener("message", ({ data }: MessageEvent<{ progress?: Progress }>) => {
      if (data.progress) this.store.set({ busy: wordsOn(data.progress) });
    });
    worker.addEventListener("error", () => {
      this.tell("The engine of this page has failed. Reload the page; a recent browser is needed.");
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
      const shown = await this.engine.open(given, options);
      // It was stopped, or something else was asked for.
      if (shown === undefined) return false;
      this.quiet();
      this.store.set({ origin: originOf(given), selected: undefined });
      this.#show(shown, options);
      for (const listener of this.#onOpen) listener();
      return true;
    } catch (error) {
      this.tell(messageOf(error));
      return false;
    } finally {
      this.#openings -= 1;
      if (this.#openings === 0) this.store.set({ busy: undefined, opening: false });
    }
  }

  /** What is being opened is not. */
  stopOpening(): void {
    void this.attempt(() => this.engine.stop());
  }

  async reload(): Promise<void> {
    this.store.set({ busy: "Reading again …" });
    await this.attempt(async () => {
      const { options } = this;
      const reloaded = await this.engine.reload(options);
      if (reloaded === undefined) return;
      const { changedBelow, ...shown } = reloaded;
      this.#show(shown, options);
      if (changedBelow.length > 0) {
        this.tell(
          `Edited here and, since then, where they come from: ${changedBelow.join(", ")}. Your text stays; take edits back to see the other.`,
        );
      }
      const { selected } = this.store.state;
      const isThere = shown.overview.rows.some(({ path }) => path === selected?.path);
      if (selected && !isThere) this.store.set({ selected: undefined });
      for (const listener of this.#onReload) listener();
    });
    this.store.set({ busy: undefined });
  }

  /** Takes a text for a file; gives what is off in it, unless other skills are open by then. */
  async edit(path: string, text: string): Promise<Checked | undefined> {
    const { options } = this;
    const edited = await this.engine.edit(path, text, options);
    if (edited === undefined) return undefined;
    const { checked, ...shown } = edited;
    this.#show(shown, options);
    return checked;
  }

  /** Takes back what was edited in a file. */
  async revert(path: string): Promise<void> {
    const { options } = this;
    const shown = await this.engine.revert(path, options);
    if (shown) this.#show(shown, options);
  }

  /** Reads all bodies, to say what they would cost. */
  async #measure(): Promise<void> {
    await this.attempt(async () => {
      const asked = this.store.state.origin;
      const measured = await this.engine.measure();
      const { skills, origin } = this.store.state;
      if (measured && skills && asked === origin) {
        this.store.set({ skills: { ...skills, measured } });
      }
    });
    this.store.set({ busy: undefined });
  }

  /** Makes the index anew, as the options are now. */
  #reindex(): Promise<void> {
    if (this.store.state.skills === undefined) return Promise.resolve();
    return this.attempt(() => this.#indexing.do(this.options));
  }

  /** Does something, and tells what goes wrong. */
  async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.tell(messageOf(error));
    }
  }

  /** Says what went wrong, where it is seen and read out. */
  tell(message: string): void {
    this.#say(message, "alert");
  }

  /** Says there what is well to know. */
  note(message: string): void {
    this.#say(message, "alert calm");
  }

  #say(message: string, kind: string): void {
    const close = h(
      "button",
      { type: "button", class: "plain", onclick: () => this.quiet() },
      "Dismiss",
    );
    this.#alerts.replaceChildren(h("div", { class: kind }, h("p", {}, message), close));
  }

  quiet(): void {
    this.#alerts.replaceChildren();
  }

  /** Shows what the engine answered to a call with these options. */
  #show(shown: Shown, options: IndexOptions): void {
    this.store.set({ skills: shown });
    // They may have been changed while it was at work.
    if (JSON.stringify(options) !== JSON.stringify(this.options)) void this.#reindex();
    // To read every skill of a site would cost requests that nobody has asked for.
    if (shown.measured === undefined && shown.overview.near) void this.#measure();
  }
}

function optionsOf({ style, budget }: Readonly<State>): IndexOptions {
  return budget === undefined ? { style } : { style, budget: { tokens: budget } };
}

function wordsOn({ what, done, total }: Progress): string {
  if (what === "loading") return `Reading skills: ${number(done)} files …`;
  return `Measuring: ${number(done)} of ${number(total ?? done)} …`;
}

/** An error in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
