/** The one error class. */
import type { Diagnostic, ErrorCode } from "./types.js";

/** An error as the core tells it. */
export interface ErrorFacts {
  code: ErrorCode;
  message: string;
  /** The same for one who is elsewhere, without directories of this machine. */
  told?: string;
  /** What is wrong for that one: the server, the request, or that what it asks for is missing. */
  kind?: "server" | "request" | "missing";
  diagnostics?: Diagnostic[];
  path?: string;
  line?: number;
  column?: number;
}

/** What is said of an error to one who is elsewhere. */
interface Told {
  readonly text: string;
  readonly kind: NonNullable<ErrorFacts["kind"]>;
}

const toldElsewhere = new WeakMap<SkillError, Told>();

const BRAND = Symbol.for("skillshelf.SkillError");

/**
 * What every function throws or rejects with. `code` is stable; the message names the file, the
 * problem and the remedy.
 *
 * ```ts
 * try {
 *   defineSkill({ name: "Bad Name", description: "…", content: "…" });
 * } catch (error) {
 *   if (SkillError.isInstance(error)) console.error(error.code, error.message);
 * }
 * ```
 */
export class SkillError extends Error {
  override readonly name = "SkillError";
  readonly code: ErrorCode;
  /** The findings behind it; empty where there are none. */
  readonly diagnostics: Diagnostic[];
  /** The file it is about. */
  declare readonly path?: string;
  /** Line in the file, from 1. */
  declare readonly line?: number;
  /** Column in code points, from 1. */
  declare readonly column?: number;

  constructor(facts: ErrorFacts, options?: ErrorOptions) {
    super(facts.message, options);
    // Safari's engine, which is Bun's too, gives every error the place in the script that made it.
    Reflect.deleteProperty(this, "line");
    Reflect.deleteProperty(this, "column");
    this.code = facts.code;
    this.diagnostics = facts.diagnostics ?? [];
    if (facts.path !== undefined) this.path = facts.path;
    if (facts.line !== undefined) this.line = facts.line;
    if (facts.column !== undefined) this.column = facts.column;
    Object.defineProperty(this, BRAND, { value: true });
    const { told: text, kind } = facts;
    if (text !== undefined && kind !== undefined) toldElsewhere.set(this, { text, kind });
  }

  /** Whether `error` is one, also one of another copy of this package. */
  static isInstance(error: unknown): error is SkillError {
    try {
      return typeof error === "object" && error !== null && BRAND in error;
    } catch {
      // A proxy that does not let itself be asked is none.
      return false;
    }
  }
}

/** The error of what was aborted. */
export function aborted(signal: AbortSignal): SkillError {
  return new SkillError(
    { code: "ABORTED", message: "The operation was aborted by its signal." },
    { cause: signal.reason },
  );
}

/**
 * The error of a call as a model is told it: what the core never answered, so that its remedies, a
 * refresh or another load, are the developer's.
 */
export function toldToModel({ code }: SkillError): string {
  return (
    `The skill tools cannot answer (${code}), and calling again will not help: ` +
    "go on without them, and tell the user that the application has to load its skills again."
  );
}

/** The error as one is told it who is elsewhere: with no directory of this machine. */
export function toldToRemote(error: SkillError): Told {
  // What the core never answered is no mistake of a request.
  return toldElsewhere.get(error) ?? { text: toldToModel(error), kind: "server" };
}
