// What the page does: it asks the engine, and keeps what it answers.

import { h, number } from "./dom.ts";
import { connect, type Port, type Remote } from "./engine/rpc.ts";
import type {
  Checked,
  Given,
  IndexOptions,
  Measured,
  Overview,
  Progress,
  Size,
} from "./engine/shapes.ts";
import type { Engine } from "./engine/worker.ts";
import { type Origin, type State, Store } from "./store.ts";

export class App {
  readonly store = new Store();
  readonly engine: Remote<Engine>;
  readonly #alerts: HTMLElement;
  readonly #opened: (() => void)[] = [];
  readonly #reloaded: (() => void)[] = [];
  #indexing = false;
  #indexAgain = false;

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
    this.store.watch(["style", "budget"], () => void this.reindex());
  }

  /** What the options of the index are now. */
  get options(): IndexOptions {
    return optionsOf(this.store.state);
  }

  /** Calls the listener whenever other skills are open. */
  onOpen(listener: () => void): void {
    this.#opened.push(listener);
  }

  /** Calls the listener whenever the files were read again. */
  onReload(listener: () => void): void {
    this.#reloaded.push(listener);
  }

  /** Opens skills; what goes wrong is told, and what was open stays. */
  async open(given: Given, origin: Origin): Promise<boolean> {
    this.store.set({ busy: "Reading skills …" });
    try {
      const overview = await this.engine.open(given);
      this.quiet();
      this.store.set({ origin, selected: undefined, place: undefined, measured: undefined });
      this.#show(overview);
      if (overview.rows.length === 0) {
        this.tell(
          `There is no skill in ${overview.label}. A skill is a folder with a SKILL.md; bring the folder that holds it.`,
        );
      }
      for (const listener of this.#opened) listener();
      return true;
    } catch (error) {
      this.tell(messageOf(error));
      return false;
    } finally {
      this.store.set({ busy: undefined });
    }
  }

  async reload(): Promise<void> {
    this.store.set({ busy: "Reading again …" });
    await this.attempt(async () => {
      this.#show(await this.engine.reload());
      for (const listener of this.#reloaded) listener();
    });
    this.store.set({ busy: undefined });
  }

  /** Takes a text for a file; gives what is off in it. */
  async edit(path: string, text: string): Promise<Checked> {
    const before = this.#nameOf(path);
    const { options } = this;
    const { checked, overview, indexed, whole } = await this.engine.edit(path, text, options);
    this.store.set({ overview });
    const { measured } = this.store.state;
    const now = measured && resized(measured, before, this.#nameOf(path), checked.size);
    this.store.set({ indexed, ...(now && { measured: { ...now, index: whole } }) });
    return checked;
  }

  /** Takes back what was edited in a file. */
  async revert(path: string): Promise<void> {
    this.#show(await this.engine.revert(path));
  }

  /** The name of the skill of this file, where it loads. */
  #nameOf(path: string): string | undefined {
    return this.store.state.overview?.rows.find((row) => row.path === path && !row.skipped)?.name;
  }

  /** Makes the index anew; asked for while it is made, once more at the end. */
  async reindex(): Promise<void> {
    if (this.store.state.overview === undefined) return;
    if (this.#indexing) {
      this.#indexAgain = true;
      return;
    }
    this.#indexing = true;
    do {
      this.#indexAgain = false;
      await this.attempt(async () => {
        this.store.set({ indexed: await this.engine.index(this.options) });
      });
    } while (this.#indexAgain);
    this.#indexing = false;
  }

  /** Reads all bodies, to say what they would cost. */
  async measure(): Promise<void> {
    await this.attempt(async () => {
      const measured = await this.engine.measure();
      if (measured) this.store.set({ measured, busy: undefined });
    });
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
    const close = h(
      "button",
      { type: "button", class: "plain", onclick: () => this.quiet() },
      "Dismiss",
    );
    this.#alerts.replaceChildren(h("div", { class: "alert" }, h("p", {}, message), close));
  }

  quiet(): void {
    this.#alerts.replaceChildren();
  }

  #show(overview: Overview): void {
    this.store.set({ overview });
    void this.reindex();
    void this.measure();
  }
}

/** The measure once one skill has another name, another size or neither. */
function resized(
  { all, each, index }: Measured,
  before: string | undefined,
  after: string | undefined,
  size: Size | undefined,
): Measured {
  const sizes = new Map(each);
  const old = before === undefined ? undefined : sizes.get(before);
  if (before !== undefined) sizes.delete(before);
  const now = after === undefined ? undefined : size;
  if (after !== undefined && now !== undefined) sizes.set(after, now);
  const changed = (part: keyof Size) => all[part] - (old?.[part] ?? 0) + (now?.[part] ?? 0);
  const sum = { characters: changed("characters"), tokens: changed("tokens") };
  return { all: sum, each: sizes, index };
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
