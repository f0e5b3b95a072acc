/**
 * What every host must do, as checks that any test runner can run: a host that passes them gives
 * the same catalog as files in memory do.
 */
import { memoryHost } from "./hosts/memory.js";
import { isBytes } from "./hosts.js";
import { loadSkills } from "./load.js";
import type {
  ByteRange,
  Catalog,
  Host,
  HostEntry,
  OpenedFile,
  SyncHost,
  SyncOpenedFile,
} from "./types.js";

type AnyHost = Host | SyncHost;
type Files = Record<string, string | Uint8Array>;

/** One thing that a host must do. */
export interface HostCheck {
  /** What it is, as a sentence for a test runner. */
  name: string;
  /** Rejects with what the host did instead. */
  run(): Promise<void>;
}

/** What a host's place can hold. */
export interface HostConformanceOptions {
  /**
   * Which names of files the place can hold: `"all"` by default; `"ascii"` for letters, digits and
   * `-`, `_`, `.` only.
   */
  names?: "all" | "ascii";
}

/**
 * The checks that a host of one's own has to pass. `makeHost` gets files, all of them below
 * directories of skills, and gives a host over just these; it is called anew for each check.
 *
 * ```ts
 * for (const { name, run } of hostConformance((files) => new MyHost(files))) test(name, run);
 * ```
 */
export function hostConformance(
  makeHost: (
    files: Record<string, string | Uint8Array>,
  ) => Host | SyncHost | Promise<Host | SyncHost>,
  options: HostConformanceOptions = {},
): HostCheck[] {
  if (typeof makeHost !== "function") {
    throw new TypeError("hostConformance takes a function that makes a host of files.");
  }
  const files = options.names === "ascii" ? TREE : { ...TREE, ...AWKWARD_NAMES };
  return CHECKS.map(({ name, check }) => ({
    name,
    run: async () => check(new Subject(await makeHost({ ...files }), files)),
  }));
}

const text = /* @__PURE__ */ new TextEncoder();

function skill(name: string, body: string): string {
  return `---\nname: ${name}\ndescription: What ${name} does.\n---\n${body}\n`;
}

/** All 256 bytes, more than once: no text. */
const BINARY = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);

const TREE: Files = {
  "pdf/SKILL.md": skill("pdf", "Read `references/forms.md`."),
  "pdf/references/forms.md": "Forms: line one\nline two\n",
  "pdf/references/deep/er/notes.txt": "far down",
  "pdf/assets/image.bin": BINARY,
  "pdf/empty.txt": "",
  "pdf/large.txt": "0123456789".repeat(20_000),
  "notes/SKILL.md": skill("notes", "Just text: äöü, 漢字, 🙂."),
  "crlf/SKILL.md": skill("crlf", "Lines.").replaceAll("\n", "\r\n"),
};

const AWKWARD_NAMES: Files = {
  "pdf/with blank.md": "blank",
  "pdf/per%20cent.md": "percent",
  "pdf/plus+and&.md": "plus",
  "pdf/ünïcode.md": "composed letters",
  "pdf/漢字.md": "letters of another script",
  "pdf/.hidden": "hidden",
};

/** A host under test, and the files that it is to have. */
class Subject {
  readonly host: AnyHost;
  readonly files: Files;

  constructor(host: AnyHost, files: Files) {
    this.host = host;
    this.files = files;
  }

  bytes(path: string): Uint8Array {
    const content = this.files[path] ?? "";
    return typeof content === "string" ? text.encode(content) : content;
  }

  async list(directory: string): Promise<Map<string, string>> {
    const entries = await this.host.list(directory);
    expect(Array.isArray(entries), `list(${show(directory)}) gave no array`);
    const found = new Map<string, string>();
    for (const entry of entries) {
      const { name, kind } = (entry ?? {}) as Partial<HostEntry>;
      expect(
        typeof name === "string" && typeof kind === "string",
        `list(${show(directory)}) gave ${cut(JSON.stringify(entry))}, which is no entry { name, kind }`,
      );
      expect(!found.has(name), `list(${show(directory)}) names ${show(name)} twice`);
      found.set(name, kind);
    }
    return found;
  }

