// `skillshelf chat` with a script, and with a server in the wire formats of the providers.

import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, test } from "node:test";
import { command, start } from "./support/command.ts";
import { folder } from "./support/folder.ts";
import {
  type Asked,
  anthropicEvents,
  checkAnthropic,
  checkOpenai,
  dropped,
  events,
  held,
  modelServer,
  openaiEvents,
  status,
} from "./support/model-server.ts";
import { skillFile, validSkill } from "./support/text.ts";

const isWindows = process.platform === "win32";

const KEY = "sk-secret-0123456789";

const project = (): string =>
  folder({
    "skills/pdf/SKILL.md": skillFile(
      "name: pdf\ndescription: Fills forms. Use it for forms.",
      "# Forms\n\nRead `references/a.md`.",
    ),
    "skills/pdf/references/a.md": "All of the fields\n",
    "skills/own/SKILL.md": skillFile(
      "name: own\ndescription: Mine. Use it.\ndisable-model-invocation: true",
      "# My own",
    ),
    "skills/help/SKILL.md": validSkill("help", "Is a skill of this name. Use it."),
  });

/** A chat in a pipe: each line is a turn. */
function chat(
  args: readonly string[],
  lines: readonly string[],
  variables: NodeJS.ProcessEnv = {},
) {
  return command(["chat", ...args], { cwd: project(), variables }, `${lines.join("\n")}\n`);
}

const lastOf = ({ body }: Asked): unknown => body.messages.at(-1);

