// What is run in every runtime: the same programs, over the same skills. They import nothing; the
// library is handed to them, and what they come to is data, so that it can be compared as text.

import { files, halves } from "./tree.mjs";

const STYLES = ["markdown", "plain", "xml", "json"];

/** What all programs answer over the awkward tree, by the name of the program. */
export async function awkward({ skillshelf, prompt }) {
  return printed({
    tree: await bothTrees(skillshelf, sourceOf(skillshelf, files), files),
    halves: await bothTrees(skillshelf, sourceOf(skillshelf, halves), halves),
    "load options": await loadOptions(skillshelf),
    hosts: hosts(skillshelf),
    "parse and validate": parseAndValidate(skillshelf, files),
    "define and stringify": await defineAndStringify(skillshelf),
    session: await session(skillshelf),
    refresh: await refresh(skillshelf),
    "system prompt": await systemPrompts(skillshelf, prompt),
  });
}

/** What the programs answer over each of these trees of files. */
export async function pieces({ skillshelf }, trees) {
  const answers = [];
  for (const some of trees) {
    answers.push(
      printed({
        tree: await bothTrees(skillshelf, sourceOf(skillshelf, some), some),
        "parse and validate": parseAndValidate(skillshelf, some),
      }),
    );
  }
  return answers;
}

/** What the programs answer over a directory of the disk that holds the awkward tree. */
export async function onDisk({ skillshelf }, directory) {
  return printed({ tree: await bothTrees(skillshelf, directory, files) });
}

/** The tree in memory, named as the directory `skills` of the disk would be. */
function sourceOf({ memoryHost }, some) {
  return { host: memoryHost(some), path: "skills" };
}

/** With promises and without: the same answers, so they are kept once. */
async function bothTrees({ loadSkills, loadSkillsSync }, source, some) {
  const answers = await tree(loadSkills, source, some);
  const without = await tree(loadSkillsSync, source, some);
  return printed(answers) === printed(without) ? answers : { answers, without };
}

/** Everything that can be asked of a catalog of these files. */
const SEARCHES = [
  ["a skill with files", {}],
  ["a skill with files", { bodies: true, limit: 3 }],
  ["cafe\u0301 日本語 ｗｉｄｅ", { bodies: true }],
  ["", {}],
  ["\ud800", {}],
];

async function tree(load, source, some) {
  const found = [];
  const catalog = await load(source, {
    onDiagnostic: (one) => found.push(one),
    limits: { page: 200 },
  });
  const skills = [...catalog];
  const answers = {
    skills,
    found,
    diagnostics: catalog.diagnostics,
    index: STYLES.map((style) => catalog.index({ style, location: true })),
    prompt: catalog.prompt({ heading: "# Skills", instruction: "Load one." }),
    tools: ["basic", "full"].map((set) => catalog.tools({ set })),
    bodies: await eachOf(skills, ({ name }) => catalog.body(name)),
    loaded: await eachOf(skills, ({ name }) => catalog.call("load_skill", { name })),
    resources: await eachOf(skills, (skill) => resourcesOf(catalog, skill, some)),
    refused: await eachOf(REFUSED, (args) => catalog.call("read_skill_file", args)),
    calls: await eachOf(CALLS, ([tool, args]) => catalog.call(tool, args)),
    renamed: await renamed(catalog),
    searched: await eachOf(SEARCHES, ([query, options]) => searched(catalog, query, options)),
    views: VIEWS.map((patterns) => catalog.only(patterns).names),
    expanded: await eachOf(LINES, (line) => catalog.expand(line, { commands, arguments: true })),
    completed: LINES.map((line) => catalog.complete(line, { commands, limit: 8 })),
  };
  catalog.dispose();
  return { ...answers, disposed: await outcome(() => catalog.names) };
}

const VIEWS = [["*"], ["f*", "!files"], ["!*"], ["no-such"], ["*-name", "emoji"]];

