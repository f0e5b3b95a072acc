// Parts of the page that need no browser: pure functions, by the page's own sources.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { part, pathOf, project } from "./parts.mjs";

const CALLS = [1, 2, 3].map((at) => ({ id: `c${at}`, name: "load_skill", arguments: "{}" }));
const RESULT = { result: { content: "text" }, size: { characters: 4, tokens: 1 }, repeated: false };

/** What `run` of the agent is given, with a model that makes these calls and then says `done`. */
function runOf(calls, given = {}) {
  const messages = [{ role: "user", content: "task" }];
  const said = [];
  return {
    said,
    model: {
      reply: async () =>
        messages.length === 1 ? { content: "", calls } : { content: "done", calls: [] },
    },
    system: "",
    messages,
    tools: async () => [],
    call: async () => RESULT,
    observer: { said: (text) => said.push(text), called() {} },
    signal: new AbortController().signal,
    ...given,
  };
}

/** Calls of the assistant that nothing answers. */
function unanswered(messages) {
  const answers = new Set(messages.filter(({ role }) => role === "tool").map(({ id }) => id));
  return messages.flatMap((message) => message.calls ?? []).filter(({ id }) => !answers.has(id));
}

test("whatever ends a turn, each of its calls has an answer", async () => {
  const { run, MOST_CALLS } = await part("src/try/agent.ts");
  const stopping = new AbortController();
  const stopped = runOf(CALLS, {
    signal: stopping.signal,
    call: async () => {
      stopping.abort();
      return RESULT;
    },
  });
  await assert.rejects(run(stopped), { name: "AbortError" });
  assert.equal(stopped.messages.length, 5);
  assert.deepEqual(unanswered(stopped.messages), []);

  const failing = runOf(CALLS, {
    call: async () => {
      throw new Error("the engine has failed");
    },
  });
  await assert.rejects(run(failing), /the engine has failed/);
  assert.deepEqual(unanswered(failing.messages), []);

  let made = 0;
  const call = async () => {
    made += 1;
    return RESULT;
  };
  const many = runOf(
    Array.from({ length: 3_000 }, (_, at) => ({ ...CALLS[0], id: `c${at}` })),
    { call },
  );
  await run(many);
  assert.equal(made, MOST_CALLS);
  assert.deepEqual(unanswered(many.messages), []);
  assert.match(many.said[0], /2968 were not made/);
  assert.equal(many.said.at(-1), "done");
});

test("the chooser loads what more than a word by accident speaks for", async () => {
  const { Chooser } = await part("src/try/chooser.ts");
  const says = async (task, fitting) => {
    const chooser = new Chooser(async () => fitting);
    const messages = [{ role: "user", content: task }];
    return chooser.reply({ messages, tools: [{ name: "load_skill" }] });
  };
  for (const [task, name, matched, loads] of [
    ["Wie backe ich Brot?", "test-writing", ["backe"], false],
    ["x", "changelog", ["x"], false],
    ["write a song about cats", "test-writing", ["write", "song"], true],
    ["my program crashes only sometimes", "debugging", ["program", "crashes"], true],
    ["tea for the thirsty", "tea", ["tea"], true],
    ["flaky", "test-writing", ["flaky"], true],
  ]) {
    const { content, calls } = await says(task, { name, matched });
    assert.equal(calls.length, loads ? 1 : 0, `${task}: ${content}`);
    if (!loads) assert.match(content, new RegExp(`Nearest is ${name}.*type /${name}`));
  }
  assert.match((await says("nothing", undefined)).content, /No skill has these words/);
});

test("the code for an agent compiles, whatever is open", async () => {
  const { codeFor } = await part("src/edit/code.ts");
  const skills = { overview: { rows: [{ name: 'te"a', modelInvocable: true }] } };
  const folder = await mkdtemp(path.join(project, "code-"));
  try {
    const origins = [
      { kind: "examples" },
      { kind: "pasted" },
      { kind: "dropped" },
      { kind: "directory", name: 'my "skills"' },
      { kind: "archive", name: "safe\u202eslliks\u2066.zip" },
      { kind: "site", url: "https://example.com/" },
    ];
    for (const origin of origins) {
      for (const [look, budget] of [
        ["markdown", undefined],
        ["xml", 300],
      ]) {
        const code = codeFor({ origin, style: look, budget, skills });
        assert.doesNotMatch(code, /[\u202e\u2066]/);
        await writeFile(path.join(folder, `${origin.kind}-${look}.ts`), code);
      }
    }
    const options = { strict: true, target: "es2023", module: "nodenext", noEmit: true };
    await writeFile(
      path.join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...options, types: ["node"], skipLibCheck: true } }),
    );
    const tsc = path.join(path.dirname(pathOf("typescript/package.json")), "bin/tsc");
    const told = await promisify(execFile)(process.execPath, [tsc, "--project", folder]).catch(
      (error) => error,
    );
    assert.equal(told.stdout, "");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a step of the budget and its budget stand for each other", async () => {
  const { budgetAt, LEAST, STEPS, stepOf } = await part("src/panels/budget.ts");
  for (const full of [LEAST + 1, 60, 300, 2_000, 100_000]) {
    for (let step = 0; step <= STEPS; step += 1) {
      const budget = budgetAt(step, full);
      assert.equal(budgetAt(stepOf(budget, full), full), budget, `${step} of ${full}`);
    }
    assert.equal(stepOf(1, full), 0);
    assert.equal(stepOf(10 * full, full), STEPS - 1);
  }
  // Where steps are apart, each is its own.
  for (let step = 60; step <= STEPS; step += 1) {
    assert.equal(stepOf(budgetAt(step, 100_000), 100_000), step);
  }
});

test("the copy for later visits is another as soon as any file of the site is", async () => {
  const { serviceWorker } = await part("build/offline.ts");
  const template = await readFile(path.join(project, "build/service-worker.js"), "utf8");
  const made = (icon) =>
    serviceWorker(
      template,
      new Map([
        ["index.html", "<!doctype html>"],
        ["icon.svg", icon],
      ]),
    );
  assert.match(made("a"), /FILES = \["\.\/","icon\.svg"\];/);
  assert.equal(made("a"), made("a"));
  assert.notEqual(made("a"), made("b"));
});

test("what may be asked is what the page's policy allows", async () => {
  const { allowedAddress, LOOPBACK } = await part("src/allowed-address.ts");
  const page = await readFile(path.join(project, "index.html"), "utf8");
  const [, said] = /connect-src ([^;"]+)/.exec(page);
  assert.deepEqual(
    said.split(" ").sort(),
    ["'self'", "https:", ...LOOPBACK.map((host) => `http://${host}:*`)].sort(),
  );
  assert.equal(allowedAddress("http://localhost:8080/v1").host, "localhost:8080");
  assert.equal(allowedAddress("https://example.com").host, "example.com");
  for (const [address, told] of [
    ["http://192.168.1.1/admin", /not encrypted/],
    ["ftp://example.com/", /not encrypted/],
    ["https://user:secret@example.com/", /password/],
    ["example.com", /no address/],
  ]) {
    assert.throws(
      () => allowedAddress(address),
      (error) => told.test(error.message) && !error.message.includes("secret"),
    );
  }
});
