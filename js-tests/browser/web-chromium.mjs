// skillshelf/web in Chromium: a folder that a person drops, one that a person chooses. What needs no
// person is tested in every browser, in ../runtimes/.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { hostConformance } from "skillshelf/testing";
import { withPage } from "./driver.mjs";
import { serve } from "./server.mjs";

const installed = path.dirname(fileURLToPath(import.meta.resolve("skillshelf/package.json")));
const limit = { timeout: 120_000 };

let server;
let folder;

before(async () => {
  server = await serve(installed);
  folder = await mkdtemp(path.join(tmpdir(), "skillshelf-web-"));
  const tea = path.join(folder, "skills", "tea");
  await mkdir(path.join(tea, "references"), { recursive: true });
  await mkdir(path.join(tea, "many"));
  await writeFile(
    path.join(tea, "SKILL.md"),
    "---\nname: tea\ndescription: How to brew tea\n---\nWarm the pot.",
  );
  await writeFile(path.join(tea, "references", "a.md"), "ä");
  // More than a reader of entries gives at once.
  for (let index = 0; index < 250; index += 1) {
    await writeFile(path.join(tea, "many", `${index}.txt`), "");
  }
});

after(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** What a function of `web.mjs` comes to on a page, once `act` has handed something over. */
function resultOf(name, act) {
  return withPage(server.address, async (evaluate, command) => {
    await act?.(evaluate, command);
    return evaluate(`import("/web.mjs").then((page) => page.${name}())`);
  });
}

/** Drops files and folders of the disk on the page. */
async function drop(evaluate, command, files) {
  await evaluate('import("/web.mjs").then((page) => page.place())');
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) {
    await command("Input.dispatchDragEvent", { type, x: 100, y: 100, data });
  }
}

/** Writes the files that the checks of hosts want to see; gives what stands at their top. */
async function writtenForChecks() {
  const [check] = hostConformance((files) => {
    throw files;
  });
  const files = await check.run().catch((given) => given);
  const place = path.join(folder, "checks");
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(place, name)), { recursive: true });
    await writeFile(path.join(place, name), content);
  }
  return (await readdir(place)).map((name) => path.join(place, name));
}

test("what is dropped does what every host does", limit, async () => {
  const written = await writtenForChecks();
  const outcomes = await resultOf("conformance", (evaluate, command) =>
    drop(evaluate, command, written),
  );
  assert.ok(Object.keys(outcomes).length > 10);
  const failed = Object.entries(outcomes).filter(([, outcome]) => outcome !== "passed");
  assert.deepEqual(failed, []);
});

describe("a folder", () => {
  const expected = {
    root: ["directory skills"],
    names: ["tea"],
    body: "Warm the pot.",
    file: "ä",
    many: 250,
    missing: "Error ENOENT",
    directory: "Error EISDIR",
    file_as_directory: "Error ENOTDIR",
    below_file: "Error ENOENT",
    escaping: "TypeError EINVAL",
    stats: ["directory", "file", null, null],
  };
  test("that is chosen", limit, async () => {
    const result = await resultOf("given", async (evaluate, command) => {
      await evaluate('import("/web.mjs").then((page) => page.place())');
      const { root } = await command("DOM.getDocument", {});
      const selector = { nodeId: root.nodeId, selector: "#input" };
      const { nodeId } = await command("DOM.querySelector", selector);
      await command("DOM.setFileInputFiles", { nodeId, files: [path.join(folder, "skills")] });
    });
    assert.deepEqual(result, expected);
  });
  test("that is dropped", limit, async () => {
    const result = await resultOf("given", (evaluate, command) =>
      drop(evaluate, command, [path.join(folder, "skills")]),
    );
    assert.deepEqual(result, expected);
  });
});