const commands = [{ name: "files", description: "The host's own" }, { name: "fill" }];

const LINES = [
  "/",
  "/f",
  "/disabled now please",
  "/model-only",
  "/files",
  "/emojy",
  "/filigree x",
  "/caf\u00e9 \ud83d\ude00",
  "/cafe\u0301",
  "no command",
  "/versioned@2.0.0 extra",
  "/broken",
  "/large-body",
];

/** Paths that leave, that mean something to one system, or that are not there. */
const REFUSED = [
  "",
  ".",
  "/etc/passwd",
  "../files/SKILL.md",
  "references/../../crlf/SKILL.md",
  "..\\crlf\\SKILL.md",
  "C:\\Windows",
  "c:x",
  "\\\\server\\share",
  "//server/share",
  "con",
  "references/nul.txt",
  "guide.md:stream",
  "a\0b",
  "a\u0007b",
  "references/",
  "references",
  "%2e%2e/crlf/SKILL.md",
  "references/GUIDE.md",
  "references/guid.md",
  "references/no-such.md",
  "inner/SKILL.md",
  "\ud83d",
  "x".repeat(5000),
].map((path) => ({ skill: "files", path }));

const CALLS = [
  ["load_skill", { name: "no-such" }],
  ["load_skill", { name: "filigree" }],
  ["load_skill", { name: "cafe\u0301" }],
  ["load_skill", { name: "disabled" }],
  ["load_skill", { name: "versioned@2.0.0" }],
  ["load_skill", { name: "n".repeat(1000) }],
  ["load_skill", { name: "\ud800" }],
  ["load_skill", {}],
  ["load_skill", { name: 7 }],
  ["load_skill", { name: "emoji", more: true }],
  ["load_skill", '{"name": "emoji"}'],
  ["load_skill", '{"name": "emoji"'],
  ["load_skill", "[1, 2"],
  ["load_skill", null],
  ["load_skill", [1]],
  ["load_skil", { name: "emoji" }],
  ["", {}],
  ["read_skill_file", { skill: "files", path: "references//./guide.md" }],
  ["read_skill_file", { skill: "files", path: "references/guide.md", offset: null, limit: null }],
  ["read_skill_file", { skill: "files", path: "references/guide.md", offset: 9 }],
  ["read_skill_file", { skill: "files", path: "references/guide.md", offset: 10, limit: 3 }],
  ["read_skill_file", { skill: "files", path: "references/guide.md", offset: 99999 }],
  ["read_skill_file", { skill: "files", path: "references/guide.md", offset: -1 }],
  ["read_skill_file", { skill: "files", path: "references/guide.md", offset: 1.5 }],
  ["read_skill_file", { skill: "files", path: "references/guide.md", limit: 0 }],
  ["read_skill_file", { skill: "loose", path: "x.md" }],
  ["read_skill_file", { skill: "files" }],
  ["list_skills", {}],
  ["list_skills", { filter: "name", limit: 3 }],
  ["list_skills", { offset: 40, limit: 100 }],
  ["list_skills", { group: "group" }],
  ["list_skill_resources", { skill: "no-such" }],
  ["unload_skill", { name: "emoji" }],
];

/** The list of a skill's files, and some of them, each read to its end. */
async function resourcesOf(catalog, { name, source }, some) {
  const below = source.directory === undefined ? "none" : source.path.replace(/[^/]+$/, "");
  const paths = Object.keys(some).filter((path) => path.startsWith(below));
  return {
    list: await catalog.call("list_skill_resources", { skill: name }),
    read: await eachOf(paths.slice(0, 16), (path) =>
      pages(catalog, name, path.slice(below.length)),
    ),
  };
}

async function pages(catalog, skill, path) {
  const results = [];
  let offset = 0;
  do {
    const result = await catalog.call("load_skill_resource", { skill, path, offset });
    results.push(result);
    offset = result.nextOffset;
  } while (offset !== undefined && results.length < 20);
  return { path, results };
}

