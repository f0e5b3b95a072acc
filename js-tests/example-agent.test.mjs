// The example agent, run as a person runs it: with the scripted model, and against servers on
// loopback that speak the wire formats of the two providers.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

const REPOSITORY = process.env.SKILLSHELF_REPOSITORY;
assert(REPOSITORY, "SKILLSHELF_REPOSITORY is not set: `cargo xtask test js` sets it");
const SKILLS = join(REPOSITORY, "examples", "skills");

/** The agent's own folder, below the one where the package is installed. */
let folder;

before(async () => {
  folder = await mkdtemp(join(import.meta.dirname, "example-agent-"));
  await cp(join(REPOSITORY, "examples", "agent"), folder, { recursive: true });
});

after(() => rm(folder, { recursive: true }));

/** Runs the agent to its end. */
async function run(args, environment = {}) {
  // Nothing is inherited but what finds Node: a developer's own key must not be used.
  const env = { PATH: process.env.PATH ?? "", ...environment };
  const child = spawn(process.execPath, ["agent.mjs", ...args], { cwd: folder, env });
  const read = async (stream) => {
    let text = "";
    for await (const chunk of stream.setEncoding("utf8")) text += chunk;
    return text;
  };
  const [out, err, [code]] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    once(child, "close"),
  ]);
  return { code, out, err };
}

/** What `--json` prints. */
async function report(args, environment = {}) {
  const { code, out, err } = await run([...args, "--json"], environment);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

/** Answers each request with the next of `replies`; gives what it was sent. */
async function serve(replies) {
  const received = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const reply = replies[received.length] ?? {
      status: 500,
      body: { error: { message: "no reply left" } },
    };
    received.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) });
    response.writeHead(reply.status ?? 200, {
      "content-type": "application/json",
      ...reply.headers,
    });
    response.end(JSON.stringify(reply.body));
  }).listen(0, "127.0.0.1");
  server.unref(); // a failing assertion must not keep the process alive
  await once(server, "listening");
  const url = `http://127.0.0.1:${server.address().port}`;
  return { url, received, close: () => server.close() };
}

async function bodyOf(skill) {
  const text = await readFile(join(SKILLS, skill, "SKILL.md"), "utf8");
  return text.slice(text.indexOf("\n---\n") + 5).trim();
}