  async read(path: string, range?: ByteRange): Promise<Uint8Array> {
    const bytes = await this.host.read(path, range);
    expect(isBytes(bytes), `read(${show(path)}) gave no Uint8Array`);
    return bytes;
  }
}

interface Check {
  name: string;
  check(subject: Subject): Promise<void>;
}

const MISSING = ["none", "none/SKILL.md", "pdf/none.md", "pdf/references/none/deeper.md"];

/** No paths of a host, by each of which some place would find a file. */
const REFUSED = [
  "../pdf/SKILL.md",
  "/pdf/SKILL.md",
  "pdf/../pdf/SKILL.md",
  "pdf//SKILL.md",
  "./pdf/SKILL.md",
  "pdf/SKILL.md/",
  "pdf/SKILL.md\0",
  "pdf\\SKILL.md",
];

const REFUSED_DIRECTORIES = ["..", "/pdf", "pdf/../pdf", "./pdf", "pdf/", "pdf//references"];

const CHECKS: readonly Check[] = [
  {
    name: "list gives each file and directory once, with its kind",
    async check(subject) {
      for (const directory of directoriesOf(subject.files)) {
        const found = await subject.list(directory);
        const expected = entriesOf(subject.files, directory);
        expectSame(sorted(found.keys()), sorted(expected.keys()), `list(${show(directory)})`);
        for (const [name, kind] of expected) {
          expectSame(found.get(name), kind, `the kind of ${show(name)} in ${show(directory)}`);
        }
      }
    },
  },
  {
    name: "list of what is not there is an error that says so",
    async check({ host }) {
      for (const path of ["none", "pdf/none", "pdf/none/deeper"]) {
        await expectMissing(() => host.list(path), `list(${show(path)})`);
      }
    },
  },
  {
    name: "list of a file is an error",
    async check({ host }) {
      await expectError(() => host.list("pdf/SKILL.md"), 'list("pdf/SKILL.md")');
    },
  },
  {
    name: "read gives the bytes of a file as they are",
    async check(subject) {
      for (const path of Object.keys(subject.files)) {
        expectBytes(await subject.read(path), subject.bytes(path), `read(${show(path)})`);
      }
    },
  },
  {
    name: "read of what is not there is an error that says so",
    async check({ host }) {
      for (const path of MISSING) {
        await expectMissing(() => host.read(path), `read(${show(path)})`);
      }
    },
  },
  {
    name: "read of a directory is an error",
    async check({ host }) {
      await expectError(() => host.read("pdf"), 'read("pdf")');
      await expectError(() => host.read("pdf/references"), 'read("pdf/references")');
    },
  },
  {
    name: "read of a range gives just that with ranges, and no less without",
    async check(subject) {
      const path = "pdf/large.txt";
      const whole = subject.bytes(path);
      const hasRanges = subject.host.ranges === true;
      for (const [offset, length] of RANGES) {
        const got = await subject.read(path, { offset, length });
        const wanted = hasRanges ? whole.subarray(offset, offset + length) : whole;
        expectBytes(got, wanted, `read(${show(path)}, { offset: ${offset}, length: ${length} })`);
      }
    },
  },
  {
    name: "what read gave is the caller's: writing to it changes no file",
    async check(subject) {
      const path = "pdf/assets/image.bin";
      (await subject.read(path)).fill(7);
      expectBytes(await subject.read(path), subject.bytes(path), "the next read");
      const { host } = subject;
      if (host.open === undefined) return;
      const opened = await host.open(path);
      try {
        const range = { offset: 0, length: subject.bytes(path).length };
        (await opened.read(range)).fill(7);
        expectBytes(
          await opened.read(range),
          subject.bytes(path),
          "the next read of what was opened",
        );
      } finally {
        await opened.close();
      }
    },
  },
  {
    name: "reads at the same time do not disturb each other",
    async check(subject) {
      const paths = Object.keys(subject.files).flatMap((path) => [path, path, path]);
      const all = await Promise.all(paths.map(async (path) => subject.read(path)));
      for (const [index, path] of paths.entries()) {
        expectBytes(all[index] ?? new Uint8Array(), subject.bytes(path), `read(${show(path)})`);
      }
    },
  },
  {
    name: "paths that leave, or are not in their plain form, reach no file",
    async check({ host }) {
      for (const path of REFUSED) {
        await expectError(() => host.read(path), `read(${show(path)})`);
        if (host.open === undefined) continue;
        await expectError(() => host.open?.(path), `open(${show(path)})`);
      }
      for (const path of REFUSED_DIRECTORIES) {
        await expectError(() => host.list(path), `list(${show(path)})`);
      }
    },
  },
  {
    name: "stat, where it is there, tells kind, size and a version that stays",
    async check(subject) {
      const { host } = subject;
      if (host.stat === undefined) return;
      for (const path of Object.keys(subject.files)) {
        const stat = await host.stat(path);
        expectSame(stat?.kind, "file", `the kind that stat(${show(path)}) tells`);
        expectSame(
          stat?.size,
          subject.bytes(path).length,
          `the size that stat(${show(path)}) tells`,
        );
        expect(typeof stat?.version === "string", `stat(${show(path)}) tells no version`);
        const again = await host.stat(path);
        expectSame(again?.version, stat?.version, `the version of ${show(path)} the second time`);
      }
      for (const directory of directoriesOf(subject.files)) {
        expectSame((await host.stat(directory))?.kind, "directory", `stat(${show(directory)})`);
      }
      for (const path of MISSING) {
        expectSame(await host.stat(path), undefined, `stat(${show(path)})`);
      }
    },
  },
  {
    name: "realPath, where it is there, is absolute, and that of a file is below its directory's",
    async check(subject) {
      const { host } = subject;
      if (host.realPath === undefined) return;
      const seen = new Set<string>();
      for (const path of Object.keys(subject.files)) {
        const real = await host.realPath(path);
        const directory = path.slice(0, path.lastIndexOf("/"));
        const above = await host.realPath(directory);
        expect(
          /^(?:\/|[A-Za-z]:)/.test(real),
          `realPath(${show(path)}) is not absolute: ${show(real)}`,
        );
        expect(
          real.startsWith(`${above}/`),
          `realPath(${show(path)}) is ${show(real)}, which is not below ${show(above)}`,
        );
        expect(!seen.has(real), `two files have the real path ${show(real)}`);
        seen.add(real);
      }
      await expectMissing(() => host.realPath?.("none/SKILL.md"), 'realPath("none/SKILL.md")');
    },
  },
  {
    name: "open, where it is there, gives kind, size and the bytes, in ranges",
    async check(subject) {
      const { host } = subject;
      if (host.open === undefined) return;
      for (const path of ["pdf/large.txt", "pdf/empty.txt", "pdf/assets/image.bin"]) {
        const opened = await host.open(path, { noFollow: true });
        try {
          await checkOpened(opened, subject.bytes(path), path);
        } finally {
          await opened.close();
        }
      }
      await expectMissing(() => host.open?.("pdf/none.md"), 'open("pdf/none.md")');
    },
  },
  {
    name: "its catalog is the same as that of files in memory",
    async check(subject) {
      const quiet = { onDiagnostic: () => {} };
      const given = await loadSkills({ host: subject.host, label: "files" }, quiet);
      const memory = await loadSkills({ host: memoryHost(subject.files), label: "files" }, quiet);
      expectSame(
        await account(given, subject.files),
        await account(memory, subject.files),
        "the catalog",
      );
    },
  },
  {
    name: "a refresh with nothing edited finds nothing new",
    async check({ host }) {
      const catalog = await loadSkills({ host }, { onDiagnostic: () => {} });
      const { added, changed, removed } = await catalog.refresh();
      expectSame({ added, changed, removed }, { added: [], changed: [], removed: [] }, "refresh()");
    },
  },
];

