/** Skills that are served over HTTP, as a host. */
import { LAST_SIGN, SCAN, scansBegun } from "../../hosts.js";
import type { ByteRange, Diagnostic, Host, HostEntry, HostStat } from "../../types.js";
import { checkPath, checkRange } from "../arguments.js";
import { Cache } from "./cache.js";
import { digestOfText } from "./digest.js";
import { IndexFinder } from "./index-finder.js";
import { type HttpHostOptions, type Settings, settingsOf } from "./options.js";
import { findingsOf, type Trouble } from "./plan.js";
import { Requester } from "./requester.js";
import { afterFailure, Round } from "./round.js";
import { archivesOn, placeOn, type Shelf, shelfOf } from "./shelf.js";
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

class HttpHost implements Host {
  readonly ranges = true;
  readonly #requester: Requester;
  readonly #cache: Cache;
  readonly #finder: IndexFinder;
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
    this.#finder = new IndexFinder(settings, { requester: this.#requester, cache: this.#cache });
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
    const troubles = [...(round?.stale ?? []), ...(this.#cacheTrouble ? [this.#cacheTrouble] : [])];
    return [...diagnostics, ...this.#archives.diagnostics, ...findingsOf(troubles)];
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
    const { plan, problem, isOffline } = await this.#finder.find();
    const sources = { requester: this.#requester, cache: this.#cache };
    const round = new Round(sources, {
      offline: isOffline ? problem : undefined,
      isRefresh: this.#last !== undefined,
    });
    if (problem !== undefined) round.addStale(plan.from.href, problem);
    const shelf = shelfOf(plan, this.#requester, round);
    this.#archives.keepOnly(archivesOn(shelf));
    this.#last = shelf;
    return shelf;
  }
}
