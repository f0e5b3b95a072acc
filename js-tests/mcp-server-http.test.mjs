// Skills served over streamable HTTP, on real sockets: who may ask, how much, and for how long.

import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { loadSkills, memoryHost } from "skillshelf";
import { createSkillServer } from "skillshelf/mcp";
import { clientAt, failure, MODES, textOf, until } from "./support/mcp-clients.mjs";

const FILES = {
  "pdf/SKILL.md": "---\nname: pdf\ndescription: Fills forms.\n---\nFill.\n",
  "pdf/large.txt": "x".repeat(4_000_000),
};
const ACCEPT = "application/json, text/event-stream";
const JSON_TYPE = { "content-type": "application/json", accept: ACCEPT };
const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  },
});

const PING = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });

const open = [];
after(async () => {
  for (const one of open) await one.close();
});

/** A server that listens, and what it reports. */
async function listening(http = {}, place = {}) {
  const failures = [];
  const catalog = await loadSkills({ host: memoryHost(FILES) });
  const server = await createSkillServer(catalog, {
    http,
    onError: (error) => failures.push(error),
  });
  open.push(server);
  const { url, close } = await server.listen(place);
  return { server, url, close, failures, port: Number(new URL(url).port) };
}

/** A request of the newest revision, which has no session. */
function withoutSession(method, params = {}, name = undefined) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const headers = {
    ...JSON_TYPE,
    host: "localhost",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name !== undefined && { "mcp-name": name }),
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } });
  return new Request("http://localhost/mcp", { method: "POST", headers, body });
}

/** Resolves with the event, whatever goes wrong beside it. */
const event = (emitter, name) => new Promise((resolve) => emitter.once(name, resolve));

/** A request as it is, headers of browsers included: the status, and the message of an error. */
function ask(url, { headers = {}, method = "POST", body = INITIALIZE } = {}) {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers: { ...JSON_TYPE, ...headers } });
    request.on("response", async (response) => {
      let text = "";
      for await (const part of response.setEncoding("utf8")) text += part;
      const { statusCode: status, headers: answered } = response;
      let message = "";
      try {
        ({ message } = JSON.parse(text).error);
      } catch {}
      resolve({ status, message, text, session: answered["mcp-session-id"], headers: answered });
    });
    request.on("error", reject);
    request.end(method === "GET" || method === "DELETE" ? undefined : body);
  });
}

