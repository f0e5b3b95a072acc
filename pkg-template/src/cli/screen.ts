/** What a person sees: colors and widths where there is a terminal, plain text elsewhere. */
import { styleText } from "node:util";
import { withCore } from "../engine.js";
import { fitted, onOneLine } from "./columns.js";

export type Format = Parameters<typeof styleText>[0];

/** Where text goes. */
type Stream = Pick<NodeJS.WriteStream, "write"> &
  Partial<Pick<NodeJS.WriteStream, "isTTY" | "columns">>;

/** Milliseconds after which a person is told that there is progress. */
const PROGRESS_AFTER = 1000;
const PROGRESS_EVERY = 100;

/** The narrowest terminal that columns are fitted into. */
const NARROWEST = 40;

/** One of the two streams. */
export class Output {
  readonly #stream: Stream;
  /** Whether a person reads it as it comes. */
  readonly isTerminal: boolean;
  readonly #isColored: boolean;

  constructor(stream: Stream) {
    this.#stream = stream;
    this.isTerminal = stream.isTTY === true;
    const { NO_COLOR, TERM } = process.env;
    this.#isColored = this.isTerminal && !NO_COLOR && TERM !== "dumb";
  }

  /** Columns of the terminal; elsewhere lines are as long as they are. */
  get width(): number {
    return this.isTerminal ? Math.max(NARROWEST, this.#stream.columns ?? 80) : Infinity;
  }

  line(text = ""): void {
    this.#stream.write(`${text}\n`);
  }

  /** Writes what is no line: bytes, or a text with an end of its own. */
  write(content: string | Uint8Array): void {
    this.#stream.write(content);
  }

  /** Writes a text of several lines byte for byte, but for a terminal, which might obey it. */
  text(text: string): void {
    this.write(this.isTerminal ? visible(text) : text);
  }

  /** A value as JSON. Characters that nobody sees, or that a terminal obeys, are escaped. */
  json(value: unknown, indent: number = 2): void {
    const text = JSON.stringify(value, undefined, indent);
    this.line(text.replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu, escapedUnits));
  }

  paint(format: Format, text: string): string {
    return this.#isColored ? styleText(format, text, { validateStream: false }) : text;
  }
}

export class Screen {
  /** What was asked for. */
  readonly out: Output;
  /** What else is to be said. */
  readonly err: Output;

  constructor(out: Stream, err: Stream) {
    this.out = new Output(out);
    this.err = new Output(err);
  }

  /** Does some work, and shows on the terminal how far it is where it takes longer than a second. */
  async withProgress<T>(work: (show: (text: string) => void) => Promise<T>): Promise<T> {
    if (!this.err.isTerminal) return work(() => {});
    const begun = performance.now();
    let shown = 0;
    const show = (text: string): void => {
      const now = performance.now();
      if (now - begun < PROGRESS_AFTER || now - shown < PROGRESS_EVERY) return;
      shown = now;
      this.err.write(`\r\x1b[K${this.err.paint("dim", fitted(text, this.err.width - 1))}`);
    };
    try {
      return await work(show);
    } finally {
      if (shown > 0) this.err.write("\r\x1b[K");
    }
  }
}

function escapedUnits(character: string): string {
  let escaped = "";
  for (let unit = 0; unit < character.length; unit += 1) {
    escaped += `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}

/** Text of several lines that a terminal may be given: what it would obey, or nobody sees, shows. */
export function visible(text: string): string {
  return withCore((core) => core.escaped(text));
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visible(onOneLine(text));
}
