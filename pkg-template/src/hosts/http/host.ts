/** Skills that are served over HTTP, as a host. */
import { answerValue } from "../../answers.js";
import { withCore } from "../../engine.js";
import { SkillError } from "../../errors.js";
import { LAST_SIGN, SCAN, scansBegun } from "../../hosts.js";
import type { ByteRange, Diagnostic, Host, HostEntry, HostStat } from "../../types.js";
import { checkPath, checkRange } from "../arguments.js";
import { Cache, type Kept } from "./cache.js";
import { digestOfText } from "./digest.js";
import { HttpFailure, problemOf, shownUrl } from "./failure.js";
import { isPage } from "./headers.js";
import { type HttpHostOptions, type Settings, settingsOf } from "./options.js";
import { type Received, Requester } from "./requester.js";
import { afterFailure, isFailed, isWithdrawn, keepLatest, Round, recalled } from "./round.js";
import {
  archivesOn,
  findingOf,
  type Plan,
  placeOn,
  type Shelf,
  shelfOf,
  type Trouble,
} from "./shelf.js";
import { SkillArchives } from "./skill-archives.js";
import { notThere } from "./tree.js";

/**
 * Skills that are served over HTTP: by a site with an index in `.well-known/agent-skills/` or
 * `.well-known/skills/`, by the URL of an `index.json` itself, or below a URL with a list of `skills`.
 *
 * ```ts
 * const catalog = await loadSkills([
 *   "./skills",
 *   { host: httpHost("https://docs.example.com"), label: "docs.example.com" },
 * ]);
 * ```
 *
 * Nothing is fetched before it is needed. What the index has a digest of is used only as that
 * content. A refresh of the catalog asks for the index again; where the network fails, what was
 * fetched earlier is used, and a diagnostic says so.
 *
 * It fetches from the origin of the URL and from `origins`, whatever an index or a redirect says (in
 * browsers see `redirects`); whether such an origin is a server of a private network is the caller's
 * matter.
 */
export function httpHost(url: string | URL, options?: HttpHostOptions): Host {
  return new HttpHost(settingsOf(url, options));
}

/** Where a site has its index, below a path; the first one counts. */
const WELL_KNOWN = [".well-known/agent-skills/index.json", ".well-known/skills/index.json"];

