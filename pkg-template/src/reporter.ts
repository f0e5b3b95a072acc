/** How a developer is told of findings: by a function that was passed, or on the console. */
import { optionsText } from "./answers.js";
import { withCore } from "./engine.js";
import type { Reporting } from "./reports.js";
import type { Diagnostic, LoadOptions } from "./types.js";
import { unwaited } from "./unwaited.js";

/** Tells of findings: each to the developer's function, or skipped skills on the console. */
export function reporter({ onDiagnostic }: Pick<LoadOptions, "onDiagnostic">): Reporting {
  if (typeof onDiagnostic !== "function") return { report: warn, errorsOnly: true };
  const report = (diagnostics: readonly Diagnostic[]): void => {
    // However many fail, it is told once.
    const promised = diagnostics.map((diagnostic): unknown => onDiagnostic(diagnostic));
    unwaited(Promise.all(promised), "onDiagnostic failed later");
  };
  return { report, errorsOnly: false };
}

/** The lines are the core's. */
function warn(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  const text = optionsText(diagnostics);
  const lines = JSON.parse(withCore((core) => core.warnings(text))) as string[];
  for (const line of lines) console.warn(`skillshelf: ${line}`);
}