const RANGES = [
  [0, 0],
  [0, 1],
  [0, 4096],
  [4090, 20],
  [199_990, 10],
  [199_990, 100],
  [200_000, 10],
  [900_000, 10],
] as const;

async function checkOpened(
  opened: OpenedFile | SyncOpenedFile,
  bytes: Uint8Array,
  path: string,
): Promise<void> {
  expectSame(opened.kind, "file", `the kind of what open(${show(path)}) opened`);
  expectSame(opened.size, bytes.length, `the size of what open(${show(path)}) opened`);
  for (const [offset, length] of RANGES) {
    const got = await opened.read({ offset, length });
    expectBytes(
      got,
      bytes.subarray(offset, offset + length),
      `bytes ${offset} to ${offset + length} of ${show(path)}`,
    );
  }
}

/** All that a model can see of a catalog, as one text. */
async function account(catalog: Catalog, files: Files): Promise<unknown[]> {
  const parts: unknown[] = [catalog.names, catalog.prompt(), catalog.diagnostics];
  for (const name of catalog.names) {
    parts.push(await catalog.body(name));
    const { content } = await catalog.call("load_skill", { name });
    // The directory is the host's own.
    parts.push(content.replace(/^.*directory.*$/gim, ""));
  }
  for (const path of Object.keys(files)) {
    const [name = "", ...rest] = path.split("/");
    const result = await catalog.call("read_skill_file", { skill: name, path: rest.join("/") });
    parts.push([path, result.content, result.isError, result.bytes?.length]);
  }
  return parts;
}

