// A catalog of a folder that is watched, and waiting for what is told, without fixed sleeps.

import assert from "node:assert/strict";
import { after } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Catalog, loadSkills, type Source, type SyncCatalog } from "skillshelf";
import { type WatchEvent, type Watcher, type WatchOptions, watch } from "skillshelf/node";

/** Long enough for the slowest machine: only what fails waits so long. */
const DEADLINE = 20_000;

/** Waits until something holds. */
export async function until(holds: () => boolean, what: () => string): Promise<void> {
  const deadline = performance.now() + DEADLINE;
  while (!holds()) {
    if (performance.now() > deadline) assert.fail(`waited in vain: ${what()}`);
    await sleep(2);
  }
}

const open = new Set<Watcher>();
after(() => {
  // Not waited for: after a failure a refresh may be held up for ever.
  for (const watcher of open) void watcher.close();
});

/** What a watcher told. */
export class Watched<C extends Catalog | SyncCatalog = Catalog | SyncCatalog> {
  readonly events: WatchEvent[] = [];
  readonly errors: unknown[] = [];
  readonly catalog: C;
  watcher!: Watcher;

  private constructor(catalog: C) {
    this.catalog = catalog;
  }

  static async of<C extends Catalog | SyncCatalog>(
    catalog: C,
    options: WatchOptions = {},
  ): Promise<Watched<C>> {
    const watched = new Watched(catalog);
    watched.watcher = await watch(catalog, {
      debounce: 15,
      onChange: (event) => watched.events.push(event),
      onError: (error) => watched.errors.push(error),
      ...options,
    });
    open.add(watched.watcher);
    return watched;
  }

  /** One line for each event. */
  get summaries(): string[] {
    return this.events.map(({ summary }) => summary);
  }

  /** Waits until this many events were told in all. */
  async count(events: number): Promise<void> {
    await until(
      () => this.events.length >= events,
      () => `${this.events.length} of ${events} events: ${this.summaries.join(" | ")}`,
    );
  }

  /** Waits until the last event says this. */
  async told(summary: string): Promise<void> {
    await until(
      () => this.summaries.at(-1) === summary,
      () => `for ${summary}; there was ${this.summaries.join(" | ")}`,
    );
  }

  /** Waits until the catalog has the skill with this description, and that was told. */
  async described(name: string, description: string): Promise<void> {
    await until(
      () => this.catalog.get(name)?.description === description,
      () => `for ${name} as ${description}; it is ${this.catalog.get(name)?.description}`,
    );
    const last = this.events.at(-1);
    assert.ok(last && [...last.added, ...last.changed].includes(name), last?.summary);
  }

  /** Waits until the catalog has these skills and no others, and that was told. */
  async named(...names: string[]): Promise<void> {
    const are = (): string => this.catalog.names.join(" ");
    await until(
      () => are() === names.join(" "),
      () => `for ${names.join(" ")}; there are ${are()}`,
    );
  }
}

/** Loads and watches. */
export async function watched(
  sources: Source | readonly Source[],
  options: WatchOptions = {},
): Promise<Watched<Catalog>> {
  return Watched.of(await loadSkills(sources, { onDiagnostic: () => {} }), options);
}
