/** What is said of a validation: to people, and to machines in the forms that they read. */
import type { Diagnostic } from "../../types.js";
import { counted } from "../columns.js";
import { DONE, FAILED, MISUSED } from "../exit.js";
import { findingLine, remedyLine } from "../findings.js";
import { shownPath } from "../paths.js";
import { type Output, visibleLine } from "../screen.js";
import { sarifLog } from "./sarif.js";
import type { Result } from "./validation.js";

/** The formats, by name. */
export const FORMATS: Readonly<Record<string, (result: Result, out: Output) => void>> = {
  human,
  json,
  github,
  sarif: (result, out) => out.json(sarifLog(result)),
};

/** Tells a result. */
export function report(result: Result, format: string, out: Output): void {
  FORMATS[format]?.(result, out);
}

/** Errors fail; so does it where nothing was there to be validated. */
export function exitCode({ skills, findings }: Result): number {
  if (findings.some(({ severity }) => severity === "error")) return FAILED;
  return skills.length === 0 ? MISUSED : DONE;
}

function count(findings: readonly Diagnostic[], severity: Diagnostic["severity"]): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

function human({ skills, findings }: Result, out: Output): void {
  for (const finding of findings) {
    out.line(findingLine(finding, out));
    const remedy = remedyLine(finding, out);
    if (remedy !== undefined) out.line(remedy);
  }
  if (findings.length > 0) out.line();
  out.line(summary({ skills, findings }, out));
}

function summary({ skills, findings }: Result, out: Output): string {
  const number = counted(skills.length, "skill");
  const errors = count(findings, "error");
  const parts = (
    [
      [errors, "error"],
      [count(findings, "warning"), "warning"],
      [count(findings, "info"), "hint"],
    ] as const
  ).flatMap(([count, thing]) => (count > 0 ? [counted(count, thing)] : []));
  if (errors > 0) return `${out.paint("red", `✗ ${parts.join(", ")}`)} in ${number}`;
  if (skills.length === 0) return out.paint("red", "✗ no skill was found");
  const told = parts.length > 0 ? `, ${parts.join(", ")}` : "";
  return `${out.paint("green", `✓ ${number} valid`)}${told}`;
}

function json({ skills, findings }: Result, out: Output): void {
  out.json({
    valid: count(findings, "error") === 0,
    skills: skills.map(shownPath),
    errors: count(findings, "error"),
    warnings: count(findings, "warning"),
    hints: count(findings, "info"),
    diagnostics: findings.map(({ path, ...finding }) => ({
      ...finding,
      ...(path !== undefined && { path: shownPath(path) }),
    })),
  });
}

/** Commands of GitHub's workflows, which become annotations of the files. */
function github(result: Result, out: Output): void {
  const kinds = { error: "error", warning: "warning", info: "notice" } as const;
  for (const { path, line, column, code, severity, message, hint } of result.findings) {
    const properties = [
      ...(path === undefined ? [] : [["file", visibleLine(shownPath(path))]]),
      ...(line === undefined ? [] : [["line", line]]),
      ...(column === undefined ? [] : [["col", column]]),
      ["title", `skillshelf: ${code}`],
    ];
    const shown = properties.map(([name, value]) => `${name}=${property(String(value))}`);
    const text = visibleLine(hint === undefined ? message : `${message}; ${hint}`);
    out.line(`::${kinds[severity]} ${shown.join(",")}::${data(text)}`);
  }
  out.line(summary(result, out));
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
