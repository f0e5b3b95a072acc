// Loading the same files both ways.

import assert from "node:assert/strict";
import {
  type Catalog,
  type Diagnostic,
  type LoadOptions,
  loadSkills,
  loadSkillsSync,
  type PromptOptions,
  type SyncCatalog,
  type SyncHost,
} from "skillshelf";
import { type Files, smallHost, withPromises } from "./hosts.ts";

const quiet = (): void => {};

/** A catalog of these files without promises; findings are kept off the console. */
export function shelf(files: Files, options: LoadOptions = {}): SyncCatalog {
  return shelfOf(smallHost(files), options);
}

export function shelfOf(host: SyncHost, options: LoadOptions = {}): SyncCatalog {
  return loadSkillsSync({ host }, { onDiagnostic: quiet, ...options });
}

/** The same with promises. */
export function shelfWithPromises(host: SyncHost, options: LoadOptions = {}): Promise<Catalog> {
  return loadSkills({ host: withPromises(host) }, { onDiagnostic: quiet, ...options });
}

const STYLES: readonly NonNullable<PromptOptions["style"]>[] = ["markdown", "plain", "xml", "json"];

/** All that a catalog says of itself. */
export function account(catalog: Catalog | SyncCatalog): {
  skills: unknown;
  names: readonly string[];
  indexes: string[];
  diagnostics: readonly Diagnostic[];
} {
  return {
    skills: [...catalog].map(({ source, ...skill }) => ({ ...skill, path: source?.path })),
    names: catalog.names,
    indexes: STYLES.map((style) => catalog.prompt({ style })),
    diagnostics: catalog.diagnostics,
  };
}

export function assertSame(one: Catalog | SyncCatalog, other: Catalog | SyncCatalog): void {
  assert.deepEqual(account(other), account(one));
}

/** The codes of all findings, sorted. */
export function codesOf(catalog: Catalog | SyncCatalog): string[] {
  return catalog.diagnostics.map(({ code }) => code).sort();
}
