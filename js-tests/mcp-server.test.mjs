// Skills served over the Model Context Protocol, as the official client sees them.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { defineSkill, loadSkills, loadSkillsSync, memoryHost } from "skillshelf";
import { createSkillServer } from "skillshelf/mcp";
import {
  clientAt,
  clientOf,
  clientOfCommand,
  failure,
  MODES,
  textOf,
  until,
} from "./support/mcp-clients.mjs";

const PICTURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]);
const FILES = {
  "pdf/SKILL.md":
    "---\nname: pdf\ndescription: Fills forms.\nversion: 1.10\n---\n# Fill\n\nDo it.\n",
  "pdf/references/a b.md": "# A\n",
  "pdf/references/q&a?.md": "Ask.\n",
  "pdf/assets/dot.png": PICTURE,
  "pdf/assets/font.woff": new Uint8Array([0, 1, 2]),
  "secret/SKILL.md":
    "---\nname: secret\ndescription: S.\ndisable-model-invocation: true\n---\nFor the user.\n",
  "tool/SKILL.md": "---\nname: tool\ndescription: T.\nuser-invocable: false\n---\nFor the model.\n",
};

let directory;
const serving = [];

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "skill-server-"));
  await write(directory, FILES);
});

after(async () => {
  for (const server of serving) await server.close();
  await rm(directory, { recursive: true, force: true });
});

