// `skillshelf mcp`, from the package alone, as the official client and unfriendly ones see it.

import assert from "node:assert/strict";
import { once } from "node:events";
import { renameSync } from "node:fs";
import { createRequire } from "node:module";
import { connect, createServer } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, describe, test } from "node:test";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { folder, write } from "./support/folder.js";
import {
  clientAt,
  clientOfCommand,
  commandAlone,
  MODES,
  startServing,
  textOf,
  trapping,
  until,
} from "./support/mcp-clients.mjs";

const skill = (name, body = "Do it.", more = "") =>
  `---\nname: ${name}\ndescription: Does ${name}. Use it.\n${more}---\n${body}\n`;

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  },
};
const request = (id, method, params = {}) => ({ jsonrpc: "2.0", id, method, params });
const line = (message) => `${JSON.stringify(message)}\n`;

const running = new Set();
after(() => {
  for (const program of running) program.kill("SIGKILL");
});

/** The command, and all that it says. */
function started(args, cwd, nodeOptions) {
  const program = startServing(args, cwd, nodeOptions);
  running.add(program);
  const said = { program, out: "", err: "" };
  for (const stream of ["out", "err"]) {
    program[`std${stream}`].setEncoding("utf8").on("data", (part) => {
      said[stream] += part;
    });
  }
  program.stdin.on("error", () => {});
  said.closed = once(program, "close").then(([code, signal]) => signal ?? code);
  return said;
}

/** The command over HTTP, and where it serves. */
async function overHttp(args, cwd) {
  const said = started(["--http", ...args], cwd);
  await until(() => said.out.includes("\n") || said.program.exitCode !== null, 60_000);
  return { ...said, url: said.out.trim(), said };
}

const names = async (client) => (await client.listPrompts()).prompts.map(({ name }) => name);

