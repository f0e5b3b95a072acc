// What the bodies of all skills come to: read a few at a time, so that nothing has to wait for it.

import type { Catalog } from "skillshelf/slim";
import type { Measured, Size } from "./shapes.ts";
import { sizeOf, sum } from "./size.ts";

/** Bodies that are read at once. */
const AT_ONCE = 8;

export class Measure {
  readonly #catalog: Catalog;
  /** By name, as far as they are known; nothing for a body that cannot be read. */
  readonly #sizes = new Map<string, Size | undefined>();
  #run: Promise<void> | undefined;
  #measured: Measured | undefined;
  #edition = 0;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** What it all comes to; absent where a body has not been read yet. */
  get measured(): Measured | undefined {
    this.#measured ??= this.#sumUp();
    return this.#measured;
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
    this.#measured = undefined;
    for (const name of names) this.#sizes.delete(name);
  }

  #sumUp(): Measured | undefined {
    const each = new Map<string, Size>();
    for (const name of this.#catalog.names) {
      if (!this.#sizes.has(name)) return undefined;
      const size = this.#sizes.get(name);
      if (size) each.set(name, size);
    }
    return { all: sum(each.values()), each };
  }

  async #readAll(tell: (done: number, total: number) => Promise<void>): Promise<void> {
    // An edit meanwhile makes some unknown again.
    for (let names = this.#unknown(); names.length > 0; names = this.#unknown()) {
      while (names.length > 0) {
        await tell(this.#sizes.size, this.#catalog.size);
        await Promise.all(names.splice(0, AT_ONCE).map((name) => this.#read(name)));
      }
    }
  }

  async #read(name: string): Promise<void> {
    const edition = this.#edition;
    const size = await this.#sizeOf(name);
    // What was read before an edit may not be what is there now.
    if (edition === this.#edition) this.#sizes.set(name, size);
  }

  async #sizeOf(name: string): Promise<Size | undefined> {
    try {
      return sizeOf(await this.#catalog.body(name));
    } catch {
      // Its finding is in the list of problems.
      return undefined;
    }
  }

  #unknown(): string[] {
    return this.#catalog.names.filter((name) => !this.#sizes.has(name));
  }
}
