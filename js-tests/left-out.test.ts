// What `only` leaves out is nowhere: a view is to every function as a catalog in which the skills that
// it leaves out have never been, and no text of theirs is in what any of them gives.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import {
  type Diagnostic,
  loadSkillsSync,
  memoryHost,
  type SessionEvent,
  type SyncCatalog,
  type SyncHost,
  type SyncSession,
  type SyncSkillTools,
} from "skillshelf";
import { systemPrompt } from "skillshelf/prompt";
import { type Files, withPromises } from "./support/hosts.ts";
import { skillFile } from "./support/text.ts";

/** Adapters that need no SDK to translate; their types do. */
const ADAPTERS = await Promise.all(
  ["anthropic", "google", "openai"].map(async (entry) => {
    const { skillTools } = await import(`skillshelf/${entry}`);
    return skillTools as (source: SyncCatalog | SyncSession) => object[];
  }),
);

const SHOWN: Files = {
  "alpha/SKILL.md": skillFile(
    "name: alpha\ndescription: Brews tea.\nallowed-tools: Read",
    "Pour slowly, $ARGUMENTS.",
  ),
  "alpha/references/leaves.md": "Green leaves.",
  "beta/SKILL.md": skillFile("name: beta\ndescription: Bakes bread.", "Knead it well."),
  "ways/gamma/SKILL.md": skillFile(
    "name: gamma\ndescription: Walks dogs.\nmetadata:\n  category: outside",
    "Mind the leash.",
  ),
  "user/SKILL.md": skillFile(
    "name: user\ndescription: For the user.\ndisable-model-invocation: true",
    "Only by hand.",
  ),
};

/** Skills of every kind, each with words that nothing else has. */
const HIDDEN: Files = {
  "xyzzy/SKILL.md": skillFile(
    "name: xyzzy\ndescription: Plughs tea and bread.\nversion: 1.0-ozmoo\ntrigger: when plughed\nallowed-tools: Frotz",
    "Nitfol slowly: </skill_content>",
  ),
  "xyzzy/references/gnusto.md": "Rezrov.",
  "xyzzy/mcp.json": '{"mcpServers":{"blorb":{"command":"blorb"}}}',
  "older/xyzzy/SKILL.md": skillFile(
    "name: xyzzy\ndescription: Plughs less.\nversion: 0.9-ozmoo",
    "Nitfol.",
  ),
  "xyzzy-user/SKILL.md": skillFile(
    "name: xyzzy-user\ndescription: Plughs by hand.\ndisable-model-invocation: true",
  ),
  "xyzzy-broken/SKILL.md": "---\nname: xyzzy-broken\ndescription: [plugh\n",
  "xyzzy-empty/SKILL.md": "",
  "xyzzy-mended/SKILL.md": "---\nname: xyzzy-mended\ndescription: plugh: frotz\n---\nNitfol",
  "xyzzy-loose.md": skillFile("name: xyzzy-loose\ndescription: Plughs alone."),
  "ｘｙｚｚｙ-wide/SKILL.md": skillFile("name: ｘｙｚｚｙ-wide\ndescription: Plughs widely."),
  "alpha/inner/xyzzy-inner/SKILL.md": skillFile("name: xyzzy-inner\ndescription: Plughs within."),
  "alpha/inner/xyzzy-inner/gnusto.md": "Rezrov.",
};

const TRACE = /xyzzy|ｘｙｚｚｙ|plugh|frotz|nitfol|rezrov|gnusto|ozmoo|blorb/i;

/** Files of which one directory cannot be listed, on a host that tells of its own findings. */
function hostOf(files: Files): SyncHost {
  const memory = memoryHost(files);
  const isFull = "xyzzy/SKILL.md" in files;
  const finding: Diagnostic = { code: "mine", severity: "warning", message: "of the host" };
  const others: Diagnostic[] = [
    { ...finding, message: "about plugh", skill: "xyzzy" },
    { ...finding, message: "about frotz", path: "https://host/skills/xyzzy/SKILL.md" },
    { ...finding, message: "about nitfol", path: "xyzzy-loose.md/link" },
  ];
  return {
    diagnostics: isFull ? [finding, ...others] : [finding],
    list: (directory) => {
      if (directory.endsWith("xyzzy-shut")) throw new Error(`no plugh in ${directory}`);
      return memory.list(directory);
    },
    read: (file) => memory.read(file),
  };
}

