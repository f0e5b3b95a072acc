/** Loading: sources become what the core takes, and a catalog what it gives. */
import { diskHost, diskHostSync } from "#disk";
import { answerValue, optionsText } from "./answers.js";
import { AsyncCatalog, BlockingCatalog, coreCatalogOf, type Recipe, reportAll } from "./catalog.js";
import type { Load, Work } from "./core/skillshelf.js";
import { CoreCatalog, catalogOf, type Loaded, originOf } from "./core-catalog.js";
import { type Definition, definitionOf } from "./define.js";
import { type DriveOptions, drive, driveAsync } from "./driver.js";
import { withCore } from "./engine.js";
import { SkillError } from "./errors.js";
import { type AnyHost, hostNumber, isHost } from "./hosts.js";
import { type Place, placeText, prefixOf, trimSlashes } from "./place.js";
import type {
  Catalog,
  Diagnostic,
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
  options: LoadOptions = {},
): Promise<Catalog> {
  const list = listOf<Source>(sources);
  const recipe: Recipe<Promise<Loaded>> = {
    sources: list,
    load: async (signal) => {
      const { work, driving } = begin(list, options, diskHost, signal);
      return driveAsync(work, driving, (done) => loadedFrom(done, driving));
    },
    ...reporter(options),
    concurrency: options.limits?.concurrency,
  };
  const core = new CoreCatalog(await recipe.load(options.signal));
  reportAll(core, recipe);
  return new AsyncCatalog(core, recipe);
}

/** {@link loadSkills} without promises: for sources whose hosts answer at once. */
export function loadSkillsSync(
  sources: SyncSource | readonly SyncSource[],
  options: LoadOptions = {},
): SyncCatalog {
  const list = listOf<SyncSource>(sources);
  const recipe: Recipe<Loaded> = {
    sources: list,
    load: (signal) => {
      const { work, driving } = begin(list, options, diskHostSync, signal);
      return drive(work, driving, (done) => loadedFrom(done, driving));
    },
    ...reporter(options),
  };
  const core = new CoreCatalog(recipe.load(options.signal));
  reportAll(core, recipe);
  return new BlockingCatalog(core, recipe);
}

function listOf<S>(sources: S | readonly S[]): readonly S[] {
  return Array.isArray(sources) ? [...(sources as readonly S[])] : [sources as S];
}

function loadedFrom(work: Work, { hosts }: DriveOptions): Loaded {
  return { handle: catalogOf(work), hosts };
}

/** Hands the sources to the core. */
function begin(
  sources: readonly Source[],
  options: LoadOptions,
  openDisk: OpenDisk,
  signal: AbortSignal | undefined,
): { work: Work; driving: DriveOptions } {
  const { mode, invalid, nested, links, ignore, strip, limits, onProgress } = options;
  const text = optionsText({ mode, invalid, nested, links, ignore, strip, limits });
  const hosts = new Map<number, AnyHost>();
  // What the caller gave is read before the module is at work: its own errors are not the module's.
  const additions = sources.map((source) => addition(source, hosts, openDisk));
  const work = withCore((exports) => {
    const load = new exports.Load();
    for (const add of additions) add(load);
    return load.start(text);
  });
  return { work, driving: { hosts, signal, onProgress, concurrency: limits?.concurrency } };
}

/** Adds a source to those of the core. */
type Addition = (load: Load) => void;

function addition(source: Source, hosts: Map<number, AnyHost>, openDisk: OpenDisk): Addition {
  const core = coreCatalogOf(source);
  if (typeof source === "string") {
    const host = disk(source, openDisk);
    return directory(host, hosts, { path: "", prefix: prefixOf(source), label: source });
  }
  if (core !== undefined) {
    const { handle } = core;
    addHosts(hosts, core.hosts);
    return (load) => load.catalog(handle);
  }
  if (isHost((source as Partial<HostSource> | null)?.host)) {
    return hostSource(source as HostSource, hosts);
  }
  return skillSource(source as Skill, hosts, openDisk);
}

function hostSource(source: HostSource, hosts: Map<number, AnyHost>): Addition {
  const path = trimSlashes(textOf("path", source.path ?? ""));
  const label = textOf("label", source.label ?? (path === "" ? "host" : path));
  // Whatever else stands there was not meant as trust.
  if (source.trusted !== undefined && source.trusted !== true) {
    return (load) => load.untrusted(label);
  }
  return directory(source.host, hosts, { path, prefix: "", label });
}

function textOf(member: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw unsupported(`The ${member} of a source must be text; it is ${typeof value}.`);
}

function directory(host: AnyHost, hosts: Map<number, AnyHost>, place: Place): Addition {
  addHosts(hosts, [[hostNumber(host), host]]);
  const text = placeText(host, place);
  return (load) => {
    answerValue(load.directory(text));
  };
}

function addHosts(hosts: Map<number, AnyHost>, others: Iterable<[number, AnyHost]>): void {
  for (const [number, host] of others) hosts.set(number, host);
}

function skillSource(skill: Skill, hosts: Map<number, AnyHost>, openDisk: OpenDisk): Addition {
  const definition = definitionOf(skill);
  if (definition !== undefined) return defined(definition, hosts, openDisk);
  const origin = originOf(skill);
  if (origin === undefined) {
    throw unsupported(
      "A source is a directory's path, a skill, a catalog, or { host }. " +
        "A skill must come from defineSkill or from a catalog: a copy of one has lost its files.",
    );
  }
  const { core, id = NO_READING } = origin;
  const { handle } = core;
  addHosts(hosts, core.hosts);
  return (load) => {
    if (!load.skill(handle, id, skill.name)) {
      throw unsupported(
        `The skill ${JSON.stringify(skill.name)} is no longer in its catalog: load it again.`,
      );
    }
  };
}

function defined(
  { spec, files }: Definition,
  hosts: Map<number, AnyHost>,
  openDisk: OpenDisk,
): Addition {
  if (files === undefined) {
    return (load) => {
      answerValue(load.defined(spec));
    };
  }
  const host = files.host ?? disk(files.directory, openDisk);
  addHosts(hosts, [[hostNumber(host), host]]);
  const text = placeText(host, files.place);
  return (load) => {
    answerValue(load.defined(spec, text));
  };
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

/** Tells of findings: each to the developer's function, or skipped skills on the console. */
function reporter({ onDiagnostic }: LoadOptions): Pick<Recipe<unknown>, "report" | "errorsOnly"> {
  if (onDiagnostic === undefined) return { report: warn, errorsOnly: true };
  const report = (diagnostics: readonly Diagnostic[]): void => {
    for (const diagnostic of diagnostics) onDiagnostic(diagnostic);
  };
  return { report, errorsOnly: false };
}

/** One warning a file. */
function warn(diagnostics: readonly Diagnostic[]): void {
  const warned = new Set<string | undefined>();
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity !== "error" || warned.has(diagnostic.path)) continue;
    warned.add(diagnostic.path);
    console.warn(`skillshelf: ${described(diagnostic)}`);
  }
}

/** `file:line:column: message; hint` */
function described({ path, line, column, message, hint }: Diagnostic): string {
  const place = [path, line, column].filter((part) => part !== undefined).join(":");
  const text = `${place === "" ? "" : `${place}: `}${message}${hint === undefined ? "" : `; ${hint}`}`;
  // A name may hold what a terminal obeys.
  return text.replace(/\p{C}|\p{Zl}|\p{Zp}/gu, " ");
}
