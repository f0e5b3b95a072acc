// Any value as any argument of any public function or method comes to a value or to a `SkillError`:
// to no trap, no error of the engine, no promise that nobody hears of, and no prototype that is
// another one afterwards. `ANY_ARGUMENT_RUNS` says how often each is called; the seed is fixed.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs, { mkdtempSync } from "node:fs";
import * as promises from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
// Brings names on `globalThis`, of which none is looked at later.
import "@modelcontextprotocol/server";
import fc from "fast-check";
import * as entry from "skillshelf";
import { tarOf } from "./support/archives.js";

const RUNS = Number(process.env.ANY_ARGUMENT_RUNS ?? 300);
const SEED = 20_260_727;

/** The main entry point, whose functions are found by name here. */
const main = { ...entry };
const { SkillError, defineSkill, loadSkills, loadSkillsSync, memoryHost } = main;

/** What a getter of an argument throws: it is the caller's, and comes back inside a `SkillError`. */
class Thrown extends Error {}

/** Names that are more than names to JavaScript, and to this package. */
const NAMES = [
  ...["__proto__", "constructor", "prototype", "toString", "valueOf", "toJSON", "then", "length"],
  ...["name", "description", "content", "path", "host", "signal", "files", "metadata", "limits"],
  ...["budget", "count", "set", "rename", "taken", "index", "state", "events", "only", "skill"],
  ...["list", "read", "load_skill", "read_skill_file", "a", "a@1", "", " "],
];

/** Text without what could be a path that leads out of the folder in which this runs. */
const text = fc.oneof(
  fc.constantFrom(...NAMES),
  fc.string({ unit: "binary", maxLength: 12 }).map((given) => given.replace(/[./\\~:]/g, "_")),
  fc.constantFrom("\ud800", "a\udc00b", "\u202e", "\0", "x".repeat(5000), "\ufeff"),
);

/** Stand for proxies that throw whatever they are asked for: what makes the values may not ask them. */
const UNASKABLE = new Map([
  [
    Symbol("a proxy that was revoked"),
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
  ],
  [
    Symbol("a proxy that throws"),
    () => {
      const names = ["get", "has", "ownKeys", "getPrototypeOf", "getOwnPropertyDescriptor"];
      const asked = () => {
        throw new Thrown("asked");
      };
      return new Proxy({}, Object.fromEntries(names.map((name) => [name, asked])));
    },
  ],
]);

const odd = fc.oneof(
  fc.constantFrom(...UNASKABLE.keys()),
  fc.constantFrom(
    undefined,
    null,
    Number.NaN,
    -0,
    1e308,
    -1e308,
    2 ** 53,
    -1,
    0.5,
    Number.POSITIVE_INFINITY,
  ),
  fc.bigInt(),
  fc.constantFrom(Symbol("s"), Symbol.iterator),
  fc
    .constantFrom(
      () => new Date(Number.NaN),
      () => new Date(0),
      () => new Map([["__proto__", 1]]),
      () => new Set(["a"]),
      () => new Uint8Array([0, 255, 128]),
      () => new Float64Array(2),
      () => new ArrayBuffer(3),
      () => /x/g,
      () => new Error("e"),
      () => Promise.resolve(1),
      () => Object.create(null),
      () => Object.create({ name: "inherited", description: "d", content: "c" }),
      () => Object.assign([], { 5: "sparse" }),
      () => new Proxy({}, {}),
      () => new WeakMap(),
      () => function named() {},
      () => class Made {},
      () =>
        new (class Made {
          name = "a";
        })(),
      () => AbortSignal.abort(),
      () => new Boolean(false),
      () => Object("text"),
      () =>
        JSON.parse(
          '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": 1}}}',
        ),
      () => {
        const circle = {};
        circle.circle = circle;
        return circle;
      },
    )
    .map((make) => make()),
  // Each throws at its first reading and has a value at the next.
  fc.constantFrom(...NAMES.filter((name) => name !== "__proto__")).map((name) => {
    let wasRead = false;
    return Object.defineProperty({}, name, {
      enumerable: true,
      get: () => {
        if (wasRead) return "a";
        wasRead = true;
        throw new Thrown("read once");
      },
    });
  }),
  fc.anything({
    key: text,
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: false,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    values: [text, fc.double(), fc.integer(), fc.boolean(), fc.constant(null)],
  }),
);