describe("what is served", () => {
  test("it needs no other package", async () => {
    const { resolve } = createRequire(commandAlone());
    for (const peer of ["@modelcontextprotocol/server", "zod"]) assert.throws(() => resolve(peer));
    const root = folder({ "one/SKILL.md": skill("one"), "one/a.md": "A" });
    for (const mode of MODES) {
      const { client } = await clientOfCommand([root], mode);
      const skills = new SkillsClient(client);
      const [entry] = (await skills.list()).skills;
      assert.ok((await skills.read(entry, "a.md")).verified);
      const loaded = await client.callTool({ name: "load_skill", arguments: { name: "one" } });
      assert.match(textOf(loaded), /Do it/);
      assert.equal(client.getServerVersion().name, "skillshelf");
      await client.close();
    }
  });

  test("folders by --root, repeated, and as arguments; ./skills; the project's own where it is trusted", async () => {
    const cwd = folder({
      ".git/HEAD": "",
      "skills/usual/SKILL.md": skill("usual"),
      ".agents/skills/theirs/SKILL.md": skill("theirs"),
      "a/one/SKILL.md": skill("one", "From a."),
      "b/one/SKILL.md": skill("one", "From b."),
      "b/two/SKILL.md": skill("two"),
    });
    for (const [args, expected] of [
      [
        ["--root", "a", "--root=b"],
        ["one", "two"],
      ],
      [
        ["b", "a"],
        ["one", "two"],
      ],
      [[], ["usual"]],
      [["--trust"], ["theirs", "usual"]],
    ]) {
      const { url, program, closed } = await overHttp(args, cwd);
      const { client } = await clientAt(url);
      assert.deepEqual((await names(client)).toSorted(), expected);
      if (expected[0] === "one") {
        const { messages } = await client.getPrompt({ name: "one" });
        assert.equal(messages[0].content.text, args[0] === "b" ? "From b." : "From a.");
      }
      program.kill("SIGTERM");
      assert.equal(await closed, 0);
    }
  });

  test("no skill at all, until there is one", async () => {
    const root = folder();
    let onChanged;
    const told = new Promise((resolve) => {
      onChanged = resolve;
    });
    const { client } = await clientOfCommand([root], "legacy", {
      listChanged: { prompts: { autoRefresh: false, debounceMs: 0, onChanged } },
    });
    assert.deepEqual(await names(client), []);
    write(root, "one/SKILL.md", skill("one"));
    await told;
    assert.deepEqual(await names(client), ["one"]);
  });

  test("prompts fill their arguments where that is said", async () => {
    const root = folder({ "one/SKILL.md": skill("one", "Do $1.") });
    for (const [args, text] of [
      [[], "Do $1.\n\nthat"],
      [["--arguments"], "Do that."],
    ]) {
      const { client } = await clientOfCommand([root, ...args]);
      const { messages } = await client.getPrompt({
        name: "one",
        arguments: { arguments: "that" },
      });
      assert.equal(messages[0].content.text, text);
      await client.close();
    }
  });

  test("who may ask over HTTP is this machine, or who is named", async () => {
    const root = folder({ "one/SKILL.md": skill("one") });
    const status = async (url, headers) => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      const body = JSON.stringify(INITIALIZE);
      socket.end(
        `POST /mcp HTTP/1.1\r\nconnection: close\r\ncontent-type: application/json\r\n` +
          `accept: application/json, text/event-stream\r\ncontent-length: ${body.length}\r\n` +
          `${headers.join("\r\n")}\r\n\r\n${body}`,
      );
      const [answer] = await once(socket.setEncoding("utf8"), "data");
      socket.destroy();
      return Number(answer.split(" ")[1]);
    };
    const everywhere = await overHttp(["--host", "0.0.0.0", root]);
    assert.match(everywhere.url, /^http:\/\/localhost:\d+\/mcp$/);
    await until(() => everywhere.said.err.includes("\n"));
    assert.match(
      everywhere.said.err,
      /^Only requests to localhost are answered: add --allow-host NAME/,
    );
    assert.equal(
      await status(everywhere.url.replace("localhost", "127.0.0.1"), ["host: localhost"]),
      200,
    );
    const here = await overHttp([root]);
    assert.doesNotMatch(here.said.err, /--allow-host/);
    assert.match(here.url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    assert.equal(await status(here.url, ["host: localhost"]), 200);
    assert.equal(await status(here.url, ["host: evil.example"]), 403);
    // A page could not say so of itself; of its origin it can.
    const refused = await fetch(here.url, {
      method: "POST",
      headers: { origin: "http://a.example" },
    });
    assert.match(
      await refused.text(),
      /not among those that may ask the server \(--allow-origin\)/,
    );
    assert.equal(await status(here.url, ["host: localhost", "origin: https://evil.example"]), 403);
    const misnamed = started(["--http", "--allow-origin", "https://app.example", root]);
    assert.equal(await misnamed.closed, 2);
    assert.match(misnamed.err, /"https:\/\/app\.example", which is no name of a host/);
    const named = await overHttp([
      ...["--host", "127.0.0.1", "--allow-host", "a.example", "--allow-host=b.example"],
      ...["--allow-origin", "app.example", root],
    ]);
    assert.equal(await status(named.url, ["host: b.example", "origin: https://app.example"]), 200);
    assert.equal(await status(named.url, ["host: localhost"]), 403);
    assert.equal(await status(named.url, ["host: a.example", "origin: http://localhost"]), 403);
  });
});

test("a skill that a client does not get in a list is told once, with its code", async () => {
  const root = folder({
    "one/SKILL.md": skill("one"),
    "two/SKILL.md": skill("two", "", "license: [x\n"),
  });
  const { url, said } = await overHttp([root]);
  const { client } = await clientAt(url, "legacy");
  const skills = new SkillsClient(client);
  for (let time = 0; time < 2; time += 1) {
    const { skills: listed } = await skills.list();
    assert.deepEqual(
      listed.map(({ frontmatter }) => frontmatter.name),
      ["one"],
    );
  }
  await client.close();
  said.program.kill("SIGTERM");
  await said.closed;
  const lines = said.err.split("\n").filter((line) => line.includes("[not-published]"));
  assert.equal(lines.length, 1, said.err);
  assert.match(lines[0], /two\/SKILL\.md: warning: MCP clients do not list the skill: /);
});