describe("with the scripted model", () => {
  it("answers the prompts with the skills it was shown", async () => {
    const { prompts, index, hidden, skills, skipped, system } = await report([SKILLS]);
    assert.deepEqual(
      prompts.slice(1, 4).map((prompt) => [prompt.calls[0].tool, prompt.calls[0].arguments]),
      ["agent-builder", "code-review", "mcp-builder"].map((name) => ["load_skill", { name }]),
    );
    assert.match(prompts[0].texts[0], /^There are 12: agent-builder, api-design, changelog, /);
    assert.deepEqual(
      { skills, hidden, skipped },
      { skills: 13, hidden: 1, skipped: { count: 0, byCode: {} } },
    );
    assert(system.text.includes("- code-review: Reviews a diff"));
    assert(!system.text.includes("cut-release"));
    assert(index.characters < system.characters);
  });

  it("reads a file that the loaded skill lists", async () => {
    const { prompts } = await report([SKILLS]);
    const { tool, arguments: args, isError } = prompts[1].calls[1];
    assert.equal(tool, "read_skill_file");
    assert.equal(isError, false);
    assert.equal(args.skill, "agent-builder");
    assert.match(args.path, /^references\/.+\.md$/);
  });

  it("corrects a name that does not exist, and is refused an escape", async () => {
    const { prompts } = await report([SKILLS]);
    const [unknown, corrected] = prompts[4].calls;
    assert.equal(unknown.code, "SKILL_NOT_FOUND");
    assert.deepEqual([corrected.arguments, corrected.isError], [{ name: "code-review" }, false]);
    const [refused, read] = prompts[5].calls;
    assert.deepEqual([refused.arguments.path, refused.code], ["../../etc/passwd", "PATH_REFUSED"]);
    assert.deepEqual([read.tool, read.isError], ["read_skill_file", false]);
  });

  it("counts the characters of bodies that were never sent", async () => {
    const { bodies, skills } = await report([SKILLS]);
    const sizes = await Promise.all(
      bodies.loaded.map(async (name) => [...(await bodyOf(name))].length),
    );
    assert.equal(skills, 13);
    assert.deepEqual(bodies.loaded, ["agent-builder", "code-review", "cut-release", "mcp-builder"]);
    assert.equal(
      bodies.loadedCharacters,
      sizes.reduce((sum, size) => sum + size, 0),
    );
    assert.equal(bodies.neverSentCharacters, bodies.characters - bodies.loadedCharacters);
    assert(bodies.neverSentCharacters > bodies.loadedCharacters);
    assert.deepEqual(bodies.unreadable, []);
  });

  it("has in a session what was loaded: once, until it is put back", async () => {
    const { prompts } = await report([SKILLS]);
    const again = prompts[6].calls[0];
    assert.deepEqual([again.arguments, again.isError], [{ name: "code-review" }, false]);
    assert.match(prompts[6].texts[0], /"code-review" is already loaded/);
    assert.deepEqual(prompts[8].calls[0].arguments, { name: "code-review" });
    assert.equal(prompts[8].calls[0].tool, "unload_skill");
  });

  it("takes a slash command of the user for a skill that the model is not offered", async () => {
    const { prompts } = await report([SKILLS]);
    assert.deepEqual([prompts[7].prompt, prompts[7].skill], ["/cut-release 2.1.0", "cut-release"]);
    assert.deepEqual(prompts[7].calls, []);
    assert.match(prompts[7].texts[0], /"Cutting a release" and "2\.1\.0"/);
  });

  it("summarizes the conversation, keeps what must survive, and loads the rest again", async () => {
    const { prompts, events } = await report([SKILLS]);
    const { before, after, kept, dropped } = prompts[9].compaction;
    assert(after < before / 2);
    assert.deepEqual([kept, dropped], [["cut-release", "agent-builder"], ["mcp-builder"]]);
    const [again] = prompts[10].calls;
    assert.deepEqual([again.tool, again.arguments], ["load_skill", { name: "mcp-builder" }]);
    assert(again.characters > [...(await bodyOf("mcp-builder"))].length, "the whole text again");
    assert.deepEqual(
      events
        .filter(({ type }) => type !== "resource_loaded")
        .map(({ type, name }) => `${type} ${name}`),
      [
        "skill_loaded agent-builder",
        "skill_loaded code-review",
        "skill_loaded mcp-builder",
        "skill_loaded code-review",
        "skill_loaded code-review",
        "skill_loaded cut-release",
        "skill_unloaded code-review",
        "skill_dropped mcp-builder",
        "skill_loaded mcp-builder",
      ],
    );
  });

  it("says the same as text, without colors where there is no terminal", async () => {
    const { code, out, err } = await run(["--skills", SKILLS]);
    assert.equal(code, 0, err);
    assert(!out.includes("\x1b"));
    assert.match(out, /→ load_skill \{"name":"mcp-builder"\}/);
    assert.match(out, /← error PATH_REFUSED/);
    assert.match(out, /\/ the skill cut-release, then "2\.1\.0"/);
    assert.match(out, /↓ summarized: [\d,]+ characters became [\d,]+/);
    assert.match(out, /skills put back word for word: cut-release, agent-builder/);
    assert.match(out, /to be loaded again: mcp-builder/);
    assert.match(
      out,
      /^13 skills, 0 skipped; index [\d,]+ characters; bodies [\d,]+, of which [\d,]+ never sent\.$/m,
    );
  });

  it("takes the nearest skill where the wanted one is missing, and says why others were skipped", async () => {
    const skills = await mkdtemp(join(folder, "skills-"));
    for (const [name, text] of [
      [
        "review-code",
        "---\nname: review-code\ndescription: Reads a diff\n---\n\x1b]0;title\x07Read it twice.",
      ],
      ["broken", "---\nname: broken\n---\nNo description."],
    ]) {
      await mkdir(join(skills, name));
      await writeFile(join(skills, name, "SKILL.md"), text);
    }
    const { prompts, skipped } = await report([skills]);
    assert.deepEqual(prompts[2].calls[0].arguments, { name: "review-code" });
    assert.match(
      prompts[2].texts[0],
      /There is no "code-review" here; the nearest is "review-code"/,
    );
    assert.deepEqual(skipped, { count: 1, byCode: { "description-missing": 1 } });

    const { out } = await run([skills]);
    assert.match(out, /^1 skill, 1 skipped \(1 description-missing\);/m);
    assert(!out.includes("\x1b"), "escape sequences of a skill reach the terminal");
  });
});

