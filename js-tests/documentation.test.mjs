// Every block in the documentation holds: programs compile as strict TypeScript and run as they stand, beside
// the example skills, where they need no page and no server; commands are run; files are what they are shown
// as. Programs in the adapters' pages are compiled by js-tests/adapters/, where the SDKs are.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { loadSkills, parseSkill, validateSkill } from "skillshelf";
import { httpHost } from "skillshelf/http";

const REPOSITORY = process.env.SKILLSHELF_REPOSITORY;
assert(REPOSITORY, "SKILLSHELF_REPOSITORY is not set: `cargo xtask test js` sets it");

const require = createRequire(import.meta.url);
const read = (name) => readFileSync(join(REPOSITORY, name), "utf8");
const json = (name) => JSON.parse(read(name));

const SKILL = "examples/skills/skillshelf";
const PAGES = [
  ...[
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    `${SKILL}/SKILL.md`,
  ],
  ...readdirSync(join(REPOSITORY, "docs")).map((name) => `docs/${name}`),
  ...readdirSync(join(REPOSITORY, SKILL, "references")).map(
    (name) => `${SKILL}/references/${name}`,
  ),
];

/** Where the programs run: below the folder where the package is installed, with `./skills`. */
let folder;

before(async () => {
  folder = await mkdtemp(join(import.meta.dirname, "documentation-"));
  await cp(join(REPOSITORY, "examples", "skills"), join(folder, "skills"), { recursive: true });
  await writePrograms();
});

after(() => rm(folder, { recursive: true }));

/** The blocks of a page: language and text of each, with the line on which it begins. */
function blocks(page) {
  const markdown = read(page);
  return [...markdown.matchAll(/^( *)```(\S*)\n(.*?)^\1```$/gms)].map((match) => ({
    page,
    language: match[2],
    line: markdown.slice(0, match.index).split("\n").length + 1,
    text: match[3].replaceAll(new RegExp(`^${match[1]}`, "gm"), ""),
  }));
}

const all = PAGES.flatMap(blocks);

/** Whether a page is that of an adapter. */
function isOfAdapter(page) {
  const [, name] = /^docs\/(.+)\.md$/.exec(page) ?? [];
  return name !== undefined && existsSync(join(REPOSITORY, "examples/adapters", `${name}.mjs`));
}

/** What a program that reads lines is told by its user. */
const LINES = "/code-review my change\n/code-reviw\n /code-review\n/quit\n/never read\n";

/** Runs Node to its end. */
async function node(args, cwd = folder, lines = LINES) {
  const child = spawn(process.execPath, args, { cwd });
  // Most programs end without reading any of it.
  child.stdin.on("error", () => {}).end(lines);
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      printed += chunk;
    });
  }
  const [code] = await once(child, "close");
  return { code, printed };
}

/** What a program is called, without what its language adds. */
const nameOf = ({ page, line }) => `${page.replaceAll(/\W/g, "-")}-${line}`;

/** A page, a server of Redis, and an import that only the tools of Workers know: they are not here. */
const IS_ELSEWHERE =
  /from "(skillshelf\/web|unstorage\/drivers\/redis|skillshelf\/skillshelf\.wasm)"/;

const programs = all.filter(({ page, language }) => language === "ts" && !isOfAdapter(page));
const running = programs.filter(({ text }) => !IS_ELSEWHERE.test(text));

/** What the tools of Workers say of an imported module. */
const WASM = `declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
`;

/**
 * How readers compile them: those that run, for Node.js, with the types of this package checked too; and all
 * of them for a bundler.
 */
const COMPILERS = {
  node: {
    files: running.map((program) => `${nameOf(program)}.ts`),
    compilerOptions: {},
  },
  bundler: {
    files: [...programs.map((program) => `${nameOf(program)}.ts`), "wasm.d.ts"],
    compilerOptions: {
      module: "ESNext",
      moduleResolution: "bundler",
      lib: ["ES2023", "ESNext.Disposable", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      skipLibCheck: true,
      noEmit: true,
    },
  },
};

/** The programs, beside `./skills` and the module that `skillshelf bundle` makes of them. */
async function writePrograms() {
  await writeFile(join(folder, "wasm.d.ts"), WASM);
  for (const program of programs) {
    await writeFile(join(folder, `${nameOf(program)}.ts`), program.text);
  }
  const bundled = await node([COMMAND, "bundle", "skills", "--out", "skills.ts"]);
  assert.equal(bundled.code, 0, bundled.printed);
  for (const [name, project] of Object.entries(COMPILERS)) {
    const config = { extends: "../tsconfig.json", include: [], ...project };
    await writeFile(join(folder, `${name}.json`), JSON.stringify(config));
  }
  // What does not compile is written all the same, and told by a test of its own.
  await compile("node");
}

function compile(project) {
  const compiler = require.resolve("typescript/package.json").replace("package.json", "bin/tsc");
  return node([compiler, "--project", `${project}.json`]);
}

const COMMAND = join(
  require.resolve("skillshelf/package.json"),
  "..",
  require("skillshelf/package.json").bin.skillshelf,
);

/** Packages that a reader may be told to install. */
const INSTALLED = new Set([
  "skillshelf",
  ...Object.keys(json("pkg-template/package.json").peerDependencies),
  ...Object.keys(json("js-tests/adapters/package.json").devDependencies),
]);

/** Has a command serve, at a port that is free, until it says where. */
async function serve(args, place) {
  const freely = args.filter((word) => !/^\d+$/.test(word));
  const child = spawn(process.execPath, [COMMAND, ...freely], { cwd: place });
  const closed = once(child, "close");
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    printed += text;
    if (text.includes("http://")) child.kill("SIGINT");
  });
  const [code] = await closed;
  assert.match(printed, /^http:\/\/127\.0\.0\.1:/);
  assert.equal(code, 0);
}