describe("who may ask", () => {
  let url;
  let server;
  let failures;
  before(async () => {
    ({ url, server, failures } = await listening());
  });

  it("is this machine alone, where nothing else is said", () => {
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  });

  for (const [what, headers, status] of [
    ["no page", {}, 200],
    ["a page of this machine", { origin: "http://localhost:5173" }, 200],
    ["a page of this machine by its address", { origin: "http://127.0.0.1" }, 200],
    ["the name localhost", { host: "localhost:1" }, 200],
    ["the address of version 6", { host: "[::1]:1" }, 200],
    ["a page elsewhere", { origin: "https://evil.example" }, 403],
    ["a page with a name like it", { origin: "http://localhost.evil.example" }, 403],
    ["a page without an origin of its own", { origin: "null" }, 403],
    ["an origin that is none", { origin: "evil" }, 403],
    ["a name that leads here", { host: "evil.example" }, 403],
    [
      "a name that leads here, with its page",
      { host: "evil.example", origin: "http://evil.example" },
      403,
    ],
    ["a host that is none", { host: "a b" }, 403],
    ...["localhost?.evil.example", "localhost#.evil.example", "localhost\\.evil.example"]
      .concat(
        "localhost/evil.example",
        "evil.example@localhost",
        "localhost:80:80",
        "[::1].evil.example",
      )
      .flatMap((host) => [
        [`what a reader of URLs would cut to this machine's name, ${host}`, { host }, 403],
        [`a page of ${host}`, { origin: `http://${host}` }, 403],
      ]),
    ["another type of content, as pages may send", { "content-type": "text/plain" }, 415],
    ["a form, as pages may send", { "content-type": "application/x-www-form-urlencoded" }, 415],
  ]) {
    it(`answers ${status} to ${what}`, async () => {
      for (const method of ["POST", "GET", "DELETE"]) {
        const answer = await ask(url, { headers, method });
        if (method === "POST") assert.equal(answer.status, status);
        else if (status === 403) assert.equal(answer.status, status, method);
        else assert.equal(answer.status, 400, method);
        if (status === 403) {
          assert.match(answer.message, /http\.(hosts|origins)/);
          assert.equal(answer.session, undefined);
        }
      }
    });
  }

  it("is whom the developer names", async () => {
    const named = await listening({ hosts: ["skills.example"], origins: ["app.example"] });
    const host = "skills.example:8080";
    const status = async (headers) => (await ask(named.url, { headers })).status;
    assert.equal(await status({ host, origin: "https://app.example" }), 200);
    assert.equal(await status({ host }), 200);
    assert.equal(await status({ host, origin: "http://localhost" }), 403);
    assert.equal(await status({}), 403);
  });

  it("is who asks at the address at which it listens", async (context) => {
    const { server } = await listening();
    let place;
    try {
      place = await server.listen({ host: "127.0.0.2" });
    } catch {
      context.skip("this system has one address of its own");
      return;
    }
    assert.match(place.url, /^http:\/\/127\.0\.0\.2:/);
    assert.equal((await ask(place.url)).status, 200);
    const origin = "https://evil.example";
    assert.equal((await ask(place.url, { headers: { origin } })).status, 403);
    assert.equal((await ask(place.url, { headers: { host: "evil.example" } })).status, 403);
    // But where the developer has said who may ask, that holds.
    const named = await listening({ hosts: ["skills.example"] }, { host: "127.0.0.2" });
    assert.equal((await ask(named.url)).status, 403);
  });

  it("is named by the URL where all addresses are listened at", async () => {
    for (const [options, name] of [
      [{}, "localhost"],
      [{ hosts: ["a.example", "b.example"] }, "a.example"],
    ]) {
      const { server } = await listening(options);
      const { url } = await server.listen({ host: "0.0.0.0" });
      assert.equal(new URL(url).hostname, name);
      const here = url.replace(name, "127.0.0.1");
      const host = new URL(url).host;
      assert.equal((await ask(here, { headers: { host } })).status, 200);
    }
  });

  it("says whom it asks, also in the oldest form of a request", async () => {
    const { port } = new URL(url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.end(
      `POST /mcp HTTP/1.0\r\ncontent-type: application/json\r\naccept: ${ACCEPT}\r\n` +
        `content-length: ${INITIALIZE.length}\r\n\r\n${INITIALIZE}`,
    );
    const [answer] = await once(socket.setEncoding("utf8"), "data");
    socket.destroy();
    assert.match(answer, /^HTTP\/1\.1 400 /);
  });

  it("is found at one path", async () => {
    for (const path of ["/", "/mcp/", "/mcp/x", "/MCP"]) {
      assert.equal((await ask(new URL(path, url))).status, 404, path);
    }
    const other = await listening({}, { path: "/a/b" });
    assert.equal((await ask(other.url)).status, 200);
    assert.equal((await ask(`${other.url}?x=1`)).status, 200);
  });

  it("is not held up by nonsense", async () => {
    for (const body of ["", "{", "null", "[]", "7", '"x"', "[null]", '{"jsonrpc":"2.0"}', "\0"]) {
      const { status, text } = await ask(url, { body });
      assert.ok(status >= 400 && status < 500, `${body}: ${status}`);
      assert.doesNotMatch(text, /\/tmp\/|node_modules/);
    }
    for (const method of ["PUT", "PATCH", "OPTIONS", "HEAD", "TRACE", "PROPFIND"]) {
      const { status, headers } = await ask(url, { method, body: undefined });
      assert.equal(status, 405, method);
      assert.equal(headers.allow, "GET, POST, DELETE");
    }
    assert.deepEqual(failures, []);
    for (const id of ["x", "../..", "a".repeat(5000)]) {
      const headers = { "mcp-session-id": id };
      assert.equal((await ask(url, { headers })).status, 404);
      assert.equal((await ask(url, { headers, method: "GET" })).status, 404);
    }
    assert.ok(server.connections > 0);
  });

  it("may speak no HTTP at all", async () => {
    const { port } = new URL(url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write("hello\r\n\r\n");
    socket.resume();
    await event(socket, "close");
    assert.equal((await ask(url)).status, 200);
  });
});

describe("how much is read", () => {
  it("is bounded, whether the length is told or not", async () => {
    const { url, server } = await listening({ maxBody: 2000 });
    const large = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "x",
      params: { a: "x".repeat(3000) },
    });
    assert.equal((await ask(url, { body: large })).status, 413);
    const chunked = await new Promise((resolve, reject) => {
      const request = httpRequest(url, { method: "POST", headers: JSON_TYPE });
      request.on("response", (response) => resolve(response.resume().statusCode));
      request.on("error", reject);
      request.write(large.slice(0, 1000));
      request.write(large.slice(1000));
      request.end();
    });
    assert.equal(chunked, 413);
    assert.equal((await ask(url)).status, 200);
    assert.equal(server.connections, 1);
  });

  it("is bounded for one who never ends", { timeout: 30_000 }, async () => {
    const { url } = await listening();
    const before = process.memoryUsage().rss;
    const request = httpRequest(url, { method: "POST", headers: JSON_TYPE });
    let isOver = false;
    request.on("error", () => {});
    request.on("close", () => {
      isOver = true;
    });
    const answered = event(request, "response");
    const part = "x".repeat(1024 * 1024);
    let sent = 0;
    while (!isOver && sent < 200) {
      sent += 1;
      if (!request.write(part)) {
        await Promise.race([event(request, "drain"), event(request, "close"), answered]);
        if (request.res != null) break;
      }
    }
    const response = await answered;
    assert.equal(response.statusCode, 413);
    request.destroy();
    assert.ok(sent < 100, `${sent} MB were taken`);
    assert.ok((process.memoryUsage().rss - before) / 2 ** 20 < 200);
  });
});