describe("on the command line", () => {
  for (const [args, code, message] of [
    [["missing-folder"], 1, /^There is no skill for the model in missing-folder\.$/m],
    [["--nope"], 2, /Unknown option '--nope'/],
    [["one", "two"], 2, /^One folder, please\.$/m],
    [
      ["--provider", "other"],
      2,
      /^There is no provider "other": anthropic, openai or scripted\.$/m,
    ],
    [
      ["--provider", "openai"],
      2,
      /^Set OPENAI_API_KEY to your key, or use --provider scripted\.$/m,
    ],
    [
      ["--prompt", "Hello"],
      2,
      /^The scripted model plays its own prompts; --prompt needs a provider\.$/m,
    ],
    [["--max-turns", "0"], 2, /^--max-turns takes a whole number from 1\.$/m],
    [["--context", "many"], 2, /^--context takes a whole number from 1\.$/m],
  ]) {
    it(`answers ${args.join(" ")} with exit code ${code}`, async () => {
      const result = await run(args);
      assert.equal(result.code, code);
      assert.match(result.err, message);
      assert.equal(result.out, "");
    });
  }

  it("explains itself", async () => {
    const { code, out } = await run(["--help"]);
    assert.equal(code, 0);
    assert.match(
      out,
      /^Exit code: 0 done, 1 no skill .+, 2 wrong usage, 3 the provider failed\.$/m,
    );
  });
});

describe("with the Anthropic Messages API", () => {
  const toolUse = (id, name, input) => ({
    type: "tool_use",
    id,
    name,
    input,
  });

  it("sends tools and results, errors marked as such", async () => {
    const first = [
      { type: "thinking", thinking: "Two calls.", signature: "s" },
      toolUse("a", "load_skill", { name: "debugging" }),
      toolUse("b", "load_skill", { name: "debuging" }),
    ];
    const server = await serve([
      { body: { content: first, stop_reason: "tool_use" } },
      { body: { content: [{ type: "text", text: "Found it." }], stop_reason: "end_turn" } },
    ]);
    const { prompts, model } = await report(
      [SKILLS, "--prompt", "Why does it crash?", "--model", "m"],
      {
        ANTHROPIC_API_KEY: "key-1",
        ANTHROPIC_BASE_URL: `${server.url}/`,
      },
    );
    server.close();

    assert.equal(model, "m");
    assert.deepEqual(prompts[0].texts, ["Found it."]);
    const [opening, answering] = server.received;
    assert(opening && answering);
    assert.equal(opening.path, "/v1/messages");
    assert.equal(opening.headers["x-api-key"], "key-1");
    assert.equal(opening.headers["anthropic-version"], "2023-06-01");
    assert.equal(opening.body.model, "m");
    assert(opening.body.max_tokens > 0);
    assert.deepEqual(opening.body.messages, [
      { role: "user", content: [{ type: "text", text: "Why does it crash?" }] },
    ]);
    assert.deepEqual(
      opening.body.tools.map((tool) => [
        Object.keys(tool).sort(),
        tool.name,
        tool.input_schema.type,
      ]),
      ["load_skill", "read_skill_file", "unload_skill"].map((name) => [
        ["description", "input_schema", "name"],
        name,
        "object",
      ]),
    );
    const body = await bodyOf("debugging");
    assert(opening.body.system.includes("- debugging: Finds the cause"));
    assert(!JSON.stringify(opening.body).includes(JSON.stringify(body).slice(1, 200)));

    const [, assistant, results] = answering.body.messages;
    assert.deepEqual(assistant, { role: "assistant", content: first });
    assert.equal(results.role, "user");
    assert.deepEqual(
      results.content.map((block) => [block.type, block.tool_use_id, block.is_error]),
      [
        ["tool_result", "a", false],
        ["tool_result", "b", true],
      ],
    );
    assert(results.content[0].content.includes(body));
    assert.match(results.content[1].content, /debugging/);
  });

  it("tries again when asked to wait, and keeps the conversation over several prompts", async () => {
    const server = await serve([
      { status: 429, headers: { "retry-after": "0" }, body: { error: { message: "slow down" } } },
      { body: { content: [{ type: "text", text: "One." }] } },
      { body: { content: [{ type: "text", text: "Two." }] } },
    ]);
    const { prompts } = await report([SKILLS, "--prompt", "1", "--prompt", "2"], {
      ANTHROPIC_API_KEY: "key-1",
      ANTHROPIC_BASE_URL: server.url,
    });
    server.close();
    assert.deepEqual(
      prompts.map((prompt) => prompt.texts),
      [["One."], ["Two."]],
    );
    assert.deepEqual(
      server.received.map(({ body }) => body.messages.length),
      [1, 1, 3],
    );
  });

  it("summarizes a conversation that is longer than --context, in the provider's words", async () => {
    const body = await bodyOf("debugging");
    const text = (words) => ({ body: { content: [{ type: "text", text: words }] } });
    const server = await serve([
      { body: { content: [toolUse("a", "load_skill", { name: "debugging" })] } },
      text("Found it."),
      text("The crash was found."),
      text("Mended."),
    ]);
    const args = ["--prompt", "Why does it crash?", "--prompt", "Mend it.", "--prompt", "/mend"];
    const { prompts } = await report([SKILLS, ...args, "--context", String(body.length)], {
      ANTHROPIC_API_KEY: "key-1",
      ANTHROPIC_BASE_URL: server.url,
    });
    server.close();
    const [, , summarizing, next] = server.received.map((request) => request.body);
    assert.equal(server.received.length, 4);
    assert.equal(summarizing.messages.length, 1);
    const asked = summarizing.messages[0].content[0].text;
    assert.match(asked, /^User: Why does it crash\?/);
    assert.match(asked, /Result of load_skill: the text of a skill, left out/);
    assert.equal("tools" in summarizing, false);
    const [summary, prompt] = next.messages[0].content.map((block) => block.text);
    assert.match(
      summary,
      /^<summary>\nThe crash was found\.\n<\/summary>\n\nThe skill "debugging" was /,
    );
    assert.equal(prompt, "Mend it.");
    assert(!JSON.stringify(next).includes(JSON.stringify(body).slice(1, 200)));
    assert.deepEqual(prompts[0].compaction.dropped, ["debugging"]);
    assert.match(prompts[2].texts[0], /no command or skill named "\/mend"/);
  });

  it("ends with exit code 3 when refused, without showing the key", async () => {
    const server = await serve([
      { status: 401, body: { error: { message: "invalid x-api-key" } } },
    ]);
    const { code, err, out } = await run([SKILLS], {
      ANTHROPIC_API_KEY: "key-1",
      ANTHROPIC_BASE_URL: server.url,
    });
    server.close();
    assert.equal(code, 3);
    assert.equal(err, `${server.url} answered 401: invalid x-api-key\n`);
    assert(!`${out}${err}`.includes("key-1"));
  });

  it("ends with exit code 3 when nobody answers", async () => {
    const server = await serve([]);
    server.close();
    const { code, err } = await run([SKILLS], {
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: server.url,
    });
    assert.equal(code, 3);
    assert.match(err, /^Cannot reach http:\/\/127\.0\.0\.1:\d+: .+/);
  });

  it("stops at the turn limit", async () => {
    const again = { body: { content: [toolUse("a", "load_skill", { name: "debugging" })] } };
    const server = await serve([again, again, again]);
    const { prompts } = await report([SKILLS, "--prompt", "Go", "--max-turns", "2"], {
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: server.url,
    });
    server.close();
    assert.equal(prompts[0].end, "turn limit");
    assert.equal(server.received.length, 2);
  });
});

