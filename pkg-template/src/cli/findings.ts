/** Findings as lines for people. */
import type { Catalog, Diagnostic } from "../types.js";
import { counted } from "./columns.js";
import { argumentOf, shownPath } from "./paths.js";
import { type Output, type Screen, visibleLine } from "./screen.js";

/** Errors that are told one by one where something else is what counts. */
export const MOST_ERRORS = 10;

/** What a severity is called, and its color. */
const LABELS = {
  error: ["error", "red"],
  warning: ["warning", "yellow"],
  info: ["hint", "blue"],
} as const;

/** `file:line:column`, which editors open. */
export function placeOf({ path, line, column }: Diagnostic): string {
  if (path === undefined) return "";
  const shown = visibleLine(shownPath(path));
  return line === undefined ? shown : `${shown}:${line}:${column ?? 1}`;
}

/** A finding on one line, without its remedy. */
export function findingLine(finding: Diagnostic, out: Output): string {
  const [label, color] = LABELS[finding.severity];
  const place = placeOf(finding);
  const before = place === "" ? "" : `${out.paint("bold", place)}: `;
  const code = out.paint("dim", `[${visibleLine(finding.code)}]`);
  return `${before}${out.paint(color, label)}: ${visibleLine(finding.message)} ${code}`;
}

/** The remedy of a finding, where it has one. */
export function remedyLine({ hint }: Diagnostic, out: Output): string | undefined {
  return hint === undefined ? undefined : out.paint("dim", `    ${visibleLine(hint)}`);
}

/** What is to be told, and of what. */
interface Told {
  /** The folders that were named; the usual ones where there are none. */
  roots: readonly string[];
  /** Errors that are told one by one; all of them by default. */
  most?: number;
}

/** What is to be said of a catalog beside its skills: of the errors so many at most, then the counts. */
export function tellFindings(catalog: Catalog, { roots, most }: Told, { err }: Screen): void {
  const { diagnostics, size } = catalog;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  for (const finding of errors.slice(0, most)) err.line(findingLine(finding, err));
  const untrusted = diagnostics.filter(({ code }) => code === "source-untrusted");
  for (const { path } of untrusted) {
    const shown = path === undefined ? "A folder" : visibleLine(shownPath(path));
    err.line(`${shown} is the project's own and not trusted; --trust takes its skills too`);
  }
  const warnings = diagnostics.filter(({ severity }) => severity === "warning");
  const sources = new Set([...catalog].map(({ source }) => source?.label)).size;
  const parts = [
    size === 0 ? "No skills" : `${counted(size, "skill")} from ${counted(sources, "folder")}`,
    ...(errors.length > 0 ? [counted(errors.length, "error")] : []),
    ...(warnings.length > 0
      ? [`${counted(warnings.length, "warning")} (see \`${validating(warnings, catalog, roots)}\`)`]
      : []),
  ];
  err.line(err.paint("dim", parts.join(", ")));
}

/** The command that explains warnings: of the folders that were named, or else of those that have some. */
function validating(
  warnings: readonly Diagnostic[],
  catalog: Catalog,
  roots: readonly string[],
): string {
  const labels = [...new Set([...catalog].map(({ source }) => source?.label ?? ""))];
  const isWithin = (label: string) => warnings.some(({ path }) => path?.startsWith(label));
  const meant =
    roots.length > 0 ? roots : labels.filter((label) => label !== "" && isWithin(label));
  return visibleLine(["skillshelf validate", ...meant.map(argumentOf)].join(" "));
}