describe("a URI", () => {
  it("that is longer than any is refused, with the id of its request", async () => {
    const { url, server, failures } = await listening();
    const { session } = await ask(url);
    const headers = { "mcp-session-id": session };
    for (const length of [60_000, 70_000, 1_000_000]) {
      const uri = `skill://${"a".repeat(length)}/x`;
      const request = { jsonrpc: "2.0", id: 7, method: "resources/read", params: { uri } };
      const inSession = await ask(url, { headers, body: JSON.stringify(request) });
      const without = await server.fetch(withoutSession("resources/read", { uri }, "x"));
      const told = [inSession.text, await without.text()];
      if (length < 65_536)
        assert.ok(
          told.every((text) => !text.includes("characters.")),
          told[0],
        );
      else {
        assert.deepEqual([inSession.status, without.status], [400, 400]);
        assert.match(inSession.text, /A URI has at most 65536 characters\..*"id":7/);
      }
    }
    assert.deepEqual(failures, []);
  });
});

describe("notices that nobody reads", () => {
  it("wait in a number that is bounded, then the stream ends", async () => {
    const files = { ...FILES };
    const catalog = await loadSkills({ host: memoryHost(files) });
    const server = await createSkillServer(catalog, {});
    open.push(server);
    const request = (method, more = {}) =>
      new Request("http://localhost/mcp", {
        method,
        headers: { ...JSON_TYPE, host: "localhost", ...more.headers },
        ...(more.body && { body: more.body }),
      });
    const begun = await server.fetch(request("POST", { body: INITIALIZE }));
    await begun.text();
    const session = { "mcp-session-id": begun.headers.get("mcp-session-id") };
    const notifications = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
    };
    const streams = [
      await server.fetch(request("GET", { headers: session })),
      await server.fetch(withoutSession("subscriptions/listen", { notifications })),
    ];
    assert.deepEqual(
      streams.map(({ status }) => status),
      [200, 200],
    );
    for (let change = 0; change < 100; change += 1) {
      files["pdf/SKILL.md"] = `---\nname: pdf\ndescription: Fills forms ${change}.\n---\nFill.\n`;
      await catalog.refresh();
    }
    for (const stream of streams) {
      const notices = (await stream.text()).match(/list_changed/g) ?? [];
      assert.ok(notices.length > 20 && notices.length <= 32, `${notices.length} notices`);
    }
  });
});