describe("with the OpenAI Chat Completions API", () => {
  it("passes arguments on as JSON text and says in the text that a result is an error", async () => {
    const first = {
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id: "a",
          type: "function",
          function: { name: "load_skill", arguments: '{"name":"debugging"}' },
        },
        { id: "b", type: "function", function: { name: "load_skill", arguments: '{"name":' } },
      ],
    };
    const server = await serve([
      { body: { choices: [{ message: first }] } },
      { body: { choices: [{ message: { role: "assistant", content: "Found it." } }] } },
    ]);
    const { prompts } = await report([SKILLS, "--prompt", "Why does it crash?"], {
      OPENAI_API_KEY: "key-2",
      OPENAI_BASE_URL: `${server.url}/v1`,
    });
    server.close();

    assert.deepEqual(prompts[0].texts, ["Found it."]);
    assert.deepEqual(
      prompts[0].calls.map((call) => call.code),
      [undefined, "TOOL_ARGUMENTS_INVALID"],
    );
    const [opening, answering] = server.received;
    assert(opening && answering);
    assert.equal(opening.path, "/v1/chat/completions");
    assert.equal(opening.headers.authorization, "Bearer key-2");
    assert.deepEqual(
      opening.body.messages.map((message) => message.role),
      ["system", "user"],
    );
    assert.deepEqual(
      opening.body.tools.map((tool) => [
        tool.type,
        tool.function.name,
        tool.function.parameters.type,
      ]),
      [
        ["function", "load_skill", "object"],
        ["function", "read_skill_file", "object"],
        ["function", "unload_skill", "object"],
      ],
    );
    const [, , assistant, good, bad] = answering.body.messages;
    assert.deepEqual(assistant, first);
    assert.deepEqual([good.role, good.tool_call_id], ["tool", "a"]);
    assert(good.content.includes(await bodyOf("debugging")));
    assert.deepEqual([bad.role, bad.tool_call_id], ["tool", "b"]);
    assert.match(bad.content, /^error\b/i);
  });

  it("does not go on without a message", async () => {
    const server = await serve([{ body: { choices: [] } }]);
    const { code, err } = await run([SKILLS], { OPENAI_API_KEY: "k", OPENAI_BASE_URL: server.url });
    server.close();
    assert.equal(code, 3);
    assert.equal(err, "The provider answered without a message.\n");
  });
});

