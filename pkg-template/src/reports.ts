/** What a catalog found, and telling the developer of it. */
import { optionsText } from "./answers.js";
import type { MarkHandle } from "./core/skillshelf.js";
import type { CoreCatalog } from "./core-catalog.js";
import { generation, withCore } from "./engine.js";
import type { AnyHost } from "./hosts.js";
import type { Diagnostic } from "./types.js";

/** How a developer wants to be told. */
export interface Reporting {
  /** Tells the developer of findings. */
  report(diagnostics: readonly Diagnostic[]): void;
  /** Whether only errors are told: the others need not leave the core. */
  errorsOnly: boolean;
}

/** What the hosts of a catalog found themselves, but for what a view leaves out. */
export function hostDiagnostics({ handle, hosts }: CoreCatalog): Diagnostic[] {
  const found = [...hosts.values()].flatMap(findingsOf);
  if (found.length === 0) return found;
  const text = optionsText(found);
  const shows = withCore(() => handle.showsFindings(text));
  return found.filter((_, place) => shows[place] === "+");
}

/** Those of what a host gives that are findings, as data: it may be anything, and throw. */
function findingsOf(host: AnyHost): Diagnostic[] {
  try {
    const given: unknown = host.diagnostics;
    return Array.isArray(given) ? Array.from(given, asData).filter(isDiagnostic) : [];
  } catch {
    return [];
  }
}

function asData(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch {
    return null;
  }
}

function isDiagnostic(value: unknown): value is Diagnostic {
  if (typeof value !== "object" || value === null) return false;
  const { code, severity, message, hint, path, skill, line, column } = value as Diagnostic;
  const texts = [code, message, hint ?? "", path ?? "", skill ?? ""];
  const numbers = [line ?? 0, column ?? 0];
  return (
    ["error", "warning", "info"].includes(severity) &&
    texts.every((text) => typeof text === "string") &&
    numbers.every((number) => typeof number === "number")
  );
}

/** Everything that was found, by the core and by the hosts. */
export function diagnosticsOf(core: CoreCatalog, errorsOnly = false): Diagnostic[] {
  const { handle } = core;
  const found = JSON.parse(withCore(() => handle.diagnostics(errorsOnly))) as Diagnostic[];
  return [...found, ...hostDiagnostics(core)];
}

/** Tells the developer of what a catalog found when it was loaded. */
export function reportAll(core: CoreCatalog, recipe: Reporting): void {
  recipe.report(diagnosticsOf(core, recipe.errorsOnly));
}

/** What is known of a catalog before it is refreshed. */
export class Known {
  readonly #mark: MarkHandle;
  readonly #generation = generation();
  readonly #ofHosts: ReadonlySet<string>;

  constructor(core: CoreCatalog) {
    const { handle } = core;
    this.#mark = withCore(() => handle.mark());
    this.#ofHosts = new Set(hostDiagnostics(core).map((known) => JSON.stringify(known)));
  }

  /** Tells the developer of findings that were not there before. */
  reportNew(core: CoreCatalog, recipe: Reporting): void {
    const { handle } = core;
    const text = withCore(() => handle.newsSince(this.#mark, recipe.errorsOnly));
    const ofHosts = hostDiagnostics(core).filter((one) => !this.#ofHosts.has(JSON.stringify(one)));
    recipe.report([...(JSON.parse(text) as Diagnostic[]), ...ofHosts]);
  }

  dispose(): void {
    if (this.#generation === generation()) this.#mark.free();
  }
}
