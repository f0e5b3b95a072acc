/** A validation as a SARIF 2.1.0 log, which code scanners exchange. */
import { isAbsolute, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Diagnostic } from "../../types.js";
import { shownPath } from "../paths.js";
import { visibleLine } from "../screen.js";
import { version } from "../version.js";
import type { Result } from "./validation.js";

const LEVELS = { error: "error", warning: "warning", info: "note" } as const;

/** The log of a result. */
export function sarifLog({ findings }: Result): object {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: { name: "skillshelf", version: version(), rules: codes.map((id) => ({ id })) },
        },
        // As the findings count them.
        columnKind: "unicodeCodePoints",
        results: findings.map((finding) => resultOf(finding, codes)),
      },
    ],
  };
}

function resultOf(finding: Diagnostic, codes: readonly string[]): object {
  const { code, severity, message, hint, path } = finding;
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: LEVELS[severity],
    message: { text: visibleLine(hint === undefined ? message : `${message}; ${hint}`) },
    ...(path !== undefined && { locations: [locationOf(finding, path)] }),
  };
}

function locationOf({ line, column }: Diagnostic, path: string): object {
  const shown = shownPath(path);
  const uri = isAbsolute(shown)
    ? pathToFileURL(shown).href
    : shown.split(sep).map(encodeURIComponent).join("/");
  return {
    physicalLocation: {
      artifactLocation: { uri },
      ...(line !== undefined && { region: { startLine: line, startColumn: column ?? 1 } }),
    },
  };
}