describe("its compactor", () => {
  const files = (name) => `---\nname: ${name}\ndescription: d\n---\nThe body of ${name}.`;
  const wrapped = (name) =>
    `<skill_content name="${name}">\nThe body of ${name}.\n</skill_content>`;
  /** A conversation that has loaded two skills. */
  async function conversation() {
    const { loadSkills, memoryHost } = await import("skillshelf");
    const host = memoryHost({ "a/SKILL.md": files("a"), "b/SKILL.md": files("b") });
    const session = (await loadSkills({ host })).session();
    const messages = [{ role: "user", content: "Do it." }];
    for (const name of ["a", "b"]) {
      const { content } = await session.call("load_skill", { name });
      messages.push({ role: "tool", toolCallId: name, name: "load_skill", content });
    }
    return { session, messages };
  }

  it("puts back what fits word for word, and leaves a line of the rest", async () => {
    const { compacted } = await import(join(folder, "compaction.mjs"));
    const { session, messages } = await conversation();
    const model = { generate: async () => ({ role: "assistant", content: "It was done." }) };
    const budget = { characters: wrapped("b").length };
    const result = await compacted({ model, session, messages, budget });
    assert.deepEqual([result.kept, result.dropped], [["b"], ["a"]]);
    assert.equal(result.messages.length, 1);
    assert.equal(
      result.messages[0].content,
      `<summary>\nIt was done.\n</summary>\n\n${wrapped("b")}\n\nThe skill "a" was loaded earlier; ` +
        "its instructions are no longer in this conversation. Call `load_skill` to read them again.",
    );
    const [again, other] = [await session.load("a"), await session.load("b")];
    assert(again.content.includes("The body of a."));
    assert(!other.content.includes("The body of b."));
  });

  it("has all summarized but the texts of skills and of their files", async () => {
    const { compacted } = await import(join(folder, "compaction.mjs"));
    const { loadSkills, memoryHost } = await import("skillshelf");
    const host = memoryHost({ "a/SKILL.md": files("a"), "a/x.md": "Text of x.", "b.md": "b" });
    const session = (await loadSkills({ host })).session();
    const messages = [];
    const call = (name, args, content, isError) => {
      messages.push({
        role: "assistant",
        content: "",
        toolCalls: [{ id: name, name, arguments: args }],
      });
      messages.push({ role: "tool", toolCallId: name, name, content, isError });
    };
    const { text } = await session.expand("/a the tests");
    messages.push({ role: "user", content: text, line: "/a the tests" });
    const args = { skill: "a", path: "x.md" };
    call("read_skill_file", args, (await session.call("read_skill_file", args)).content, false);
    call("read_skill_file", { skill: "a", path: "y.md" }, "There is no file y.md.", true);
    call("a__run_tests", {}, "2 of 40 tests fail.", false);
    let asked = "";
    const model = {
      async generate(request) {
        asked = request.messages[0].content;
        return { role: "assistant", content: "Two tests fail." };
      },
    };
    const budget = { characters: 1000 };
    const result = await compacted({ model, session, messages, budget });
    assert.equal(
      asked,
      [
        "User: /a the tests",
        'Agent: (read_skill_file {"skill":"a","path":"x.md"})',
        "Result of read_skill_file: a file of a skill, left out",
        'Agent: (read_skill_file {"skill":"a","path":"y.md"})',
        "Result of read_skill_file: There is no file y.md.",
        "Agent: (a__run_tests {})",
        "Result of a__run_tests: 2 of 40 tests fail.",
      ].join("\n\n"),
    );
    assert.equal(
      result.messages[0].content,
      `<summary>\nTwo tests fail.\n</summary>\n\n${wrapped("a")}\n\n` +
        'Files of the skill "a" that were read earlier: "x.md". Call `read_skill_file` to read them again.',
    );
  });

  it("leaves everything as it was where the model fails", async () => {
    const { compacted } = await import(join(folder, "compaction.mjs"));
    const { session, messages } = await conversation();
    const before = structuredClone(messages);
    const model = { generate: () => Promise.reject(new Error("overloaded")) };
    const compacting = compacted({ model, session, messages, budget: { characters: 0 } });
    await assert.rejects(compacting, /overloaded/);
    assert.deepEqual(messages, before);
    assert.equal(session.compact().keep.length, 2);
  });
});