async function searched(catalog, query, options) {
  const hits = await catalog.search(query, options);
  return hits.map(({ skill, ...rest }) => ({ name: skill.name, ...rest }));
}

async function renamed(catalog) {
  const tools = catalog.tools({
    set: "full",
    rename: {
      load_skill: { name: "use_skill", description: "Use it", arguments: { name: "skill_name" } },
      read_skill_file: "open_file",
    },
    wrapper: "skill",
    directory: false,
  });
  return {
    names: tools.map(({ name, inputSchema }) => [name, inputSchema]),
    load: await tools.call("use_skill", { skill_name: "markup" }),
    wrong: await tools.call("use_skill", { name: "markup" }),
    old: await tools.call("load_skill", { name: "markup" }),
    taken: await outcome(() => catalog.tools({ taken: ["load_skill"] })),
    valid: tools[0]?.inputSchema["~standard"].validate({ skill_name: 1 }),
  };
}

/** Options, good and bad. */
async function loadOptions(skillshelf) {
  const load = (options) => async () => {
    const catalog = await skillshelf.loadSkills(sourceOf(skillshelf, files), {
      onDiagnostic() {},
      ...options,
    });
    return { names: catalog.names.join(" "), diagnostics: inShort(catalog.diagnostics) };
  };
  const progress = [];
  const given = [
    { mode: "strict" },
    { nested: true },
    { strip: true },
    { links: "never", ignore: ["group", "files"] },
    { limits: { depth: 1 } },
    { limits: { directories: 10 } },
    { limits: { body: 10, frontMatter: 100, yamlDepth: 2 } },
    { invalid: "throw" },
    { onProgress: (one) => progress.push({ ...one }) },
    { mode: "strictt" },
    { limit: {} },
    { limits: { bodies: 1 } },
    { limits: { body: -1 } },
    { signal: AbortSignal.abort() },
  ];
  return { outcomes: await eachOf(given, (options) => load(options)()), last: progress.at(-1) };
}

/** Diagnostics without their words, which are said elsewhere. */
function inShort(diagnostics) {
  return diagnostics.map(({ code, severity, path, line, column }) =>
    [severity, code, path, line, column].join(" "),
  );
}

/** Files and sources that cannot be used. */
function hosts({ memoryHost, loadSkillsSync }) {
  const load = (source) => loadSkillsSync(source, { onDiagnostic() {} });
  const works = [
    () => memoryHost({ "a//b": "" }),
    () => memoryHost({ "/a": "" }),
    () => memoryHost({ "a\\b": "" }),
    () => memoryHost({ "../a": "" }),
    () => memoryHost({ a: "", "a/b": "" }),
    () => memoryHost({ a: 7 }),
    () => memoryHost([]),
    () => memoryHost({ a: "text" }).read("b"),
    () => memoryHost({ "a/b": "text" }).read("a"),
    () => memoryHost({ a: "0123456789" }).read("a", { offset: 3, length: 4 }),
    () => memoryHost({ a: "x\ud800y" }).read("a"),
    () => memoryHost({ "a\ud800": "text" }),
    () => memoryHost({ "b/c": "", a: new Uint8Array(3) }).list(""),
    () => load({}),
    () => load({ host: {} }),
    () => load({ host: memoryHost({}), trust: true }),
    () => load({ host: memoryHost(files), path: "skills", trusted: false }).diagnostics,
    () => load({ host: memoryHost(files), path: "no/such" }).isEmpty,
    () => load({ host: memoryHost(files), path: "skills/loose.md" }).diagnostics,
    () => load({ host: memoryHost(files), path: "skills/emoji", label: "one" }).names,
  ];
  return works.map(outcomeNow);
}

