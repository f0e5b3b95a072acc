// What the bodies of all skills come to: read a few at a time, so that nothing has to wait for it.

import type { Catalog } from "skillshelf/slim";
import type { Measured, Size } from "./shapes.ts";
import { sizeOf } from "./size.ts";

/** Bodies that are read at once. */
const AT_ONCE = 8;

export class Measure {
  readonly #catalog: Catalog;
  /** By name, as far as they are known and can be. */
  readonly #sizes = new Map<string, Size>();
  readonly #unknown: Set<string>;
  /** The sum of those that are known. */
  readonly #all: Size = { characters: 0, tokens: 0 };
  #measured: Measured | undefined;
  #run: Promise<void> | undefined;
  #edition = 0;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
    this.#unknown = new Set(catalog.names);
  }

  /** What it all comes to; absent where a body has not been read yet. */
  get measured(): Measured | undefined {
    if (this.#unknown.size > 0) return undefined;
    this.#measured ??= measuredOf(this.#all, [...this.#sizes.values()]);
    return this.#measured;
  }

  /** Of a skill's body, as far as it is known. */
  sizeOf(name: string): Size | undefined {
    return this.#sizes.get(name);
  }

  /** Reads the bodies that are not known; `tell` is asked before each few, and may take a turn. */
  run(tell: (done: number, total: number) => Promise<void>): Promise<void> {
    this.#run ??= this.#readAll(tell).finally(() => {
      this.#run = undefined;
    });
    return this.#run;
  }

  /** These are read again, and those that are gone are forgotten. */
  forget(names: Iterable<string>): void {
    this.#edition += 1;
    for (const name of names) {
      this.#set(name, undefined);
      if (this.#catalog.get(name) === undefined) this.#unknown.delete(name);
      else this.#unknown.add(name);
    }
  }

  async #readAll(tell: (done: number, total: number) => Promise<void>): Promise<void> {
    // An edit meanwhile makes some unknown again.
    while (this.#unknown.size > 0) {
      const names = [...this.#unknown];
      while (names.length > 0) {
        const { size: total } = this.#catalog;
        await tell(total - this.#unknown.size, total);
        await Promise.all(names.splice(0, AT_ONCE).map((name) => this.#read(name)));
      }
    }
  }

  async #read(name: string): Promise<void> {
    const edition = this.#edition;
    const size = await this.#readSize(name);
    // What was read before an edit may not be what is there now.
    if (edition !== this.#edition) return;
    this.#unknown.delete(name);
    this.#set(name, size);
  }

  async #readSize(name: string): Promise<Size | undefined> {
    try {
      return sizeOf(await this.#catalog.body(name));
    } catch {
      // Its finding is in the list of problems.
      return undefined;
    }
  }

  #set(name: string, size: Size | undefined): void {
    this.#measured = undefined;
    const before = this.#sizes.get(name);
    if (size === undefined) this.#sizes.delete(name);
    else this.#sizes.set(name, size);
    this.#all.characters += (size?.characters ?? 0) - (before?.characters ?? 0);
    this.#all.tokens += (size?.tokens ?? 0) - (before?.tokens ?? 0);
  }
}

/** With one of the sizes that as many are shorter than as are longer. */
function measuredOf(all: Size, sizes: readonly Size[]): Measured {
  // Numbers are sorted without a call for each pair.
  const tokens = new Float64Array(sizes.length);
  for (const [at, size] of sizes.entries()) tokens[at] = size.tokens;
  const wanted = tokens.sort()[tokens.length >> 1];
  const typical = sizes.find((size) => size.tokens === wanted);
  return typical === undefined ? { all: { ...all } } : { all: { ...all }, typical };
}