/** The root and every directory that the paths imply. */
function directoriesOf(files: Files): string[] {
  const found = new Set([""]);
  for (const path of Object.keys(files)) {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      found.add(path.slice(0, at));
    }
  }
  return [...found];
}

function entriesOf(files: Files, directory: string): Map<string, string> {
  const start = directory === "" ? "" : `${directory}/`;
  const found = new Map<string, string>();
  for (const path of Object.keys(files)) {
    if (!path.startsWith(start)) continue;
    const [name = "", ...below] = path.slice(start.length).split("/");
    found.set(name, below.length === 0 ? "file" : "directory");
  }
  return found;
}

function sorted(names: Iterable<string>): string[] {
  return [...names].sort();
}

function expect(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new Error(`The host does not conform: ${problem}.`);
}

function expectSame(got: unknown, wanted: unknown, what: string): void {
  const [one, other] = [JSON.stringify(got) ?? "undefined", JSON.stringify(wanted) ?? "undefined"];
  if (one === other) return;
  const at = firstDifference(one, other);
  expect(false, `${what} is ${from(at, one)}, where ${from(at, other)} was expected`);
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** A value around where it differs, if it is long. */
function from(at: number, value: string): string {
  const start = value.length <= SHOWN ? 0 : Math.max(0, at - BEFORE);
  return (start === 0 ? "" : "…") + cut(value.slice(start));
}

function expectBytes(got: Uint8Array, wanted: Uint8Array, what: string): void {
  expect(got.length === wanted.length, `${what} has ${got.length} bytes, not ${wanted.length}`);
  const at = got.findIndex((byte, index) => byte !== wanted[index]);
  expect(at === -1, `${what} has another byte at ${at}`);
}

async function expectError(work: () => unknown, what: string): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error(
    `The host does not conform: ${what} gave something, where an error was expected.`,
  );
}

/** As the core knows it: by a code of file systems, or the name of the web's error. */
async function expectMissing(work: () => unknown, what: string): Promise<void> {
  const error = (await expectError(work, what)) as { code?: unknown; name?: unknown } | null;
  const isMissing =
    error?.code === "ENOENT" || error?.code === "ENOTDIR" || error?.name === "NotFoundError";
  expect(
    isMissing,
    `${what} failed with ${cut(String(error))}, whose code is neither ENOENT nor ENOTDIR, and whose name is not NotFoundError`,
  );
}

function show(value: string): string {
  return JSON.stringify(value);
}

/** How much of a value an error shows, and how much of that stands before a difference. */
const SHOWN = 300;
const BEFORE = 60;

function cut(value: string | undefined): string {
  const shown = String(value);
  return shown.length > SHOWN ? `${shown.slice(0, SHOWN)}…` : shown;
}
