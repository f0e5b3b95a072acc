/** How skills are fetched: what a developer says, and what it comes to. */
import { answerValue, optionsTextWithSignal } from "../../answers.js";
import { withCore } from "../../engine.js";
import { SkillError } from "../../errors.js";
import { membersOf } from "../../given.js";
import { ArchiveRules } from "../archive/rules.js";
import type { ArchiveOptions } from "../archive/types.js";
import { quoted } from "../arguments.js";
import { withoutSecrets } from "../words.js";
import type { HttpCache } from "./cache.js";
import { shownUrl } from "./failure.js";

/** How skills are fetched; all of it may be absent. Times are milliseconds. */
export interface HttpHostOptions {
  /** What fetches; the runtime's own by default. */
  fetch?(url: string, init: RequestInit): Promise<Response>;
  /** Sent with each request to the origin of the URL, and to no other origin. */
  headers?: Headers | Readonly<Record<string, string>>;
  /**
   * Further origins from which skills may come, such as `https://cdn.example.com`. By default it is
   * the origin of the URL alone. A redirect to any other is not followed; see `redirects` for
   * browsers.
   */
  origins?: readonly string[];
  /**
   * The skills below the URL, which then needs no index: names of directories, each with a
   * `SKILL.md`; or with all their files.
   */
  skills?: readonly (string | ListedSkill)[];
  /** Where what was fetched is kept; by default in memory, as long as the host lives. */
  cache?: HttpCache;
  /** Ends all requests of the host for good. */
  signal?: AbortSignal | undefined;
  /** How long the beginning of an answer is waited for (8,000). */
  timeout?: number;
  /** How long an answer may pause (8,000). */
  silence?: number;
  /**
   * How long a whole answer may take (120,000). As long as something of it comes, a catalog waits for
   * it, also where that is longer than its `limits.timeout`.
   */
  deadline?: number;
  /** How often a request is made again that failed for now: no connection, or 429, 502, 503, 504 (2). */
  retries?: number;
  /** How long `Retry-After` is waited for; where it asks for more, there is no further try (5,000). */
  retryAfter?: number;
  /**
   * How many redirects in a row are followed (5). Browsers hide where one leads, and send the request
   * there themselves: so there none is followed, unless this is said. Then what is asked for is
   * judged where it ended, whatever was asked on the way; headers are not sent along.
   */
  redirects?: number;
  /** Requests at a time (8). */
  concurrency?: number;
  limits?: Partial<HttpLimits>;
  /** How archives are unpacked: the options of `archiveHost`. */
  archives?: ArchiveOptions;
}

/** A skill below a URL that has no index. */
export interface ListedSkill {
  /** The name of its directory. */
  name: string;
  /** Paths relative to its directory, `SKILL.md` among them; by default it is the only one. */
  files?: readonly string[];
}

/** Bounds on what is fetched; what is compressed counts as it is when it is not. */
export interface HttpLimits {
  /** Bytes of an index (8 MiB). */
  index: number;
  /** Bytes of a file (10 MiB). */
  file: number;
  /** Bytes of an archive, as it is fetched (50 MiB). */
  archive: number;
  /** Bytes fetched between two refreshes (256 MiB). */
  total: number;
  /** Bytes that are unpacked of all archives together (256 MiB). */
  unpacked: number;
  /** Skills of an index; more are left out (10,000). */
  skills: number;
  /** Files that are listed of a skill (1,000). */
  files: number;
}

/** A skill, as an index or a developer lists it. */
export interface PlannedSkill {
  name: string;
  /** URL of its skill file, relative to that of the index. */
  skillFile?: string;
  /** URL of its archive, relative to that of the index. */
  archive?: string;
  /** Of the skill file or the archive. */
  digest?: string;
  /** Paths below its directory. */
  files?: string[];
}