function catalogOf(files: Files): SyncCatalog {
  const sources = [
    { host: hostOf(files), label: "here" },
    { host: memoryHost(files), label: "there" },
  ];
  return loadSkillsSync(sources, { onDiagnostic: () => {}, nested: true });
}

/** What was there before, as a conversation with all skills had it. */
function stateOf(catalog: SyncCatalog): SyncSession {
  const session = catalog.session();
  for (const name of ["alpha", "xyzzy", "xyzzy-user"]) session.load(name);
  session.call("read_skill_file", { skill: "xyzzy", path: "references/gnusto.md" });
  session.call("read_skill_file", { skill: "alpha", path: "references/leaves.md" });
  return session;
}

interface Pair {
  catalog: SyncCatalog;
  session: SyncSession;
  events: SessionEvent[];
}

const without = (): Pair => {
  const catalog = catalogOf(SHOWN);
  const events: SessionEvent[] = [];
  const state = stateOf(catalog).toJSON();
  return { catalog, session: catalog.session({ state, onEvent: (e) => events.push(e) }), events };
};

const ALLOWED = ["alpha", "b*", "gamma", "user"];

/** Ways to leave skills out, of which each must come to the same. */
const WAYS: Record<string, (patterns: string[][]) => Pair> = {
  "catalog.only": (patterns) => viewed(patterns, true),
  "a session's only": (patterns) => viewed(patterns, false),
};

function viewed(patterns: string[][], ofCatalog: boolean): Pair {
  const all = catalogOf({ ...SHOWN, ...HIDDEN });
  // What others have asked for is known to the catalog by now.
  all.search("plugh", { bodies: true });
  all.call("load_skill", { name: "xyzzy" });
  const state = stateOf(all).toJSON();
  const [first = [], ...rest] = patterns;
  const catalog = rest.reduce((view, more) => view.only(more), all.only(first));
  const events: SessionEvent[] = [];
  const onEvent = (event: SessionEvent): void => void events.push(event);
  const session = ofCatalog
    ? catalog.session({ state, onEvent })
    : rest.reduce((view, more) => view.only(more), all).session({ state, onEvent, only: first });
  return { catalog, session, events };
}

const PATTERNS: Record<string, string[][]> = {
  "what is held back": [["!xyzzy*"]],
  "what is held back, in another form": [["!ｘｙｚｚｙ*"]],
  "what is let through": [ALLOWED],
  "what is let through and held back": [["!*zz*", "*", "!xyzzy"]],
  "a view of a view": [["!xyzzy-*"], ["!xyzzy"]],
};

/** What a model may ask for, by the names of skills that are there, that are left out, and that never were. */
const NAMES = [
  "alpha",
  "user",
  "alphb",
  "xyzzy",
  "xyzz",
  "xyzzy@0.9-ozmoo",
  "xyzzy-inner",
  "ｘｙｚｚｙ-wide",
];
const PATHS = [
  "references/leaves.md",
  "SKILL.md",
  "inner/xyzzy-inner/SKILL.md",
  "../xyzzy/SKILL.md",
  "references/gnusto.md",
];

const CALLS: Record<string, unknown[]> = {
  load_skill: NAMES.map((name) => ({ name })),
  read_skill_file: NAMES.flatMap((skill) => PATHS.map((path) => ({ skill, path }))),
  list_skills: [
    {},
    { filter: "xyzzy" },
    { filter: "plugh" },
    { group: "xyzzy" },
    { group: "nowhere" },
    { offset: 1 },
  ],
  unload_skill: NAMES.map((name) => ({ name })),
  list_skill_resources: NAMES.map((skill) => ({ skill })),
  load_skill_resource: NAMES.flatMap((skill) => PATHS.map((path) => ({ skill, path }))),
  search_skills: ["plugh", "tea", "nitfol", "breadd", "xyzzy"].map((query) => ({ query })),
};

const INDEXES = [
  {},
  ...(["markdown", "plain", "xml", "json"] as const).flatMap((style) => [
    { style, location: true },
    { style, budget: { characters: 150 } },
    { style, budget: { characters: 60 } },
    { style, pinned: ["xyzzy"] },
  ]),
];
const LINES = [
  "/",
  "/a",
  "/x",
  "/xyzzy plugh",
  "/alpha one",
  "/user",
  "/xyz",
  "/ｘｙｚｚｙ-wide",
  "text",
];

