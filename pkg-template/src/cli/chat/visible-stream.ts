/** Text that comes in pieces, as a terminal may be given it. */

/** Code points before a piece that decide how its first ones are shown. */
const BEFORE = 8;
/** Code units that are held at most; no emoji is joined of more. */
const MOST_HELD = 32;

export class VisibleStream {
  readonly #visible: (text: string) => string;
  #before = "";
  #held = "";

  /** `visible` is what makes a whole text one that may be shown. */
  constructor(visible: (text: string) => string) {
    this.#visible = visible;
  }

  /** What of a piece can be shown already. */
  write(piece: string): string {
    const all = this.#held + piece.replaceAll("\r", "");
    // Half a character, and what joins two of them, is judged with what follows.
    const end = judgedUpTo(all);
    this.#held = all.slice(end);
    return this.#shown(all.slice(0, end));
  }

  /** The rest, once no more comes. */
  end(): string {
    const rest = this.#shown(this.#held);
    this.#held = "";
    this.#before = "";
    return rest;
  }

  #shown(text: string): string {
    const shown = this.#visible(this.#before + text).slice(this.#visible(this.#before).length);
    this.#before = [...(this.#before + text).slice(-4 * BEFORE)].slice(-BEFORE).join("");
    return shown;
  }
}

/** Where a text ends whose last character needs nothing after it, or has waited for that too long. */
function judgedUpTo(text: string): number {
  let end = text.length;
  const least = Math.max(0, end - MOST_HELD);
  while (end > least) {
    const isHalf = /[\udc00-\udfff]/.test(text[end - 1] ?? "");
    const start = isHalf && end > 1 ? end - 2 : end - 1;
    if (!/^[\p{Cs}\p{Cf}]/u.test(text.slice(start, end))) break;
    end = start;
  }
  return end;
}