describe("sessions", () => {
  it("end with DELETE, and when nobody uses them", async () => {
    const { url, server } = await listening({ idleTimeout: 300 });
    const { session } = await ask(url);
    assert.equal(server.connections, 1);
    const headers = { "mcp-session-id": session };
    assert.equal((await ask(url, { method: "DELETE", headers })).status, 200);
    assert.equal(server.connections, 0);
    assert.equal((await ask(url, { headers })).status, 404);
    await ask(url);
    assert.equal(server.connections, 1);
    await until(() => server.connections === 0);
  });

  it("stay while somebody listens", async () => {
    const { url, server } = await listening({ idleTimeout: 200 });
    const { client, transport } = await clientAt(url);
    await until(() => server.connections === 1);
    await new Promise((resolve) => setTimeout(resolve, 600));
    assert.equal(server.connections, 1);
    assert.equal((await client.listPrompts()).prompts.length, 1);
    await transport.close();
    await until(() => server.connections === 0);
  });

  it("are so many, and a refused client is let in once there is room", async () => {
    const { url, server } = await listening({ maxSessions: 3 });
    const begun = [await ask(url), await ask(url), await ask(url)];
    for (const { session } of begun) {
      assert.equal(
        (await ask(url, { headers: { "mcp-session-id": session }, body: PING })).status,
        200,
      );
    }
    const refused = await Promise.all(Array.from({ length: 50 }, () => ask(url)));
    for (const { status, message, headers } of refused) {
      assert.equal(status, 503);
      assert.match(message, /too many sessions/);
      assert.equal(headers["retry-after"], "60");
    }
    assert.equal(server.connections, 3);
    const headers = { "mcp-session-id": begun[0].session };
    await ask(url, { method: "DELETE", headers });
    assert.equal((await ask(url)).status, 200);
  });

  it("of clients that never come back give way, the oldest first, and shut nobody out", async () => {
    const { url, server } = await listening({ maxSessions: 3 });
    const ping = async ({ session }) =>
      (await ask(url, { headers: { "mcp-session-id": session }, body: PING })).status;
    const used = await ask(url);
    assert.equal(await ping(used), 200);
    const [first, second] = [await ask(url), await ask(url)];
    const third = await ask(url);
    assert.equal(third.status, 200);
    assert.equal(server.connections, 3);
    assert.deepEqual([await ping(first), await ping(second), await ping(third)], [404, 200, 200]);
    assert.equal(await ping(used), 200);
    assert.equal((await ask(url)).status, 503);
  });

  it("take one place each, though nobody reads their first answer", async () => {
    const { server } = await listening({ maxSessions: 2 });
    const begin = () =>
      server.fetch(
        new Request("http://localhost/mcp", {
          method: "POST",
          headers: { ...JSON_TYPE, host: "localhost" },
          body: INITIALIZE,
        }),
      );
    const unread = [await begin(), await begin()];
    assert.deepEqual(
      unread.map(({ status }) => status),
      [200, 200],
    );
    assert.equal(server.connections, 2);
  });

  it("do not come of requests that begin none", async () => {
    const { url, server } = await listening();
    const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    for (let count = 0; count < 50; count += 1) {
      assert.equal((await ask(url, { body: list })).status, 400);
      await ask(url, { headers: { accept: "text/plain" } });
    }
    assert.equal(server.connections, 0);
  });

  it("have ids that nobody guesses", async () => {
    const { url } = await listening();
    const ids = new Set();
    for (let count = 0; count < 20; count += 1) ids.add((await ask(url)).session);
    assert.equal(ids.size, 20);
    for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
  });
});