function parseAndValidate({ parseSkill, validateSkill }, some) {
  const answers = {};
  for (const [path, content] of Object.entries(some)) {
    if (!/SKILL\.md$/i.test(path)) continue;
    const directory = path.split("/").at(-2);
    answers[path] = {
      lenient: parseSkill(content, { path }),
      strict: parseSkill(content, { path, mode: "strict", profile: "anthropic" }).diagnostics,
      valid: validateSkill({ "SKILL.md": content }, { directory }),
    };
  }
  return answers;
}

async function defineAndStringify({ defineSkill, stringifySkill, parseSkill, loadSkills }) {
  const plain = { name: "in-code", description: "From code", content: "Body" };
  const specifications = [
    plain,
    {
      ...plain,
      description: "- 'quoted' \"twice\": \ud83d\ude00\u202e\nsecond line",
      version: "1.10",
      allowedTools: ["Bash(a b)", "Read"],
      metadata: { a: [1, 1.5, true, null], __proto__: 1, 1: { deep: "er" }, b: 1e21 },
      extra: { "x-y": "~", yes: "no" },
      content: "  \r\nBody\r\n---\r\n",
    },
    { ...plain, name: "Not Allowed" },
    { ...plain, description: " " },
    { ...plain, content: 7 },
    { ...plain, contents: "" },
    { ...plain, name: "\ud83d" },
    { ...plain, metadata: { a: Number.NaN } },
    { ...plain, extra: { name: "b" } },
    { ...plain, files: { "../a": "" } },
    { ...plain, files: { "a.md": "A", "b/c.bin": new Uint8Array([0, 255]) } },
    {},
    null,
  ];
  return eachOf(specifications, async (specification) => {
    const skill = defineSkill(specification);
    const text = stringifySkill(specification);
    const catalog = await loadSkills(skill, { onDiagnostic() {} });
    return {
      skill,
      text,
      again: parseSkill(text),
      loaded: await catalog.call("load_skill", { name: skill.name }),
      file: await catalog.call("read_skill_file", { skill: skill.name, path: "b/c.bin" }),
    };
  });
}

/** One conversation, stored and gone on with at every step. */
async function session(skillshelf) {
  const edited = { ...files };
  const catalog = await skillshelf.loadSkills(sourceOf(skillshelf, edited), { onDiagnostic() {} });
  const events = [];
  let current = catalog.session({ onEvent: (event) => events.push(event) });
  const steps = [
    () => current.call("load_skill", { name: "emoji" }),
    () => current.call("load_skill", { name: "emoji" }),
    () => current.load("disabled"),
    () => current.call("load_skill", { name: "versioned@2.0.0" }),
    () => current.call("load_skill_resource", { skill: "files", path: "references/guide.md" }),
    () => current.expand("/crlf with more"),
    () => {
      edited["skills/emoji/SKILL.md"] = edited["skills/emoji/SKILL.md"].replace("body", "new body");
      return current.check();
    },
    () => current.call("load_skill", { name: "emoji" }),
    () => current.forget(["crlf"]),
    () => current.call("load_skill", { name: "crlf" }),
    () => current.compact({ budget: { characters: 120 } }),
    () => current.unload("emoji"),
    () => current.unload("no-such"),
    () => current.call("unload_skill", { name: "disabled" }),
    () => current.compact({ budget: { tokens: 10, count: (text) => text.length } }),
  ];
  const answers = await eachOf(steps, async (step) => {
    const answer = await outcome(step);
    const state = JSON.parse(JSON.stringify(current));
    const { loaded } = current;
    current = catalog.session({ state, onEvent: (event) => events.push(event) });
    return { answer, state, loaded, restored: current.loaded };
  });
  const wrong = await outcome(() => catalog.session({ state: { events: [{ type: "x" }] } }));
  return { answers, events, prompt: current.prompt(), replayed: replayed(catalog, events), wrong };
}

function replayed(catalog, events) {
  return outcomeNow(() => catalog.session({ state: events }).toJSON());
}

