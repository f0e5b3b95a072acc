/** Watching: a catalog is refreshed when its directories on the disk change. */
import { answerValue, optionsText, optionsTextWithSignal } from "./answers.js";
import { coreCatalogOf, sourceCatalogsOf } from "./catalog.js";
import { ChangeLog } from "./changes.js";
import type { CoreCatalog } from "./core-catalog.js";
import { withCore } from "./engine.js";
import { aborted, SkillError } from "./errors.js";
import { membersOf } from "./given.js";
import { messageOf } from "./message-of.js";
import type { Catalog, Changes, SyncCatalog } from "./types.js";
import { warn } from "./warn.js";
import { WatchedDirectories } from "./watch/directories.js";
import { Schedule, type ScheduleOptions } from "./watch/schedule.js";

/** How a catalog is watched; see {@link watch}. */
export interface WatchOptions {
  /** Told what has changed, once a refresh, and only where skills were added, changed or removed. */
  onChange?(event: WatchEvent): void;
  /**
   * Told what went wrong; watching goes on. What goes wrong again in the same way is told once.
   * Without it, one `console.warn`. What is wrong with skills is told as at every refresh, by the
   * `onDiagnostic` that the catalog was loaded with.
   */
  onError?(error: unknown): void;
  /** Milliseconds without a change that end a burst of changes; 100 by default. */
  debounce?: number;
  /**
   * Milliseconds from one refresh to the next: instead of waiting for the system to tell of
   * changes, for sources that are not on the disk and disks that do not tell, such as mounted ones.
   */
  poll?: number;
  /** Whether watching keeps the process alive; `true` by default. */
  persistent?: boolean;
  /** Ends watching. */
  signal?: AbortSignal | undefined;
}

/** What has changed since the last event, and the same as a line for a terminal. */
export interface WatchEvent extends Changes {
  /** For example `+ pdf  ~ docx  − old`; of many names only the first. */
  summary: string;
}

/** A catalog that is being watched. */
export interface Watcher extends Disposable, AsyncDisposable {
  /** The directories that are watched now; none while the catalog is polled. */
  readonly directories: readonly string[];
  /** Ends watching: no event comes any more. Resolves when a refresh under way is over. */
  close(): Promise<void>;
}

/**
 * Keeps a catalog fresh: refreshes it when the directories of the disk that it was loaded from
 * change, and tells what was added, changed and removed. Resolves when it watches; what has changed
 * since the catalog was loaded is told first.
 *
 * ```ts
 * const catalog = await loadSkills("./skills");
 * const watcher = await watch(catalog, { onChange: ({ summary }) => console.log(summary) });
 * // …
 * await watcher.close();
 * ```
 *
 * A view is told of the skills that it shows. Catalogs among the sources are refreshed too. Where
 * the system cannot watch so many directories, the catalog is refreshed once a second instead, and
 * `onError` is told.
 */
export async function watch(
  catalog: Catalog | SyncCatalog,
  options?: WatchOptions,
): Promise<Watcher> {
  const core = coreCatalogOf(catalog);
  if (core === undefined) {
    throw new SkillError({
      code: "SOURCE_UNSUPPORTED",
      message: "Only a catalog can be watched: pass what loadSkills or loadSkillsSync gave.",
    });
  }
  const given = membersOf(options) ?? {};
  const schedule = scheduleOptions(given);
  const { signal } = given;
  if (signal?.aborted) throw aborted(signal);
  const watcher = new CatalogWatcher(catalog, core, given, schedule);
  try {
    await watcher.start();
    if (signal?.aborted) throw aborted(signal);
  } catch (error) {
    void watcher.close();
    throw error;
  }
  return watcher;
}

/** How a watcher works, with the core's bounds. */
interface WatchSchedule extends ScheduleOptions {
  /** Milliseconds from one refresh to the next where the system does not watch. */
  pollInstead: number;
}

function scheduleOptions(options: WatchOptions): WatchSchedule {
  const text = optionsTextWithSignal(options);
  return answerValue(withCore((exports) => exports.watchOptions(text)));
}

class CatalogWatcher implements Watcher {
  readonly #catalog: Catalog | SyncCatalog;
  readonly #log: ChangeLog;
  readonly #options: WatchOptions;
  readonly #schedule: Schedule;
  readonly #pollInstead: number;
  /** None where the catalog is polled. */
  #directories: WatchedDirectories | undefined;
  /** What went wrong in the last refresh. */
  #failures = new Set<string>();
  readonly #onAbort = (): void => void this.close();

