/** Findings as lines for people. */
import type { Diagnostic } from "../types.js";
import { shownPath } from "./paths.js";
import { type Output, visibleLine } from "./screen.js";

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
