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

test("init twice does no harm", () => {
  assert.deepEqual(
    run(
      `${SETUP} await slim.init(bytes); const first = use(); await slim.init(bytes); print([first, use()]);`,
    ),
    ["Body", "Body"],
  );
});

test("a response that failed is told as what it is", () => {
  const told = run(
    `${SETUP} print(await slim.init(new Response("Not Found", { status: 404 })).then(use).then(() => "worked", (error) => String(error.message)));`,
  );
  assert.match(String(told), /404|module|wasm/i);
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
  assert.ok(![...seen].some((file) => file === "#module" || file.endsWith("core/module.js")));
});