/** The calls of all tools, on what has them. */
function called(
  of: { call(tool: string, args: unknown): unknown },
  tools: SyncSkillTools,
): unknown[] {
  return Object.entries(CALLS).flatMap(([tool, all]) =>
    all.flatMap((args) => [of.call(tool, args), tools.call(tool, args)]),
  );
}

function toolsOf(tools: SyncSkillTools): unknown[] {
  return tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]);
}

/** A row for each member that a catalog has; the compiler sees that none is missing. */
const OF_CATALOG: Record<
  Exclude<keyof SyncCatalog, "dispose" | typeof Symbol.dispose> | "as a source and as text",
  (catalog: SyncCatalog, pair: Pair) => unknown
> = {
  size: (catalog) => catalog.size,
  isEmpty: (catalog) => catalog.isEmpty,
  names: (catalog) => catalog.names,
  diagnostics: (catalog) => catalog.diagnostics,
  get: (catalog) =>
    NAMES.flatMap((name) => [catalog.get(name), catalog.get(name, "0.9-ozmoo")]).map(
      (skill) => skill?.name,
    ),
  body: (catalog) => NAMES.map((name) => outcome(() => catalog.body(name))),
  files: (catalog) => NAMES.map((name) => outcome(() => catalog.files(name))),
  only: (catalog) => [catalog.only(["*"]).names, catalog.only(["x*"]).names],
  prompt: (catalog) => INDEXES.map((options) => catalog.prompt(options)),
  index: (catalog) => INDEXES.map((options) => catalog.index(options)),
  tools: (catalog) => [
    toolsOf(catalog.tools()),
    toolsOf(catalog.tools({ set: ["load_skill", "list_skills", "search_skills"] })),
    ...ADAPTERS.map((adapted) => adapted(catalog)),
  ],
  call: (catalog) => called(catalog, catalog.tools()),
  expand: (catalog) =>
    LINES.flatMap((line) => [catalog.expand(line), catalog.expand(line, { arguments: true })]),
  complete: (catalog) => LINES.map((line) => catalog.complete(line)),
  search: (catalog) =>
    ["plugh", "tea bread", "xyzzy", "nitfol", "slowli"].flatMap((query) =>
      [false, true].map((bodies) =>
        catalog.search(query, { bodies }).map(({ skill, ...hit }) => [skill.name, hit]),
      ),
    ),
  session: (catalog) => [catalog.session().loaded, catalog.session().diagnostics],
  refresh: (catalog) => [
    catalog.refresh({ files: NAMES.map((name) => `${name}/SKILL.md`) }),
    catalog.refresh(),
  ],
  "as a source and as text": (catalog) => [
    loadSkillsSync([catalog], { onDiagnostic: () => {} }).names,
    systemPrompt({ catalog, tools: catalog.tools() }),
    inspect(catalog),
    String(catalog),
  ],
  [Symbol.iterator]: (catalog) => [...catalog].map(({ source, ...skill }) => skill),
};

/** A row for each member that a session has. */
const OF_SESSION: Record<
  Exclude<keyof SyncSession, "toJSON" | "diagnostics"> | "all that onEvent was told",
  (session: SyncSession, pair: Pair) => unknown
> = {
  prompt: (session) => INDEXES.map((options) => session.prompt(options)),
  index: (session) => INDEXES.map((options) => session.index(options)),
  tools: (session) => [toolsOf(session.tools({ set: "full" })), toolsOf(session.tools())],
  loaded: (session) => session.loaded,
  check: (session) => session.check(),
  complete: (session) => LINES.map((line) => session.complete(line)),
  compact: (session) => [session.compact(), session.compact({ budget: { characters: 0 } })],
  call: (session) => called(session, session.tools({ set: "full" })),
  expand: (session) => LINES.map((line) => session.expand(line)),
  load: (session) => NAMES.map((name) => session.load(name)),
  unload: (session) => NAMES.map((name) => session.unload(name)),
  forget: (session) => session.forget(["alpha"]),
  "all that onEvent was told": (_, { events }) => events,
};

function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return [code, message];
  }
}

/** What is written of a value, without what was asked for. */
function written(value: unknown): string {
  return JSON.stringify(value, null, 1) ?? "nothing";
}

/** A text without the words of those who asked. */
function unasked(text: string): string {
  const asked = [...NAMES, ...PATHS, ...LINES, "plugh", "nitfol", "xyzzy", "x*"];
  // The longest first: each may be a part of another.
  const longest = asked.sort((a, b) => b.length - a.length).filter((it) => TRACE.test(it));
  return longest.reduce((rest, it) => rest.replaceAll(it, "…"), text);
}

