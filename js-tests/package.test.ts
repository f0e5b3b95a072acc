// The package as it is installed.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as skillshelf from "skillshelf";
import * as archive from "skillshelf/archive";
import * as fs from "skillshelf/fs";
import * as http from "skillshelf/http";
import * as node from "skillshelf/node";
import * as prompt from "skillshelf/prompt";
import * as testing from "skillshelf/testing";
import * as unstorage from "skillshelf/unstorage";
import * as web from "skillshelf/web";

const require = createRequire(import.meta.url);
const root = path.dirname(require.resolve("skillshelf/package.json"));
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((name) => statSync(path.join(root, name)).isFile())
  .map((name) => name.replaceAll("\\", "/"))
  .sort();
const text = (name: string): string => readFileSync(path.join(root, name), "utf8");

describe("the entries", () => {
  test("skillshelf", () => {
    assert.deepEqual(Object.keys(skillshelf).sort(), [
      "SkillError",
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
    ]);
  });
  test("skillshelf/node", () =>
    assert.deepEqual(Object.keys(node), ["nodeHost", "standardSources", "watch"]));
  test("skillshelf/unstorage", () => assert.deepEqual(Object.keys(unstorage), ["unstorageHost"]));
  test("skillshelf/fs", () => assert.deepEqual(Object.keys(fs), ["fsHost"]));
  test("skillshelf/http", () => assert.deepEqual(Object.keys(http), ["httpHost", "memoryCache"]));
  test("skillshelf/prompt", () => assert.deepEqual(Object.keys(prompt), ["systemPrompt"]));
  test("skillshelf/web", () => {
    assert.deepEqual(Object.keys(web), ["directoryHandleHost", "droppedFilesHost", "fileListHost"]);
  });
  test("skillshelf/archive", () => assert.deepEqual(Object.keys(archive), ["archiveHost"]));
  // Without the SDKs, which are not here: with those js-tests/adapters/ compiles.
  for (const [entry, names] of [
    ["ai-sdk", ["skillTools"]],
    ["anthropic", ["answerToolCalls", "skillTools"]],
    ["google", ["answerToolCalls", "skillTools"]],
    ["langchain", ["skillTools"]],
    ["mastra", ["skillTools"]],
    ["openai", ["answerToolCalls", "skillTools"]],
    ["openai-agents", ["skillTools"]],
  ] as const) {
    test(`skillshelf/${entry}`, () =>
      assert.deepEqual(Object.keys(require(`skillshelf/${entry}`)).sort(), names));
  }
  for (const [entry, peer] of [
    ["langchain", "@langchain/core"],
    ["mastra", "@mastra/core"],
    ["openai-agents", "@openai/agents"],
  ] as const) {
    test(`skillshelf/${entry} names what to install where it is missing`, async () => {
      const catalog = await skillshelf.loadSkills([]);
      await assert.rejects(require(`skillshelf/${entry}`).skillTools(catalog), (error) => {
        assert.ok(skillshelf.SkillError.isInstance(error));
        assert.ok(error.message.endsWith(`: npm install ${peer}`), error.message);
        return error.code === "PEER_MISSING";
      });
    });
  }
  test("skillshelf/testing", () => assert.ok(Object.keys(testing).includes("scriptedModel")));
  test("each is a file of the package", () => {
    for (const [entry, target] of Object.entries(manifest.exports)) {
      assert.ok(files.includes(String(target).replace("./", "")), entry);
    }
  });
  test("nothing else can be imported", async () => {
    for (const inner of [
      "skillshelf/dist/engine.js",
      "skillshelf/dist/core/skillshelf.js",
      "skillshelf/core",
    ]) {
      await assert.rejects(import(inner), { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" });
    }
  });
  test("exports is flat, and what differs between runtimes is two imports; two more are the command's", () => {
    for (const target of Object.values(manifest.exports)) assert.equal(typeof target, "string");
    const { imports } = manifest;
    assert.deepEqual(Object.keys(imports).sort(), [
      "#chat",
      "#disk",
      "#module",
      "#official-server",
    ]);
    // Who neither serves nor chats does not read them.
    for (const later of ["#chat", "#official-server"]) {
      assert.ok(text("dist/cli.js").includes(`import("${later}")`), later);
      assert.ok(!text("dist/cli.js").includes(`from "${later}"`), later);
    }
    assert.deepEqual(Object.keys(imports["#module"]), [
      "workerd",
      "edge-light",
      "browser",
      "deno",
      "node",
      "default",
    ]);
    assert.deepEqual(Object.keys(imports["#disk"]), [
      "workerd",
      "edge-light",
      "browser",
      "node",
      "default",
    ]);
  });
});

describe("it works", () => {
  const program =
    'const { parseSkill } = MODULE; process.stdout.write(parseSkill("---\\nname: a\\ndescription: d\\n---\\nB").body);';
  test("by import, without a call before", () => {
    const printed = execFileSync(
      process.execPath,
      ["--input-type=module", "--eval", program.replace("MODULE", 'await import("skillshelf")')],
      { cwd: import.meta.dirname },
    );
    assert.equal(String(printed), "B");
  });
  test("what nobody waits for does not end the process where it rejects: it is a line", () => {
    const program = `
      import { loadSkillsSync, memoryHost } from "skillshelf";
      console.warn = (line) => console.log(line);
      const late = (name) => async () => { throw new Error(name); };
      const host = memoryHost({ "a/SKILL.md": "", "b/SKILL.md": "", "c.md": "---\\ndescription: d\\n---\\nC" });
      const options = { onDiagnostic: late("one of two"), onProgress: late("of work") };
      const session = loadSkillsSync({ host }, options).session({ onEvent: late("of c") });
      session.load("c");
      const count = late("told by the error");
      try { session.compact({ budget: { tokens: 9, count } }); } catch (error) { console.log(error.message); }
    `;
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: import.meta.dirname,
    });
    assert.deepEqual([...new Set(String(printed).trim().split("\n"))].sort(), [
      "The budget's count function must give a number of tokens, 0 or more, and at once: not a promise.",
      "skillshelf: onDiagnostic failed later: one of two",
      "skillshelf: onEvent failed later for the event skill_loaded of the skill c: of c",
      "skillshelf: onProgress failed later: of work",
    ]);
  });
  test("by require", () => {
    const printed = execFileSync(
      process.execPath,
      [
        "--no-warnings",
        "--input-type=commonjs",
        "--eval",
        program.replace("MODULE", 'require("skillshelf")'),
      ],
      { cwd: import.meta.dirname },
    );
    assert.equal(String(printed), "B");
  });
  test("by require, every entry", () => {
    for (const entry of Object.keys(manifest.exports).filter(
      (entry) => !/\.(json|wasm)$/.test(entry),
    )) {
      assert.ok(require(entry.replace(".", "skillshelf")), entry);
    }
  });
  test("required and imported it is one", () => {
    assert.equal(require("skillshelf").SkillError, skillshelf.SkillError);
  });
  test("the module starts on first use, not on import", () => {
    const program =
      'const make = WebAssembly.Module; let made = 0; WebAssembly.Module = class extends make { constructor(...args) { super(...args); made += 1; } }; const { parseSkill } = await import("skillshelf"); const before = made; parseSkill("x"); process.stdout.write(JSON.stringify([before, made]));';
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: import.meta.dirname,
      encoding: "utf8",
    });
    assert.deepEqual(JSON.parse(printed), [0, 1]);
  });
  test("a program that used it ends by itself", () => {
    execFileSync(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        'const { loadSkills } = await import("skillshelf"); await loadSkills(".", { onDiagnostic() {}, limits: { depth: 1 } });',
      ],
      { cwd: root, timeout: 20_000 },
    );
  });
  test("where there is no disk, a string source says what to pass", () => {
    // Without the condition `node` the runtime is one without a disk.
    const program = `
      import { register } from "node:module";
      register("data:text/javascript," + encodeURIComponent(
        'export const resolve = (name, context, next) => next(name, { ...context, conditions: context.conditions.filter((one) => one !== "node") });'
      ));
      const { loadSkillsSync } = await import("skillshelf");
      try { loadSkillsSync("skills"); } catch (error) { process.stdout.write(error.code + ": " + error.message); }
    `;
    const printed = execFileSync(
      process.execPath,
      ["--no-warnings", "--input-type=module", "--eval", program],
      { cwd: import.meta.dirname, encoding: "utf8" },
    );
    assert.match(
      printed,
      /^SOURCE_UNSUPPORTED: There is no disk here.*"skills".*\{ host: memoryHost\(files\) \}/,
    );
  });
});

