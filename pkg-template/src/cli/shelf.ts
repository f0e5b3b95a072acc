/** The skills that a verb is about. */
import { existsSync } from "node:fs";
import { loadSkills } from "../load.js";
import { standardSources } from "../standard-sources.js";
import type { Catalog, Limits, Skill, Source } from "../types.js";
import { counted } from "./columns.js";
import { checkDirectory } from "./paths.js";
import type { Screen } from "./screen.js";

/** The folder that holds a project's skills where nothing else is said. */
export const USUAL_ROOT = "skills";

/** What says which skills are meant. */
export interface ShelfOptions {
  /** Folders that were named. */
  roots: readonly string[];
  /** Whether the project's own standard folders are trusted. */
  trust: boolean;
  limits?: Partial<Limits>;
}

/** Loads them. Nothing is said of what is wrong with them: it is in the catalog's diagnostics. */
export function loadShelf(options: ShelfOptions, screen: Screen): Promise<Catalog> {
  const { limits } = options;
  const sources = sourcesOf(options);
  return screen.withProgress((show) =>
    loadSkills(sources, {
      ...(limits && { limits }),
      onDiagnostic: () => {},
      onProgress: ({ directories, files }) => {
        show(`${counted(files, "skill file")} in ${counted(directories, "folder")} …`);
      },
    }),
  );
}

/** The folders that it is made of, those that win first. */
export function sourcesOf({ roots, trust }: ShelfOptions): Source[] {
  for (const root of roots) checkDirectory(root);
  return roots.length > 0 ? [...roots] : usualSources(trust);
}

function usualSources(trust: boolean): Source[] {
  const standard = standardSources({ trusted: trust });
  return existsSync(USUAL_ROOT) ? [USUAL_ROOT, ...standard] : standard;
}

/** The skill that has a name, or a name and a version, `name@version`. */
export function skillNamed(catalog: Catalog, name: string): Skill | undefined {
  const at = name.lastIndexOf("@");
  const versioned = at > 0 ? catalog.get(name.slice(0, at), name.slice(at + 1)) : undefined;
  return catalog.get(name) ?? versioned;
}