async function write(root, files) {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

/** A folder of its own with these files. */
async function folderOf(files) {
  const root = await mkdtemp(join(directory, "of-"));
  await write(root, files);
  return root;
}

async function serve(catalog, options) {
  const failures = [];
  const server = await createSkillServer(catalog, {
    onError: (error) => failures.push(error),
    ...options,
  });
  serving.push(server);
  return { server, failures };
}

const served = async (files, options) =>
  serve(await loadSkills({ host: memoryHost(files) }, { onDiagnostic: () => {} }), options);

const digestOf = (bytes) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** Ways in which a client reaches a server of the skills in FILES. */
const WAYS = {
  "in this process": async (mode) => clientOf((await served(FILES)).server, mode),
  "of a catalog without promises": async (mode) =>
    clientOf((await serve(loadSkillsSync({ host: memoryHost(FILES) }))).server, mode),
  "over standard input and output": (mode) => clientOfCommand([directory], mode),
  "over HTTP": async (mode) => {
    const { server } = await serve(await loadSkills(directory, { onDiagnostic: () => {} }));
    return clientAt((await server.listen()).url, mode);
  },
};

for (const [way, reach] of Object.entries(WAYS)) {
  for (const mode of MODES) {
    describe(`a client ${way}, in the mode ${mode}`, () => {
      let client;
      before(async () => {
        ({ client } = await reach(mode));
      });
      const isWithoutSession = way === "over HTTP" && mode === "auto";

      it("is told what there is", () => {
        const { extensions, tools, prompts, resources } = client.getServerCapabilities();
        assert.deepEqual(extensions["io.modelcontextprotocol/skills"], { directoryRead: true });
        for (const of of [tools, prompts, resources]) assert.equal(of.listChanged, true);
        assert.match(client.getInstructions(), /^- pdf: Fills forms\.$/m);
        assert.doesNotMatch(client.getInstructions(), /Do it|secret/);
      });

      it("calls the tools", async () => {
        const { tools } = await client.listTools();
        const names = tools.map(({ name }) => name);
        assert.ok(names.includes("load_skill") && names.includes("list_skills"));
        assert.equal(names.includes("unload_skill"), !isWithoutSession);
        for (const { inputSchema } of tools) assert.equal(inputSchema.additionalProperties, false);
        const loaded = await client.callTool({ name: "load_skill", arguments: { name: "pdf" } });
        assert.notEqual(loaded.isError, true);
        assert.match(textOf(loaded), /^<skill_content name="pdf">\n# Fill\n\nDo it\.\n/);
        assert.doesNotMatch(textOf(loaded), /Skill directory|\/tmp/);
        const again = textOf(
          await client.callTool({ name: "load_skill", arguments: { name: "pdf" } }),
        );
        assert.match(again, isWithoutSession ? /Do it/ : /already loaded/);
        if (isWithoutSession) return;
        await client.callTool({ name: "unload_skill", arguments: { name: "pdf" } });
        const anew = await client.callTool({ name: "load_skill", arguments: { name: "pdf" } });
        assert.match(textOf(anew), /Do it/);
      });

      it("is told its mistakes as results", async () => {
        for (const [params, text] of [
          [{ name: "load_skill", arguments: { name: "pfd" } }, /Did you mean "pdf"/],
          [{ name: "load_skill", arguments: { name: "secret" } }, /There is no skill/],
          [{ name: "load_skill", arguments: { names: 1 } }, /do not fit/],
          [{ name: "load_skill" }, /do not fit/],
          [{ name: "nothing", arguments: {} }, /There is no tool/],
          [
            { name: "read_skill_file", arguments: { skill: "pdf", path: "../tool/SKILL.md" } },
            /refused/,
          ],
        ]) {
          const result = await client.callTool(params);
          assert.equal(result.isError, true);
          assert.match(textOf(result), text);
        }
      });

      it("gets what is not text beside its line", async () => {
        const read = (path) =>
          client.callTool({ name: "read_skill_file", arguments: { skill: "pdf", path } });
        const { content } = await read("assets/dot.png");
        const data = Buffer.from(PICTURE).toString("base64");
        assert.deepEqual(content[1], { type: "image", data, mimeType: "image/png" });
        assert.match(content[0].text, /is not text: image\/png, 7 bytes/);
        assert.deepEqual((await read("assets/font.woff")).content[1], {
          type: "resource",
          resource: { uri: "skill://pdf/assets/font.woff", mimeType: "font/woff", blob: "AAEC" },
        });
      });

      it("lists, gets and verifies the skills", async () => {
        const skills = new SkillsClient(client);
        assert.ok(skills.supported && skills.directoryRead);
        const listing = await skills.list();
        assert.deepEqual(
          listing.skills.map(({ uri }) => uri),
          ["skill://pdf/SKILL.md", "skill://tool/SKILL.md"],
        );
        const [pdf] = listing.skills;
        assert.deepEqual(pdf.frontmatter, {
          name: "pdf",
          description: "Fills forms.",
          version: 1.1,
        });
        assert.deepEqual(
          pdf.resources.map(({ uri, digest, size }) => [uri, digest, size]),
          [
            ["SKILL.md", "pdf/SKILL.md"],
            ["assets/dot.png", "pdf/assets/dot.png"],
            ["assets/font.woff", "pdf/assets/font.woff"],
            ["references/a%20b.md", "pdf/references/a b.md"],
            ["references/q%26a%3F.md", "pdf/references/q&a?.md"],
          ].map(([path, file]) => {
            const { length } = Buffer.from(FILES[file]);
            return [`skill://pdf/${path}`, digestOf(FILES[file]), length];
          }),
        );
        for (const { uri } of pdf.resources) {
          assert.ok((await skills.read(pdf, uri)).verified, uri);
        }
        assert.equal((await skills.read(pdf)).body.trim(), "# Fill\n\nDo it.");
        assert.equal((await skills.read(pdf, "references/a b.md")).text, "# A\n");
        assert.deepEqual((await skills.get("skill://pdf/SKILL.md")).skill, pdf);
        const { resources } = await skills.readDirectory("skill://pdf/references");
        assert.deepEqual(
          resources.map(({ uri, name, mimeType }) => [uri, name, mimeType]),
          [
            ["skill://pdf/references/a%20b.md", "a b.md", "text/markdown"],
            ["skill://pdf/references/q%26a%3F.md", "q&a?.md", "text/markdown"],
          ],
        );
      });

      it("is refused what is not there and what leaves", async () => {
        const skills = new SkillsClient(client);
        for (const uri of [
          "skill://nobody/SKILL.md",
          "skill://secret/SKILL.md",
          "skill://p%64f/SKILL.md",
          "skill://pdf/references/a%20b.md",
          "skill://pdf/SKILL.md#x",
          "nonsense",
        ]) {
          assert.equal((await failure(skills.get(uri))).code, -32602, uri);
        }
        for (const uri of ["skill://pdf/SKILL.md", "skill://secret", "skill://", "file:///etc"]) {
          assert.equal((await failure(skills.readDirectory(uri))).code, -32602, uri);
        }
        for (const [uri, message] of [
          ["skill://nobody/SKILL.md", /no skill named/],
          ["skill://secret/SKILL.md", /no skill named/],
          ["skill://pdf/nothing.md", /no file/],
          ["skill://pdf/../tool/SKILL.md", /leaves the skill's directory/],
          ["skill://pdf/../../SKILL.md", /leaves the skill's directory/],
          ["skill://pdf/%2e%2e/SKILL.md", /leaves the skill's directory/],
          ["skill://pdf/%2e%2e/%2e%2e/etc/passwd", /leaves the skill's directory/],
          ["skill://pdf/..%2f..%2fetc%2fpasswd", /refused/],
          ["skill://pdf/..%5c..%5cetc", /refused/],
          ["skill://pdf/a%00b", /control character/],
          ["skill://pdf/C%3A/x", /drive or a stream/],
          ["file:///etc/passwd", /refused/],
          ["skill://pdf", /refused/],
        ]) {
          const error = await failure(client.readResource({ uri }));
          assert.equal(error.code, -32602, uri);
          assert.match(error.message, message, uri);
          assert.doesNotMatch(error.message, /\/tmp\//);
        }
      });

      it("lists the skill files as resources, and reads them with their digests", async () => {
        const { resources } = await client.listResources();
        assert.deepEqual(resources[0], {
          uri: "skill://pdf/SKILL.md",
          name: "pdf",
          description: "Fills forms.",
          mimeType: "text/markdown",
          _meta: { "io.modelcontextprotocol.skills/version": "1.10" },
        });
        assert.equal(resources.length, 2);
        const { contents } = await client.readResource({ uri: "skill://pdf/SKILL.md" });
        assert.deepEqual(contents, [
          {
            uri: "skill://pdf/SKILL.md",
            mimeType: "text/markdown",
            text: FILES["pdf/SKILL.md"],
            _meta: { "io.modelcontextprotocol.skills/digest": digestOf(FILES["pdf/SKILL.md"]) },
          },
        ]);
      });

      it("has a prompt for each skill that a user may invoke", async () => {
        const { prompts } = await client.listPrompts();
        assert.deepEqual(
          prompts.map(({ name }) => name),
          ["pdf", "secret"],
        );
        assert.deepEqual(
          prompts[0].arguments.map(({ name, required }) => [name, required]),
          [["arguments", false]],
        );
        const text = async (name, args) =>
          (await client.getPrompt({ name, arguments: args })).messages[0].content.text;
        const pdf = await text("pdf", { arguments: " form.pdf " });
        assert.ok(pdf.startsWith("# Fill\n\nDo it.\n\nform.pdf\n\n"), pdf);
        // How its files are read, and which there are; where they are is nobody's there.
        assert.match(pdf, /read_skill_file.*references\/a b\.md/s);
        assert.doesNotMatch(pdf, /Skill directory|\/tmp\//);
        assert.equal(await text("secret"), "For the user.");
        for (const name of ["tool", "nobody"]) {
          const error = await failure(client.getPrompt({ name }));
          assert.equal(error.code, -32602);
          assert.match(error.message, /There is no skill named/);
        }
        for (const list of [
          client.listPrompts({ cursor: "x" }),
          client.listResources({ cursor: "x" }),
        ]) {
          assert.equal((await failure(list)).code, -32602);
        }
      });
    });
  }
}

describe("a server", () => {
  it("gives its tools the names it is told", async () => {
    const { server } = await served(FILES, {
      name: "shelf",
      version: "7",
      arguments: true,
      tools: { set: ["load_skill", "unload_skill"], rename: { load_skill: "use_skill" } },
    });
    for (const [reach, expected] of [
      [() => clientOf(server, "legacy"), ["use_skill", "unload_skill"]],
      [async () => clientAt((await server.listen()).url, "auto"), ["use_skill"]],
    ]) {
      const { client } = await reach();
      const { tools } = await client.listTools();
      assert.deepEqual(client.getServerVersion(), { name: "shelf", version: "7" });
      assert.deepEqual(
        tools.map(({ name }) => name),
        expected,
      );
      const result = await client.callTool({ name: "use_skill", arguments: { name: "tool" } });
      assert.match(textOf(result), /For the model/);
      assert.match(client.getInstructions(), /use_skill/);
    }
  });

  it("keeps what one client has loaded from the others", async () => {
    const { server } = await served(FILES);
    const load = async (client) =>
      textOf(await client.callTool({ name: "load_skill", arguments: { name: "pdf" } }));
    const first = await clientOf(server);
    const second = await clientOf(server);
    assert.match(await load(first.client), /Do it/);
    assert.match(await load(second.client), /Do it/);
    assert.match(await load(first.client), /already loaded/);
    await first.client.getPrompt({ name: "tool" }).catch(() => {});
    await second.client.getPrompt({ name: "secret" });
    const listed = await second.client.callTool({ name: "list_skills", arguments: {} });
    assert.doesNotMatch(textOf(listed), /secret/);
    assert.equal(server.connections, 2);
    await first.client.close();
    await first.connection.closed;
    assert.equal(server.connections, 1);
    await second.connection.close();
    assert.equal(server.connections, 0);
  });

  it("holds nothing of hundreds of clients that came and went", async () => {
    const body = "x".repeat(900_000);
    const { server } = await served({
      "big/SKILL.md": `---\nname: big\ndescription: B.\n---\n${body}\n`,
    });
    const visit = async () => {
      const { client, connection } = await clientOf(server);
      await client.callTool({ name: "load_skill", arguments: { name: "big" } });
      await client.close();
      await connection.closed;
    };
    for (let count = 0; count < 40; count += 1) await visit();
    const early = process.memoryUsage().rss;
    for (let count = 0; count < 300; count += 1) await visit();
    assert.equal(server.connections, 0);
    // A session that stays holds its body, in the module and beside it: 500 MB together.
    const grown = (process.memoryUsage().rss - early) / 2 ** 20;
    assert.ok(grown < 200, `${Math.round(grown)} MB`);
  });

  it("serves skills from code", async () => {
    const skill = defineSkill({
      name: "coded",
      description: "From code.",
      content: "Run it.",
      metadata: { level: "1.0" },
      files: { "a.txt": "A", "SKILL.md.bak": "B" },
    });
    const { server } = await serve(await loadSkills(skill));
    const { client } = await clientOf(server);
    const skills = new SkillsClient(client);
    const [entry] = (await skills.list()).skills;
    assert.deepEqual(entry.frontmatter.metadata, { level: "1.0" });
    const paths = entry.resources.map(({ uri }) => uri.slice("skill://coded/".length));
    assert.deepEqual(paths, ["SKILL.md", "SKILL.md.bak", "a.txt"]);
    for (const path of paths) assert.ok((await skills.read(entry, path)).verified);
    assert.equal((await skills.read(entry)).body.trim(), "Run it.");
  });

  it("serves skills whose names need encoding, and lists those that clients take", async () => {
    const names = ["Größe", "a b", "a@b", "x%2e", "semi;colon", "q?#", "日本語", "a.b", "x.."];
    const files = Object.fromEntries(
      names.map((name) => [
        `${name}/SKILL.md`,
        `---\nname: ${JSON.stringify(name)}\ndescription: D.\n---\nIt is ${name}.\n`,
      ]),
    );
    const catalog = await loadSkills({ host: memoryHost(files) }, { onDiagnostic: () => {} });
    const { server } = await serve(catalog);
    for (const mode of MODES) {
      const { client } = await clientOf(server, mode);
      const { resources } = await client.listResources();
      assert.equal(resources.length, names.length);
      for (const { uri, name } of resources) {
        assert.equal(new URL(uri).href, uri);
        const { contents } = await client.readResource({ uri });
        assert.ok(contents[0].text.endsWith(`It is ${name}.\n`), uri);
        const { messages } = await client.getPrompt({ name });
        assert.equal(messages[0].content.text, `It is ${name}.`);
      }
      assert.deepEqual((await new SkillsClient(client).list()).skills, []);
    }
    const left = catalog.diagnostics.filter(({ code }) => code === "not-published");
    assert.equal(left.length, names.length);
  });

  it("tells clients what a refresh has changed, and shows it", async () => {
    const root = await folderOf({
      "one/SKILL.md": "---\nname: one\ndescription: O.\n---\nFirst.\n",
    });
    const catalog = await loadSkills(root);
    const { server } = await serve(catalog);
    const { url } = await server.listen();
    const told = [];
    const listChanged = (who) =>
      Object.fromEntries(
        ["tools", "prompts", "resources"].map((what) => [
          what,
          { autoRefresh: false, debounceMs: 0, onChanged: () => told.push(`${who} ${what}`) },
        ]),
      );
    const clients = [
      (await clientOf(server, "legacy", { listChanged: listChanged("a") })).client,
      (await clientOf(server, "auto", { listChanged: listChanged("b") })).client,
      (await clientAt(url, "legacy", { listChanged: listChanged("c") })).client,
      (await clientAt(url, "auto", { listChanged: listChanged("d") })).client,
    ];
    // A stream over HTTP is there a moment after the client is.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await catalog.refresh();
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual(told, [], "nothing has changed");
    await write(root, {
      "two/SKILL.md": "---\nname: two\ndescription: T.\n---\nSecond.\n",
      "one/SKILL.md": "---\nname: one\ndescription: Other.\n---\nEdited.\n",
    });
    await catalog.refresh();
    const all = (whats) =>
      ["a", "b", "c", "d"].flatMap((who) => whats.map((what) => `${who} ${what}`));
    await until(() => told.length >= 12);
    assert.deepEqual(told.toSorted(), all(["prompts", "resources", "tools"]), "tools name skills");
    for (const client of clients) {
      const { skills } = await new SkillsClient(client).list();
      assert.deepEqual(
        skills.map(({ frontmatter }) => frontmatter.description),
        ["Other.", "T."],
      );
      assert.equal((await client.listPrompts()).prompts.length, 2);
      const loaded = await client.callTool({ name: "load_skill", arguments: { name: "one" } });
      assert.match(textOf(loaded), /Edited/);
    }
    told.length = 0;
    await write(root, { "one/SKILL.md": "---\nname: one\ndescription: New.\n---\nEdited.\n" });
    await catalog.refresh();
    await until(() => told.length >= 8);
    assert.deepEqual(told.toSorted(), all(["prompts", "resources"]), "the tools are the same");
    // With the last skill the tools go, too.
    told.length = 0;
    await rm(join(root, "one"), { recursive: true });
    await rm(join(root, "two"), { recursive: true });
    await catalog.refresh();
    await until(() => told.length >= 12);
    assert.deepEqual(told.toSorted(), all(["prompts", "resources", "tools"]));
    assert.deepEqual((await clients[3].listTools()).tools, []);
    // Who has loaded a skill keeps its text.
    const kept = await clients[0].callTool({ name: "load_skill", arguments: { name: "one" } });
    assert.notEqual(kept.isError, true);
  });

  it("tells of changes that a watcher sees, in a process of its own", async () => {
    const root = await folderOf({
      "one/SKILL.md": "---\nname: one\ndescription: O.\n---\nFirst.\n",
    });
    for (const mode of MODES) {
      let changes = 0;
      const onChanged = () => {
        changes += 1;
      };
      const listChanged = { resources: { autoRefresh: false, debounceMs: 0, onChanged } };
      const { client } = await clientOfCommand([root], mode, { listChanged });
      const name = `new-${mode}`;
      await write(root, { [`${name}/SKILL.md`]: `---\nname: ${name}\ndescription: N.\n---\nB.\n` });
      await until(() => changes > 0);
      await until(async () =>
        (await client.listResources()).resources.some((resource) => resource.name === name),
      );
      await client.close();
    }
  });

  it("goes on when its root vanishes and comes back", async () => {
    const root = await folderOf({
      "skills/one/SKILL.md": "---\nname: one\ndescription: O.\n---\nFirst.\n",
      "skills/one/a.md": "A",
    });
    const catalog = await loadSkills(join(root, "skills"), { onDiagnostic: () => {} });
    const { server } = await serve(catalog);
    const { client } = await clientOf(server);
    const skills = new SkillsClient(client);
    assert.equal((await skills.list()).skills.length, 1);
    await rename(join(root, "skills"), join(root, "elsewhere"));
    const gone = await client.callTool({ name: "load_skill", arguments: { name: "one" } });
    assert.equal(gone.isError, true);
    assert.doesNotMatch(textOf(gone), /\/tmp\//);
    assert.deepEqual((await skills.list()).skills, []);
    for (const uri of ["skill://one/SKILL.md", "skill://one/a.md"]) {
      const error = await failure(client.readResource({ uri }));
      assert.doesNotMatch(error.message, /\/tmp\//);
    }
    assert.doesNotMatch((await failure(client.getPrompt({ name: "one" }))).message, /\/tmp\//);
    await catalog.refresh();
    assert.deepEqual((await client.listResources()).resources, []);
    await rename(join(root, "elsewhere"), join(root, "skills"));
    await catalog.refresh();
    assert.equal((await skills.list()).skills.length, 1);
    const back = await client.callTool({ name: "load_skill", arguments: { name: "one" } });
    assert.match(textOf(back), /First/);
  });

  it("repeats nothing of what a host says in its own words", async () => {
    const host = {
      list: (dir) => memoryHost(FILES).list(dir),
      read: (file, range) => {
        if (host.isBroken) throw new Error("/data/private is on fire");
        return memoryHost(FILES).read(file, range);
      },
    };
    const catalog = await loadSkills({ host }, { onDiagnostic: () => {} });
    const { server } = await serve(catalog);
    const { client } = await clientOf(server);
    host.isBroken = true;
    const answers = [
      client.callTool({ name: "load_skill", arguments: { name: "pdf" } }),
      client.callTool({
        name: "read_skill_file",
        arguments: { skill: "pdf", path: "assets/dot.png" },
      }),
      client.readResource({ uri: "skill://pdf/SKILL.md" }),
      client.readResource({ uri: "skill://pdf/references/a%20b.md" }),
      client.getPrompt({ name: "pdf" }),
      new SkillsClient(client).list(),
      new SkillsClient(client).get("skill://pdf/SKILL.md"),
    ];
    for (const answer of answers) {
      const said = await answer.then(JSON.stringify, (error) => error.message);
      assert.doesNotMatch(said, /\/data|private|fire/);
    }
    assert.doesNotMatch(
      JSON.stringify(catalog.diagnostics.filter((it) => it.code === "not-published")),
      /fire/,
    );
  });

  it("refuses links that lead out, and lists none of them", async (context) => {
    const root = await folderOf({
      "skills/one/SKILL.md": "---\nname: one\ndescription: O.\n---\nFirst.\n",
      "outside.txt": "secret",
    });
    try {
      await symlink(join(root, "outside.txt"), join(root, "skills/one/out.txt"));
    } catch {
      context.skip("this system lets nobody make links");
      return;
    }
    const { server } = await serve(
      await loadSkills(join(root, "skills"), { onDiagnostic: () => {} }),
    );
    const { client } = await clientOf(server);
    const [entry] = (await new SkillsClient(client).list()).skills;
    assert.deepEqual(
      entry.resources.map(({ uri }) => uri),
      ["skill://one/SKILL.md"],
    );
    await failure(client.readResource({ uri: "skill://one/out.txt" }));
    const { resources } = await new SkillsClient(client).readDirectory("skill://one");
    assert.deepEqual(
      resources.map(({ name }) => name),
      ["SKILL.md"],
    );
  });

  it("answers one client while another one floods", { timeout: 60_000 }, async () => {
    const { server } = await served(FILES);
    const flood = await clientOf(server);
    const other = await clientOf(server);
    const calls = Array.from({ length: 5000 }, () =>
      flood.client
        .callTool({ name: "load_skill", arguments: { name: "pdf" } }, { timeout: 50_000 })
        .then(
          () => "answered",
          (error) => error.message,
        ),
    );
    const begun = performance.now();
    const { isError } = await other.client.callTool({
      name: "load_skill",
      arguments: { name: "tool" },
    });
    assert.notEqual(isError, true);
    assert.ok(performance.now() - begun < 10_000);
    const said = await Promise.all(calls);
    assert.ok(said.includes("answered"));
    const refused = said.filter((it) => it !== "answered");
    assert.ok(refused.length > 0, "what waits is bounded");
    for (const message of refused) assert.match(message, /Too many requests/);
    const after = await flood.client.callTool({ name: "list_skills", arguments: {} });
    assert.notEqual(after.isError, true);
  });

  it("says what cannot be served and which option cannot be used", async () => {
    const catalog = await loadSkills({ host: memoryHost(FILES) }, { onDiagnostic: () => {} });
    for (const [given, options, message] of [
      [{}, {}, /Only a catalog can be served/],
      [catalog, { nam: "x" }, /nam is not known; name is/],
      [catalog, { tools: { directory: true } }, /tools\.directory is true/],
      [catalog, { tools: { set: ["x"] } }, /which is no tool/],
      [catalog, { http: { maxBody: 0 } }, /maxBody must be/],
    ]) {
      const error = await failure(createSkillServer(given, options));
      assert.equal(error.code, "SOURCE_UNSUPPORTED");
      assert.match(error.message, message);
    }
    const { server } = await serve(catalog);
    await server.close();
    await server.close();
    assert.equal((await failure(server.connect())).code, "NOT_INITIALIZED");
    assert.equal((await failure(server.listen())).code, "NOT_INITIALIZED");
    assert.equal((await server.fetch(new Request("http://localhost/mcp"))).status, 503);
  });

  it("says so when its catalog is gone", async () => {
    const catalog = await loadSkills({ host: memoryHost(FILES) }, { onDiagnostic: () => {} });
    const { server } = await serve(catalog);
    const { client, connection } = await clientOf(server);
    catalog.dispose();
    const result = await client.callTool({ name: "load_skill", arguments: { name: "pdf" } });
    assert.equal(result.isError, true);
    await failure(client.readResource({ uri: "skill://pdf/SKILL.md" }));
    await failure(client.listResources());
    await connection.close();
    await server.close();
  });
});

it("what only leaves out is not served", async () => {
  const hidden = {
    "xyzzy/SKILL.md": "---\nname: xyzzy\ndescription: Plughs.\n---\nNitfol\n",
    "xyzzy/gnusto.md": "Rezrov\n",
    "xyzzy-user/SKILL.md":
      "---\nname: xyzzy-user\ndescription: Plughs.\ndisable-model-invocation: true\n---\nNitfol\n",
  };
  const host = memoryHost({ ...FILES, ...hidden });
  const catalog = await loadSkills({ host }, { onDiagnostic: () => {} });
  const answers = async (served, isView) => {
    const { client } = await clientOf((await serve(served)).server, "auto");
    const skills = new SkillsClient(client);
    const calls = [
      ["load_skill", { name: "xyzz" }],
      ["list_skills", {}],
      ["read_skill_file", { skill: "xyzz", path: "gnusto.md" }],
    ];
    const given = [
      client.getInstructions(),
      await client.listTools(),
      await client.listResources(),
      await client.listPrompts(),
      await skills.list(),
      ...(await Promise.all(
        calls.map(([name, args]) => client.callTool({ name, arguments: args })),
      )),
    ];
    if (isView) {
      for (const uri of ["skill://xyzzy/SKILL.md", "skill://xyzzy/gnusto.md"]) {
        given.push(
          (await failure(client.readResource({ uri }))).message
            .replaceAll(uri, "…")
            .replaceAll('"xyzzy"', "…"),
        );
      }
      for (const name of ["xyzzy", "xyzzy-user"]) {
        const { message } = await failure(client.getPrompt({ name }));
        given.push(message.replaceAll(`"${name}"`, "…"));
      }
    }
    return JSON.stringify(given);
  };
  const trace = /xyzzy|plugh|nitfol|gnusto|rezrov/i;
  assert.match(await answers(catalog, false), trace);
  const told = (await answers(catalog.only(["!xyzzy*"]), true)).replaceAll(/"gnusto\.md"/g, "…");
  assert.doesNotMatch(told, trace);
});
