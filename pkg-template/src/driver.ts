/**
 * Carries an operation of the core to its end: performs each batch of requests and hands the
 * replies back. Once without promises and once with them; what an operation does is in the core.
 */
import type { Work } from "./core/skillshelf.js";
import { generation, withCore } from "./engine.js";
import { aborted, type ErrorFacts, SkillError } from "./errors.js";
import { givenText } from "./given.js";
import { isDirectHost, readDirectly } from "./hosts/direct.js";
import { isMemoryHost, withoutEdits } from "./hosts/memory.js";
import { OperationHosts } from "./hosts/operation.js";
import { nextSlice } from "./hosts/slices.js";
import type { AnyHost, HostTable } from "./hosts.js";
import { Lanes } from "./lanes.js";
import {
  type Answer,
  atOnce,
  failureAnswer,
  fileAnswer,
  listingAnswer,
  PromisedAnswer,
  quietly,
  readAsync,
  readSync,
  statAnswer,
  textAnswer,
} from "./replies.js";
import type { Host, Progress, SyncHost } from "./types.js";
import { isPromise, unwaited } from "./unwaited.js";
import { within } from "./waiting.js";
import { ReplyWriter, type Request, readRequests } from "./wire.js";

/** What connects the servers of skills for an operation. Requests and answers are JSON text; nothing rejects. */
export interface Connector {
  connect(request: string): Promise<string>;
  callServer(request: string): Promise<string>;
}

export interface DriveOptions {
  hosts: HostTable;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Connects the servers of skills. */
  connector?: Connector | undefined;
  /** Counts tokens. Runs between the steps of the core. */
  count?: ((text: string) => number) | undefined;
}

/** The same while an operation is under way. */
type Within = Omit<DriveOptions, "hosts"> & { hosts: Pick<HostTable, "get"> };

type Read = Extract<Request, { kind: "read" }>;

/** What a host is asked for. */
type OfHost = Extract<Request, { host: number }>;

const NOTHING = new Uint8Array(0);

/** Runs an operation over hosts that answer at once. `take` gets its result. */
export function drive<T>(work: Work, options: DriveOptions, take: (work: Work) => T): T {
  const run = new Run(work, options);
  try {
    // Nobody else is at work until it is over, so nobody edits what memory holds.
    withoutEdits(() => {
      for (let requests = run.begin(); requests !== undefined; ) {
        requests = run.next(performAllSync(requests, options, run.replies()));
      }
    });
    return run.end(take);
  } finally {
    run.stop();
  }
}

/** The same over any hosts. */
export async function driveAsync<T>(
  work: Work,
  options: DriveOptions,
  take: (work: Work) => T,
): Promise<T> {
  const run = new Run(work, options);
  const within: Within = { ...options, hosts: new OperationHosts(options.hosts) };
  try {
    const pace = {
      concurrency: work.concurrency(),
      timeout: work.timeout(),
      deadline: work.deadline(),
    };
    const lanes = new Lanes(pace, within.hosts);
    for (let requests = run.begin(); requests !== undefined; ) {
      const replies = await performAll(requests, within, lanes, run.replies());
      // The core takes as long for a batch as the disk.
      if (lanes.inSlices) await nextSlice();
      requests = run.next(replies);
    }
    return run.end(take);
  } finally {
    run.stop();
  }
}

/** The writer of an operation that is over: the next one has its memory at hand. */
let spare: ReplyWriter | undefined;

/** No more memory than this is kept. */
const KEPT = 65_536;

/** One operation on its way. */
class Run {
  readonly #work: Work;
  readonly #generation = generation();
  readonly #options: DriveOptions;
  readonly #writer = spare ?? new ReplyWriter();
  #over = false;

  constructor(work: Work, options: DriveOptions) {
    spare = undefined;
    this.#work = work;
    this.#options = options;
  }

  /** Takes the replies to the next batch. */
  replies(): ReplyWriter {
    this.#writer.clear();
    return this.#writer;
  }

  begin(): Request[] | undefined {
    return this.#step(NOTHING);
  }

