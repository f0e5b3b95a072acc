/** What a person, or a program, sees of a chat. */
import type { ToolCall } from "../../scripted-model.js";
import type { ToolResult } from "../../types.js";
import { counted, fitted, onOneLine } from "../columns.js";
import type { Screen } from "../screen.js";
import { isTooDeep } from "./model.js";
import { VisibleStream } from "./visible-stream.js";

/** What skills and commands are painted in, wherever they are named. */
export const COLORS = { skill: "cyan", command: "magenta" } as const;

export interface Display {
  /** The user has said a line. */
  begin(line: string): void;
  /** The line stands for a skill. */
  skill(name: string, text: string): void;
  /** What the model says, as it comes. */
  text(piece: string): void;
  /** It has said so much for now. */
  replied(text: string): void;
  call(call: ToolCall, result: ToolResult): void;
  /** What the user has asked the chat itself, on lines that may be shown. */
  answer(lines: readonly string[]): void;
  note(text: string): void;
  failure(text: string): void;
  /** All is done that the line led to. */
  end(): void;
}

/** Lines for people: what the model says is what was asked for, all else goes beside it. */
export class LinesDisplay implements Display {
  readonly #screen: Screen;
  readonly #visible: (text: string) => string;
  readonly #stream: VisibleStream;
  /** Whether what the user says is not seen already. */
  readonly #showsInput: boolean;
  /** Whether a line of the model is not ended yet. */
  #isWithin = false;

  constructor(screen: Screen, visible: (text: string) => string, showsInput: boolean) {
    this.#screen = screen;
    this.#visible = visible;
    this.#stream = new VisibleStream(visible);
    this.#showsInput = showsInput;
  }

  begin(line: string): void {
    const { err } = this.#screen;
    if (this.#showsInput) err.line(`${err.paint("bold", ">")} ${this.#line(line)}`);
  }

  skill(name: string, text: string): void {
    const { err } = this.#screen;
    const shown = err.paint(COLORS.skill, this.#line(name));
    this.#beside(`${err.paint("dim", "→")} ${shown}: ${charactersOf(text)}`);
  }

  text(piece: string): void {
    this.#write(this.#stream.write(piece));
  }

  replied(text: string): void {
    this.#endLine();
    if (text.trim() === "") this.note("The model has said nothing.");
  }

  call({ name, arguments: args }: ToolCall, { content, isError }: ToolResult): void {
    const { err } = this.#screen;
    const cost = charactersOf(content);
    const said = isError ? `${cost}, an error: ${this.#line(content)}` : cost;
    const line = fitted(`→ ${this.#line(name)}(${this.#line(shortOf(args))})`, err.width / 2);
    this.#beside(err.paint(isError ? "red" : "dim", fitted(`${line}: ${said}`, err.width - 1)));
  }

  answer(lines: readonly string[]): void {
    this.#endLine();
    for (const line of lines) this.#screen.out.line(line);
  }

  note(text: string): void {
    this.#beside(this.#screen.err.paint("dim", this.#line(text)));
  }

  failure(text: string): void {
    this.#beside(this.#screen.err.paint("red", this.#line(text)));
  }

  end(): void {
    this.#endLine();
  }

  #write(text: string): void {
    if (text === "") return;
    this.#screen.out.write(text);
    this.#isWithin = !text.endsWith("\n");
  }

  #endLine(): void {
    this.#write(this.#stream.end());
    if (this.#isWithin) this.#write("\n");
  }

  #beside(line: string): void {
    this.#endLine();
    this.#screen.err.line(line);
  }

  #line(text: string): string {
    // More is not seen anyway, and a result may be long.
    return this.#visible(onOneLine(text.slice(0, 1000)));
  }
}

/** A line of JSON for each line of the user. */
export class JsonDisplay implements Display {
  readonly #screen: Screen;
  #said: Record<string, unknown> = {};
  #texts: string[] = [];
  #calls: object[] = [];
  #notes: string[] = [];

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  begin(line: string): void {
    this.#said = { line };
    this.#texts = [];
    this.#calls = [];
    this.#notes = [];
  }

  skill(name: string, text: string): void {
    this.#said.skill = { name, characters: [...text].length };
  }

  text(piece: string): void {
    this.#texts.push(piece);
  }

  replied(): void {
    this.#texts.push("\n");
  }

  call({ name, arguments: args }: ToolCall, { content, isError }: ToolResult): void {
    const said = { name, arguments: parsed(args), characters: [...content].length, isError };
    this.#calls.push(said);
  }

  answer(lines: readonly string[]): void {
    this.#notes.push(...lines);
  }

  note(text: string): void {
    this.#notes.push(text);
  }

  failure(text: string): void {
    this.#said.error = text;
  }

  end(): void {
    const text = this.#texts.join("").trimEnd();
    this.#screen.out.json({ ...this.#said, text, calls: this.#calls, notes: this.#notes }, 0);
  }
}

function charactersOf(text: string): string {
  return counted([...text].length, "character");
}

/** Arguments of a call, in short. */
function shortOf(args: unknown): string {
  const value = parsed(args);
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .filter(([, given]) => given !== null)
    .map(([name, given]) => `${name}: ${typeof given === "string" ? given : JSON.stringify(given)}`)
    .join(", ");
}

/**
 * Arguments as the value that they are, however a provider sends them; what is no JSON, or could not be
 * written as JSON again, stays text.
 */
function parsed(args: unknown): unknown {
  if (typeof args !== "string") return args;
  try {
    const value: unknown = JSON.parse(args);
    return isTooDeep(value) ? args : value;
  } catch {
    return args;
  }
}
