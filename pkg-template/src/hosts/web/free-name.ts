/** Names of one place, no two of them the same. */
export class FreeNames {
  /** How often each was wanted. */
  readonly #wanted = new Map<string, number>();

  /** The name, or where it is taken `name (2)` and so on. */
  take(name: string): string {
    let free = name;
    let count = this.#wanted.get(name) ?? 0;
    while (this.#wanted.has(free)) {
      count += 1;
      free = `${name} (${count})`;
    }
    this.#wanted.set(name, Math.max(count, 1));
    this.#wanted.set(free, 1);
    return free;
  }
}
