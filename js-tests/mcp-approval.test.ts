// Who says which servers of skills may be started.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import type { ServerApproval } from "skillshelf/mcp";
import { rejection } from "./support/errors.ts";
import { folder, link, write } from "./support/folder.ts";
import {
  connected,
  connectedWith,
  program,
  said,
  served,
  skillWith,
  startLog,
} from "./support/mcp.ts";

describe("approval", { concurrency: 4 }, () => {
  test("that is not given starts nothing, and says so", async () => {
    const log = startLog();
    for (const answer of [false, undefined, "yes", 1]) {
      const { session, servers } = await connectedWith(
        { a: program("good", log.file) },
        { approve: () => answer as boolean },
      );
      const { content, isError } = await session.load("s");
      assert.match(content, /^<skill_content name="s">/);
      assert.match(content, /The server "a" of the skill "s" was not approved; go on/);
      assert.equal(isError, false);
      assert.deepEqual(served(session), []);
      assert.deepEqual(
        servers.diagnostics.map(({ code }) => code),
        ["mcp-server-refused"],
      );
    }
    assert.deepEqual(log.pids(), []);
  });

  test("that is not given is asked for again when the user loads the skill, and not by the model", async () => {
    let answer = false;
    const { session, asked, servers } = await connectedWith(
      { a: program("good") },
      { approve: () => answer },
    );
    const load = (): Promise<unknown> => session.call("load_skill", { name: "s" });
    await load();
    await load();
    assert.equal(asked.length, 1);
    await session.expand("/s");
    assert.equal(asked.length, 2);
    answer = true;
    await load();
    assert.deepEqual(served(session), []);
    const { content } = await session.load("s");
    assert.match(content, /already loaded.*\n\nTools that came with this skill: /);
    assert.equal(asked.length, 3);
    assert.deepEqual(servers.diagnostics, []);
    await session.load("s");
    await load();
    assert.equal(asked.length, 3);
  });

  test("is of a directory, and nothing is started where that is another one by now", async () => {
    const log = startLog();
    const elsewhere = folder();
    const root = skillWith({ a: { ...program("good", log.file), cwd: "bin" } });
    write(root, "s/bin/kept", "");
    let isFirst = true;
    const { session, servers } = await connected(root, {
      approve: () => {
        if (isFirst) {
          fs.renameSync(path.join(root, "s/bin"), path.join(root, "s/was"));
          link(root, "s/bin", elsewhere);
        }
        isFirst = false;
        return true;
      },
    });
    const { content } = await session.load("s");
    assert.match(content, /runs in a directory that has become another one since it was shown/);
    assert.deepEqual(
      servers.diagnostics.map(({ code }) => code),
      ["mcp-server-failed"],
    );
    assert.deepEqual(log.pids(), []);
    fs.rmSync(path.join(root, "s/bin"));
    fs.renameSync(path.join(root, "s/was"), path.join(root, "s/bin"));
    await session.load("s");
    assert.equal(await said(session, "s__where"), fs.realpathSync(path.join(root, "s/bin")));
  });

  test("that fails is none, and is asked again", async () => {
    let times = 0;
    const { session } = await connectedWith(
      { a: program("good") },
      {
        approve: () => {
          times += 1;
          if (times === 1) throw new Error("no terminal");
          return times === 2 ? Promise.reject(new Error("no terminal")) : true;
        },
      },
    );
    assert.match((await session.load("s")).content, /not approved, since asking for it failed/);
    assert.match((await session.load("s")).content, /not approved, since asking for it failed/);
    await session.load("s");
    assert.equal(await said(session, "s__echo", { said: "x" }), "x");
  });

  test("is asked for one server at a time", async () => {
    let asking = 0;
    let most = 0;
    const approve = async (): Promise<boolean> => {
      asking += 1;
      most = Math.max(most, asking);
      await new Promise((resolve) => setTimeout(resolve, 20));
      asking -= 1;
      return true;
    };
    const { session } = await connectedWith(
      { a: program("paged"), b: program("paged") },
      { approve },
    );
    await session.load("s");
    assert.equal(most, 1);
    assert.equal(served(session).length, 8);
  });

  test("that nobody waits for any more is told so, and nothing is started", async () => {
    const log = startLog();
    let given: AbortSignal | undefined;
    const abort = new AbortController();
    const { session } = await connectedWith(
      { a: program("good", log.file) },
      {
        approve: (_, { signal }) => {
          given = signal;
          setTimeout(() => abort.abort(), 10);
          return new Promise((resolve) => {
            signal?.addEventListener("abort", () => setTimeout(() => resolve(true), 20));
          });
        },
      },
    );
    const { signal } = abort;
    const error = await rejection(() => session.call("load_skill", { name: "s" }, { signal }));
    assert.equal(error.code, "ABORTED");
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(given?.aborted, true);
    assert.deepEqual(log.pids(), []);
    assert.deepEqual(session.loaded, []);
  });

  test("that hangs ends with close, whatever it does", async () => {
    const log = startLog();
    const given: AbortSignal[] = [];
    const asking = new AbortController();
    const { session, servers } = await connectedWith(
      { a: program("good", log.file), b: program("good", log.file) },
      {
        approve: (_, { signal }) => {
          given.push(signal);
          asking.abort();
          return new Promise(() => {});
        },
      },
    );
    const load = session.load("s");
    await new Promise((resolve) => asking.signal.addEventListener("abort", resolve));
    await servers.close();
    const { content } = await load;
    assert.match(content, /The server "a" of the skill "s" was disconnected/);
    assert.match(content, /The server "b" of the skill "s" was disconnected/);
    assert.deepEqual(
      given.map(({ aborted }) => aborted),
      [true],
    );
    assert.deepEqual(log.pids(), []);
  });

  test("that two wait for goes on when one of them does not wait any more", async () => {
    const log = startLog();
    let answer: (answer: boolean) => void = () => {};
    let given: AbortSignal | undefined;
    const asking = new AbortController();
    const { session, asked } = await connectedWith(
      { a: program("good", log.file) },
      {
        approve: (_, { signal }) => {
          given = signal;
          setTimeout(() => asking.abort(), 50);
          return new Promise((resolve) => {
            answer = resolve;
          });
        },
      },
    );
    const abort = new AbortController();
    const first = session.call("load_skill", { name: "s" }, { signal: abort.signal });
    const second = session.call("load_skill", { name: "s" });
    await new Promise((resolve) => asking.signal.addEventListener("abort", resolve));
    abort.abort();
    assert.equal((await rejection(() => first)).code, "ABORTED");
    assert.equal(given?.aborted, false);
    answer(true);
    await second;
    assert.equal(asked.length, 1);
    assert.equal(log.pids().length, 1);
    assert.equal(given?.aborted, false);
    assert.equal(await said(session, "s__echo", { said: "x" }), "x");
  });

  test("is asked with a line in which nothing is hidden", async () => {
    const { session, asked, servers } = await connectedWith(
      { a: { command: "nod\u200be", args: ["\u202egpj.js", "a b"], env: { T: "\u{e0041}" } } },
      { approve: () => false },
    );
    await session.load("s");
    const [{ display, warnings }] = asked as [ServerApproval];
    assert.match(
      display,
      /^T="\\u\{e0041\}" "nod\\u\{200b\}e" "\\u\{202e\}gpj\.js" "a b" \(in .*\)$/,
    );
    const problem =
      "has characters that cannot be seen in command, args, env (U+200B, U+202E, U+E0041)";
    assert.deepEqual(warnings, [problem]);
    assert.deepEqual(
      servers.diagnostics.map(({ code, severity, message }) => [code, severity, message]),
      [
        ["mcp-hidden-characters", "warning", `the server "a" ${problem}`],
        ["mcp-server-refused", "info", 'the server "a" was not approved'],
      ],
    );
  });
});
