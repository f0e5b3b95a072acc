/** What a person sees: colors and widths where there is a terminal, plain text elsewhere. */
import { styleText } from "node:util";
import { withCore } from "../engine.js";

type Format = Parameters<typeof styleText>[0];

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

  /** A value as JSON. Characters that nobody sees, or that a terminal obeys, are escaped. */
  json(value: unknown): void {
    const text = JSON.stringify(value, undefined, 2);
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
  return visible(text.replace(/\s+/g, " ").trim());
}

/** Characters that take two columns of a terminal. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** How many columns of a terminal a text takes. */
export function columnsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) columns += columnsOfGrapheme(segment);
  return columns;
}

function columnsOfGrapheme(grapheme: string): number {
  return WIDE.test(grapheme) || grapheme.includes("\ufe0f") ? 2 : 1;
}

/** Text cut to a number of columns, with `…` at its end where something is missing. */
export function fitted(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  let kept = "";
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) {
    columns += columnsOfGrapheme(segment);
    if (columns > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Text with blanks up to a number of columns. */
export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - columnsOf(text)));
}

/** Text in lines of at most `width` columns, broken between words. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && columnsOf(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

/** A number of things: `1 file`, `2 files`. */
export function counted(count: number, thing: string): string {
  const number = String(count).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${number} ${thing}${count === 1 ? "" : "s"}`;
}
