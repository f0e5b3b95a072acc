/**
 * What hosts give, as replies to the core: asked for in the way that the host offers, and checked
 * before anything of it is written, since half a reply would spoil a batch.
 */
import { SkillError } from "./errors.js";
import { placeOf } from "./hosts/listed.js";
import { isBytes } from "./hosts.js";
import type { Host, OpenedFile, SyncHost, SyncOpenedFile } from "./types.js";
import { isPromise } from "./unwaited.js";
import type { FailureReply, FileReply, ReplyWriter, Request } from "./wire.js";

/** Writes a reply. */
export type Answer = (writer: ReplyWriter) => void;

type Read = Extract<Request, { kind: "read" }>;

const NOTHING = new Uint8Array(0);

/** A part of a file, and what was opened. */
export function readSync(host: SyncHost, request: Read): FileReply {
  const { path, offset, length, follow } = request;
  if (host.open === undefined) {
    const stat = checkedStat(atOnce(host.stat?.(path)));
    const realPath = atOnce(host.realPath?.(path));
    const isFile = stat === undefined || stat.kind === "file";
    const bytes = isFile ? atOnce(host.read(path, { offset, length })) : NOTHING;
    return closedFile(host, request, stat, realPath, bytes);
  }
  const opened = atOnce(host.open(path, { noFollow: !follow }), (late) => late?.close());
  try {
    if (opened.kind !== "file") return openedFile(opened, NOTHING);
    return openedFile(opened, cut(atOnce(opened.read({ offset, length })), length));
  } finally {
    quietly(opened.close());
  }
}

/** {@link readSync} of any host. */
export async function readAsync(host: Host, request: Read): Promise<FileReply> {
  const { path, offset, length, follow } = request;
  if (host.open === undefined) {
    const stat = checkedStat(await host.stat?.(path));
    const realPath = await host.realPath?.(path);
    const isFile = stat === undefined || stat.kind === "file";
    const bytes = isFile ? await host.read(path, { offset, length }) : NOTHING;
    return closedFile(host, request, stat, realPath, bytes);
  }
  const opened = await host.open(path, { noFollow: !follow });
  try {
    const bytes = opened.kind === "file" ? await opened.read({ offset, length }) : NOTHING;
    return openedFile(opened, cut(bytes, length));
  } finally {
    await opened.close();
  }
}

function openedFile(opened: OpenedFile | SyncOpenedFile, bytes: Uint8Array): FileReply {
  const { kind, size, version, realPath } = opened;
  return { kind, size, version, realPath, bytes };
}

/** Of a host that opens nothing. Without ranges it has given the whole file. */
function closedFile(
  host: Host | SyncHost,
  { offset, length }: Read,
  stat: { kind: string; size: number; version: string } | undefined,
  realPath: string | undefined,
  bytes: Uint8Array,
): FileReply {
  // Its size is told by its bytes.
  if (!isBytes(bytes)) throw misbehaves("read", "a Uint8Array");
  const whole = host.ranges !== true;
  return {
    kind: stat?.kind ?? "file",
    size: whole ? bytes.length : stat?.size,
    version: stat?.version,
    realPath,
    bytes: cut(whole ? bytes.subarray(offset) : bytes, length),
  };
}

function cut(bytes: Uint8Array, length: number): Uint8Array {
  return bytes.length > length ? bytes.subarray(0, length) : bytes;
}

/** The entries of a directory. */
export function listingAnswer(entries: unknown): Answer {
  if (!Array.isArray(entries)) throw misbehaves("list", "an array of entries");
  // Not by mapping, which would leave out holes.
  const checked = Array.from(entries, (entry: { name?: unknown; kind?: unknown } | null) => {
    // Each is asked for once: a getter may give something else the next time.
    const name = entry?.name;
    if (typeof name !== "string") throw misbehaves("list", "entries with a name");
    return { name, kind: String(entry?.kind) };
  });
  const realPath = placeOf(entries);
  return (writer) => writer.listing(checked, realPath);
}

/** What {@link readSync} gave. */
export function fileAnswer({ kind, size, version, realPath, bytes }: FileReply): Answer {
  if (!isBytes(bytes)) throw misbehaves("read", "a Uint8Array");
  const checked: FileReply = {
    kind,
    size: typeof size === "number" ? size : undefined,
    version: typeof version === "string" ? version : undefined,
    realPath: typeof realPath === "string" ? realPath : undefined,
    bytes,
  };
  return (writer) => writer.file(checked);
}

/** A path, or nothing. */
export function textAnswer(text: unknown): Answer {
  if (text === undefined) return (writer) => writer.nothing();
  if (typeof text !== "string") throw misbehaves("realPath", "text");
  return (writer) => writer.text(text);
}

/** What a host says of a path, or nothing. What it is must be told: of a file that is none nothing is read. */
function checkedStat<S extends { kind: string }>(stat: S | null | undefined): S | undefined {
  if (stat === undefined || stat === null) return undefined;
  if (typeof stat.kind !== "string") throw misbehaves("stat", "a kind");
  return stat;
}

/** What stands at a path, or nothing. */
export function statAnswer(stat: { kind?: unknown; version?: unknown } | null | undefined): Answer {
  if (stat === undefined || stat === null) return (writer) => writer.nothing();
  const { kind, version } = stat;
  if (typeof version !== "string") throw misbehaves("stat", "a version");
  return (writer) => writer.stat(String(kind), version);
}

function misbehaves(method: string, expected: string): Error {
  return new Error(`the host's ${method} did not give ${expected}`);
}

/** Thrown where a host answers with a promise that nobody can wait for. */
export class PromisedAnswer extends SkillError {
  constructor() {
    super({
      code: "SOURCE_UNSUPPORTED",
      message:
        "A host answers with promises, which loadSkillsSync cannot wait for: use loadSkills.",
    });
  }
}

/**
 * What a host without promises gave; a promise is the developer's mistake. `late` gets what it is
 * kept with.
 */
export function atOnce<T>(value: T, late?: (value: T) => unknown): T {
  if (!isPromise(value)) return value;
  quietly(late ? value.then(late as (value: unknown) => unknown) : value);
  throw new PromisedAnswer();
}

/** Nobody waits for it: a rejection that nobody sees would end the process. */
export function quietly(value: unknown): void {
  if (isPromise(value)) value.then(undefined, () => {});
}

/** What was thrown, by its texts; the core decides what it means. */
export function failureAnswer(error: unknown): Answer {
  const failure: FailureReply = {
    code: textOf(error, "code"),
    name: textOf(error, "name"),
    message: typeof error === "string" ? error.slice(0, LONGEST_WORDS) : textOf(error, "message"),
  };
  return (writer) => writer.failed(failure);
}

/** Characters of an error of a host that cross: more of them say no more. */
const LONGEST_WORDS = 10_000;

/** A property of what was thrown, which may be anything. */
function textOf(error: unknown, key: "code" | "name" | "message"): string | undefined {
  try {
    const part = (error as Record<string, unknown> | null | undefined)?.[key];
    return typeof part === "string" ? part.slice(0, LONGEST_WORDS) : undefined;
  } catch {
    return undefined;
  }
}
