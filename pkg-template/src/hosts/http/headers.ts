/** What headers of an answer say. All times are milliseconds. */
import { withCore } from "../../engine.js";

/** How long a server asks to be left alone: `Retry-After` as seconds or as a date. */
export function retryAfter(headers: Headers, now: number): number {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

/** How an answer may be kept. */
export interface Freshness {
  /** Until when it need not be asked for again. */
  freshUntil: number;
  /** `no-store`: it is not to be kept longer than it is needed. */
  isStored: boolean;
}

/** What `Cache-Control`, `Age` and `Expires` say. Without a word of theirs nothing is fresh. */
export function freshness(headers: Headers, now: number): Freshness {
  const directives = (headers.get("cache-control") ?? "").toLowerCase().split(",");
  const has = (name: string): boolean =>
    directives.some((one) => one.trim().split("=")[0] === name);
  const maxAge = directives
    .map((one) => /^\s*max-age="?(\d+)"?\s*$/.exec(one)?.[1])
    .find((seconds) => seconds !== undefined);
  const isStored = !has("no-store");
  if (!isStored || has("no-cache")) return { freshUntil: 0, isStored };
  if (maxAge === undefined) return { freshUntil: expires(headers, now), isStored };
  const age = Number(headers.get("age") ?? 0);
  const left = Number(maxAge) - (Number.isFinite(age) && age > 0 ? age : 0);
  return { freshUntil: now + left * 1000, isStored };
}

/** By the clock of the server, which may be another. */
function expires(headers: Headers, now: number): number {
  const [until, from] = ["expires", "date"].map((name) => Date.parse(headers.get(name) ?? ""));
  if (until === undefined || Number.isNaN(until)) return 0;
  return now + (until - (from === undefined || Number.isNaN(from) ? now : from));
}

/** Whether an answer says that it is a page for people. */
export function isPage(headers: Headers): boolean {
  return withCore((core) => core.isPage(headers.get("content-type") ?? ""));
}
