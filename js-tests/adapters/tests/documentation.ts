// The pages of the adapters, and their examples: the programs in them compile against the SDKs.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { checkBodies } from "../support/types.ts";

const REPOSITORY = process.env["SKILLSHELF_REPOSITORY"];
assert.ok(REPOSITORY, "SKILLSHELF_REPOSITORY is not set: `cargo xtask test adapters` sets it");
const FOLDER = path.join(import.meta.dirname, "..");

/** An example may have this many lines. */
const LONGEST = 30;

const examples = readdirSync(path.join(REPOSITORY, "examples/adapters"));
const pages = readdirSync(path.join(REPOSITORY, "pkg-template/src"))
  .map((name) => name.replace(".ts", ".md"))
  .filter((page) => existsSync(path.join(REPOSITORY, "docs", page)));

describe("the check of bodies", () => {
  const imports = 'import type Anthropic from "@anthropic-ai/sdk";';
  const check = (body: unknown) => checkBodies(imports, "Anthropic.MessageParam", [body]);
  it("finds what is no member of a type, missing or of another type", () => {
    check({ role: "user", content: "Make tea." });
    for (const wrong of [
      { role: "user", content: "Make tea.", run: 1 },
      { role: "user" },
      { role: "user", content: [{ type: "tool_result", tool_use_id: 1 }] },
      { role: "user", content: [{ type: "text", text: "", is_error: true }] },
    ]) {
      assert.throws(() => check(wrong), /error TS/);
    }
  });
});

/** How the imports of readers are found. */
const RESOLUTIONS = {
  "Node.js": {},
  bundlers: { module: "ESNext", moduleResolution: "bundler" },
};

const PROGRAM = /^( *)```ts\n(.*?)^\1```$/gms;

/** What package.json of an installed package says. */
function manifest(name: string): { engines?: { node?: string }; dependencies?: object } {
  return JSON.parse(readFileSync(path.join(FOLDER, "node_modules", name, "package.json"), "utf8"));
}

/** The Node.js that all of these packages run on, with those that they bring. */
function nodeOf(names: string[]): number {
  const brought = names.flatMap((name) => Object.keys(manifest(name).dependencies ?? {}));
  const there = [...names, ...brought].filter((name) =>
    existsSync(path.join(FOLDER, "node_modules", name, "package.json")),
  );
  const majors = there.map((name) => /\d+/.exec(manifest(name).engines?.node ?? "0"));
  return Math.max(...majors.map(Number));
}

describe("the page of each adapter", () => {
  for (const [name, resolution] of Object.entries(RESOLUTIONS)) {
    it(`has programs, which compile in strict mode for ${name}`, () => {
      const folder = mkdtempSync(path.join(FOLDER, "pages-"));
      try {
        for (const page of pages) {
          const markdown = readFileSync(path.join(REPOSITORY, "docs", page), "utf8");
          const programs = [...markdown.matchAll(PROGRAM)];
          assert.ok(programs.length > 0, page);
          for (const [index, [, , program = ""]] of programs.entries()) {
            writeFileSync(path.join(folder, `${page}-${index}.ts`), program);
          }
        }
        const compilerOptions = { ...resolution, noEmit: true, noUnusedLocals: true };
        const config = { extends: "../tsconfig.json", compilerOptions, include: ["*.ts"] };
        writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
        const compiler = path.join(FOLDER, "node_modules/typescript/bin/tsc");
        const { status, stdout } = spawnSync(process.execPath, [compiler, "--project", folder], {
          encoding: "utf8",
        });
        assert.equal(status, 0, stdout);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }

  for (const page of pages) {
    const markdown = readFileSync(path.join(REPOSITORY, "docs", page), "utf8");
    const programs = [...markdown.matchAll(PROGRAM)].map(([, , program = ""]) => program);

    it(`has its packages installed as they are tested: ${page}`, () => {
      // Without a version npm takes an older one, and says nothing, where the Node.js is older.
      const { devDependencies } = JSON.parse(
        readFileSync(path.join(FOLDER, "package.json"), "utf8"),
      );
      const [, words = ""] = /^npm install skillshelf (.+)$/m.exec(markdown) ?? [];
      for (const word of words.split(" ")) {
        const [, name = "", version = ""] = /^(.+)@([\d.]+)$/.exec(word) ?? assert.fail(word);
        assert.ok(devDependencies[name].startsWith(`${version}.`), word);
      }
    });

    it(`has the Node.js that its packages need: ${page}`, () => {
      const imports = programs.join("").matchAll(/ from "((?:@[^/"]+\/)?[^/"]+)/g);
      const names = [...imports]
        .map(([, name = ""]) => name)
        .filter((name) => name !== "skillshelf");
      assert.ok(names.length > 0);
      const needed = nodeOf(names);
      if (needed > nodeOf(["skillshelf"])) {
        assert.match(markdown, new RegExp(`Node\\.js\\s${needed}\\b`));
      }
    });

    it(`has a program with a budget, for the prompt and the tools: ${page}`, () => {
      const budgets = programs.filter((program) => program.includes("budget:"));
      assert.equal(budgets.length, 1);
      assert.match(
        budgets[0] ?? "",
        /catalog\.prompt\(index\).*skillTools\(catalog, \{ index \}\)/s,
      );
    });
  }

  for (const name of examples) {
    it(`has an example that is short: ${name}`, () => {
      const program = readFileSync(path.join(REPOSITORY, "examples/adapters", name), "utf8");
      assert.ok(program.trimEnd().split("\n").length <= LONGEST);
    });
  }
});
