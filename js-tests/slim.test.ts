// `skillshelf/slim`: the same, for those who bring the module.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

/** Runs a program in a process of its own, where nothing was initialized; what it printed. */
function run(program: string): unknown {
  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  return JSON.parse(printed);
}

const SETUP = `
  import { readFileSync } from "node:fs";
  import * as slim from "skillshelf/slim";
  const bytes = readFileSync(new URL(import.meta.resolve("skillshelf/skillshelf.wasm")));
  const text = "---\\nname: a\\ndescription: d\\n---\\nBody";
  const codeOf = (work) => { try { work(); return null; } catch (error) { return error.code + ": " + error.message; } };
  const use = () => slim.loadSkillsSync({ host: slim.memoryHost({ "a/SKILL.md": text }) }).body("a");
  const print = (value) => process.stdout.write(JSON.stringify(value));
`;

test("before init everything says what to do", () => {
  const said = run(`${SETUP}
    const works = [
      () => slim.defineSkill({ name: "a", description: "d", content: "c" }), () => slim.parseSkill(text),
      () => slim.stringifySkill({ name: "a", description: "d", content: "c" }), () => slim.validateSkill({}), use,
    ];
    const rejected = await slim.loadSkills([]).then(() => null, (error) => error.code + ": " + error.message);
    print([...works.map(codeOf), rejected]);
  `) as string[];
  assert.equal(said.length, 6);
  for (const text of said) assert.match(text, /^NOT_INITIALIZED: .*await init\(module\)/);
});

describe("init takes", () => {
  const given: [title: string, expression: string][] = [
    ["bytes", "bytes"],
    ["a buffer of its own", "new Uint8Array(bytes).buffer"],
    ["a compiled module", "new WebAssembly.Module(bytes)"],
    [
      "a compiled module of another realm",
      'new ((await import("node:vm")).runInNewContext("WebAssembly.Module"))(bytes)',
    ],
    ["a response", "new Response(bytes, { headers: { 'content-type': 'application/wasm' } })"],
    ["a response of another type", "new Response(bytes)"],
    ["a promise of one of them", "Promise.resolve(new Response(bytes))"],
  ];
  for (const [title, expression] of given) {
    test(title, () => {
      assert.equal(run(`${SETUP} await slim.init(${expression}); print(use());`), "Body");
    });
  }
});

test("the first module that init is given counts, whatever comes later", () => {
  const empty = "new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])";
  assert.deepEqual(
    run(
      `${SETUP} await slim.init(bytes); const first = use(); await slim.init(${empty}); print([first, use()]);`,
    ),
    ["Body", "Body"],
  );
});

describe("what is not the module is told as what it is, and can be corrected", () => {
  const given: [title: string, expression: string, reason: RegExp][] = [
    [
      "a response that failed",
      'new Response("Not Found", { status: 404 })',
      /: the response has the status 404\. Give it/,
    ],
    ["other bytes", "new Uint8Array([1, 2, 3])", /: CompileError: /],
  ];
  for (const [title, expression, reason] of given) {
    test(title, () => {
      const [told, body] = run(
        `${SETUP} const told = await slim.init(${expression}).then(() => "worked", (error) => error.code + ": " + error.message);
         await slim.init(bytes); print([told, use()]);`,
      ) as string[];
      assert.match(String(told), /^NOT_INITIALIZED: What init was given is not the module: /);
      assert.match(String(told), reason);
      assert.equal(body, "Body");
    });
  }
});

test("what was brought first is what both entries use", () => {
  assert.deepEqual(
    run(
      `${SETUP} const full = await import("skillshelf"); print([use(), full.parseSkill(text).body, full.SkillError === slim.SkillError]);`,
    ),
    ["Body", "Body", true],
  );
});

test("it offers what the whole package does, and init", async () => {
  const [slim, whole] = await Promise.all([import("skillshelf/slim"), import("skillshelf")]);
  assert.deepEqual(
    Object.keys(slim)
      .filter((name) => name !== "init")
      .sort(),
    Object.keys(whole).sort(),
  );
});

test("it does not bring the module along", async () => {
  const seen = new Set<string>();
  const walk = async (file: string): Promise<void> => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = await readFile(file, "utf8");
    for (const [, specifier] of text.matchAll(/from "([^"]+)"/g)) {
      if (specifier === "#module") seen.add(specifier);
      else if (specifier?.startsWith("."))
        await walk(fileURLToPath(new URL(specifier, `file://${file}`)));
    }
  };
  await walk(createRequire(import.meta.url).resolve("skillshelf/slim"));
  assert.ok(seen.size > 2);
  assert.ok(![...seen].some((file) => file === "#module" || file.endsWith("module/inlined.js")));
});
