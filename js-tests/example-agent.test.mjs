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
    const { bodies } = await report([SKILLS]);
    const sizes = await Promise.all(
      bodies.loaded.map(async (name) => [...(await bodyOf(name))].length),
    );
    assert.deepEqual(bodies.loaded, ["agent-builder", "code-review", "mcp-builder"]);
    assert.equal(
      bodies.loadedCharacters,
      sizes.reduce((sum, size) => sum + size, 0),
    );
    assert.equal(bodies.neverSentCharacters, bodies.characters - bodies.loadedCharacters);
    assert(bodies.neverSentCharacters > bodies.loadedCharacters);
    assert.deepEqual(bodies.unreadable, []);
  });

  it("says the same as text, without colors where there is no terminal", async () => {
    const { code, out, err } = await run(["--skills", SKILLS]);
    assert.equal(code, 0, err);
    assert(!out.includes("\x1b"));
    assert.match(out, /→ load_skill \{"name":"mcp-builder"\}/);
    assert.match(out, /← error PATH_REFUSED/);
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
      ["load_skill", "read_skill_file"].map((name) => [
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
