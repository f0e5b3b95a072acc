/**
 * Hosts that keep something for as long as an operation, and no longer. A store is listed as a whole
 * or not at all: within one operation once is enough, and the next one sees every edit.
 */
import type { AnyHost } from "../hosts.js";

/** Not a member of hosts, which who wraps one would take over with what it bypasses. */
const makes = new WeakMap<AnyHost, () => AnyHost>();

/** Has `make` give what stands for the host in an operation; a new one for each. */
export function inOperations<T extends AnyHost>(host: T, make: () => T): T {
  makes.set(host, make);
  return host;
}

/** The hosts of one operation, by number. */
export class OperationHosts {
  readonly #hosts: { get(number: number): AnyHost | undefined };
  readonly #made = new Map<number, AnyHost | undefined>();

  constructor(hosts: { get(number: number): AnyHost | undefined }) {
    this.#hosts = hosts;
  }

  get(number: number): AnyHost | undefined {
    const known = this.#made.get(number);
    if (known !== undefined) return known;
    const host = this.#hosts.get(number);
    const made = host && (makes.get(host)?.() ?? host);
    this.#made.set(number, made);
    return made;
  }
}