describe("with a script", () => {
  test("it loads what is named, reads its file, and says what each call cost", async () => {
    const { code, out, err } = await chat(["--scripted"], ["please fill these forms"]);
    assert.equal(code, 0);
    assert.equal(out, 'I have "Forms" and go by it.\n');
    assert.match(err, /^> please fill these forms$/m);
    assert.match(err, /^→ load_skill\(name: pdf\): \d+ characters$/m);
    assert.match(
      err,
      /^→ read_skill_file\(skill: pdf, path: references\/a\.md\): \d+ characters$/m,
    );
    assert.doesNotMatch(err, /No ANTHROPIC_API_KEY/);
  });
  test("it stands in where there is no key, and says so", async () => {
    const { code, out, err } = await chat([], ["hello"]);
    assert.equal(code, 0);
    assert.match(out, /I see: help, pdf\.$/m);
    assert.match(err, /^No ANTHROPIC_API_KEY or OPENAI_API_KEY is set/m);
  });
  test("/name loads a skill, also one that is the user's alone; near names are told", async () => {
    const { code, out, err } = await chat(["--scripted"], ["/own now", "/pfd"]);
    assert.equal(code, 1);
    assert.equal(out, 'I have "My own" from you and go by it.\n');
    assert.match(err, /^→ own: \d+ characters$/m);
    assert.match(err, /^There is no command or skill named "\/pfd"\. Did you mean "\/pdf"\?$/m);
  });
  test("without a skill it says so", async () => {
    const { code, out } = await command(
      ["chat", "--scripted"],
      { cwd: folder({ "skills/.keep": "" }) },
      "hello\n",
    );
    assert.deepEqual(
      [code, out],
      [0, "I only load skills, and there is none here that I may load.\n"],
    );
  });
  test("where the index cannot name all skills, it searches", async () => {
    const names = Array.from({ length: 400 }, (_, index) => `thing-${index}-${"x".repeat(50)}`);
    const skills = names.map((name) => [`skills/${name}/SKILL.md`, validSkill(name, "Is there.")]);
    const forms = skillFile("name: pdf\ndescription: Fills forms. Use it for forms.", "# Forms");
    const cwd = folder({ ...Object.fromEntries(skills), "skills/pdf/SKILL.md": forms });
    const lines = "please fill these forms\nzebra\nhi\n";
    const { code, out, err } = await command(["chat", "--scripted"], { cwd }, lines);
    assert.equal(code, 0, err);
    assert.match(
      err,
      /^Named: \d+ of 401 skills, \d+ without all of their description \(grouped\)\.$/m,
    );
    const only = "I only look for a skill that your words name.";
    assert.equal(out, `I have "Forms" and go by it.\n${only} I found none.\n${only}\n`);
    assert.match(
      err,
      /^→ search_skills\(query: fill these forms\): .*\n→ load_skill\(name: pdf\): \d+ characters$/m,
    );
  });
  test("commands of the chat win over skills; /exit ends it", async () => {
    const lines = ["/help", "/pdf", "/skills", "/clear", "/skills", "/exit", "/help"];
    const { code, out } = await chat(["--scripted"], lines);
    assert.equal(code, 0);
    assert.equal(out.match(/^ {2}\/help /gm)?.length, 1);
    const loaded = [...out.matchAll(/^ {2}pdf {3}(.*)$/gm)].map(([, text]) => text);
    assert.deepEqual(loaded, [
      "(loaded, 32 characters) Fills forms. Use it for forms.",
      "Fills forms. Use it for forms.",
    ]);
    assert.match(out, /^ {2}own {3}\(only for the user\) Mine\./m);
  });
  test("/compact summarizes, and the session says what of the skills stays", async () => {
    const lines = ["/compact", "/pdf", "/own", "/compact 100", "/skills", "/compact much"];
    const { code, out, err } = await chat(["--scripted"], lines);
    assert.equal(code, 1);
    assert.match(err, /^There is nothing to summarize yet\.$/m);
    assert.match(err, /^Summarized: \d+ of \d+ characters; kept: own; dropped: pdf$/m);
    assert.match(out, /^ {2}own {3}\(loaded, /m);
    assert.match(out, /^ {2}pdf {3}Fills/m);
    assert.match(err, /^\/compact takes a number of characters, or nothing\.$/m);
  });
  test("--json is a line for each line that was said", async () => {
    const { out } = await chat(["--scripted", "--json"], ["/pdf \u001b[2J", "/pfd", "/clear"]);
    const [skill, unknown, cleared, ...more] = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.equal(skill.line, "/pdf \u001b[2J");
    assert.equal(skill.skill.name, "pdf");
    assert.match(skill.text, /^I have "Forms"/);
    assert.match(unknown.error, /Did you mean/);
    assert.deepEqual(cleared.notes, ["A new conversation."]);
    assert.deepEqual(more, []);
    assert.ok(!out.includes("\u001b"));
  });
});

test("an interrupt ends a turn, and where there is none the chat", {
  skip: isWindows,
}, async () => {
  await using server = await modelServer(
    held(openaiEvents({ texts: ["I speak"] }).slice(0, -3)),
    events(openaiEvents({ texts: ["Heard."] })),
  );
  const child = start(["chat", "--url", server.url, "--model", "m"], { cwd: project() });
  const closed = once(child, "close");
  const said = (text: string): Promise<void> =>
    new Promise((resolve) => {
      let out = "";
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        out += chunk;
        if (out.includes(text)) resolve();
      });
    });
  const [begun, ended] = [said("I speak"), said("Heard.\n")];
  child.stdin.write("one\ntwo\n");
  await begun;
  child.kill("SIGINT");
  await ended;
  child.kill("SIGINT");
  assert.deepEqual(await closed, [130, null]);
  for (const request of server.requests) checkOpenai(request);
});

