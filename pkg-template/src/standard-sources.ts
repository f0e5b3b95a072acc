/** The folders in which people keep skills by convention, as sources. */

import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { answerValue, optionsText } from "./answers.js";
import { withCore } from "./engine.js";
import { membersOf } from "./given.js";
import { diskHostSync } from "./hosts/disk.js";
import { fs } from "./node-fs.js";
import { pathOf } from "./path-of.js";
import type { SyncSource } from "./types.js";

/** Where to look; see {@link standardSources}. */
export interface StandardSourcesOptions {
  /** A directory of the project: its path, or a `file:` URL. By default the current directory. */
  cwd?: string | URL | undefined;
  /** The user's directory, an absolute path; `false` for none. By default what the system says. */
  home?: string | URL | false | undefined;
  /** The agent's own name: skills in `.<client>/skills` win over those in the shared folders. */
  client?: string | undefined;
  /** Whether a person has agreed to the project's skills; `false` by default. */
  trusted?: boolean | undefined;
}

/**
 * The sources that agents share, those that win first: `.<client>/skills`, `.agents/skills` and
 * `.claude/skills`, in the project from `cwd` up to the root of its repository (the first directory
 * with `.git`; without one only `cwd`), then in the user's home.
 *
 * What a project brings was written by somebody else, so nothing of it is loaded, with a diagnostic
 * for each such folder, until `trusted` says that a person has agreed.
 *
 * ```ts
 * const catalog = await loadSkills(standardSources({ client: "my-agent", trusted: await ask() }));
 * ```
 *
 * @throws SkillError `SOURCE_UNSUPPORTED` for options that cannot be used.
 * @throws TypeError for what is no path of a directory.
 */
export function standardSources(given: StandardSourcesOptions = {}): SyncSource[] {
  const options = membersOf(given);
  const { trusted, folders } = judged(options);
  const home = homeOf(options?.home ?? homeDirectory());
  const own = home === undefined ? [] : folders.map((folder) => join(home, folder));
  const sources: SyncSource[] = [];
  for (const directory of projectDirectories(options?.cwd ?? currentDirectory())) {
    for (const folder of folders) {
      const path = join(directory, folder);
      // A home that is a repository, or the current directory, is the user's all the same.
      if (own.includes(path)) continue;
      if (trusted) sources.push(path);
      else if (fs.existsSync(path)) {
        sources.push({ host: diskHostSync(path), label: path, trusted: false });
      }
    }
  }
  return [...sources, ...own];
}

/** What the core makes of the options; where its folders are is the runtime's to say. */
function judged(options: StandardSourcesOptions): { trusted: boolean; folders: string[] } {
  const text = optionsText({
    ...options,
    ...(options?.cwd instanceof URL && { cwd: options.cwd.href }),
    ...(options?.home instanceof URL && { home: options.home.href }),
  });
  return answerValue(withCore((core) => core.standardPlaces(text)));
}

/** There may be none: of a user that the system does not know, or where `HOME` is no place. */
function homeDirectory(): string | false {
  try {
    const home = homedir();
    return isAbsolute(home) && home;
  } catch {
    return false;
  }
}

/** A relative one would make a project's folders the user's own, which are trusted. */
function homeOf(given: string | URL | false): string | undefined {
  if (given === false) return undefined;
  const home = pathOf(given, "home takes");
  if (!isAbsolute(home)) {
    throw new TypeError(`home takes an absolute path, and ${JSON.stringify(home)} is none.`);
  }
  return resolve(home);
}

/** There is none where it was removed. */
function currentDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** From a directory up to the root of its repository, the nearest first. */
function projectDirectories(given: string | URL | undefined): string[] {
  if (given === undefined) return [];
  const directory = resolve(pathOf(given, "cwd takes"));
  const walked: string[] = [];
  for (let at = directory; ; at = dirname(at)) {
    walked.push(at);
    // A file where the repository is linked to another.
    if (fs.existsSync(join(at, ".git"))) return walked;
    if (dirname(at) === at) return [directory];
  }
}
