/** What is validated: the skill files that the given paths lead to. */
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { loadSkills } from "../../load.js";
import type { Catalog, Diagnostic } from "../../types.js";
import { counted } from "../columns.js";
import { UsageError } from "../exit.js";
import { checkPath, isSkillFile } from "../paths.js";
import type { Screen } from "../screen.js";

export interface Targets {
  /** The directories of skills. */
  directories: string[];
  /** Skills that are one file. */
  files: string[];
  /** What was found on the way to them. */
  findings: Diagnostic[];
}

/** Finds what is to be validated. */
export async function targetsOf(paths: readonly string[], screen: Screen): Promise<Targets> {
  const directories = new Set<string>();
  const files = new Set<string>();
  const findings: Diagnostic[] = [];
  for (const path of paths) {
    checkPath(path);
    const kind = kindOf(path);
    if (kind === "file") {
      files.add(resolve(path));
      continue;
    }
    const catalog = await discovered(kind === "skill file" ? dirname(path) : path, screen);
    for (const file of skillFiles(catalog)) {
      if (isSkillFile(file)) directories.add(dirname(file));
      else files.add(file);
    }
    findings.push(...catalog.diagnostics.map(withWholePath));
    catalog.dispose();
  }
  return { directories: [...directories].sort(), files: [...files].sort(), findings };
}

function kindOf(path: string): "directory" | "skill file" | "file" {
  if (statSync(path).isDirectory()) return "directory";
  if (isSkillFile(path)) return "skill file";
  if (path.endsWith(".md")) return "file";
  throw new UsageError(`${path} is no skill: say a folder, a SKILL.md or a loose NAME.md.`);
}

/** Read strictly, so that what is found of a file is what validating it finds. */
function discovered(root: string, screen: Screen): Promise<Catalog> {
  return screen.withProgress((show) =>
    loadSkills(root, {
      mode: "strict",
      onDiagnostic: () => {},
      onProgress: ({ files }) => show(`${counted(files, "skill file")} found …`),
    }),
  );
}

/** The files of all skills that are there, those too that cannot be used. */
function skillFiles(catalog: Catalog): Set<string> {
  const files = new Set<string>();
  for (const { source } of catalog) if (source !== undefined) files.add(resolve(source.path));
  for (const { path, severity } of catalog.diagnostics) {
    const isOfSkill = path?.endsWith(".md") && severity === "error";
    if (path !== undefined && (isOfSkill || isSkillFile(path))) files.add(resolve(path));
  }
  return files;
}

function withWholePath({ path, ...finding }: Diagnostic): Diagnostic {
  return path === undefined ? finding : { ...finding, path: resolve(path) };
}