describe("many clients", () => {
  it("50 at once, of both protocols, each with its own", { timeout: 120_000 }, async () => {
    const { url, server } = await listening();
    const clients = await Promise.all(
      Array.from({ length: 50 }, (_, at) => clientAt(url, MODES[at % 2])),
    );
    const work = async ({ client }, at) => {
      const load = async () =>
        textOf(await client.callTool({ name: "load_skill", arguments: { name: "pdf" } }));
      assert.match(await load(), /Fill\./);
      assert.match(await load(), at % 2 === 0 ? /already loaded/ : /Fill\./);
      const skills = new SkillsClient(client);
      const [entry] = (await skills.list()).skills;
      assert.ok((await skills.read(entry)).verified);
      const { resources } = await client.listResources();
      assert.equal(resources.length, 1);
      const { messages } = await client.getPrompt({
        name: "pdf",
        arguments: { arguments: `${at}` },
      });
      assert.ok(messages[0].content.text.startsWith(`Fill.\n\n${at}\n\n`));
    };
    await Promise.all(clients.map(work));
    assert.equal(server.connections, 25);
    await Promise.all(clients.map(({ transport }) => transport.terminateSession().catch(() => {})));
    await until(() => server.connections === 0);
  });

  it("are answered while one floods, and reads nothing of it", { timeout: 120_000 }, async () => {
    const { url, port, server } = await listening();
    const { client } = await clientAt(url);
    const { session } = await ask(url);
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 7,
      method: "resources/read",
      params: { uri: "skill://pdf/large.txt" },
    });
    const sockets = Array.from({ length: 40 }, () => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {});
      // Never read.
      socket.pause();
      socket.write(
        `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
          `accept: ${ACCEPT}\r\nmcp-session-id: ${session}\r\n` +
          `content-length: ${body.length}\r\n\r\n${body}`,
      );
      return socket;
    });
    for (let count = 0; count < 20; count += 1) {
      const called = await client.callTool({ name: "load_skill", arguments: { name: "pdf" } });
      assert.notEqual(called.isError, true);
    }
    for (const socket of sockets) socket.destroy();
    assert.ok(server.connections >= 2);
  });

  it("may leave in the middle of an answer", async () => {
    const { url, failures } = await listening();
    const { session } = await ask(url);
    const headers = { ...JSON_TYPE, "mcp-session-id": session };
    for (let count = 0; count < 20; count += 1) {
      const request = httpRequest(url, { method: "POST", headers });
      request.on("error", () => {});
      const uri = "skill://pdf/large.txt";
      request.end(
        JSON.stringify({ jsonrpc: "2.0", id: 2, method: "resources/read", params: { uri } }),
      );
      request.on("response", (response) => response.once("data", () => response.destroy()));
      if (count % 2 === 0) setTimeout(() => request.destroy(), count);
      await event(request, "close");
    }
    const { status } = await ask(url);
    assert.equal(status, 200);
    assert.deepEqual(failures, []);
  });
});

describe("what the developer says of the index", () => {
  it("is asked once for the skills that there are, whoever connects and calls", async () => {
    const files = { ...FILES };
    let asked = 0;
    const count = (text) => {
      asked += 1;
      return text.length;
    };
    const group = () => {
      asked += 1;
      return "mine";
    };
    const priority = () => {
      asked += 1;
      return 1;
    };
    const catalog = await loadSkills({ host: memoryHost(files) });
    const index = { budget: { tokens: 1000, count }, group, priority };
    const server = await createSkillServer(catalog, { tools: { index } });
    open.push(server);
    const { url } = await server.listen();
    const told = [];
    const connect = async (mode) => {
      const { client } = await clientAt(url, mode);
      told.push(client.getInstructions());
      return client;
    };
    await connect("auto");
    const before = asked;
    for (const mode of MODES) {
      const client = await connect(mode);
      for (let call = 0; call < 3; call += 1) {
        await client.callTool({ name: "load_skill", arguments: { name: "pdf" } });
        await client.listTools();
        await client.listResources();
        await client.getPrompt({ name: "pdf" });
      }
    }
    assert.equal(asked, before);
    files["new/SKILL.md"] = "---\nname: new\ndescription: N.\n---\nB.\n";
    await catalog.refresh();
    const client = await connect("auto");
    assert.ok(asked > before);
    assert.deepEqual(
      told.map((text) => text.includes("new")),
      [false, false, false, true],
    );
    const { content } = await client.callTool({ name: "list_skills", arguments: {} });
    assert.match(content[0].text, /new/);
  });

  it("is told to one who asks what there is, and to nobody else", async () => {
    let asked = 0;
    const count = (text) => {
      asked += 1;
      return text.length;
    };
    const catalog = await loadSkills({ host: memoryHost(FILES) });
    const tools = { index: { budget: { tokens: 1000, count } } };
    const server = await createSkillServer(catalog, { tools });
    open.push(server);
    const before = asked;
    const answer = await server.fetch(withoutSession("tools/list"));
    assert.equal((await answer.json()).result.tools[0].name, "load_skill");
    assert.equal(asked, before);
    const { result } = await (await server.fetch(withoutSession("server/discover"))).json();
    assert.match(result.instructions, /pdf: Fills forms/);
    assert.ok(asked > before);
  });
});

describe("requests without a session", () => {
  it("wait in a number that is bounded; more are told to come again", async () => {
    let go;
    const wait = new Promise((resolve) => {
      go = resolve;
    });
    const memory = memoryHost(FILES);
    let isHeld = false;
    const host = {
      list: (path) => memory.list(path),
      read: async (path, range) => {
        if (isHeld) await wait;
        return memory.read(path, range);
      },
    };
    const server = await createSkillServer(await loadSkills({ host }));
    open.push(server);
    isHeld = true;
    const uri = "skill://pdf/SKILL.md";
    const read = () => server.fetch(withoutSession("resources/read", { uri }, uri));
    const answers = Array.from({ length: 1000 }, read);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const refused = await read();
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get("retry-after"), "1");
    assert.match((await refused.json()).error.message, /too many requests/);
    go();
    for (const answer of await Promise.all(answers)) {
      assert.equal(answer.status, 200);
      assert.equal((await answer.json()).result.contents[0].uri, uri);
    }
    assert.equal((await read()).status, 200);
  });
});

describe("the end", () => {
  it("comes although clients listen, and frees the port", async () => {
    const { url, server, port } = await listening();
    const { client } = await clientAt(url);
    await client.listTools();
    const other = await clientAt(url, "auto");
    await other.client.listTools();
    const begun = performance.now();
    await server.close();
    assert.ok(performance.now() - begun < 5000);
    assert.equal(server.connections, 0);
    assert.equal((await failure(ask(url))).code, "ECONNREFUSED");
    const again = await listening({}, { port });
    assert.equal(again.port, port);
  });

  it("of one place is not that of the others", async () => {
    const first = await listening();
    const second = await first.server.listen();
    await first.close();
    assert.equal((await ask(second.url)).status, 200);
    await second[Symbol.asyncDispose]();
  });

  it("a port that is taken is told", async () => {
    const { port, server } = await listening();
    const error = await failure(server.listen({ port }));
    assert.equal(error.code, "HOST_FAILED");
    assert.match(error.message, /EADDRINUSE.*choose another port/);
    assert.equal((await failure(server.listen({ port: 70_000 }))).code, "SOURCE_UNSUPPORTED");
  });
});

it("answers requests of any runtime that has them", async () => {
  const catalog = await loadSkills({ host: memoryHost(FILES) });
  const server = await createSkillServer(catalog);
  open.push(server);
  const request = (headers) =>
    new Request("http://localhost/mcp", { method: "POST", headers, body: INITIALIZE });
  const { fetch: answer } = server;
  const response = await answer(request(JSON_TYPE));
  assert.equal(response.status, 200);
  assert.match(await response.text(), /"name":"skillshelf"/);
  const elsewhere = new Request("http://evil.example/mcp", {
    method: "POST",
    headers: JSON_TYPE,
    body: INITIALIZE,
  });
  assert.equal((await answer(elsewhere)).status, 403);
});