/** Does what a line for a terminal says, in a folder with `./skills`, or sees that it can be done. */
async function follow(line, place) {
  const [program, first, ...rest] = line.replace(/ #.*/, "").trim().split(/ +/);
  if (program === "npx") {
    assert.equal(first, "skillshelf");
    if (rest.includes("--http")) return serve(rest, place);
    const { code, printed } = await node([COMMAND, ...rest], place, "");
    assert.equal(code, 0, printed);
  } else if (program === "npm") {
    assert.equal(first, "install");
    for (const word of rest) assert(INSTALLED.has(word.replace(/(?<=.)@.*/, "")), word);
  } else {
    assert.deepEqual([program, first], ["cargo", "xtask"]);
    assert.match(read("xtask/src/arguments.rs"), new RegExp(`^ {2}${rest[0]} `, "m"));
  }
}

/** An index lists what it says, and nothing of it is left out. */
async function checkIndex(text, skills) {
  const host = httpHost("https://example.com", { fetch: async () => new Response(text) });
  const listed = (await host.list("")).map(({ name }) => name);
  assert.deepEqual(
    listed,
    skills.map(({ name }) => name),
  );
  assert.deepEqual(host.diagnostics, []);
}

/** The files of an import map are those of the package, for a runtime that it does not know. */
function checkImportMap(map) {
  const { exports, imports } = require("skillshelf/package.json");
  const conditions = (target) => (typeof target === "string" ? target : target.default);
  for (const [name, place] of Object.entries(map)) {
    const target = name.startsWith("#") ? imports[name] : exports[name.replace(/^skillshelf/, ".")];
    const file = conditions(target).replace("./", "/node_modules/skillshelf/");
    assert.equal(place, file, name);
  }
  for (const name of ["#module", "#disk"]) assert(name in map, name);
}

/** What is done with the blocks of each language. */
const HOLDS = {
  async ts(program) {
    const { code, printed } = await node([`${nameOf(program)}.js`]);
    assert.equal(code, 0, printed);
  },
  async sh({ text }) {
    const place = await mkdtemp(join(folder, "terminal-"));
    await cp(join(REPOSITORY, "examples", "skills"), join(place, "skills"), { recursive: true });
    for (const line of text.trimEnd().split("\n")) await follow(line, place);
  },
  /** A step of a workflow. */
  async yaml({ text }) {
    const [, line] = /^- run: (.+)\n$/.exec(text) ?? assert.fail(text);
    await follow(line, folder);
  },
  /** A `SKILL.md`. */
  md({ text }) {
    const { skill } = parseSkill(text);
    assert.deepEqual(validateSkill({ "SKILL.md": text }, { directory: skill.name }), []);
  },
  /** An index of skills, an import map, or an `mcp.json`. */
  async json({ text }) {
    const value = JSON.parse(text);
    if (value.$schema !== undefined) return checkIndex(text, value.skills);
    if (value.imports !== undefined) return checkImportMap(value.imports);
    const skill = "---\nname: tickets\ndescription: Finds tickets\n---\nAsk the server.\n";
    assert.deepEqual(validateSkill({ "SKILL.md": skill, "mcp.json": text }), []);
  },
};

for (const page of PAGES) {
  const found = all.filter(
    (block) => block.page === page && (block.language !== "ts" || running.includes(block)),
  );
  if (found.length === 0) continue;
  describe(page, () => {
    for (const block of found) {
      it(`holds on line ${block.line}`, async () => {
        const holds = HOLDS[block.language];
        assert(holds, `nothing checks blocks of the language "${block.language}"`);
        await holds(block);
      });
    }
  });
}

for (const project of Object.keys(COMPILERS)) {
  it(`has programs that compile as strict TypeScript for a ${project}`, async () => {
    assert(programs.length > 20);
    const { code, printed } = await compile(project);
    assert.equal(code, 0, printed);
  });
}

/** The anchors of a page's headings, as they are made where Markdown is shown. */
function anchors(page) {
  const headings = read(page).matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}

it("has no link to what is not there", () => {
  let count = 0;
  for (const page of PAGES) {
    const text = read(page).replaceAll(/^( *)```.*?^\1```$|`[^`\n]*`/gms, "");
    for (const [, target] of text.matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)) {
      const [place, anchor] = target.split("#");
      const to = place === "" ? page : join(page, "..", place);
      assert(existsSync(join(REPOSITORY, to)), `${page} leads to ${target}`);
      if (anchor) assert(anchors(to).includes(anchor), `${page} leads to ${target}`);
      count += 1;
    }
  }
  assert(count > 30, String(count));
});

const API = `${SKILL}/references/api.md`;

describe("the entries of the package", () => {
  const { exports } = require("skillshelf/package.json");
  const names = Object.keys(exports).map((entry) => entry.replace(".", "skillshelf"));
  const table = read("README.md").split("| entry | |\n")[1].split("\n\n")[0].split("\n");
  const rows = table.filter((line) => line.startsWith("| `skillshelf"));

  it("are those of README.md's table", () => {
    const listed = rows.map((row) => row.split("`")[1]);
    assert.deepEqual([...listed, "skillshelf/package.json"].sort(), names.sort());
  });

  for (const name of names.filter((name) => name !== "skillshelf/package.json")) {
    it(`are told with what they export: ${name}`, async () => {
      const row = rows.find((line) => line.startsWith(`| \`${name}\` | `)) ?? "";
      assert(read(API).includes(`\`${name}\``));
      if (name.endsWith(".wasm")) return;
      const isTheSame = row.includes("the same");
      for (const exported of Object.keys(await import(name))) {
        const isTold = new RegExp(`\\b${exported}\\b`);
        assert.match(read(API), isTold);
        assert.match(isTheSame ? read("README.md") : row, isTold);
      }
    });
  }
});

/** The options in the types of the package, each with its type. */
function options() {
  const dist = join(require.resolve("skillshelf/package.json"), "../dist");
  const files = readdirSync(dist, { recursive: true }).filter((name) => name.endsWith(".d.ts"));
  const source = (name) => readFileSync(join(dist, name), "utf8").replaceAll(/\/\*.*?\*\//gs, "");
  // What is in a folder, and nothing outside of it names, is not for developers.
  const told = files.filter((name) => !/[\\/]/.test(name)).map(source);
  const types = /^export interface (\w*(?:Options|Limits))\b[^{]*\{\n(.*?)^\}/gms;
  return files.flatMap((name) =>
    [...source(name).matchAll(types)]
      .filter(([, type]) => told.some((text) => new RegExp(`\\b${type}\\b`).test(text)))
      .flatMap(([, type, members]) =>
        [...members.matchAll(/^ {4}(?:readonly )?(\w+)\??[(:<]/gm)].map(([, member]) => [
          type,
          member,
        ]),
      ),
  );
}

it("tells every option, in README.md or its page and in api.md", () => {
  const found = options();
  assert(found.length > 80, String(found.length));
  const pages = PAGES.filter((page) => page === "README.md" || page.startsWith("docs/"));
  const people = pages.map(read).join("\n");
  for (const [type, option] of found) {
    // In code: a span or a program.
    const isTold = new RegExp(`\`[^\`\\n]*\\b${option}\\b[^\`\\n]*\`|\\b${option}:`);
    assert.match(people, isTold, `no page tells ${option} of ${type}`);
    assert.match(read(API), new RegExp(`\\b${option}\\b`), `api.md lacks ${option} of ${type}`);
  }
});

it("tells every command with its options, in docs/command.md", async () => {
  const page = read("docs/command.md");
  const { printed } = await node([COMMAND, "--help"]);
  const commands = [...printed.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name);
  assert(commands.length > 10, printed);
  for (const command of commands) {
    assert.match(page, new RegExp(`\`(?:skillshelf )?${command}\\b`));
    const help = await node([COMMAND, command, "--help"]);
    for (const [, option] of help.printed.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)) {
      assert(page.includes(option), `${option} of ${command}`);
    }
  }
});

it("docs/command.md's module is loaded as it is written", async () => {
  const [program] = programs.filter(({ page }) => page === "docs/command.md");
  const written = await readFile(join(folder, `${nameOf(program)}.js`), "utf8");
  await writeFile(join(folder, "names.js"), `${written}\nconsole.log(catalog.names.join("\\n"));`);
  const { code, printed } = await node(["names.js"]);
  assert.equal(code, 0, printed);
  const { names } = await loadSkills(join(folder, "skills"));
  assert.deepEqual(printed.trimEnd().split("\n"), names);
});

it("README.md's terminal expands what its user says, until /quit", async () => {
  const terminal = programs.filter(({ text }) => text.includes("node:readline"));
  assert.equal(terminal.length, 1);
  const { code, printed } = await node([`${nameOf(terminal[0])}.js`]);
  assert.equal(code, 0, printed);
  assert.match(printed, /^> To the model: # .+\n\nmy change\n/s);
  assert.match(
    printed,
    /\n> There is no command or skill named "\/code-reviw"\. Did you mean "\/code-review"\?\n/,
  );
  assert.match(printed, /\n> To the model: {2}\/code-review\n/);
  assert.doesNotMatch(printed, /never read/);
});