describe("the standard output", () => {
  test("has messages of the protocol alone, whatever happens", async () => {
    const root = folder({
      "one/SKILL.md": skill("one"),
      "broken/SKILL.md": "---\nname: broken\n---\n",
      "odd/SKILL.md": skill("odd", "", "version: [1]\n"),
    });
    const said = started([root]);
    const { program } = said;
    const messages = [];
    createInterface({ input: program.stdout }).on("line", (text) =>
      messages.push(JSON.parse(text)),
    );
    program.stdin.write(`${line(INITIALIZE)}no JSON\n{}\n[]\n\n\u0000\n{"jsonrpc":"2.0"}\n`);
    program.stdin.write(line({ jsonrpc: "2.0", method: "notifications/initialized" }));
    program.stdin.write(line(request(2, "nonsense")));
    program.stdin.write(line(request(3, "tools/call", { name: "load_skill", arguments: 7 })));
    program.stdin.write(line(request(4, "resources/read", { uri: "skill://one/../../x" })));
    await until(() => [1, 2, 3, 4].every((id) => messages.some((it) => it.id === id)));
    write(root, "two/SKILL.md", skill("two"));
    await until(() => messages.some(({ method }) => method?.endsWith("/list_changed")));
    for (const { jsonrpc } of messages) assert.equal(jsonrpc, "2.0");
    program.stdin.end();
    assert.equal(await said.closed, 0);
    assert.match(said.err, /^.*broken.*description-missing/);
    assert.match(said.err, /^2 skills from 1 folder, 1 error/m);
    assert.match(said.err, /^\+ two$/m);
  });

  test("of one who reads no errors is not held up by them", { timeout: 60_000 }, async () => {
    const root = folder({ "one/SKILL.md": skill("one") });
    const program = startServing([root], undefined, trapping());
    running.add(program);
    // The standard error output is never read: a full pipe would stop whoever writes into it.
    const messages = [];
    createInterface({ input: program.stdout }).on("line", (text) =>
      messages.push(JSON.parse(text)),
    );
    program.stdin.write(line(INITIALIZE));
    await until(() => messages.length === 1);
    const load = { name: "load_skill", arguments: { name: "one" } };
    let id = 1;
    const call = () => {
      id += 1;
      program.stdin.write(`no JSON\n{"no":"message"}\n${line(request(id, "tools/call", load))}`);
    };
    program.kill("SIGUSR2");
    await until(async () => {
      call();
      await until(() => messages.length === id);
      return messages.at(-1).result.isError;
    });
    for (let count = 0; count < 1000; count += 1) call();
    await until(() => messages.length === id, 50_000);
    program.stdin.end();
    let said = "";
    program.stderr.setEncoding("utf8").on("data", (part) => {
      said += part;
    });
    assert.deepEqual(await once(program, "close"), [0, null]);
    assert.match(said, /The WebAssembly module failed/);
    assert.match(said, /\nMore is not told\.\n$/);
    assert.ok(said.length < 12_000, `${said.length}`);
  });

  test("is there although the standard error output was closed", async () => {
    const program = startServing([folder({ "one/SKILL.md": skill("one") })]);
    running.add(program);
    program.stderr.destroy();
    program.stdin.write(line(INITIALIZE));
    const [answer] = await once(program.stdout.setEncoding("utf8"), "data");
    assert.equal(JSON.parse(answer).id, 1);
    program.stdin.end();
    assert.deepEqual(await once(program, "close"), [0, null]);
  });
});

test("a failure of the module is over with the next answer", async () => {
  const root = folder({ "one/SKILL.md": skill("one") });
  const said = started(["--http", root], undefined, trapping());
  await until(() => said.out.includes("\n"), 60_000);
  const clients = [];
  for (const mode of MODES) clients.push((await clientAt(said.out.trim(), mode)).client);
  const load = async (client) =>
    textOf(await client.callTool({ name: "load_skill", arguments: { name: "one" } }));
  for (const client of clients) assert.match(await load(client), /Do it/);
  said.program.kill("SIGUSR2");
  await until(async () => !/Do it|already loaded/.test(await load(clients[0])));
  said.program.kill("SIGUSR2");
  for (const client of clients) {
    await until(async () => /Do it|already loaded/.test(await load(client)));
    assert.deepEqual(await names(client), ["one"]);
  }
  assert.match(said.err, /The WebAssembly module failed/);
});