  next(replies: ReplyWriter): Request[] | undefined {
    const requests = this.#step(replies.bytes);
    const { onProgress } = this.#options;
    if (onProgress !== undefined) {
      const done = { directories: this.#work.directories(), files: this.#work.files() };
      unwaited(onProgress(done), "onProgress failed later");
    }
    return requests;
  }

  #step(replies: Uint8Array): Request[] | undefined {
    if (this.#options.signal?.aborted === true) throw aborted(this.#options.signal);
    this.#check();
    const requests = withCore(() => this.#work.step(replies));
    return requests === undefined ? undefined : readRequests(requests);
  }

  /** The result, or the failure as an error. */
  end<T>(take: (work: Work) => T): T {
    return withCore(() => {
      const failure = this.#work.error();
      if (failure !== undefined) throw new SkillError(JSON.parse(failure) as ErrorFacts);
      return take(this.#work);
    });
  }

  stop(): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#writer.capacity <= KEPT) spare = this.#writer;
    if (this.#generation === generation()) this.#work.free();
  }

  /** An operation does not outlive its instance. */
  #check(): void {
    if (this.#generation !== generation()) {
      throw new SkillError({
        code: "INTERNAL",
        message: "The WebAssembly module was started anew while this was under way. Try again.",
      });
    }
  }
}

/**
 * Performs a batch, a lane for each host, so that none waits for another; the replies are in the
 * order of the requests.
 */
async function performAll(
  requests: Request[],
  options: Within,
  lanes: Lanes,
  writer: ReplyWriter,
): Promise<ReplyWriter> {
  const answers = answersInMemory(requests, options);
  const waiting = new Map<number | undefined, number[]>();
  for (const [index, request] of requests.entries()) {
    if (answers[index] !== undefined) continue;
    const host = hostOf(request);
    const indices = waiting.get(host);
    if (indices === undefined) waiting.set(host, [index]);
    else indices.push(index);
  }
  const work = Array.from(waiting, ([host, indices]) =>
    lanes.of(host).run(
      indices.map((index) => async () => {
        const request = requests[index];
        if (request !== undefined) answers[index] = await perform(request, options, lanes);
      }),
      options.signal,
    ),
  );
  // A host may never answer.
  await within(() => Promise.all(work), { signal: options.signal });
  for (const [index, request] of requests.entries()) {
    const answer = answers[index] ?? lanes.of(hostOf(request)).unanswered;
    answer(writer);
  }
  return writer;
}

function hostOf(request: Request): number | undefined {
  return "host" in request ? request.host : undefined;
}

/** What memory holds needs no waiting: all at once, its keys are compared once for all of it. */
function answersInMemory(requests: Request[], options: Within): (Answer | undefined)[] {
  return withoutEdits(() =>
    requests.map((request) =>
      "host" in request && isMemoryHost(options.hosts.get(request.host))
        ? performSync(request, options)
        : undefined,
    ),
  );
}

function performAllSync(requests: Request[], options: Within, writer: ReplyWriter): ReplyWriter {
  for (const request of requests) {
    const isAnswered = request.kind === "read" && readDirect(request, options, writer);
    if (!isAnswered) performSync(request, options)(writer);
  }
  return writer;
}

/** Answers a read, where the host writes what it reads itself. */
function readDirect(request: Read, { hosts }: Within, writer: ReplyWriter): boolean {
  const host = hosts.get(request.host);
  if (host === undefined || !isDirectHost(host)) return false;
  try {
    return host[readDirectly](request, writer);
  } catch (error) {
    failureAnswer(error)(writer);
    return true;
  }
}

/** What no host is asked for, as far as it needs no waiting. */
function answerOfRuntime(
  { kind, text }: Extract<Request, { text: string }>,
  { count }: Within,
): Answer {
  switch (kind) {
    case "count":
      return countAnswer(count?.(text));
    case "normalize":
      return normalAnswer(text);
    case "connect":
    case "callServer":
      return failureAnswer("nobody connects servers here");
  }
}

async function answerOfServer(
  kind: "connect" | "callServer",
  text: string,
  { connector }: Within,
): Promise<Answer> {
  return connector === undefined
    ? failureAnswer("nobody connects servers any more")
    : textAnswer(await connector[kind](text));
}

function performSync(request: Request, options: Within): Answer {
  if (!("host" in request)) return answerOfRuntime(request, options);
  return answerAtOnce(request, options.hosts.get(request.host) as SyncHost | undefined);
}

function answerAtOnce(request: OfHost, host: SyncHost | undefined): Answer {
  try {
    if (host === undefined) throw noHost();
    switch (request.kind) {
      case "list":
        return listingAnswer(atOnce(host.list(request.path)));
      case "read":
        return fileAnswer(readSync(host, request));
      case "stat":
        return statAnswer(atOnce(host.stat?.(request.path)));
      case "realPath":
        return textAnswer(atOnce(host.realPath?.(request.path)));
    }
  } catch (error) {
    if (isPromisedAnswer(error)) throw error;
    return failureAnswer(error);
  }
}

/** What a host throws may be a proxy, which need not let itself be asked. */
function isPromisedAnswer(error: unknown): boolean {
  try {
    return error instanceof PromisedAnswer;
  } catch {
    return false;
  }
}

async function perform(request: Request, options: Within, lanes: Lanes): Promise<Answer> {
  if (!("host" in request)) {
    const { kind, text } = request;
    return kind === "connect" || kind === "callServer"
      ? answerOfServer(kind, text, options)
      : answerOfRuntime(request, options);
  }
  const host = options.hosts.get(request.host);
  const later = () => answerLater(request, host);
  const { slices } = lanes.of(request.host);
  return slices?.ask((atOnce) => answerAtOnce(request, atOnce), later) ?? later();
}

async function answerLater(request: OfHost, host: AnyHost | undefined): Promise<Answer> {
  try {
    if (host === undefined) throw noHost();
    switch (request.kind) {
      case "list":
        return listingAnswer(await host.list(request.path));
      case "read":
        return fileAnswer(await readAsync(host as Host, request));
      case "stat":
        return statAnswer(await host.stat?.(request.path));
      case "realPath":
        return textAnswer(await host.realPath?.(request.path));
    }
  } catch (error) {
    return failureAnswer(error);
  }
}

/** What the developer's function counted. A promise is no count: nobody waits for it. */
function countAnswer(counted: unknown): Answer {
  quietly(counted);
  return textAnswer(isPromise(counted) ? "a promise" : givenText(counted));
}

/** A text in the form in which names are compared. */
function normalAnswer(text: string): Answer {
  try {
    return textAnswer(text.normalize("NFKC"));
  } catch (error) {
    return failureAnswer(error);
  }
}

function noHost(): Error {
  return new Error("the host of this skill is gone");
}
