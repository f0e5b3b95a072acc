/** What a catalog found, and telling the developer of it. */
import type { CoreCatalog } from "./core-catalog.js";
import { withCore } from "./engine.js";
import type { Diagnostic } from "./types.js";

/** How a developer wants to be told. */
export interface Reporting {
  /** Tells the developer of findings. */
  report(diagnostics: readonly Diagnostic[]): void;
  /** Whether only errors are told: the others need not leave the core. */
  errorsOnly: boolean;
}

/** What the hosts of a catalog found themselves. */
export function hostDiagnostics({ hosts }: CoreCatalog): Diagnostic[] {
  return [...hosts.values()].flatMap((host) => host.diagnostics ?? []);
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

/** Tells the developer of findings that were not there before. */
export function reportNew(core: CoreCatalog, recipe: Reporting, before: Diagnostic[]): void {
  const known = new Set(before.map((diagnostic) => JSON.stringify(diagnostic)));
  const after = diagnosticsOf(core, recipe.errorsOnly);
  recipe.report(after.filter((diagnostic) => !known.has(JSON.stringify(diagnostic))));
}