describe("which model", () => {
  for (const [args, variables, message] of [
    [["--scripted", "--model", "m"], {}, /--model does not go with --scripted/],
    [["--model", "m"], {}, /--model needs a provider: set ANTHROPIC_API_KEY or OPENAI_API_KEY/],
    [["--provider", "anthropic"], {}, /Set ANTHROPIC_API_KEY to your key/],
    [["--url", "http://127.0.0.1:1/v1"], {}, /Name one of that server's by --model/],
    [["--url", "ftp://127.0.0.1", "--model", "m"], {}, /--url is no URL like/],
    [["--url", `http://me:${KEY}@127.0.0.1`, "--model", "m"], {}, /has a name or password/],
    [[], { OPENAI_API_KEY: `${KEY}\n${KEY}` }, /OPENAI_API_KEY has characters that no key has/],
    [["--provider", "opanai"], {}, /Did you mean openai\?/],
    [["--context", "0"], {}, /--context takes a number of characters/],
  ] as const) {
    test(`${[...args, ...Object.keys(variables)].join(" ").replace(KEY, "…")} cannot be`, async () => {
      const { code, err } = await chat(args, ["hello"], variables);
      assert.equal(code, 2);
      assert.match(err, message);
      assert.ok(!err.includes(KEY));
    });
  }
  test("a server of one's own needs no key", async () => {
    await using server = await modelServer(events(openaiEvents({ texts: ["Yes"] })));
    const { OPENAI_BASE_URL } = { OPENAI_BASE_URL: `${server.url}/` };
    const { code, out } = await chat(["--model", "mine"], ["hello"], { OPENAI_BASE_URL });
    assert.deepEqual([code, out], [0, "Yes\n"]);
    assert.equal(server.requests[0]?.headers.authorization, undefined);
    assert.equal(server.requests[0]?.body.model, "mine");
  });
});

const PROVIDERS = [
  {
    name: "anthropic",
    args: (url: string) => ["--provider", "anthropic", "--url", url],
    variables: { ANTHROPIC_API_KEY: KEY },
    sent: anthropicEvents,
    check: checkAnthropic,
    keyOf: ({ headers }: Asked) => headers["x-api-key"],
    systemOf: ({ body }: Asked): string => body.system[0].text,
    failed: 'data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
  },
  {
    name: "openai",
    args: (url: string) => ["--url", url, "--model", "m"],
    variables: { OPENAI_API_KEY: KEY },
    sent: openaiEvents,
    check: checkOpenai,
    keyOf: ({ headers }: Asked) => headers.authorization?.replace("Bearer ", ""),
    systemOf: ({ body }: Asked): string => body.messages[0].content,
    failed: 'data: {"error":{"message":"Overloaded"}}\n\n',
  },
] as const;

for (const { name, args, variables, sent, check, ...of } of PROVIDERS) {
  describe(`with ${name}`, () => {
    const says = (...texts: string[]) => events(sent({ texts }));

    test("text as it comes; calls in pieces; their results go back", async () => {
      const calls = [{ name: "load_skill", arguments: '{"name": "pdf"}' }];
      await using server = await modelServer(
        events(sent({ texts: ["I look ", "first."], calls })),
        says("Do", "ne."),
      );
      const { code, out, err } = await chat(args(server.url), ["fill this form"], variables);
      assert.equal(code, 0, err);
      assert.equal(out, "I look first.\nDone.\n");
      assert.match(err, /^→ load_skill\(name: pdf\): \d+ characters$/m);
      const [first, second] = server.requests;
      assert.ok(first && second);
      assert.equal(of.keyOf(first), KEY);
      assert.match(of.systemOf(first), /^- pdf: Fills forms\./m);
      assert.equal(first.body.tools.length, 2);
      assert.match(JSON.stringify(lastOf(second)), /# Forms/);
      for (const request of server.requests) check(request);
    });
    test("with --json arguments are the value that was given, in any wire format", async () => {
      const calls = [
        { name: "load_skill", arguments: '{"name": "pdf"}' },
        { name: "load_skill", arguments: '{"name": ' },
      ];
      await using server = await modelServer(events(sent({ calls })), says("Done."));
      const { out } = await chat([...args(server.url), "--json"], ["go"], variables);
      const { calls: told } = JSON.parse(out);
      assert.deepEqual(
        told.map((call: { arguments: unknown }) => call.arguments),
        [{ name: "pdf" }, '{"name": '],
      );
    });
    test("parallel calls, one of an unknown tool, one with broken arguments, two with one id", async () => {
      const calls = [
        { id: "a", name: "load_skill", arguments: '{"name": "pdf"}' },
        { id: "b", name: "delete_all", arguments: "{}" },
        { id: "c", name: "load_skill", arguments: '{"name": ' },
        { id: "a", name: "load_skill", arguments: '{"name": "pdf"}' },
      ];
      await using server = await modelServer(events(sent({ calls })), says("Done."));
      const { code, out, err } = await chat(args(server.url), ["go"], variables);
      assert.equal(code, 0, err);
      assert.equal(out, "Done.\n");
      const lines = err.split("\n").filter((line) => line.startsWith("→"));
      assert.equal(lines.length, 4);
      assert.match(lines[1] ?? "", /^→ delete_all\(\): \d+ characters, an error: /);
      assert.match(lines[2] ?? "", /, an error: /);
      assert.match(JSON.stringify(server.requests[1]?.body), /already loaded/);
      for (const request of server.requests) check(request);
    });
    test("calls of one id are numbered; too many calls end the turn, and nothing is called", async () => {
      const call = { id: "a", name: "load_skill", arguments: '{"name": "pdf"}' };
      const calls = (count: number) => events(sent({ calls: Array(count).fill(call) }));
      await using server = await modelServer(
        calls(100),
        says("Done."),
        calls(20_000),
        says("Now."),
      );
      const { code, out, err } = await chat(args(server.url), ["go", "go", "go"], variables);
      assert.equal(code, 1);
      assert.equal(out, "Done.\nNow.\n");
      assert.equal(err.match(/^→ load_skill/gm)?.length, 100);
      assert.match(err, /^The model called more than 100 tools at once, so none of them was; /m);
      assert.match(JSON.stringify(server.requests[1]?.body), /"a_100"/);
      for (const request of server.requests) check(request);
    });
    test("joiners without end are shown as they come, and a long answer can be ended", async () => {
      const joiners = Array<string>(20_000).fill("\u200d".repeat(20));
      await using server = await modelServer(
        held(sent({ texts: joiners }).slice(0, -3)),
        says("Heard."),
      );
      const child = start(["chat", ...args(server.url)], { cwd: project(), variables });
      let out = "";
      const shown = new Promise<void>((resolve) => {
        child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
          out += chunk;
          if (out.length >= 399_000 * "\\u{200d}".length) resolve();
        });
      });
      const closed = once(child, "close");
      child.stdin.end("one\n");
      // All but a few are shown before the answer ends.
      await shown;
      child.kill("SIGINT");
      await closed;
      assert.equal(out, `${"\\u{200d}".repeat(400_000)}\n`);
    });
    test("an event has an end", async () => {
      const lines = `data: ${"x".repeat(1000)}\n`.repeat(100);
      await using server = await modelServer((response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const more = (): void => {
          while (!response.destroyed) if (!response.write(lines)) return;
        };
        response.on("drain", more);
        more();
      }, says("Again."));
      const { code, out, err } = await chat(args(server.url), ["go", "go"], variables);
      assert.deepEqual([code, out], [1, "Again.\n"]);
      assert.match(
        err,
        /^The answer of http:\/\/127\.0\.0\.1:\d+ broke off: an event has no end\.$/m,
      );
    });
    test("comments count as much as what they interrupt", async () => {
      const comments = `: ${"x".repeat(1000)}\n\n`.repeat(100);
      await using server = await modelServer((response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const more = (): void => {
          while (!response.destroyed) if (!response.write(comments)) return;
        };
        response.on("drain", more);
        more();
      }, says("Again."));
      const { code, out, err } = await chat(args(server.url), ["go", "go"], variables);
      assert.deepEqual([code, out], [1, "Again.\n"]);
      assert.match(err, /^The answer of http:.+ broke off: the answer has no end\.$/m);
    });
    test("what cannot be read is one line that says whose it is, and the conversation goes on", async () => {
      const deep = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
      const hostile = {
        anthropic: [
          `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"t","input":${deep}}}`,
          '{"type":"message_stop"}',
        ],
        openai: [
          `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"t","arguments":${deep}}}]},"finish_reason":"tool_calls"}]}`,
        ],
      }[name];
      const odd = {
        anthropic: '{"type":"content_block_delta","index":{"toString":1},"delta":{}}',
        openai:
          '{"choices":[{"delta":{"tool_calls":[{"index":{"toString":1},"id":{}}]},"finish_reason":"stop"}]}',
      }[name];
      const sentAs = (texts: readonly string[]) => events(texts.map((text) => `data: ${text}\n\n`));
      await using server = await modelServer(
        sentAs(hostile),
        says("Again."),
        sentAs([odd]),
        says("Now."),
      );
      const { code, out, err } = await chat(args(server.url), ["go", "go", "go", "go"], variables);
      assert.equal(code, 1);
      assert.equal(out.replaceAll("\n", ""), "Again.Now.");
      assert.match(err, /^http:\/\/127\.0\.0\.1:\d+ sent what cannot be read: .+\.$/m);
      assert.doesNotMatch(err, /^(Maximum|Cannot convert)/m);
    });
    test("arguments that can be read and not written are told as text, or refused", async () => {
      const deep = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
      const calls = events(sent({ calls: [{ name: "load_skill", arguments: deep }] }));
      const more = name === "openai" ? [says("Done.")] : [];
      await using server = await modelServer(calls, ...more, calls, ...more);
      const { out } = await chat([...args(server.url), "--json"], ["go"], variables);
      const { calls: told, error } = JSON.parse(out);
      const shown = await chat(args(server.url), ["go"], variables);
      assert.match(shown.err, name === "openai" ? /^→ load_skill\(\{"a":\{/m : /nested too deeply/);
      // Of one provider the arguments are text anyway, of the other a value that is sent back.
      if (name === "openai") assert.deepEqual([told[0].arguments, error], [deep, undefined]);
      else assert.match(error, /^http:.+ sent what cannot be read: it is nested too deeply\.$/);
    });
    test("of a key nothing is told that says it, wherever the words are cut", async () => {
      const some = KEY.slice(0, 12);
      await using server = await modelServer(
        status(400, "x".repeat(300 - KEY.length + 1) + KEY),
        status(400, `${some} and ${KEY.slice(0, -1)}`),
        events([`data: ${"{".repeat(60 - KEY.length + 1)}${KEY}\n\n`]),
      );
      const { code, err } = await chat(args(server.url), ["go", "go", "go"], variables);
      assert.equal(code, 1);
      assert.match(err, /x{281}…$/m);
      assert.match(err, /answered 400: … and …$/m);
      assert.match(err, /no JSON: \{{41}…$/m);
      assert.ok(!err.includes(KEY.slice(0, 8)));
    });
    test("a connection that drops in the middle is one line, and the conversation goes on", async () => {
      const calls = [{ name: "load_skill", arguments: '{"name": "pdf"}' }];
      const whole = sent({ texts: ["I beg"], calls });
      await using server = await modelServer(dropped(whole.slice(0, -3)), says("Again."));
      const { code, out, err } = await chat(args(server.url), ["go", "go on"], variables);
      assert.equal(code, 1);
      assert.equal(out, "I beg\nAgain.\n");
      assert.match(err, /^The answer of http:\/\/127\.0\.0\.1:\d+ broke off\b.*\.$/m);
      assert.match(JSON.stringify(server.requests[1]?.body.messages), /I beg/);
      for (const request of server.requests) check(request);
    });
    test("a stream that ends too early is no answer", async () => {
      await using server = await modelServer(events(sent({ texts: ["I"] }).slice(0, -3)));
      const { code, err } = await chat(args(server.url), ["go"], variables);
      assert.equal(code, 1);
      assert.match(err, /broke off\.$/m);
    });
    test("what a provider refuses is one line each, without the key, and the chat goes on", async () => {
      await using server = await modelServer(
        status(401, `Incorrect API key provided: ${KEY.slice(0, 8)}`),
        status(400, `What is\n${KEY}?`),
        status(404, "no such model"),
        status(429, "too many", { "retry-after": "3600" }),
        events([of.failed]),
        events(["data: {no json\n\n"]),
        (response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hi</h1>"),
        (response) => response.writeHead(302, { location: `${server.url}/elsewhere` }).end(),
        says("At last."),
      );
      const lines = Array.from({ length: 9 }, (_, index) => `line ${index}`);
      const { code, out, err } = await chat(args(server.url), lines, variables);
      assert.equal(code, 1);
      assert.equal(out, "At last.\n");
      assert.equal(server.requests.length, 9);
      const at = "http://127\\.0\\.0\\.1:\\d+";
      for (const line of [
        `${at} does not take the key \\(401\\): check ${Object.keys(variables)[0]}\\.`,
        `${at} answered 400: What is …\\?`,
        `${at} answered 404: no such model Are the model and the URL right\\?`,
        `${at} answered 429: too many Try again after: 3600\\.`,
        `${at} reports: Overloaded`,
        `${at} sent an event that is no JSON: \\{no json`,
        `${at} answered with text/html, not with a stream of events; is the URL right\\?`,
        `Cannot reach ${at}: .*redirect.*`,
      ]) {
        assert.match(err, new RegExp(`^${line}$`, "m"));
      }
      assert.ok(!`${out}${err}`.includes(KEY.slice(0, 8)));
      for (const request of server.requests) check(request);
    });
    test("who wants to be asked later is asked later", async () => {
      await using server = await modelServer(
        status(429, "too many", { "retry-after": "0" }),
        status(503, "not now", { "retry-after": "0" }),
        says("Now."),
      );
      const { code, out, err } = await chat(args(server.url), ["go"], variables);
      assert.deepEqual([code, out], [0, "Now.\n"]);
      assert.match(err, /wants fewer requests \(429\); asking again in 0 s$/m);
      assert.match(err, /has a problem \(503\); asking again in 0 s$/m);
    });
    test("no text of a model, a call or a provider is obeyed", async () => {
      const hostile = "\u001b]0;owned\u0007\u001b[2J\u202e";
      const calls = [
        { name: `load_skill${hostile}`, arguments: JSON.stringify({ name: hostile }) },
      ];
      await using server = await modelServer(
        events(sent({ texts: ["safe \u001b", "[2J", hostile, "\ud83d", "\ude00 \r\nend"], calls })),
        status(400, hostile),
      );
      const { out, err } = await chat(args(server.url), ["go"], variables);
      assert.doesNotMatch(out + err, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      assert.match(
        out,
        /^safe \\u\{1b\}\[2J\\u\{1b\}\]0;owned\\u\{7\}\\u\{1b\}\[2J\\u\{202e\}😀 \nend$/m,
      );
    });
    test("a conversation that is longer than --context is summarized", async () => {
      await using server = await modelServer(
        says("x".repeat(300)),
        says("All was x."),
        says("Yes."),
      );
      const options = [...args(server.url), "--context", "200"];
      const { code, err } = await chat(options, ["/pdf and more", "so?"], variables);
      assert.equal(code, 0, err);
      assert.match(err, /^Summarized: \d+ of \d+ characters; (kept|dropped): pdf$/m);
      const [, summary, next] = server.requests;
      assert.ok(summary && next);
      assert.match(JSON.stringify(summary.body.messages), /User: \/pdf and more/);
      assert.equal(summary.body.tools, undefined);
      assert.match(JSON.stringify(next.body.messages), /<summary>\\nAll was x\.\\n<\/summary>/);
      for (const request of server.requests) check(request);
    });
    test("a summary is written from all but the texts of skills and of their files", async () => {
      const read = (path: string) => ({
        name: "read_skill_file",
        arguments: JSON.stringify({ skill: "pdf", path }),
      });
      const calls = [read("references/a.md"), read("no.md")];
      await using server = await modelServer(
        events(sent({ calls })),
        says("Read."),
        says("All was read."),
      );
      const lines = ["/pdf these forms", "/compact"];
      const { code, err } = await chat(args(server.url), lines, variables);
      assert.equal(code, 0, err);
      const [asked] = server.requests.slice(-1);
      assert.ok(asked);
      const told = JSON.stringify(lastOf(asked));
      assert.match(told, /User: \/pdf these forms/);
      assert.match(told, /Result of read_skill_file: a file of a skill, left out/);
      assert.match(told, /Result of read_skill_file: There is no file/);
      assert.match(told, /Agent: Read\./);
      assert.doesNotMatch(told, /# Forms|All of the fields/);
    });
    test("a summary without a word is none, and the conversation stays", async () => {
      await using server = await modelServer(says("Yes."), says(" "), says("4711."));
      const lines = ["remember 4711", "/compact", "what was it?"];
      const { code, out, err } = await chat(args(server.url), lines, variables);
      assert.deepEqual([code, out], [1, "Yes.\n4711.\n"]);
      assert.match(err, /^The model gave no summary, so the conversation stays as it is\.$/m);
      assert.match(JSON.stringify(server.requests[2]?.body.messages), /remember 4711/);
      for (const request of server.requests) check(request);
    });
    test("a server that is not there is one line", async () => {
      const server = await modelServer();
      await server[Symbol.asyncDispose]();
      const { code, err } = await chat(args(server.url), ["go", "go"], variables);
      assert.equal(code, 1);
      assert.equal(
        err.match(/^Cannot reach http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED.*$/gm)?.length,
        2,
      );
    });
  });
}
