// The sandbox of edge runtimes: what is asked of it one after the other.

export { outputs } from "./outputs.mjs";
export { checked } from "./stores.mjs";