describe("the end", () => {
  const root = () => folder({ "one/SKILL.md": skill("one") });

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    test(`comes with ${signal}, over pipes and HTTP`, async () => {
      const { program, url, closed } = await overHttp([root()]);
      const { client } = await clientAt(url);
      await client.listTools();
      program.kill(signal);
      assert.equal(await closed, 0);
      const said = started([root()]);
      said.program.stdin.write(line(INITIALIZE));
      await until(() => said.out.includes("\n"));
      // The client still has its ends of the pipes open.
      said.program.kill(signal);
      assert.equal(await said.closed, 0);
      assert.equal(said.err, "1 skill from 1 folder\n");
    });
  }

  test("comes with the client's", async () => {
    const said = started([root()]);
    said.program.stdin.write(line(INITIALIZE));
    await until(() => said.out.includes("\n"));
    said.program.stdin.end();
    assert.equal(await said.closed, 0);
    const before = started([root()]);
    before.program.stdin.end();
    assert.equal(await before.closed, 0);
    assert.equal(before.out, "");
  });

  test("comes when the client vanishes in the middle of an answer", async () => {
    const large = folder({
      "one/SKILL.md": skill("one"),
      "one/large.txt": "x".repeat(3_000_000),
    });
    const program = startServing([large]);
    running.add(program);
    program.stdin.on("error", () => {});
    program.stdin.write(line(INITIALIZE));
    for (let id = 2; id < 30; id += 1) {
      program.stdin.write(line(request(id, "resources/read", { uri: "skill://one/large.txt" })));
    }
    await once(program.stdout, "data");
    program.stdout.destroy();
    program.stdin.destroy();
    program.stderr.resume();
    const [code] = await once(program, "close");
    assert.equal(code, 0);
  });

  for (const [what, end] of [
    ["the client ends its input", (program) => program.stdin.end()],
    ["it is told to end", (program) => program.kill("SIGTERM")],
  ]) {
    test(`comes although nobody reads its answers, when ${what}`, async () => {
      const large = folder({
        "one/SKILL.md": skill("one"),
        "one/large.txt": "x".repeat(3_000_000),
      });
      const program = startServing([large]);
      running.add(program);
      let said = "";
      program.stderr.setEncoding("utf8").on("data", (part) => {
        said += part;
      });
      program.stdin.on("error", () => {});
      program.stdin.write(line(INITIALIZE));
      for (let id = 2; id < 100; id += 1) {
        program.stdin.write(line(request(id, "resources/read", { uri: "skill://one/large.txt" })));
      }
      // A large answer has begun, and comes as far as it gets without a reader.
      program.stdout.on("readable", () => {});
      await until(() => program.stdout.readableLength > 16_000);
      end(program);
      assert.deepEqual(await once(program, "exit"), [0, null]);
      assert.equal(said, "1 skill from 1 folder\n");
    });
  }

  test("comes for a line without an end", { timeout: 60_000 }, async () => {
    const said = started([root()]);
    const { stdin } = said.program;
    const part = "x".repeat(1024 * 1024);
    let isOver = false;
    const closed = said.closed.finally(() => {
      isOver = true;
    });
    for (let sent = 0; sent < 100 && !isOver; sent += 1) {
      const taken = new Promise((resolve) => stdin.once("drain", resolve));
      if (!stdin.write(part)) await Promise.race([taken, closed]);
    }
    assert.equal(await closed, 0);
  });
});