/** What a refresh tells of every kind of edit. */
async function refresh(skillshelf) {
  const edited = { ...files };
  const catalog = await skillshelf.loadSkills(sourceOf(skillshelf, edited), { onDiagnostic() {} });
  const steps = [
    () => {},
    () => {
      delete edited["skills/emoji/SKILL.md"];
      edited["skills/new/SKILL.md"] = "---\nname: new\ndescription: New\n---\nBody\n";
      edited["skills/crlf/SKILL.md"] = "---\nname: crlf\ndescription: Changed\n---\nBody\n";
    },
    () => {
      edited["skills/new/SKILL.md"] = "---\nname: new\n---\n";
      edited["skills/tools/SKILL.md"] = "";
    },
    () => {
      delete edited["skills/new/SKILL.md"];
    },
  ];
  return eachOf(steps, async (step) => {
    step();
    const { diagnostics, ...changes } = await catalog.refresh();
    return {
      changes,
      diagnostics: inShort(diagnostics),
      call: await catalog.call("load_skill", { name: "new" }),
    };
  });
}

async function systemPrompts(skillshelf, { systemPrompt }) {
  const catalog = await skillshelf.loadSkills(sourceOf(skillshelf, files), { onDiagnostic() {} });
  const found = [];
  const given = [
    {},
    {
      catalog,
      tools: catalog.tools(),
      agents: [{ id: "researcher", card: { description: "Finds\nout \u202ewhat" } }],
      participants: [{ name: "Ada \ud83d\ude00", role: "owner" }],
      plugins: [
        { namespace: "com.example.b", files: { "b.md": "---\nextends: rules\n---\n- Brief.\r\n" } },
        { namespace: "com.example.a", files: { "a.md": new Uint8Array([0xff]) } },
      ],
      task: "## Ship it\n```\nopen",
      onDiagnostic: (one) => found.push(one),
    },
    { base: "# Mine\n\n## Rules\n\nNone.\n", agents: [] },
    { agents: [{ id: "a" }, { id: "a" }] },
    { tusk: "" },
  ];
  return { texts: given.map((options) => outcomeNow(() => systemPrompt(options))), found };
}

/** What becomes of each item, one after the other. */
async function eachOf(items, work) {
  const outcomes = [];
  for (const item of items) outcomes.push(await outcome(() => work(item)));
  return outcomes;
}

async function outcome(work) {
  try {
    return await work();
  } catch (error) {
    return failure(error);
  }
}

function outcomeNow(work) {
  try {
    return work();
  } catch (error) {
    return failure(error);
  }
}

/** What is ours of an error: engines add stacks and places of their own. */
function failure(error) {
  const { name, code, message, path } = error;
  if (name !== "SkillError") return { thrown: { name, code, message, path } };
  const { line, column, diagnostics } = error;
  return { thrown: { name, code, message, path, line, column, diagnostics } };
}

/** Longer texts are their beginning, their length and a digest. */
const LONG = 2000;

/** An answer as JSON text, in ASCII. */
function printed(value) {
  return JSON.stringify(value, printable, 1).replace(/[^\n -~]/g, escaped);
}

/** What JSON has no form for, and what would fill the golden file. */
function printable(key, part) {
  // Some bytes make JSON of themselves, before this sees them.
  const value = this[key];
  if (value instanceof Uint8Array) return shortened("bytes", hexadecimal(value));
  return typeof part === "string" && part.length > LONG ? shortened("text", part) : part;
}

function shortened(kind, text) {
  if (text.length <= LONG) return { [kind]: text };
  return { [kind]: text.slice(0, 100), length: text.length, digest: digestOf(text) };
}

/** FNV-1a over code units: not every runtime here has a digest that needs no promise. */
function digestOf(text) {
  let digest = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    digest = Math.imul(digest ^ text.charCodeAt(index), 0x01000193);
  }
  return (digest >>> 0).toString(16);
}

function hexadecimal(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A golden file with characters that turn around or hide could not be read. */
function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
