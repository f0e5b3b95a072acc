/** What a session needs to have the servers of its skills connected. */
import type { Connector } from "../driver.js";

/** What connects the servers of a session's skills. */
export interface Servers {
  /** For one call. */
  begin(): ServersOfCall;
}

/** The servers that one call asks for: they are its own until it is settled which ones stay. */
export interface ServersOfCall extends Connector {
  settle(settlements: readonly Settlement[]): void;
  /** The call is over: what is not to stay, and nobody else wants, is ended. */
  release(): void;
}

/** Which servers a skill has from now on: its others end. */
export interface Settlement {
  skill: string;
  version?: string;
  stay: readonly string[];
}
