/** The lines that a user says: at a terminal's prompt, or from whatever else the input is. */
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";

export interface Lines {
  /** The next one; nothing where there is none any more. */
  next(): Promise<string | undefined>;
  /** No more are wanted. */
  close(): void;
}

/** Lines of a pipe or a file. */
export function pipedLines(input: NodeJS.ReadableStream): Lines {
  const reader = createInterface({ input, terminal: false });
  const lines = reader[Symbol.asyncIterator]();
  return {
    async next() {
      const { done, value } = await lines.next();
      return done ? undefined : value;
    },
    close: () => reader.close(),
  };
}

/** What may become of a line, and how that is shown. */
export interface Completer {
  /** What may take the place of what was typed, the likeliest first. */
  complete(typed: string): string[];
  /** The same, as lines to be shown. */
  describe(typed: string): string[];
}

export interface PromptOptions {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  prompt: string;
  completer: Completer;
  /** Ctrl-C. Gives whether there was something to end. */
  onInterrupt(): boolean;
  /** Said at the first Ctrl-C that would end the chat. */
  farewell: string;
}

/** Lines of a person. What is typed while nobody waits for a line shows when somebody does. */
export class PromptLines implements Lines {
  readonly #options: PromptOptions;
  readonly #gate: Gate;
  readonly #reader: Interface;
  /** Lines that were said before they were asked for. */
  readonly #early: string[] = [];
  #waiting: ((line: string | undefined) => void) | undefined;
  #isClosed = false;
  /** Whether the next Ctrl-C ends it. */
  #isLeaving = false;

  constructor(options: PromptOptions) {
    const { input, output, prompt } = options;
    this.#options = options;
    this.#gate = new Gate(output);
    this.#reader = createInterface({
      input,
      output: this.#gate,
      terminal: true,
      prompt,
      historySize: 200,
      completer: (typed: string) => this.#complete(typed),
    });
    this.#reader.on("line", (line) => this.#take(line));
    this.#reader.on("SIGINT", () => this.#interrupt());
    this.#reader.once("close", () => {
      this.#isClosed = true;
      this.#give(undefined);
    });
  }

  next(): Promise<string | undefined> {
    const early = this.#early.shift();
    if (early !== undefined) {
      this.#options.output.write(`${this.#options.prompt}${early}\n`);
      return Promise.resolve(early);
    }
    if (this.#isClosed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#gate.isOpen = true;
      this.#prompt();
    });
  }

  close(): void {
    this.#reader.close();
  }

  #take(line: string): void {
    this.#isLeaving = false;
    if (this.#waiting === undefined) this.#early.push(line);
    else this.#give(line);
  }

  #give(line: string | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (line === undefined && waiting !== undefined) this.#gate.write("\n");
    this.#gate.isOpen = false;
    waiting?.(line);
  }

  #prompt(): void {
    // What was written since is above the prompt, and no part of it. Node's reader has no word for that;
    // where this field of its own were called otherwise, it would clear lines above a line of several rows.
    Object.assign(this.#reader, { prevRows: 0 });
    this.#reader.prompt(true);
  }

  #interrupt(): void {
    if (this.#options.onInterrupt()) return;
    const isEmpty = this.#reader.line === "";
    if (isEmpty && this.#isLeaving) {
      this.close();
      return;
    }
    this.#isLeaving = isEmpty;
    this.#gate.write(this.#isLeaving ? `\n${this.#options.farewell}\n` : "^C\n");
    this.#reader.write(null, { ctrl: true, name: "e" });
    this.#reader.write(null, { ctrl: true, name: "u" });
    this.#prompt();
  }

  /** What the reader puts into the line. Where there is a choice, it is shown instead. */
  #complete(typed: string): [string[], string] {
    const { completer } = this.#options;
    const found = completer.complete(typed);
    const [first] = found;
    if (found.length === 1) return [[`${first} `], typed];
    const begun = commonBeginning(found.filter((candidate) => candidate.startsWith(typed)));
    if (begun.length > typed.length) return [[begun], typed];
    if (found.length > 1 && this.#gate.isOpen) {
      this.#gate.write(`\n${completer.describe(typed).join("\n")}\n`);
      this.#prompt();
    }
    return [[], typed];
  }
}

/** A terminal that shows nothing while it is closed. */
class Gate extends Writable {
  readonly isTTY = true;
  readonly #terminal: NodeJS.WriteStream;
  isOpen = false;

  constructor(terminal: NodeJS.WriteStream) {
    super();
    this.#terminal = terminal;
    terminal.on("resize", () => this.emit("resize"));
  }

  get columns(): number {
    return this.#terminal.columns;
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    if (this.isOpen) this.#terminal.write(chunk);
    done();
  }
}

function commonBeginning(texts: readonly string[]): string {
  const [first = "", ...others] = texts;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
