// The package as it was built, in a browser: no bundler, no Node, only an import map.
// `cargo xtask test browser` runs it.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { withPage } from "./driver.mjs";
import { serve } from "./server.mjs";

const installed = path.dirname(fileURLToPath(import.meta.resolve("skillshelf/package.json")));

/** What a module of this folder comes to on a page. */
async function resultsOf(name) {
  const server = await serve(installed);
  try {
    return await withPage(server.address, (evaluate) =>
      evaluate(`import("/${name}").then(({ results }) => results())`),
    );
  } finally {
    await server.close();
  }
}

const limit = { timeout: 120_000 };

test("the package works in a browser as it was built", limit, async () => {
  check(await resultsOf("page.mjs"));
});

test("so does the one without the module, with a module that is fetched", limit, async () => {
  assert.equal(await resultsOf("slim.mjs"), "Body");
});

function check({ loaded, file, unknown, prompt, ...others }) {
  assert.match(prompt, /^- in-code: From code\.\n- pdf: Fills in forms: é😀$/m);
  assert.deepEqual([loaded.isError, loaded.skill], [false, "in-code"]);
  assert.match(loaded.content, /^<skill_content name="in-code">\nIn code\.\n<\/skill_content>/);
  assert.deepEqual([file.isError, file.content], [false, "Aé日😀"]);
  assert.deepEqual([unknown.isError, unknown.code], [true, "SKILL_NOT_FOUND"]);
  assert.match(unknown.content, /Did you mean "pdf"\?/);
  assert.deepEqual(others, {
    found: ["description-missing"],
    names: ["in-code", "pdf"],
    body: "Edited: read references/a.md.",
    tools: ["load_skill", "read_skill_file"],
    image: ["image/png", [0x89, 0x50, 0, 0xff]],
    sync: true,
    changed: ["pdf"],
    parsed: "Fills in forms: é😀",
    invalid: ["name-directory-mismatch"],
    text: "In code.",
    disk: "SOURCE_UNSUPPORTED",
  });
}