test("an import of the module that gives something else is told", () => {
  // As in a bundler that has the condition of Workers, and takes the file for an asset.
  const hooks = `
    export const resolve = (name, context, next) =>
      next(name, { ...context, conditions: [...context.conditions, "workerd"] });
    export const load = (url, context, next) =>
      url.endsWith(".wasm")
        ? { format: "module", source: 'export default "/assets/skillshelf.wasm"', shortCircuit: true }
        : next(url, context);
  `;
  const program = `
    import { register } from "node:module";
    register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)});
    const { parseSkill } = await import("skillshelf");
    try { parseSkill(""); } catch (error) { process.stdout.write(error.code + ": " + error.message); }
  `;
  const printed = execFileSync(
    process.execPath,
    ["--no-warnings", "--input-type=module", "--eval", program],
    { cwd: import.meta.dirname, encoding: "utf8" },
  );
  assert.match(printed, /^NOT_INITIALIZED: .*no compiled module.*`await init\(module\)`/);
});

describe("what is in it", () => {
  test("no top-level await, which require could not load", () => {
    for (const name of files.filter((name) => name.endsWith(".js"))) {
      assert.doesNotMatch(text(name), /^await |^(?:const|let|export const) .*= await /m, name);
    }
  });
  test("only the built files, and what a reader needs", () => {
    for (const name of files) {
      assert.match(
        name,
        /^(?:dist\/.+\.(?:js|d\.ts|wasm)|skills\/skillshelf\/.+\.md|docs\/[a-z-]+\.md|package\.json|README\.md|CHANGELOG\.md|LICENSE-MIT|LICENSE-APACHE|THIRD-PARTY-LICENSES\.txt)$/,
      );
    }
    for (const name of [
      "package.json",
      "README.md",
      "CHANGELOG.md",
      "LICENSE-MIT",
      "LICENSE-APACHE",
      "dist/index.js",
      "dist/index.d.ts",
    ]) {
      assert.ok(files.includes(name), name);
    }
  });
  test("every relative link of a page leads to a file of the package", () => {
    let links = 0;
    for (const name of files.filter((name) => name.endsWith(".md"))) {
      for (const [, target = ""] of text(name).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:|^#/i.test(target)) continue;
        links += 1;
        const file = path.posix.join(path.posix.dirname(name), target.replace(/#.*/, ""));
        assert.ok(files.includes(file), `${name}: ${target}`);
      }
    }
    assert.ok(links > 4);
    assert.match(text("README.md"), /\]\(docs\/diagnostics\.md\)/);
  });
  test("the page for coding agents names every member of every type", () => {
    const page = text("skills/skillshelf/references/api.md");
    const declared = text("dist/types.d.ts").replace(/\/\*[\s\S]*?\*\//g, "");
    const members = [...declared.matchAll(/^ {4,}(?:readonly )?(\w+)\??[:(]/gm)].map(
      ([, name]) => name,
    );
    assert.ok(members.length > 80);
    const missing = new Set(members.filter((name) => !new RegExp(`\\b${name}\\b`).test(page)));
    assert.deepEqual([...missing], []);
  });
  test("no path of the machine on which it was built, in the modules neither", () => {
    const inlined = /[\w+/]{100000,}=*/g;
    const decoded = (base64: string): string => Buffer.from(base64, "base64").toString("latin1");
    let modules = 0;
    for (const name of files) {
      const content = readFileSync(path.join(root, name), "latin1").replace(inlined, decoded);
      if (content.includes("library/core/src")) modules += 1;
      const paths =
        /(?<![\w*])\/(?:home|root|Users|tmp|work)\/[\w./-]*|[\w./-]*\.(?:cargo|rustup)\/[\w./-]*|\\Users\\/g;
      assert.deepEqual(content.match(paths), null, name);
    }
    assert.equal(modules, 4);
  });
  test("the licenses of what the module and the command have inside", () => {
    const licenses = text("THIRD-PARTY-LICENSES.txt").split(/^-{72}$/m);
    for (const [name, words] of [
      ["saphyr-parser", "Apache License"],
      ["saphyr-parser", "Copyright (c) 2015 Chen Yuheng"],
      ["arraydeque", "Copyright (c)"],
      ["hmac-sha256", "ISC License"],
      ["ryu", "Apache License"],
      ["rustc-hash", "Apache License"],
      ["thiserror", "Apache License"],
      ["unicode-ident", "UNICODE LICENSE V3"],
      ["wasm-bindgen", "Copyright (c)"],
      ["@modelcontextprotocol/core", "Apache License"],
      ["@modelcontextprotocol/server", "Apache License"],
      ["fflate", "Copyright (c)"],
      ["modern-tar", "Copyright (c)"],
      ["zod", "Copyright (c)"],
    ] as const) {
      const ofIt = licenses.filter((license) => {
        const [names = ""] = license.trim().split("\n\n", 1);
        return names.split("\n").some((line) => line.startsWith(`${name} `));
      });
      assert.ok(
        ofIt.some((license) => license.includes(words)),
        name,
      );
    }
  });
  test("no dependencies, no scripts that run on install", () => {
    for (const key of ["dependencies", "optionalDependencies", "scripts", "devDependencies"]) {
      assert.equal(key in manifest, false, key);
    }
  });
  test("what some entries need beside it is not installed with it", () => {
    const ranges = manifest["peerDependencies"] as Record<string, string>;
    const peers = Object.keys(ranges);
    // Who has an older one for something else could not install the package.
    for (const sdk of ["ai", "openai", "@anthropic-ai/sdk", "@langchain/core", "@mastra/core"]) {
      assert.equal(ranges[sdk], "*");
    }
    const optional = peers.map((name) => [name, { optional: true }]);
    assert.deepEqual(manifest["peerDependenciesMeta"], Object.fromEntries(optional));
  });
  test("nothing compiled from text at run time", () => {
    for (const name of files.filter((name) => name.endsWith(".js"))) {
      assert.doesNotMatch(text(name), /\beval\(|\bnew Function\(/, name);
    }
  });
  test("every file is used: it is an entry, or imported by one", () => {
    const used = new Set<string>();
    const walk = (name: string): void => {
      if (used.has(name)) return;
      used.add(name);
      for (const [, specifier] of text(name).matchAll(/from "([^"]+)"|import\("([^"]+)"\)/g)) {
        if (!specifier?.startsWith(".")) continue;
        const target = path.posix.join(path.posix.dirname(name), specifier);
        // Of the module's file, the runtimes that import it make a compiled module.
        if (/\.wasm(?:\?module)?$/.test(target)) assert.match(target, /^dist\/skillshelf\.wasm/);
        else walk(target);
      }
    };
    for (const target of Object.values(manifest.exports))
      if (String(target).endsWith(".js")) walk(String(target).replace("./", ""));
    const targets = (target: unknown): unknown[] =>
      typeof target === "string" ? [target] : Object.values(target as object).flatMap(targets);
    for (const target of targets(manifest.imports)) walk(String(target).replace("./", ""));
    for (const target of Object.values(manifest.bin)) walk(String(target).replace("./", ""));
    const unused = files.filter((name) => name.endsWith(".js") && !used.has(name));
    // Types only: a file without code.
    assert.deepEqual(
      unused.filter(
        (name) =>
          text(name)
            .replace(/\/\*[\s\S]*?\*\/|\/\/.*|export \{\};/g, "")
            .trim() !== "",
      ),
      [],
    );
  });
});

describe("the declarations", () => {
  const declarations = files.filter((name) => name.endsWith(".d.ts"));
  test("one beside each entry", () => {
    for (const target of Object.values(manifest.exports).map(String)) {
      const name = target.replace("./", "").replace(/\.js$/, ".d.ts");
      if (target.endsWith(".js")) assert.ok(declarations.includes(name), name);
    }
  });
  test("they refer to one another alone, and none is beyond reach", () => {
    const imported = new Set<string>();
    for (const name of declarations) {
      for (const [, specifier = ""] of text(name).matchAll(/"(\.[^"]*)\.js"/g)) {
        const target = `${path.posix.join(path.posix.dirname(name), specifier)}.d.ts`;
        assert.ok(declarations.includes(target), `${name}: ${specifier}`);
        imported.add(target);
      }
    }
    const entries = Object.values(manifest.exports).map((target) =>
      String(target).replace("./", "").replace(/\.js$/, ".d.ts"),
    );
    for (const name of declarations) assert.ok(imported.has(name) || entries.includes(name), name);
  });
  test("no any", () => {
    for (const name of declarations) {
      const code = text(name).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
      assert.doesNotMatch(code, /\bany\b/, name);
    }
  });
  test("nothing of the module's own interface", () => {
    for (const name of [
      "index.d.ts",
      "slim.d.ts",
      "fs.d.ts",
      "unstorage.d.ts",
      "node.d.ts",
      "http.d.ts",
      "slim-http.d.ts",
      "slim-node.d.ts",
      "node-api.d.ts",
      "http-api.d.ts",
      "hosts/http/host.d.ts",
      "hosts/http/options.d.ts",
      "hosts/http/cache.d.ts",
      "prompt.d.ts",
      "archive.d.ts",
      "slim-archive.d.ts",
      "archive-host.d.ts",
      "hosts/archive/host.d.ts",
      "hosts/archive/types.d.ts",
      "slim-prompt.d.ts",
      "system-prompt.d.ts",
      "testing.d.ts",
      "api.d.ts",
      "types.d.ts",
    ]) {
      assert.doesNotMatch(text(`dist/${name}`), /core\/|wasm_bindgen|InitOutput/, name);
    }
  });
  test("every public function says what it does", () => {
    const api = [
      "allowed-tools.d.ts",
      "define.d.ts",
      "load.d.ts",
      "errors.d.ts",
      "node.d.ts",
      "slim.d.ts",
      "system-prompt.d.ts",
      "hosts/memory.d.ts",
      "hosts/archive/host.d.ts",
      "hosts/http/host.d.ts",
      "hosts/http/cache.d.ts",
    ]
      .map((name) => text(`dist/${name}`))
      .join("\n");
    for (const name of [
      "allowedTools",
      "defineSkill",
      "parseSkill",
      "stringifySkill",
      "validateSkill",
      "mendSkill",
      "estimateTokens",
      "loadSkills",
      "loadSkillsSync",
      "memoryHost",
      "httpHost",
      "memoryCache",
      "systemPrompt",
      "archiveHost",
      "init",
    ]) {
      assert.match(api, new RegExp(`\\*/\\nexport declare function ${name}\\b`), name);
    }
  });
});

test("the readme's entry is what npm shows", () => {
  assert.equal(manifest.name, "skillshelf");
  assert.match(manifest.license, /MIT OR Apache-2\.0/);
  assert.match(text("README.md"), /npm install skillshelf/);
});

test("the skill it brings is a valid skill", () => {
  const catalog = skillshelf.loadSkillsSync(path.join(root, "skills"), {
    invalid: "throw",
    mode: "strict",
  });
  assert.deepEqual([catalog.names, catalog.diagnostics], [["skillshelf"], []]);
});

test("the module as a file is the module that is inside", () => {
  const bytes = readFileSync(fileURLToPath(import.meta.resolve("skillshelf/skillshelf.wasm")));
  const strings = text("dist/module/inlined.js").match(/"AGFzbQ[^"]+"/g);
  assert.deepEqual(strings, [JSON.stringify(bytes.toString("base64"))]);
});

test("Node's module is another of the same: it needs and gives what the one for downloads does", () => {
  // In a process of its own, since not every project has the types of WebAssembly.
  const program = `
    import { readFileSync } from "node:fs";
    const names = (of) => of.map(({ name, kind }) => kind + " " + name).sort();
    const [small, fast] = process.argv.slice(1).map((file) => {
      const [base64] = readFileSync(file, "utf8").match(/(?<=")AGFzbQ[^"]+/);
      const module = new WebAssembly.Module(Buffer.from(base64, "base64"));
      const { imports, exports } = WebAssembly.Module;
      return { base64, names: [...names(imports(module)), ...names(exports(module))] };
    });
    process.stdout.write(JSON.stringify([small.base64 === fast.base64, small.names, fast.names]));`;
  const files = ["inlined", "inlined-fast"].map((name) =>
    path.join(root, `dist/module/${name}.js`),
  );
  const printed = execFileSync(
    process.execPath,
    ["--input-type=module", "--eval", program, ...files],
    { encoding: "utf8" },
  );
  const [isOne, small, fast] = JSON.parse(printed);
  assert.equal(isOne, false);
  assert.ok(small.length > 50);
  assert.deepEqual(fast, small);
});

test("Node itself reads its module from a file, and bundlers for it have the same as text", () => {
  const inside = createRequire(path.join(root, "dist/index.js"));
  assert.equal(inside.resolve("#module"), path.join(root, "dist/module/file.js"));
  const { node, deno } = manifest.imports["#module"];
  assert.deepEqual([node.module, deno], Array(2).fill("./dist/module/inlined-fast.js"));
  const bytes = readFileSync(path.join(root, "dist/skillshelf-fast.wasm"));
  assert.deepEqual(text("dist/module/inlined-fast.js").match(/"AGFzbQ[^"]+"/g), [
    JSON.stringify(bytes.toString("base64")),
  ]);
});

test("a copy without the file of the module says what is missing", async (context) => {
  const copy = mkdtempSync(path.join(tmpdir(), "skillshelf-copy-"));
  context.after(() => rmSync(copy, { recursive: true }));
  const missing = path.join(copy, "dist/skillshelf-fast.wasm");
  cpSync(root, copy, { recursive: true, filter: (from) => !from.endsWith("-fast.wasm") });
  const { parseSkill } = await import(path.join(copy, "dist/index.js"));
  assert.throws(
    () => parseSkill("---\nname: a\ndescription: d\n---\n"),
    (error) => {
      assert.ok(skillshelf.SkillError.isInstance(error));
      assert.equal(error.code, "NOT_INITIALIZED");
      for (const part of [missing, 'condition "module"']) {
        assert.ok(error.message.includes(part), error.message);
      }
      return true;
    },
  );
});

test("what the readme names and the package has not is said to be in the repository", () => {
  const paragraphs = text("README.md").split("\n\n");
  const naming = paragraphs.filter((paragraph) => paragraph.includes("examples/"));
  assert.equal(naming.length, 4);
  for (const paragraph of naming) assert.match(paragraph, /repository/, paragraph);
});
