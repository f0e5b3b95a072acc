// Any value as any argument of any public function or method comes to a value or to a `SkillError`:
// to no trap, no error of the engine, no promise that nobody hears of, and no prototype that is
// another one afterwards. `ANY_ARGUMENT_RUNS` says how often each is called; the seed is fixed.

import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import * as entry from "skillshelf";

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

const odd = fc.oneof(
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

/** Everything that a call could change for all others. */
const SHARED = [
  ...[Object, Array, Function, String, Number, Boolean, Symbol, Promise, Map, Set, Date, RegExp],
  ...[Error, TypeError, Uint8Array, ArrayBuffer, JSON, Reflect, Math].filter(Boolean),
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

/** Calls `call` with any values, and judges what comes of it. */
function tested(name, count, call, allowed) {
  test(`${name} takes anything`, async () => {
    const shared = sharedState();
    const arguments_ = fc.array(anything, { minLength: 0, maxLength: count });
    const property = fc.asyncProperty(arguments_, async (given) => {
      let told;
      try {
        told = await call(...given);
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
    tested(`${name}.${method}`, 3, async (...given) => (await make())[method](...given), allowed);
  }
}

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
for (const name of FUNCTIONS) tested(name, 3, main[name]);
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

tested("SyncSkillTools.call", 3, (...given) =>
  sync()
    .tools({ set: "full" in given ? "full" : "auto" })
    .call(...given),
);
for (const [index, { name }] of sync().session().tools({ set: "full" }).entries()) {
  const tool = () => sync().session().tools({ set: "full" })[index];
  tested(`${name}.execute`, 2, (...given) => tool().execute(...given));
  tested(`${name} by its name`, 1, (given) => sync().session().call(name, given));
  tested(`${name} validates`, 1, (given) => tool().inputSchema["~standard"].validate(given));
}

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

for (const [entry, functions] of Object.entries(ENTRIES)) {
  const exported = await import(`skillshelf/${entry}`);
  test(`every function of skillshelf/${entry} is tested`, () => {
    assert.deepEqual(Object.keys(exported).sort(), Object.keys(functions).sort());
  });
  for (const [name, allowed] of Object.entries(functions)) {
    tested(`${entry}: ${name}`, 3, exported[name], allowed);
    if (/^(?:skillTools|watch|connectSkillServers|createSkillServer)$/.test(name)) {
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
