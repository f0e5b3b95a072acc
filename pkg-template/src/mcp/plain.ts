/** What a server sent, as the core can read it. */
import { wellFormed } from "../answers.js";

/** A value, and what had to be changed of it. */
export interface Plain {
  value: unknown;
  /** Whether something was nested too deeply: it is `null` now. */
  isCut: boolean;
  /** Whether there was half of a surrogate pair, which is no text: U+FFFD is there now. */
  isMended: boolean;
}

/** The same value of JSON, with no more than so many levels and with nothing that is no text. */
export function plain(given: unknown, levels: number): Plain {
  const found = { isCut: false, isMended: false };
  const text = (text: string): string => {
    const whole = wellFormed(text);
    found.isMended ||= whole !== text;
    return whole;
  };
  const copy = (value: unknown, left: number): unknown => {
    if (typeof value === "string") return text(value);
    if (typeof value !== "object" || value === null) return value;
    if (left === 0) {
      found.isCut = true;
      return null;
    }
    if (Array.isArray(value)) return value.map((item) => copy(item, left - 1));
    // An entry of any name becomes a property of its own.
    const entries = Object.entries(value).map(([key, part]) => [text(key), copy(part, left - 1)]);
    return Object.fromEntries(entries);
  };
  return { value: copy(given, levels), ...found };
}