class HttpHost implements Host {
  readonly ranges = true;
  readonly #settings: Settings;
  readonly #requester: Requester;
  readonly #cache: Cache;
  readonly #archives: SkillArchives;
  /** What is offered now, once it is there. */
  #shelf: Promise<Shelf> | undefined;
  /** Whether that is still being made. */
  #isMaking = false;
  /** The last one that could be used. */
  #last: Shelf | undefined;
  /** Whether catalogs say when a scan begins; those behind another host cannot. */
  #isTold = false;
  /** How many scans there had been when something was asked for last. */
  #scans = scansBegun();
  /** Whether its root was listed since. */
  #isListed = false;
  #cacheTrouble: Trouble | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#requester = new Requester(settings);
    this.#archives = new SkillArchives(settings.archives, settings.limits.unpacked);
    this.#cache = new Cache(settings.cache, {
      most: settings.limits.total,
      patience: settings.timeout,
      scope: JSON.stringify([...settings.headers]),
      onTrouble: (url, problem) => {
        const first = this.#cacheTrouble;
        this.#cacheTrouble = first
          ? { ...first, others: (first.others ?? 0) + 1 }
          : { kind: "cache", url, problem };
      },
    });
  }

  /** A scan begins: what is offered is asked for again. */
  [SCAN](): void {
    this.#isTold = true;
    this.#beginAnew();
  }

  [LAST_SIGN](): number {
    return this.#requester.lastSign;
  }

  get diagnostics(): readonly Diagnostic[] {
    const { diagnostics = [], round } = this.#last ?? {};
    const [stale, ...others] = round?.stale ?? [];
    return [
      ...diagnostics,
      ...this.#archives.diagnostics,
      ...(stale ? [findingOf({ kind: "stale", ...stale, others: others.length })] : []),
      ...(this.#cacheTrouble ? [findingOf(this.#cacheTrouble)] : []),
    ];
  }

  async list(directory: string): Promise<HostEntry[]> {
    checkPath(directory);
    this.#lookForScan(directory === "");
    const place = await placeOn(await this.#current(), this.#archives, directory);
    if (place?.kind !== "directory") throw notThere(directory, place);
    return place.entries;
  }

  async read(file: string, range?: ByteRange): Promise<Uint8Array> {
    checkPath(file);
    if (range !== undefined) checkRange(range);
    this.#lookForScan();
    const place = await placeOn(await this.#current(), this.#archives, file);
    if (place?.kind !== "file") throw notThere(file, place);
    const bytes = await place.file.content();
    const start = range?.offset ?? 0;
    return bytes.slice(start, start + (range?.length ?? Infinity));
  }

  async stat(path: string): Promise<HostStat | undefined> {
    checkPath(path);
    this.#lookForScan();
    const place = await placeOn(await this.#current(), this.#archives, path);
    if (place?.kind === "directory") {
      const names = place.entries.map(({ name }) => name);
      return { kind: "directory", size: 0, version: digestOfText(names.join("/")) };
    }
    if (place === undefined) return undefined;
    const { size, digest } = await place.file.facts();
    return { kind: "file", size, version: digest };
  }

  #current(): Promise<Shelf> {
    if (this.#shelf !== undefined) return this.#shelf;
    this.#isMaking = true;
    const shelf = this.#make().finally(() => {
      this.#isMaking = false;
    });
    this.#shelf = shelf;
    shelf.catch(() =>
      afterFailure(() => {
        if (this.#shelf === shelf) this.#shelf = undefined;
      }),
    );
    return shelf;
  }

  /**
   * Where nobody says that a scan begins, one of any catalog may be it, and who lists the root once
   * more wants to know what is there now.
   */
  #lookForScan(isRoot = false): void {
    if (this.#isTold) return;
    const isOther = this.#scans !== scansBegun();
    if (isOther || (isRoot && this.#isListed)) this.#beginAnew();
    this.#scans = scansBegun();
    this.#isListed = isRoot || (this.#isListed && !isOther);
  }

  /** What is being made already is new enough. */
  #beginAnew(): void {
    if (!this.#isMaking) this.#shelf = undefined;
  }

  async #make(): Promise<Shelf> {
    this.#requester.beginAnew();
    this.#cache.beginAnew();
    this.#cacheTrouble = undefined;
    const { plan, problem, isOffline } = await this.#plan();
    const round = new Round(this.#requester, this.#cache, isOffline ? problem : undefined);
    if (problem !== undefined) round.stale.push({ url: shownUrl(plan.from.href), problem });
    const shelf = shelfOf(plan, this.#requester, round);
    this.#archives.keepOnly(archivesOn(shelf));
    this.#last = shelf;
    return shelf;
  }

  async #plan(): Promise<Found> {
    const { base, skills } = this.#settings;
    if (skills !== undefined) return { plan: { skills, diagnostics: [], from: directory(base) } };
    const urls = indexUrls(base);
    const refusals: HttpFailure[] = [];
    for (const url of urls) {
      try {
        return { plan: await this.#index(url) };
      } catch (error) {
        if (!(error instanceof HttpFailure) || !isElsewhere(error)) return this.#earlier(error);
        refusals.push(error);
      }
    }
    const refusal = refusals.find(({ kind }) => kind !== "missing") ?? noIndex(urls);
    if (refusal.kind === "unusable") return this.#earlier(refusal);
    if (this.#last === undefined) throw refusal;
    return { plan: withdrawn(this.#last.plan, refusal) };
  }

  /** What an index lists, asked for in any case but where an earlier run has just done so. */
  async #index(url: string): Promise<Plan> {
    const before = await recalled(this.#cache, this.#requester, url);
    const isFresh = before !== undefined && before.answer.freshUntil > Date.now();
    if (isFresh && this.#last === undefined) return this.#read(before.bytes, before.answer.from);
    const received = await this.#ask(url, before);
    if (received.bytes && isPage(received.headers)) throw new IndexPage(url);
    let plan: Plan | undefined;
    await keepLatest(this.#cache, url, received, before, (bytes) => {
      plan = this.#read(bytes, received.url);
    });
    return plan ?? { skills: [], diagnostics: [], from: new URL(received.url) };
  }

  async #ask(url: string, before: Kept | undefined): Promise<Received> {
    try {
      return await this.#requester.get(url, "index", before?.answer);
    } catch (error) {
      if (before !== undefined && isWithdrawn(error)) await this.#cache.forget(url);
      throw error;
    }
  }

  #read(bytes: Uint8Array, url: string): Plan {
    const { skills, files } = this.#settings.limits;
    const facts = JSON.stringify({ url: shownUrl(url), skills, files });
    const listed = answerValue<Omit<Plan, "from">>(
      withCore((core) => core.discoveryPlan(bytes, facts)),
    );
    const from = new URL(url);
    from.search = "";
    return { ...listed, from };
  }

  /** What was listed before, where the index cannot be had now. */
  async #earlier(error: unknown): Promise<Found> {
    if (!isNoIndex(error)) throw error;
    const plan = this.#last?.plan ?? (await this.#recalledPlan());
    if (plan === undefined) throw error;
    return { plan, problem: problemOf(error), isOffline: isFailed(error) };
  }

  /** What an index listed that an earlier run kept. */
  async #recalledPlan(): Promise<Plan | undefined> {
    for (const url of indexUrls(this.#settings.base)) {
      const before = await recalled(this.#cache, this.#requester, url);
      if (before !== undefined) return this.#read(before.bytes, before.answer.from);
    }
    return undefined;
  }
}

/** What is offered, and why it is not what is listed now. */
interface Found {
  plan: Plan;
  problem?: string;
  /** Whether the server could not be asked at all. */
  isOffline?: boolean;
}

/** What is offered where the server says that there is no index any more. */
function withdrawn({ from }: Plan, refusal: HttpFailure): Plan {
  const facts = { url: shownUrl(from.href), problem: refusal.message };
  return { skills: [], diagnostics: [findingOf({ kind: "withdrawn", ...facts })], from };
}

/** A page for people where the index should be. */
class IndexPage extends HttpFailure {
  constructor(url: string) {
    super(url, "unusable", "is an HTML page, not an index of skills");
  }
}

/** Whether the index may be in another place. Stores answer with 403 for what is not there. */
function isElsewhere(error: HttpFailure): boolean {
  return isWithdrawn(error) || error instanceof IndexPage;
}

/** Whether the index could not be had, and nobody but the server is to blame. */
function isNoIndex(error: unknown): boolean {
  return SkillError.isInstance(error) && error.code !== "ABORTED" && error.code !== "INTERNAL";
}

/**
 * Where an index may be: below the path that was given, and at the root, as a widely used client
 * looks for them.
 */
function indexUrls(base: URL): string[] {
  if (/\.json$/i.test(base.pathname)) return [base.href];
  const path = base.pathname.replace(/\/\.well-known(\/.*)?$/, "").replace(/\/+$/, "");
  const starts = path === "" ? ["/"] : [`${path}/`, "/"];
  return WELL_KNOWN.flatMap((known) =>
    starts.map((start) => {
      const url = new URL(base);
      url.pathname = start + known;
      url.search = "";
      return url.href;
    }),
  );
}

function noIndex(urls: readonly string[]): HttpFailure {
  const [first = "", ...others] = urls;
  const places = others.length === 0 ? "" : ` (nor at ${others.map(shownPath).join(", ")})`;
  return new HttpFailure(first, "missing", `has no index of skills${places}`);
}

function shownPath(url: string): string {
  return new URL(url).pathname;
}

/** The URL as that of a directory. */
function directory(url: URL): URL {
  const directory = new URL(url);
  if (!directory.pathname.endsWith("/")) directory.pathname += "/";
  return directory;
}