const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    odd,
    text,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4 }),
    tie("value").map((value) => () => value),
  ),
})).value;

/** Whether a value has members that may be another each. */
function isTree(value) {
  const isPlain = Object.getPrototypeOf(Object(value)) === Object.prototype;
  return typeof value === "object" && value !== null && (Array.isArray(value) || isPlain);
}

/** The places in arguments: of each, of its members, and of theirs. */
function placesIn(value, place = []) {
  const own = place.length === 0 ? [] : [place];
  if (!isTree(value)) return own;
  return own.concat(Object.keys(value).flatMap((key) => placesIn(value[key], [...place, key])));
}

/** The same arguments with another value at one place. */
function withAt(value, [key, ...rest], other) {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = rest.length === 0 ? other : withAt(value[key], rest, other);
  return copy;
}

/** Where in arguments something stands for a proxy; not in what is far down. */
function standInsIn(value, place = []) {
  if (UNASKABLE.has(value)) return [place];
  if (!isTree(value) || place.length > 6) return [];
  return Object.entries(Object.getOwnPropertyDescriptors(value)).flatMap(([key, own]) =>
    standInsIn(own.value, [...place, key]),
  );
}

/** The same arguments with the proxies themselves. */
function withProxies(given) {
  return standInsIn(given).reduce((changed, place) => {
    const standIn = place.reduce((value, key) => value[key], given);
    return withAt(changed, place, UNASKABLE.get(standIn)());
  }, given);
}

/** Arguments that are right, but for one member, which is anything. */
function nearly(right) {
  return fc
    .tuple(fc.constantFrom(...placesIn(right)), anything)
    .map(([place, other]) => withAt(right, place, other));
}

/** The prototypes that have no name. */
const prototypeOf = (value) => ({ prototype: Object.getPrototypeOf(value) });
const Iterators = prototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
const Generators = prototypeOf((function* () {})());
const AsyncGenerators = prototypeOf((async function* () {})());

/** Everything that a call could change for all others. */
const SHARED = [
  ...[Object, Array, Function, String, Number, Boolean, Symbol, Promise, Map, Set, Date, RegExp],
  ...[Error, TypeError, Uint8Array, ArrayBuffer, JSON, Reflect, Math, BigInt, DataView, WeakMap],
  ...[globalThis, URL, URLSearchParams, Headers, Request, Response, AbortSignal, AbortController],
  ...[TextEncoder, TextDecoder, EventTarget, Event, Iterators, Generators, AsyncGenerators],
].flatMap((shared) => [shared, shared.prototype].filter(Boolean));

function sharedState() {
  return SHARED.map((shared) => {
    const own = Reflect.ownKeys(shared).map((key) => {
      const { value, get, set } = Object.getOwnPropertyDescriptor(shared, key);
      return [key, value, get, set];
    });
    return [Object.getPrototypeOf(shared), own];
  });
}

/** Words of an engine, for what a program has not looked at before it used it. */
const OF_THE_ENGINE =
  /^(?:Cannot |Reduce |Invalid |Method |Class constructor )|is not (?:a function|iterable|a constructor)|called on incompatible|cyclic|serialize/;

/** Whether what was thrown is what a caller may expect. */
function isExpected(error, { errors = () => false } = {}) {
  if (SkillError.isInstance(error)) return error.code !== "INTERNAL";
  return errors(error) && !OF_THE_ENGINE.test(error.message);
}

const typeErrors = (error) => error instanceof TypeError;
/** What hosts throw: a `TypeError` for what is no path, and the errors of files. */
const hostErrors = (error) => error instanceof Error && (typeErrors(error) || "code" in error);

