// skillshelf/web: the version of a browser's file, whose times are whole milliseconds. What needs a
// browser is tested in one, in browser/ and runtimes/.

import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { fileListHost } from "skillshelf/web";

/** Milliseconds. */
const EDITED = 1_750_000_000_000;

/** A file that is edited by a program, and what is told of it. */
function edited(content: string, lastModified = EDITED) {
  const file = {
    name: "a.md",
    content,
    lastModified,
    get size() {
      return this.content.length;
    },
    arrayBuffer: async () => new Uint8Array(Buffer.from(file.content)).buffer,
    slice: () => file,
  };
  const host = fileListHost([file]);
  const version = async (): Promise<unknown> => (await host.stat?.("a.md"))?.version;
  return { file, version };
}

describe("the version of a file", () => {
  test("stays when the edit is no longer a recent one", async (t) => {
    mock.timers.enable({ apis: ["Date"], now: EDITED + 1 });
    t.after(() => mock.timers.reset());
    const { version } = edited("one");
    const first = await version();
    mock.timers.tick(10_000);
    assert.deepEqual([await version(), await version()], [first, first]);
  });

  test("is another when a file is edited twice in one millisecond, even when it is asked for late", async (t) => {
    mock.timers.enable({ apis: ["Date"], now: EDITED });
    t.after(() => mock.timers.reset());
    const { file, version } = edited("one");
    const first = await version();
    file.content = "two";
    const second = await version();
    assert.notEqual(second, first);
    file.content = "six";
    mock.timers.tick(10_000);
    assert.notEqual(await version(), second);
  });

  test("is another when the file is edited, now or long ago", async () => {
    const { file, version } = edited("one");
    const first = await version();
    file.lastModified += 1;
    const second = await version();
    assert.notEqual(second, first);
    file.lastModified = Date.now();
    assert.notEqual(await version(), second);
  });
});