/** What the core makes of options. */
interface Judged
  extends Required<
    Pick<
      HttpHostOptions,
      "timeout" | "silence" | "deadline" | "retries" | "retryAfter" | "redirects" | "concurrency"
    >
  > {
  headers: [string, string][];
  origins: string[];
  /** Whether redirects are followed that the runtime does not show. */
  hiddenRedirects: boolean;
  skills?: PlannedSkill[];
  limits: HttpLimits;
}

/** What a host goes by. */
export interface Settings extends Omit<Judged, "headers" | "origins"> {
  base: URL;
  fetch: NonNullable<HttpHostOptions["fetch"]>;
  headers: Headers;
  /** All that may be fetched from. */
  origins: ReadonlySet<string>;
  cache: HttpCache | undefined;
  signal: AbortSignal | undefined;
  archives: ArchiveRules;
}

export function settingsOf(url: string | URL, options: HttpHostOptions | undefined): Settings {
  const given = membersOf(options ?? {});
  const { fetch: own } = given;
  const base = baseOf(url);
  const text = optionsTextWithSignal(forCore(given));
  const { headers, origins, ...rest } = answerValue<Judged>(
    withCore((core) => core.httpOptions(text)),
  );
  return {
    ...rest,
    base,
    fetch: own ? (to, init) => own(to, init) : fetchNow,
    headers: headersOf(headers),
    origins: new Set([base.origin, ...origins.map(originOf)]),
    cache: given.cache ?? undefined,
    signal: given.signal ?? undefined,
    archives: new ArchiveRules("skillshelf/http", given.archives ?? undefined, { isSkill: true }),
  };
}

/** Looked up at each request: tests and instrumentation replace it. */
const fetchNow = (url: string, init: RequestInit): Promise<Response> => fetch(url, init);

/** Options as the core takes them: names alone are skills too, and what is kept is not looked into. */
function forCore(options: HttpHostOptions): HttpHostOptions {
  if (typeof options !== "object" || options === null || Array.isArray(options)) return options;
  const { headers, skills, cache } = options;
  const shown: Record<string, unknown> = { ...options };
  if (headers instanceof Headers) shown.headers = Object.fromEntries(headers);
  if (Array.isArray(skills)) {
    shown.skills = skills.map((skill) => (typeof skill === "string" ? { name: skill } : skill));
  }
  if (typeof cache === "object" && cache !== null) {
    shown.cache = { read: cache.read, write: cache.write };
  }
  return shown as HttpHostOptions;
}

function baseOf(url: string | URL): URL {
  const isText = typeof url === "string" || url instanceof URL;
  if (!isText || !URL.canParse(String(url))) {
    const shown = isText ? quoted(withoutSecrets(String(url))) : typeof url;
    const remedy =
      typeof url !== "string"
        ? ""
        : url.startsWith("/")
          ? " In a page, pass new URL(path, location.href)."
          : " Begin it with https://.";
    throw unsupported(
      `httpHost takes the URL of a site, an index or a directory; it is ${shown}.${remedy}`,
    );
  }
  const base = new URL(url);
  if (base.protocol !== "https:" && base.protocol !== "http:") {
    throw unsupported(`httpHost fetches https: and http: URLs, not ${base.protocol} ones.`);
  }
  if (base.username !== "" || base.password !== "") {
    throw unsupported(
      `${shownUrl(base.href)} must not have a user name and a password: pass headers.`,
    );
  }
  base.hash = "";
  return base;
}

function originOf(origin: string): string {
  if (!URL.canParse(origin))
    throw unsupported(`${JSON.stringify(origin)} in origins is no origin.`);
  return new URL(origin).origin;
}

function headersOf(pairs: [string, string][]): Headers {
  try {
    return new Headers(pairs);
  } catch (cause) {
    throw unsupported(
      "A name or a value in headers has characters that no header may have.",
      cause,
    );
  }
}

function unsupported(message: string, cause?: unknown): SkillError {
  return new SkillError({ code: "SOURCE_UNSUPPORTED", message }, { cause });
}
