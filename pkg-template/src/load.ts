/** Loading: sources become what the core takes, and a catalog what it gives. */
import { diskHost, diskHostSync } from "#disk";
import { answerValue, dataText, optionsTextWithSignal } from "./answers.js";
import { AsyncCatalog, BlockingCatalog, coreCatalogOf, type Recipe } from "./catalog.js";
import type { Load, Work } from "./core/skillshelf.js";
import {
  CoreCatalog,
  catalogOf,
  type LoadedCatalog,
  originOf,
  type SkillOrigin,
} from "./core-catalog.js";
import { definitionOf, type SkillDefinition } from "./define.js";
import { type DriveOptions, drive, driveAsync } from "./driver.js";
import { withCore } from "./engine.js";
import { SkillError } from "./errors.js";
import { membersOf, reading } from "./given.js";
import { type AnyHost, announceScan, Hosts, hostFacts, isHost } from "./hosts.js";
import { reporter } from "./reporter.js";
import { reportAll } from "./reports.js";
import type {
  Catalog,
  HostSource,
  LoadOptions,
  Skill,
  Source,
  SyncCatalog,
  SyncSource,
} from "./types.js";

/** Stands for a reading that is lost: readings count from 0 and never come so far. */
const NO_READING = 0xffff_ffff;

/** Makes a host of a directory of the disk, where there is one. */
type OpenDisk = ((directory: string) => AnyHost) | undefined;

/**
 * Finds skills, and reads of each only its front matter. Earlier sources win over later ones.
 *
 * ```ts
 * const catalog = await loadSkills(["./skills", { host: memoryHost({ "pdf/SKILL.md": text }) }]);
 * console.log(catalog.prompt());
 * ```
 */
export async function loadSkills(
  sources: Source | readonly Source[],
  options?: LoadOptions,
): Promise<Catalog> {
  const given = membersOf(options) ?? {};
  const from = reading("The sources", () => sourcesOf(sources));
  const recipe: Recipe<Promise<LoadedCatalog>> = {
    sources: from.list,
    load: async (signal) => {
      const { work, driving } = begin(from, given, diskHost, signal);
      return driveAsync(work, driving, (done) => loadedFrom(done, driving));
    },
    ...reporter(given),
  };
  const core = new CoreCatalog(await recipe.load(given.signal));
  reportAll(core, recipe);
  return new AsyncCatalog(core, recipe);
}

/** {@link loadSkills} without promises: for sources whose hosts answer at once. */
export function loadSkillsSync(
  sources: SyncSource | readonly SyncSource[],
  options?: LoadOptions,
): SyncCatalog {
  const given = membersOf(options) ?? {};
  const from = reading("The sources", () => sourcesOf(sources));
  const recipe: Recipe<LoadedCatalog> = {
    sources: from.list,
    load: (signal) => {
      const { work, driving } = begin(from, given, diskHostSync, signal);
      return drive(work, driving, (done) => loadedFrom(done, driving));
    },
    ...reporter(given),
  };
  const core = new CoreCatalog(recipe.load(given.signal));
  reportAll(core, recipe);
  return new BlockingCatalog(core, recipe);
}

/** What a catalog is loaded from. */
interface Sources {
  list: readonly Source[];
  /** Whether it was given as a list. */
  isList: boolean;
}

function sourcesOf(given: Source | readonly Source[]): Sources {
  return Array.isArray(given)
    ? { list: [...(given as readonly Source[])], isList: true }
    : { list: [given as Source], isList: false };
}

function loadedFrom(work: Work, { hosts }: DriveOptions): LoadedCatalog {
  return { handle: catalogOf(work), hosts };
}

/** Hands the sources to the core. */
function begin(
  { list, isList }: Sources,
  options: LoadOptions,
  openDisk: OpenDisk,
  signal: AbortSignal | undefined,
): { work: Work; driving: DriveOptions } {
  const { onProgress } = options;
  const text = optionsTextWithSignal(options);
  const hosts = new Hosts();
  // What the caller gave is read before the module is at work: its own errors are not the module's.
  const additions = reading("The sources", () => {
    return list.map((source, index) => {
      return addition(source, hosts, openDisk, isList ? index : undefined);
    });
  });
  const work = withCore((exports) => {
    const load = new exports.Load();
    for (const add of additions) add(load);
    return load.start(text);
  });
  announceScan(hosts);
  const driving: DriveOptions = {
    hosts,
    signal: signal ?? undefined,
    onProgress: onProgress ?? undefined,
  };
  return { work, driving };
}

/** Adds a source to those of the core. */
type Addition = (load: Load) => void;

/** `place` is where in a list of sources it is. */
function addition(
  source: Source,
  hosts: Hosts,
  openDisk: OpenDisk,
  place: number | undefined,
): Addition {
  if (typeof source === "string") return diskSource(source, hosts, openDisk);
  const core = coreCatalogOf(source);
  if (core !== undefined) {
    hosts.useAll(core.hosts);
    return (load) => load.catalog(core.handle);
  }
  if (isHost((source as Partial<HostSource> | null)?.host)) {
    return hostSource(source as HostSource, hosts);
  }
  const definition = definitionOf(source as Skill);
  if (definition !== undefined) return definedSource(definition, hosts, openDisk);
  const origin = originOf(source as Skill);
  if (origin !== undefined) return skillSource(source as Skill, origin, hosts);
  const text = dataText(withInherited(source ?? null));
  return (load) => answerValue<void>(load.unsupported(text, place));
}

/** With the members by which the core tells what it is, also where they are not its own. */
function withInherited(given: unknown): unknown {
  const isData = typeof given !== "object" || given === null || Array.isArray(given);
  if (isData || given instanceof URL) return given;
  return reading("The source", () => {
    const { then, list, read } = given as Record<string, unknown>;
    return { ...given, then, list, read };
  });
}

function diskSource(directory: string, hosts: Hosts, openDisk: OpenDisk): Addition {
  const host = disk(directory, openDisk);
  const facts = hostFacts(host);
  hosts.use(host);
  return (load) => answerValue<void>(load.directory(facts, directory));
}

function hostSource(source: HostSource, hosts: Hosts): Addition {
  const { host, path, label, trusted } = source;
  const facts = hostFacts(host);
  // Members that are not the object's own, too.
  const text = dataText({ ...source, path, label, trusted, host: {} });
  return (load) => {
    if (answerValue<boolean>(load.hosted(facts, text))) hosts.use(host);
  };
}

function skillSource(skill: Skill, { core, id = NO_READING }: SkillOrigin, hosts: Hosts): Addition {
  hosts.useAll(core.hosts);
  return (load) => answerValue<void>(load.skill(core.handle, id, skill.name));
}

function definedSource(definition: SkillDefinition, hosts: Hosts, openDisk: OpenDisk): Addition {
  const { spec, directory } = definition;
  const host = directory === undefined ? definition.host : disk(directory, openDisk);
  const facts = host && hostFacts(host);
  if (host !== undefined) hosts.use(host);
  return (load) => answerValue<void>(load.defined(spec, facts));
}

function disk(directory: string, openDisk: OpenDisk): AnyHost {
  if (openDisk === undefined) {
    throw unsupported(
      `There is no disk here, so ${JSON.stringify(directory)} cannot be read. ` +
        "Pass { host: memoryHost(files) }, or another host.",
    );
  }
  try {
    return openDisk(directory);
  } catch (error) {
    throw unsupported(error instanceof Error ? error.message : String(error));
  }
}

function unsupported(message: string): SkillError {
  return new SkillError({ code: "SOURCE_UNSUPPORTED", message });
}