const unheard = [];
const note = (reason) => unheard.push(reason);
const nothing = () => {};
const { warn } = console;
before(() => {
  process.chdir(mkdtempSync(path.join(tmpdir(), "any-argument-")));
  process.on("unhandledRejection", note);
  console.warn = nothing;
});
after(() => {
  process.off("unhandledRejection", note);
  console.warn = warn;
});

/** The code that a result or an error has. */
function codeOf(told) {
  return typeof told === "object" ? told?.code : undefined;
}

/** Arguments of `right` with one member any, where there are such; any values otherwise, at most `count`. */
function givenTo(count, right) {
  const any = fc.array(anything, { minLength: 0, maxLength: count });
  return right === undefined || placesIn(right).length === 0
    ? any
    : fc.oneof({ weight: 1, arbitrary: any }, { weight: 2, arbitrary: nearly(right) });
}

/** Calls `call` with any values, and with `right` ones of which one is any, and judges what comes of it. */
function tested(name, count, call, allowed, right) {
  test(`${name} takes anything`, async () => {
    const shared = sharedState();
    const arguments_ = givenTo(count, right);
    const property = fc.asyncProperty(arguments_, async (given) => {
      let told;
      try {
        // Hosts and what goes with other packages may throw what a proxy throws.
        told = await call(...(allowed === undefined ? withProxies(given) : given));
      } catch (error) {
        if (!isExpected(error, allowed)) throw error;
        told = error;
      }
      // A trap in a call of a tool is told as a result.
      assert.notEqual(codeOf(told), "INTERNAL");
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
    await setImmediate();
    assert.deepEqual(unheard.splice(0), []);
    assert.deepStrictEqual(sharedState(), shared);
    assert.equal({}.polluted, undefined);
  });
}

const files = () => ({
  "a/SKILL.md": "---\nname: a\ndescription: Does a.\nversion: 1\n---\nBody of a.",
  "a/notes.md": "Notes.",
  "constructor/SKILL.md": "---\nname: constructor\ndescription: Does c.\n---\nBody.",
  "b.md": "---\nname: b\ndescription: Does b.\ndisable-model-invocation: true\n---\nBody of b.",
});

/** Methods that are there and in no declaration. */
const INTERNAL = new Set(["constructor", "begin", "answerNow"]);

/** Names of the methods of an object, those of its prototypes too. */
function methodsOf(object) {
  const names = new Set();
  for (let at = object; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) {
      const { value } = Object.getOwnPropertyDescriptor(at, name);
      if (typeof value === "function" && !INTERNAL.has(name)) names.add(name);
    }
  }
  return [...names];
}

/** Tests every method of what `make` makes anew for each call. */
function testedMethods(name, made, make, allowed) {
  for (const method of methodsOf(made)) {
    const call = async (...given) => (await make())[method](...given);
    tested(`${name}.${method}`, 3, call, allowed, RIGHT[method]);
  }
}

const INDEX = {
  style: "markdown",
  heading: "H",
  instruction: "I",
  rename: { load_skill: { name: "l", description: "d", arguments: { name: "n" } } },
  location: true,
  budget: { tokens: 60, count: (given) => given.length },
  pinned: ["a"],
  priority: () => 1,
  group: () => "g",
};
const TOOLS = {
  set: ["load_skill", "list_skills"],
  index: INDEX,
  rename: { load_skill: "l" },
  taken: ["x"],
  wrapper: "skill",
  directory: true,
};
const DIGEST = `sha256:${createHash("sha256").update("B").digest("hex")}`;
const LOADED = {
  type: "skill_loaded",
  name: "a",
  digest: DIGEST,
  body: "B",
  tools: [],
  servers: [],
};
const SIGNAL = { signal: new AbortController().signal };
const LOAD = {
  mode: "lenient",
  invalid: "skip",
  onDiagnostic: () => {},
  nested: true,
  links: "inside",
  ignore: ["x"],
  strip: true,
  limits: { body: 1000, depth: 5, concurrency: 3, timeout: 100, deadline: 1000 },
  onProgress: () => {},
  ...SIGNAL,
};
const SPEC = {
  name: "a",
  description: "Does a.",
  content: "Body.",
  version: "1",
  license: "MIT",
  compatibility: "any",
  allowedTools: ["Read"],
  metadata: { key: { deep: [1] } },
  trigger: "when",
  modelInvocable: true,
  userInvocable: true,
  extra: { key: [1] },
  source: { own: 1 },
  files: { "a.md": "text", "b.bin": new Uint8Array([1]) },
};
const SKILL = "---\nname: a\ndescription: Does a.\n---\nBody.";

/** Right arguments, by the name of a function or method. */
const RIGHT = {
  // Of the main entry point.
  defineSkill: [SPEC],
  loadSkills: [
    [{ host: memoryHost(files()), path: "", label: "l", trusted: true }, "folder"],
    LOAD,
  ],
  loadSkillsSync: [[{ host: memoryHost(files()), path: "", label: "l" }, "folder"], LOAD],
  memoryHost: [{ "a/SKILL.md": SKILL, "b.bin": new Uint8Array([1]) }],
  mendSkill: [SKILL, { mode: "lenient" }],
  parseSkill: [SKILL, { path: "a/SKILL.md", mode: "strict", profile: "anthropic" }],
  stringifySkill: [{ ...SPEC, files: undefined }],
  validateSkill: [
    { "a/SKILL.md": SKILL, "a/b.md": new Uint8Array([65]) },
    { directory: "a", profile: "agentskills", hints: { "body-long": false } },
  ],
  // Of catalogs and sessions.
  get: ["a", "1"],
  prompt: [INDEX],
  index: [{ ...INDEX, budget: { characters: 60 } }],
  complete: ["/a", { commands: [{ name: "x", description: "d" }], limit: 5 }],
  body: ["a"],
  only: [["a", "!b", "c*"]],
  tools: [TOOLS],
  call: ["load_skill", { name: "a" }, SIGNAL],
  expand: ["/a extra", { commands: [{ name: "x" }], arguments: true, ...SIGNAL }],
  search: ["does a", { limit: 5, bodies: true }],
  files: ["a"],
  session: [{ state: { events: [LOADED] }, onEvent: () => {}, only: ["a"], tools: TOOLS }],
  refresh: [{ files: ["a/SKILL.md"] }],
  load: ["a", SIGNAL],
  unload: ["a"],
  compact: [{ budget: { tokens: 5, count: (given) => given.length } }],
  forget: [["a"]],
  // Of hosts.
  list: ["a"],
  read: ["a/SKILL.md", { offset: 0, length: 5 }],
  open: ["a/SKILL.md", { noFollow: true }],
  stat: ["a/SKILL.md"],
  realPath: ["a"],
  // Of other entry points.
  archiveHost: [
    new Uint8Array([80, 75]),
    { strict: true, limits: { entries: 5, bytes: 1000, entryBytes: 100, ratio: 10 } },
  ],
  connectSkillServers: [{ approve: () => false, environment: ["PATH"], timeout: 10 }],
  createSkillServer: [
    {
      name: "s",
      version: "1",
      tools: TOOLS,
      arguments: true,
      onError: () => {},
      http: { hosts: ["x"] },
    },
  ],
  httpHost: [
    "https://skills.invalid",
    {
      fetch: async () => new Response("", { status: 404 }),
      headers: { a: "b" },
      origins: ["https://x"],
    },
  ],
  systemPrompt: [
    {
      base: "## role\nR",
      plugins: [{ namespace: "n", files: { "a.md": "---\nextends: role\n---\nx" } }],
      index: INDEX,
      participants: [{ name: "A", role: "r" }],
      agents: [{ id: "i", card: { name: "n", description: "d", skills: [{ name: "s" }] } }],
      tools: [{ name: "t", description: "d" }],
      task: "T",
      invalid: "skip",
      onDiagnostic: () => {},
    },
  ],
  watch: [{ onChange: () => {}, onError: () => {}, debounce: 1, ...SIGNAL }],
  skillTools: [TOOLS],
  execute: [{ name: "a", path: "notes.md", offset: 0, query: "a" }],
};

const FUNCTIONS = [
  "allowedTools",
  "defineSkill",
  "estimateTokens",
  "loadSkills",
  "loadSkillsSync",
  "memoryHost",
  "mendSkill",
  "parseSkill",
  "stringifySkill",
  "validateSkill",
];
for (const name of FUNCTIONS) tested(name, 3, main[name], undefined, RIGHT[name]);
tested("SkillError.isInstance", 1, SkillError.isInstance);

test("every function of the main entry point is tested", () => {
  const functions = Object.keys(main).filter((name) => typeof main[name] === "function");
  assert.deepEqual(functions.sort(), ["SkillError", ...FUNCTIONS]);
});

const sync = () => loadSkillsSync({ host: memoryHost(files()) });
const async_ = () => loadSkills({ host: memoryHost(files()) });
testedMethods("SyncCatalog", sync(), sync);
testedMethods("Catalog", await async_(), async_);
testedMethods("SyncSession", sync().session(), () => sync().session());
testedMethods("Session", (await async_()).session(), async () => (await async_()).session());
testedMethods("memoryHost()", memoryHost(files()), () => memoryHost(files()), {
  errors: hostErrors,
});

tested(
  "SyncSkillTools.call",
  3,
  (...given) =>
    sync()
      .tools({ set: "full" in given ? "full" : "auto" })
      .call(...given),
  undefined,
  RIGHT.call,
);
for (const [index, { name }] of sync().session().tools({ set: "full" }).entries()) {
  const tool = () => sync().session().tools({ set: "full" })[index];
  const validate = (given) => tool().inputSchema["~standard"].validate(given);
  const call = (given) => sync().session().call(name, given);
  const right = RIGHT.execute;
  tested(`${name}.execute`, 2, (...given) => tool().execute(...given), undefined, right);
  tested(`${name} by its name`, 1, call, undefined, right);
  tested(`${name} validates`, 1, validate, undefined, right);
}

/** An argument that runs `run` whenever something of it is read. */
function reading(value, run) {
  if (!isTree(value)) {
    const isText = typeof value === "string";
    const read = () => {
      run();
      return value;
    };
    return isText ? { toString: read, toJSON: read } : value;
  }
  const parts = Object.entries(value).map(([key, part]) => [key, reading(part, run)]);
  const target = Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
  const traps = ["get", "has", "ownKeys", "getOwnPropertyDescriptor", "getPrototypeOf"].map(
    (name) => [
      name,
      (...given) => {
        run();
        return Reflect[name](...given);
      },
    ],
  );
  return new Proxy(target, Object.fromEntries(traps));
}

/** Arguments where reading the one at `place`, or anything in it, runs `run`. */
function readingAt(given, place, run) {
  const at = place.reduce((value, key) => value[key], given);
  return withAt(given, place, reading(at, run));
}

test("a catalog may be given back while an argument of its methods is read", async () => {
  const kinds = {
    SyncCatalog: () => [sync()],
    Catalog: async () => [await async_()],
    SyncSession: () => [sync()].flatMap((catalog) => [catalog, catalog.session()]),
    Session: async () => [await async_()].flatMap((catalog) => [catalog, catalog.session()]),
  };
  const told = new Set();
  for (const [kind, make] of Object.entries(kinds)) {
    for (const method of methodsOf((await make()).at(-1))) {
      for (const place of placesIn(RIGHT[method] ?? [])) {
        const made = await make();
        const given = readingAt(RIGHT[method], place, () => made[0].dispose());
        const title = `${kind}.${method} at ${place.join(".")}`;
        try {
          const result = await made.at(-1)[method](...given);
          assert.notEqual(codeOf(result), "INTERNAL", title);
          if (codeOf(result) === "NOT_INITIALIZED") told.add(`${kind}.${method}`);
        } catch (error) {
          assert.ok(SkillError.isInstance(error), `${title}: ${error.stack}`);
          assert.ok(
            ["NOT_INITIALIZED", "SOURCE_UNSUPPORTED"].includes(error.code),
            `${title}: ${error.stack}`,
          );
          if (error.code === "NOT_INITIALIZED") told.add(`${kind}.${method}`);
        }
      }
    }
  }
  assert.ok(told.size > 30, [...told].join());
});

test("names that are more than names are arguments like any other", () => {
  for (const name of ["__proto__", "constructor", "prototype", "hasOwnProperty"]) {
    for (const args of [{ name }, JSON.parse(`{"${name}": 1}`), { skill: name, path: name }]) {
      for (const tool of ["load_skill", "read_skill_file", name]) {
        const { isError, content } = sync().call(tool, args);
        assert.equal(isError, !(tool === "load_skill" && args.name === "constructor"), content);
      }
    }
    assert.equal(sync().get(name)?.name, name === "constructor" ? name : undefined);
  }
  const skill = defineSkill(
    JSON.parse('{"name":"a","description":"d","content":"c","metadata":{"__proto__":{"x":1}}}'),
  );
  assert.deepEqual(Object.keys(skill.metadata), ["__proto__"]);
  assert.equal(Object.getPrototypeOf(skill.metadata), Object.prototype);
});

/** Of every other entry point: how its functions are called, and which errors are documented. */
const ENTRIES = {
  node: {
    nodeHost: { errors: typeErrors },
    standardSources: { errors: typeErrors },
    watch: {},
  },
  http: { httpHost: {}, memoryCache: {} },
  mcp: { connectSkillServers: {}, createSkillServer: {} },
  fs: { fsHost: { errors: typeErrors } },
  unstorage: { unstorageHost: { errors: typeErrors } },
  prompt: { systemPrompt: {} },
  archive: { archiveHost: {} },
  web: {
    directoryHandleHost: { errors: typeErrors },
    droppedFilesHost: { errors: typeErrors },
    fileListHost: { errors: typeErrors },
  },
  testing: {
    hostConformance: { errors: typeErrors },
    requestText: { errors: typeErrors },
    runAgent: { errors: typeErrors },
    scriptedModel: { errors: typeErrors },
  },
  "ai-sdk": { skillTools: {} },
  anthropic: { answerToolCalls: {}, skillTools: {} },
  google: { answerToolCalls: {}, skillTools: {} },
  langchain: { skillTools: {} },
  mastra: { skillTools: {} },
  openai: { answerToolCalls: {}, skillTools: {} },
  "openai-agents": { skillTools: {} },
};

/** Responses that are what they should be down to some depth, where any value is. */
const SHAPES = {
  anthropic: [
    (content) => ({ content }),
    (block) => ({ content: [block] }),
    (input) => ({ content: [{ type: "tool_use", id: input, name: "load_skill", input }] }),
  ],
  google: [
    (candidates) => ({ candidates }),
    (candidate) => ({ candidates: [candidate] }),
    (content) => ({ candidates: [{ content }] }),
    (part) => ({ candidates: [{ content: { parts: [part] } }] }),
    (functionCall) => ({ candidates: [{ content: { parts: [{ functionCall }] } }] }),
  ],
  openai: [
    (output) => ({ output }),
    (item) => ({ output: [item] }),
    (args) => ({ output: [{ type: "function_call", name: "load_skill", arguments: args }] }),
    (choices) => ({ choices }),
    (choice) => ({ choices: [choice] }),
    (message) => ({ choices: [{ message }] }),
    (call) => ({ choices: [{ message: { tool_calls: [call] } }] }),
  ],
};

/** Functions that take a catalog, or a session of one, first. */
const OF_A_CATALOG = new Set(["skillTools", "watch", "connectSkillServers", "createSkillServer"]);

/** Entry points that have the same functions as another, over a module that is brought. */
const SLIM = {
  slim: ".",
  "slim/archive": "archive",
  "slim/http": "http",
  "slim/node": "node",
  "slim/prompt": "prompt",
};

test("every entry point is tested", async () => {
  const { exports } = JSON.parse(
    await promises.readFile(fileURLToPath(import.meta.resolve("skillshelf/package.json")), "utf8"),
  );
  const named = Object.keys(exports).map((name) => name.replace(/^\.\//, ""));
  const isCode = (name) => !/\.(?:json|wasm)$/.test(name);
  const known = [".", ...Object.keys(ENTRIES), ...Object.keys(SLIM)];
  assert.deepEqual(named.filter(isCode).sort(), known.sort());
  for (const [slim, whole] of Object.entries(SLIM)) {
    const names = async (name) =>
      Object.keys(await import(path.posix.join("skillshelf", name))).sort();
    const own = slim === "slim" ? ["init"] : [];
    assert.deepEqual(await names(slim), [...(await names(whole)), ...own].sort(), slim);
  }
});

const { nodeHost } = await import("skillshelf/node");
const { fsHost } = await import("skillshelf/fs");
const { httpHost, memoryCache } = await import("skillshelf/http");
const { archiveHost } = await import("skillshelf/archive");
const { unstorageHost } = await import("skillshelf/unstorage");
const { directoryHandleHost, droppedFilesHost, fileListHost } = await import("skillshelf/web");

/** An archive with a skill, and what sites, stores and pages answer that have one. */
const ARCHIVE = tarOf([{ name: "a/SKILL.md", content: SKILL }]);
const answer = async () => new Response(SKILL);
const store = new Map([["a:SKILL.md", SKILL]]);
const storage = {
  getKeys: async () => [...store.keys()],
  getItemRaw: async (key) => store.get(key) ?? null,
};
const page = new File([SKILL], "SKILL.md");
const handle = {
  kind: "directory",
  name: "",
  getDirectoryHandle: async () => handle,
  getFileHandle: async () => ({ kind: "file", name: "SKILL.md", getFile: async () => page }),
  entries: async function* () {
    yield ["SKILL.md", await handle.getFileHandle()];
  },
};

/** Each other host, and what else has methods that a caller may call. */
const MADE = {
  "nodeHost()": () => nodeHost("folder"),
  "nodeHost.sync()": () => nodeHost.sync("folder"),
  "fsHost()": () => fsHost(promises, process.cwd()),
  "fsHost.sync()": () => fsHost.sync(fs, process.cwd()),
  "archiveHost()": () => archiveHost(ARCHIVE),
  "httpHost()": () =>
    httpHost("https://skills.invalid", { fetch: answer, skills: ["a"], retries: 0 }),
  "memoryCache()": () => memoryCache(),
  "unstorageHost()": () => unstorageHost(storage),
  "directoryHandleHost()": () => directoryHandleHost(handle),
  "droppedFilesHost()": () => droppedFilesHost([]),
  "fileListHost()": () => fileListHost([Object.assign(page, { webkitRelativePath: "a/SKILL.md" })]),
};
for (const [name, make] of Object.entries(MADE)) {
  testedMethods(name, await make(), make, { errors: hostErrors });
}

for (const [entry, functions] of Object.entries(ENTRIES)) {
  const exported = await import(`skillshelf/${entry}`);
  test(`every function of skillshelf/${entry} is tested`, () => {
    assert.deepEqual(Object.keys(exported).sort(), Object.keys(functions).sort());
  });
  for (const [name, allowed] of Object.entries(functions)) {
    const isOfCatalog = OF_A_CATALOG.has(name);
    tested(`${entry}: ${name}`, 3, exported[name], allowed, isOfCatalog ? undefined : RIGHT[name]);
    if (isOfCatalog) {
      tested(
        `${entry}: ${name} of a catalog`,
        2,
        async (...given) => {
          const made = await exported[name](
            name === "connectSkillServers" ? (await async_()).session() : await async_(),
            ...given,
          );
          await (made?.close ?? made?.stop)?.call(made);
        },
        allowed,
        RIGHT[name],
      );
    }
    if (name === "answerToolCalls") {
      for (const [number, shape] of SHAPES[entry].entries()) {
        const answer = async (given, options) => {
          const tools = exported.skillTools(await async_());
          return exported[name](tools, shape(given), options);
        };
        tested(`${entry}: ${name} of a response, ${number}`, 2, answer, allowed);
      }
      tested(
        `${entry}: ${name} of tools`,
        2,
        async (...given) => exported[name](exported.skillTools(await async_()), ...given),
        allowed,
      );
    }
  }
}
