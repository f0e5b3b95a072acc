/** The hosts that the core knows by number, and what each can do. */
import { listsExactly } from "./hosts/listed.js";
import type { Host, SyncHost } from "./types.js";

export type AnyHost = Host | SyncHost;

/** Marks hosts whose real paths are paths of this machine. */
export const DISK: unique symbol = Symbol.for("skillshelf.disk");

/** Marks hosts whose files are at hand without a file system: to read many of them costs little. */
export const NEAR: unique symbol = Symbol.for("skillshelf.near");

/** The method of a host that remembers what it was told: a scan begins, so it asks again. */
export const SCAN: unique symbol = Symbol.for("skillshelf.scan");

/**
 * The method of a host with bounds of its own that tells when something came last from where it asks,
 * as `Date.now()` has it: as long as something comes, its silence is none.
 */
export const LAST_SIGN: unique symbol = Symbol.for("skillshelf.lastSign");

const numbers = new WeakMap<object, number>();
let next = 0;

/** The number of a host: the same for the same object. */
export function hostNumber(host: AnyHost): number {
  let number = numbers.get(host);
  if (number === undefined) {
    number = next;
    next += 1;
    numbers.set(host, number);
  }
  return number;
}

/** What the core has to know of a host, as JSON text. */
export function hostFacts(host: AnyHost): string {
  return JSON.stringify({
    host: hostNumber(host),
    ranges: host.ranges === true,
    stat: typeof host.stat === "function",
    realPath: typeof host.realPath === "function",
    open: typeof host.open === "function",
    listsExactly: listsExactly(host),
    disk: DISK in host,
    near: NEAR in host,
    // Archives, and what sites publish.
    whole: SCAN in host,
  });
}

/** Whether a value has what every host has. */
export function isHost(value: unknown): value is AnyHost {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Partial<AnyHost>).list === "function" &&
    typeof (value as Partial<AnyHost>).read === "function"
  );
}

/** The length that a typed array has, whatever it says. */
const realLength = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  "length",
)?.get;

/** By its tag too, which takes longer: a Uint8Array of another realm is no instance of this one's. */
export function isBytes(value: unknown): value is Uint8Array {
  if (!ArrayBuffer.isView(value)) return false;
  const isTyped =
    value instanceof Uint8Array || Object.prototype.toString.call(value) === "[object Uint8Array]";
  if (!isTyped) return false;
  const length = realLength?.call(value);
  return (value as Uint8Array).length === length && (length > 0 || isAttached(value));
}

/** Whether the memory below is still there: it may have been handed to another thread. */
function isAttached(view: ArrayBufferView): boolean {
  try {
    return new Uint8Array(view.buffer) !== undefined;
  } catch {
    return false;
  }
}

/** The hosts of a catalog, by number. */
export type HostTable = ReadonlyMap<number, AnyHost>;

/** The hosts of a catalog that is being loaded. */
export class Hosts extends Map<number, AnyHost> {
  /** Adds a host. */
  use(host: AnyHost): void {
    this.set(hostNumber(host), host);
  }

  /** Adds all hosts of another catalog. */
  useAll(others: HostTable): void {
    for (const [number, host] of others) this.set(number, host);
  }
}

let scans = 0;

/** How many scans have begun, of whichever hosts: for one that others wrap, so that nobody tells it. */
export function scansBegun(): number {
  return scans;
}

/** Says to the hosts of a catalog that a scan of them begins. */
export function announceScan(hosts: HostTable): void {
  scans += 1;
  for (const host of hosts.values()) (host as { [SCAN]?(): void })[SCAN]?.();
}