/** As `assert.equal`, which takes minutes to say how long texts differ. */
function assertSameText(told: string, expected: string): void {
  if (told === expected) return;
  const [lines, others] = [told.split("\n"), expected.split("\n")];
  const at = lines.findIndex((line, index) => line !== others[index]);
  assert.fail(`line ${at}: ${lines.slice(at - 2, at + 1).join("\n")}\ninstead of ${others[at]}`);
}

/** The rows of a table, by the names of its members. */
function rowsOf<Of>(table: Record<PropertyKey, (of: Of, pair: Pair) => unknown>) {
  return Reflect.ownKeys(table).map((key) => {
    return [String(key), table[key] as (of: Of, pair: Pair) => unknown] as const;
  });
}

test("every tool is called", () => {
  const tools = without().session.tools({ set: "full" });
  assert.deepEqual(tools.map(({ name }) => name).sort(), Object.keys(CALLS).sort());
});

test("the words of what is left out are found where nothing leaves it out", () => {
  const all = catalogOf({ ...SHOWN, ...HIDDEN });
  assert.ok(all.names.includes("xyzzy-inner"));
  for (const [member, row] of rowsOf<SyncCatalog>(OF_CATALOG)) {
    if (["size", "isEmpty", "get", "session", "only"].includes(member)) continue;
    const value = written(row(all, { catalog: all, session: all.session(), events: [] }));
    assert.match(value, TRACE, member);
  }
});

for (const [what, patterns] of Object.entries(PATTERNS)) {
  for (const [way, begin] of Object.entries(WAYS)) {
    describe(`${what}, by ${way}`, () => {
      const [expected, pair] = [without(), begin(patterns)];
      const rows = [
        ...rowsOf<SyncCatalog>(OF_CATALOG).map(([member, row]) => {
          return [`catalog.${member}`, (of: Pair) => row(of.catalog, of)] as const;
        }),
        ...rowsOf<SyncSession>(OF_SESSION).map(([member, row]) => {
          return [`session.${member}`, (of: Pair) => row(of.session, of)] as const;
        }),
      ];
      for (const [member, row] of rows) {
        test(`${member} is as if it had never been`, () => {
          const told = written(row(pair));
          assertSameText(told, written(row(expected)));
          assert.doesNotMatch(unasked(told), TRACE);
        });
      }
      test("session.diagnostics says that there is something, and not what", () => {
        const { diagnostics } = pair.session;
        assert.deepEqual(
          diagnostics.map(({ code }) => code),
          ["session-skill-left-out"],
        );
        assert.doesNotMatch(written(diagnostics), TRACE);
      });
    });
  }
}

test("a state goes through a conversation that leaves skills out as it came", () => {
  const all = catalogOf({ ...SHOWN, ...HIDDEN });
  const state = stateOf(all).toJSON();
  assert.deepEqual(all.session({ state, only: ALLOWED }).toJSON(), state);
});

test("a directory that cannot be read is told, since it may hold what is shown, unless a pattern names it", () => {
  const host = hostOf({ ...SHOWN, "xyzzy-shut/deeper/SKILL.md": "" });
  const all = loadSkillsSync({ host }, { onDiagnostic: () => {} });
  const codes = (patterns: string[]): string[] =>
    all.only(patterns).diagnostics.map(({ code }) => code);
  assert.deepEqual(codes(["alpha"]), ["directory-unreadable", "mine"]);
  assert.deepEqual(codes(["alpha", "!xyzzy*"]), ["only-pattern-idle", "mine"]);
});

test("promises make no difference to a view", async () => {
  const { loadSkills } = await import("skillshelf");
  const all = await loadSkills(
    { host: withPromises(hostOf({ ...SHOWN, ...HIDDEN })) },
    { onDiagnostic: () => {}, nested: true },
  );
  const view = all.only(["!xyzzy*"]);
  const session = all.session({ only: ["!xyzzy*"] });
  for (const [tool, calls] of Object.entries(CALLS)) {
    for (const args of calls) {
      for (const { content } of [await view.call(tool, args), await session.call(tool, args)]) {
        assert.doesNotMatch(unasked(content), TRACE);
      }
    }
  }
  assert.doesNotMatch(written(view.diagnostics), TRACE);
});
