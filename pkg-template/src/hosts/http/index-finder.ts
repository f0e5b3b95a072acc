/** Where the index of a site is, and what it lists: now, or before if it cannot be had now. */
import { answerValue } from "../../answers.js";
import { withCore } from "../../engine.js";
import { SkillError } from "../../errors.js";
import { HttpFailure, isFailed, isWithdrawn, problemOf, shownUrl } from "./failure.js";
import { isPage } from "./headers.js";
import { latest, recalled, type Sources } from "./latest.js";
import type { Settings } from "./options.js";
import { findingsOf, type Plan } from "./plan.js";
import type { Received } from "./requester.js";

/** What is offered, and why it is not what is listed now. */
export interface Found {
  plan: Plan;
  problem?: string;
  /** Whether the server could not be asked at all. */
  isOffline?: boolean;
}

export class IndexFinder {
  readonly #settings: Settings;
  readonly #sources: Sources;
  /** What was found the last time. */
  #last: Plan | undefined;

  constructor(settings: Settings, sources: Sources) {
    this.#settings = settings;
    this.#sources = sources;
  }

  /** What is to be offered from now on. */
  async find(): Promise<Found> {
    const found = await this.#found();
    this.#last = found.plan;
    return found;
  }

  async #found(): Promise<Found> {
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
    return { plan: withdrawn(this.#last, refusal) };
  }

  /** What an index lists, asked for in any case but where an earlier run has just done so. */
  async #index(url: string): Promise<Plan> {
    const before = await recalled(this.#sources, url);
    const isFresh = before !== undefined && before.answer.freshUntil > Date.now();
    if (isFresh && this.#last === undefined) return this.#read(before.bytes, before.answer.from);
    const check = (bytes: Uint8Array, { bytes: fetched, headers, url: from }: Received): Plan => {
      if (fetched !== undefined && isPage(headers)) throw new IndexPage(url);
      return this.#read(bytes, from);
    };
    return (await latest(this.#sources, { url, of: "index" }, before, check)).checked;
  }

  #read(bytes: Uint8Array, url: string): Plan {
    const { skills, files } = this.#settings.limits;
    const reading = JSON.stringify({ url: shownUrl(url), skills, files });
    const listed = answerValue<Omit<Plan, "from">>(
      withCore((core) => core.indexPlan(bytes, reading)),
    );
    const from = new URL(url);
    from.search = "";
    return { ...listed, from };
  }

  /** What was listed before, where the index cannot be had now. */
  async #earlier(error: unknown): Promise<Found> {
    if (!isNoIndex(error)) throw error;
    const plan = this.#last ?? (await this.#recalledPlan());
    if (plan === undefined) throw error;
    return { plan, problem: problemOf(error), isOffline: isFailed(error) };
  }

  /** What an index listed that an earlier run kept. */
  async #recalledPlan(): Promise<Plan | undefined> {
    for (const url of indexUrls(this.#settings.base)) {
      const before = await recalled(this.#sources, url);
      if (before !== undefined) return this.#read(before.bytes, before.answer.from);
    }
    return undefined;
  }
}

/** What is offered where the server says that there is no index any more. */
function withdrawn({ from }: Plan, refusal: HttpFailure): Plan {
  const url = shownUrl(from.href);
  const diagnostics = findingsOf([{ kind: "withdrawn", url, problem: refusal.message }]);
  return { skills: [], diagnostics, from };
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

/** The URLs at which the core says that an index may be. */
function indexUrls(base: URL): string[] {
  const paths = JSON.parse(withCore((core) => core.indexPaths(base.pathname))) as string[];
  if (paths.length === 0) return [base.href];
  return paths.map((path) => {
    const url = new URL(base);
    url.pathname = path;
    url.search = "";
    return url.href;
  });
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