describe("a server over HTTP", () => {
  test("serves many clients at once", { timeout: 120_000 }, async () => {
    const { url, program, closed } = await overHttp([folder({ "one/SKILL.md": skill("one") })]);
    const clients = await Promise.all(
      Array.from({ length: 30 }, (_, at) => clientAt(url, MODES[at % 2])),
    );
    await Promise.all(
      clients.map(async ({ client }, at) => {
        const load = async () =>
          textOf(await client.callTool({ name: "load_skill", arguments: { name: "one" } }));
        assert.match(await load(), /Do it/);
        assert.match(await load(), at % 2 === 0 ? /already loaded/ : /Do it/);
      }),
    );
    program.kill("SIGTERM");
    assert.equal(await closed, 0);
  });

  test("keeps no session of clients that have ended theirs", { timeout: 120_000 }, async () => {
    const { url } = await overHttp([folder({ "one/SKILL.md": skill("one") })]);
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const body = JSON.stringify(INITIALIZE);
    // More than there may be at a time.
    for (let count = 0; count < 1050; count += 50) {
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const begun = await fetch(url, { method: "POST", headers, body });
          assert.equal(begun.status, 200);
          const session = { "mcp-session-id": begun.headers.get("mcp-session-id") };
          await begun.text();
          await fetch(url, { method: "DELETE", headers: { ...headers, ...session } });
        }),
      );
    }
  });

  test("goes on when clients vanish in the middle of a call", async () => {
    const { url, said } = await overHttp([
      folder({ "one/SKILL.md": skill("one"), "one/large.txt": "x".repeat(3_000_000) }),
    ]);
    const { client, transport } = await clientAt(url);
    const body = JSON.stringify(request(9, "resources/read", { uri: "skill://one/large.txt" }));
    for (let count = 0; count < 100; count += 1) {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.on("error", () => {});
      await once(socket, "connect");
      const head =
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n" +
        "accept: application/json, text/event-stream\r\n" +
        `mcp-session-id: ${transport.sessionId}\r\ncontent-length: ${body.length}\r\n\r\n`;
      // Some leave before all was sent, some with an answer on its way.
      socket.write(count % 3 === 0 ? head + body.slice(0, 20) : head + body);
      if (count % 3 === 1) await once(socket, "data");
      socket.destroy();
    }
    const loaded = await client.callTool({ name: "load_skill", arguments: { name: "one" } });
    assert.match(textOf(loaded), /Do it/);
    assert.equal(said.err, "1 skill from 1 folder\n");
  });

  test("goes on when its folder vanishes, and comes back", { timeout: 60_000 }, async () => {
    const root = folder({ "skills/one/SKILL.md": skill("one"), "skills/one/a.md": "A" });
    const { url, said } = await overHttp([path.join(root, "skills")]);
    const clients = [];
    for (const mode of MODES) clients.push((await clientAt(url, mode)).client);
    renameSync(path.join(root, "skills"), path.join(root, "elsewhere"));
    for (const client of clients) {
      const gone = await client.callTool({ name: "load_skill", arguments: { name: "one" } });
      assert.equal(gone.isError, true);
      assert.ok(!textOf(gone).includes(root), textOf(gone));
      await until(async () => (await names(client)).length === 0);
    }
    renameSync(path.join(root, "elsewhere"), path.join(root, "skills"));
    for (const client of clients) {
      await until(async () => (await names(client)).length === 1);
      const back = await client.callTool({ name: "load_skill", arguments: { name: "one" } });
      assert.match(textOf(back), /Do it/);
    }
    assert.match(said.err, /^− one$/m);
    assert.match(said.err, /^\+ one$/m);
  });
});

describe("what cannot be served", () => {
  const cwd = folder({ "skills/one/SKILL.md": skill("one"), file: "" });
  for (const [args, message, code = 2] of [
    [["nowhere"], /There is no folder nowhere/],
    [["--root", "file"], /file is a file, not a folder/],
    [["--http", "x"], /There is no folder x/],
    [["--http=x"], /--http takes PORT or nothing, not "x"\./],
    [["--http="], /--http takes PORT or nothing, not ""\./],
    [["--http", "65536"], /port must be at most 65535/],
    [["--http", "99999999999999999999"], /port must be/],
    [["--host", "::1"], /--host goes with --http/],
    [["--allow-host", "a"], /--allow-host goes with --http/],
    [["--allow-origin", "a"], /--allow-origin goes with --http/],
    [["--htp"], /mcp has no option --htp\. Did you mean --http\?/],
    [["--http", "--host", "no such host"], /cannot listen at no such host/, 1],
  ]) {
    test(args.join(" "), async () => {
      const said = started(args, cwd);
      assert.equal(await said.closed, code);
      assert.match(said.err, message);
      assert.equal(said.out, "");
    });
  }

  test("a port that is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const said = started(["--http", String(other.address().port), "skills"], cwd);
    assert.equal(await said.closed, 1);
    assert.match(said.err, /EADDRINUSE.*choose another port/);
    assert.doesNotMatch(said.err, /at .*\.js:/);
    other.close();
  });

  test("a port that is free is the one that was said", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address();
    await new Promise((resolve) => other.close(resolve));
    const { url } = await overHttp([String(port), "skills"], cwd);
    assert.equal(url, `http://127.0.0.1:${port}/mcp`);
  });
});