  constructor(
    catalog: Catalog | SyncCatalog,
    core: CoreCatalog,
    options: WatchOptions,
    schedule: WatchSchedule,
  ) {
    this.#catalog = catalog;
    this.#log = new ChangeLog(core);
    this.#options = options;
    this.#schedule = new Schedule(() => this.#refresh(), schedule);
    this.#pollInstead = schedule.pollInstead;
    if (schedule.poll === 0) {
      const onChange = (): void => this.#schedule.request();
      this.#directories = new WatchedDirectories(onChange, schedule.persistent);
    }
    options.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  get directories(): readonly string[] {
    return this.#directories?.paths ?? [];
  }

  async start(): Promise<void> {
    await this.#schedule.run();
    if (this.#directories?.paths.length === 0 && !this.#schedule.isClosed) {
      this.#tell(
        new SkillError({
          code: "SOURCE_UNSUPPORTED",
          message:
            "Nothing that this catalog was loaded from is on the disk, so nothing tells of changes: " +
            "pass `poll` to watch, or call refresh().",
        }),
      );
    }
  }

  async close(): Promise<void> {
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#directories?.close();
    const isFirst = !this.#schedule.isClosed;
    await this.#schedule.close();
    if (isFirst) this.#log.dispose();
  }

  [Symbol.dispose](): void {
    void this.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #refresh(): Promise<void> {
    const known = this.#failures;
    this.#failures = new Set();
    const directories = this.#directories;
    const work = (): Promise<void> => this.#refreshAll(known);
    try {
      await (directories === undefined ? work() : directories.observe(work));
      if (!this.#schedule.isClosed) this.#tellChanges(this.#log.take());
    } catch (error) {
      this.#tellFailure(error, known);
      // A catalog that was disposed of has nothing to watch for.
      if (isDisposed(error)) void this.close();
    }
    if (directories?.failure !== undefined) this.#goOnPolling(directories.failure);
  }

  #goOnPolling(cause: Error): void {
    this.#directories = undefined;
    this.#schedule.poll(this.#pollInstead);
    const message =
      `The directories cannot be watched (${cause.message}), so the catalog is refreshed every ` +
      `${this.#pollInstead} milliseconds instead. Let the system watch more (on Linux fs.inotify.max_user_watches and ` +
      "max_user_instances), or pass `poll` for another time.";
    this.#tell(new SkillError({ code: "HOST_FAILED", message }, { cause }));
  }

  /** The catalogs that it is made of first: it is read with the skills that they have. */
  async #refreshAll(known: ReadonlySet<string>): Promise<void> {
    for (const source of sourcesOf(this.#catalog)) {
      try {
        await source.refresh();
      } catch (error) {
        // It serves its skills also when nobody else needs it any more.
        if (!isDisposed(error)) this.#tellFailure(error, known);
      }
    }
    await this.#catalog.refresh();
  }

  #tellChanges(changes: Changes): void {
    const { added, changed, removed } = changes;
    const names = optionsText({ added, changed, removed });
    const summary = answerValue<string | null>(
      withCore((exports) => exports.summaryOfChanges(names)),
    );
    if (summary === null) return;
    const event: WatchEvent = { ...changes, summary };
    // Whether it throws now or, as a function with promises, later.
    const told = async (): Promise<void> => this.#options.onChange?.(event);
    told().catch((error: unknown) => this.#tell(callbackFailed("onChange", error), error));
  }

  /** Tells of a failure unless the refresh before failed in the same way. */
  #tellFailure(error: unknown, known: ReadonlySet<string>): void {
    const message = messageOf(error);
    this.#failures.add(message);
    if (!known.has(message)) this.#tell(error);
  }

  /** Tells of what went wrong, but not after the end; `thrown` is what the caller's function threw. */
  #tell(error: unknown, ...thrown: readonly unknown[]): void {
    if (this.#schedule.isClosed) return;
    const { onError } = this.#options;
    if (onError === undefined) {
      warn(messageOf(error), ...thrown);
      return;
    }
    const told = async (): Promise<void> => onError.call(this.#options, error);
    told().catch((fault: unknown) => warn(callbackFailed("onError", fault).message, fault));
  }
}

function callbackFailed(name: string, cause: unknown): SkillError {
  const message = `${name} failed: ${messageOf(cause)}. Watching goes on: mend the function.`;
  return new SkillError({ code: "HOST_FAILED", message }, { cause });
}

/** All catalogs that a catalog was made of, the innermost first. */
function sourcesOf(catalog: Catalog | SyncCatalog): Set<Catalog | SyncCatalog> {
  const all = new Set<Catalog | SyncCatalog>();
  for (const source of sourceCatalogsOf(catalog)) {
    for (const inner of sourcesOf(source)) all.add(inner);
    all.add(source);
  }
  return all;
}

function isDisposed(error: unknown): boolean {
  return SkillError.isInstance(error) && error.code === "NOT_INITIALIZED";
}
