// What the systems before this one do for their users, clause by clause. A skill without a
// description is left out, unlike in one of them: nothing could choose it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Catalog,
  defineSkill,
  loadSkills,
  loadSkillsSync,
  memoryHost,
  type SessionEvent,
  SkillError,
  type ToolOptions,
  validateSkill,
} from "skillshelf";
import { requestText, runAgent, scriptedModel } from "skillshelf/testing";
import { rejection, thrown } from "./support/errors.ts";
import { folder, link, write } from "./support/folder.ts";
import { connected, isAlive, isGone, program, said, served, skillWith } from "./support/mcp.ts";
import { skillFile, validSkill } from "./support/text.ts";

/** Loads a folder with these files; what is off goes into `warnings`. */
async function shelve(
  files: Record<string, string | Uint8Array>,
): Promise<{ catalog: Catalog; root: string; warnings: string[] }> {
  const root = folder(files);
  const warnings: string[] = [];
  const catalog = await loadSkills(root, {
    onDiagnostic: ({ code, path }) => warnings.push(`${code} ${path}`),
  });
  return { catalog, root, warnings };
}

/** The name of the tool in two of them. */
const useSkill: NonNullable<ToolOptions["rename"]> = {
  load_skill: { name: "use_skill", arguments: { name: "skill_name" } },
};

describe("000: progressive disclosure in a terminal agent", () => {
  const refactor = [
    "# Go Refactoring Guide",
    "",
    "1. Always run go vet first.",
    "2. Review the diff.",
  ].join("\n");
  const files = (): Record<string, string> => ({
    "go-refactor/SKILL.md": skillFile(
      'name: go-refactor\ndescription: Use when refactoring Go code — team conventions\ntrigger: "refactor, clean up"',
      refactor,
    ),
    "deploy-prod/SKILL.md": validSkill("deploy-prod", "Use when deploying to production"),
    "debugging-guide/SKILL.md": validSkill("debugging-guide", "Use when debugging"),
  });

  test("scan of a directory", async () => {
    const { catalog } = await shelve({ ...files(), "notes.txt": "x", "empty/README": "x" });
    assert.deepEqual(catalog.names, ["debugging-guide", "deploy-prod", "go-refactor"]);
  });
  test("a missing directory is an empty catalog, without a word", async (context) => {
    const warn = context.mock.method(console, "warn", () => {});
    const catalog = await loadSkills(`${folder()}/none`);
    assert.deepEqual([catalog.isEmpty, catalog.diagnostics, warn.mock.callCount()], [true, [], 0]);
  });
  test("front matter: name, description, trigger", async () => {
    const { catalog } = await shelve(files());
    const skill = catalog.get("go-refactor");
    assert.deepEqual(
      [skill?.name, skill?.description, skill?.trigger],
      ["go-refactor", "Use when refactoring Go code — team conventions", "refactor, clean up"],
    );
  });
  test("invalid ones are skipped with a warning", async (context) => {
    const warn = context.mock.method(console, "warn", () => {});
    const root = folder({ ...files(), "bad/SKILL.md": "# No front matter\n" });
    const catalog = await loadSkills(root);
    assert.equal(catalog.size, 3);
    assert.equal(warn.mock.callCount(), 1);
    assert.match(String(warn.mock.calls[0]?.arguments[0]), /bad\/SKILL\.md/);
  });
  test("summary lines with heading and sentence", async () => {
    const { catalog } = await shelve(files());
    const prompt = catalog.prompt({
      heading: "## Available Skills",
      instruction: "Use the `use_skill` tool to load the full content of any Skill when needed.",
    });
    assert.equal(
      prompt,
      [
        "## Available Skills",
        "",
        "Use the `use_skill` tool to load the full content of any Skill when needed.",
        "",
        "- debugging-guide: Use when debugging",
        "- deploy-prod: Use when deploying to production",
        "- go-refactor: Use when refactoring Go code — team conventions",
      ].join("\n"),
    );
    assert.match(catalog.prompt({ rename: useSkill }), /`use_skill`/);
  });
  test("the block is left out when there are none", async () => {
    const { catalog } = await shelve({});
    assert.deepEqual([catalog.prompt(), catalog.tools().length], ["", 0]);
  });
  test("use_skill { skill_name }", async () => {
    const { catalog } = await shelve(files());
    const tools = catalog.tools({ rename: useSkill, wrapper: "none", directory: false });
    assert.equal(tools[0]?.name, "use_skill");
    const { content, isError } = await tools.call("use_skill", '{"skill_name":"go-refactor"}');
    assert.equal(isError, false);
    assert.ok(content.startsWith(refactor), "the bare body comes first");
  });
  test("the body is read at every call: edits show at once", async () => {
    const { catalog, root } = await shelve(files());
    const tools = catalog.tools({ rename: useSkill });
    assert.match((await tools.call("use_skill", { skill_name: "deploy-prod" })).content, /Body/);
    write(root, "deploy-prod/SKILL.md", validSkill("deploy-prod", "d", "Ask twice."));
    assert.match(
      (await tools.call("use_skill", { skill_name: "deploy-prod" })).content,
      /Ask twice\./,
    );
  });
  test("descriptions are refreshed without a restart", async () => {
    const { catalog, root } = await shelve(files());
    write(root, "deploy-prod/SKILL.md", validSkill("deploy-prod", "Use for every release"));
    const { changed } = await catalog.refresh();
    assert.deepEqual(changed, ["deploy-prod"]);
    assert.match(catalog.prompt(), /- deploy-prod: Use for every release/);
  });
  test("error results list the valid names and never end the loop", async () => {
    const { catalog } = await shelve(files());
    const model = scriptedModel([
      { toolCalls: [{ name: "use_skill", arguments: { skill_name: "go-refacto" } }] },
      { toolCalls: [{ name: "use_skill", arguments: "{" }] },
      { toolCalls: [{ name: "use_skill", arguments: { skill_name: "" } }] },
      { toolCalls: [{ name: "use_skill", arguments: { skill_name: "go-refactor" } }] },
      { text: "Done." },
    ]);
    const { messages, finished } = await runAgent({
      model,
      system: catalog.prompt({ rename: useSkill }),
      tools: catalog.tools({ rename: useSkill }),
      messages: [{ role: "user", content: "Clean up main.go" }],
    });
    assert.ok(finished);
    const results = messages.filter((message) => message.role === "tool");
    assert.deepEqual(
      results.map(({ isError }) => isError === true),
      [true, true, true, false],
    );
    assert.match(
      results[0]?.content ?? "",
      /no skill named "go-refacto".*Available skills: debugging-guide, deploy-prod, go-refactor/,
    );
    assert.match(results[2]?.content ?? "", /"skill_name" is empty/);
    assert.match(results[3]?.content ?? "", /Always run go vet first\./);
  });
  test("the body is never in the prompt", async () => {
    const { catalog } = await shelve(files());
    for (const style of ["markdown", "plain", "xml", "json"] as const) {
      assert.ok(!catalog.prompt({ style }).includes("Always run go vet first."));
    }
    const shown = JSON.stringify([catalog.index(), catalog.tools(), [...catalog]]);
    assert.ok(!shown.includes("go vet"));
  });
  test("/name extra becomes body, blank line, extra", async () => {
    const { catalog } = await shelve(files());
    const text = async (input: string): Promise<string> => {
      const expansion = await catalog.expand(input);
      assert.ok(expansion.kind === "skill");
      return expansion.text;
    };
    assert.equal(await text("/go-refactor clean up main.go"), `${refactor}\n\nclean up main.go`);
    assert.equal(await text("/go-refactor"), refactor);
    assert.deepEqual(await catalog.expand("clean up main.go"), {
      kind: "text",
      prompt: "clean up main.go",
      text: "clean up main.go",
    });
    const unknown = await catalog.expand("/go-refacto");
    assert.ok(unknown.kind === "unknown");
    assert.deepEqual(unknown.near, ["go-refactor"]);
  });
  test("Tab completion merges skills with the host's commands and marks them apart", async () => {
    const { catalog } = await shelve(files());
    const commands = [{ name: "debug", description: "Shows requests" }, { name: "quit" }];
    assert.deepEqual(catalog.complete("/de", { commands }), [
      { kind: "command", name: "debug", insert: "/debug", description: "Shows requests" },
      {
        kind: "skill",
        name: "debugging-guide",
        insert: "/debugging-guide",
        description: "Use when debugging",
      },
      {
        kind: "skill",
        name: "deploy-prod",
        insert: "/deploy-prod",
        description: "Use when deploying to production",
      },
    ]);
  });
  test("a compaction note for a loaded skill", async () => {
    const { catalog } = await shelve(files());
    const session = catalog.session({ tools: { rename: useSkill } });
    const first = await session.load("go-refactor");
    const { keep, notes } = session.compact({ budget: { tokens: 0 } });
    assert.deepEqual(keep, []);
    assert.deepEqual(
      notes.map(({ name }) => name),
      ["go-refactor"],
    );
    assert.match(
      notes[0]?.text ?? "",
      /^[^\n]*"go-refactor" was loaded earlier.*`use_skill`[^\n]*$/,
    );
    assert.deepEqual(await session.load("go-refactor"), first, "it is released, and comes back");
  });
});

describe("001: two layers, one loader", () => {
  const files = {
    "agent-builder/SKILL.md": validSkill("agent-builder", "Builds agents", "Begin with the loop."),
    "team/review/code-review/SKILL.md": skillFile("description: Reviews code", "Read it twice."),
    "team/mcp-builder/SKILL.md": validSkill("mcp-builder", "Builds MCP servers", "Name the tools."),
  };
  test("recursive scan", async () => {
    const { catalog } = await shelve(files);
    assert.deepEqual(catalog.names, ["agent-builder", "code-review", "mcp-builder"]);
  });
  test("the name falls back to the directory", async () => {
    const { catalog } = await shelve(files);
    assert.equal(catalog.get("code-review")?.description, "Reviews code");
  });
  test("two-space list", async () => {
    const { catalog } = await shelve(files);
    assert.equal(
      catalog.prompt({ style: "plain", heading: "Skills available:", instruction: "" }).trim(),
      [
        "Skills available:",
        "  - agent-builder: Builds agents",
        "  - code-review: Reviews code",
        "  - mcp-builder: Builds MCP servers",
      ].join("\n"),
    );
  });
  test('load_skill gives <skill name="…">', async () => {
    const { catalog } = await shelve(files);
    const tools = catalog.tools({ wrapper: "skill", directory: false });
    const { content } = await tools.call("load_skill", { name: "code-review" });
    assert.ok(content.startsWith('<skill name="code-review">\nRead it twice.\n</skill>'), content);
  });
  test("unknown-skill text", async () => {
    const { catalog } = await shelve(files);
    const { content, isError } = await catalog.call("load_skill", { name: "pdf" });
    assert.ok(isError);
    assert.match(content, /^There is no skill named "pdf"\./);
  });
  test("the four prompts in a running agent", async () => {
    const { catalog } = await shelve(files);
    const load = (name: string) => ({ toolCalls: [{ name: "load_skill", arguments: { name } }] });
    const conversation: [prompt: string, skill: string | undefined, body: RegExp][] = [
      ["What skills are available?", undefined, /- agent-builder: Builds agents\n- code-review/],
      [
        "Load the agent-builder skill and follow its instructions",
        "agent-builder",
        /Begin with the loop\./,
      ],
      [
        "I need to do a code review -- load the relevant skill first",
        "code-review",
        /Read it twice\./,
      ],
      ["Build an MCP server using the mcp-builder skill", "mcp-builder", /Name the tools\./],
    ];
    for (const [prompt, skill, body] of conversation) {
      const model = scriptedModel([
        ...(skill === undefined ? [] : [load(skill)]),
        { text: "Done." },
      ]);
      const { finished } = await runAgent({
        model,
        system: `You are a coding agent.\n\n${catalog.prompt()}`,
        tools: catalog.tools(),
        messages: [{ role: "user", content: prompt }],
      });
      assert.ok(finished);
      const shown = model.requests.map(requestText);
      assert.match(shown.at(-1) ?? "", body);
      if (skill !== undefined) assert.doesNotMatch(shown[0] ?? "", body);
    }
  });
  test("without a description it is skipped, on purpose", async () => {
    const { catalog, warnings } = await shelve({
      ...files,
      "mute/SKILL.md": skillFile("name: mute"),
    });
    assert.equal(catalog.get("mute"), undefined);
    assert.equal(warnings.filter((found) => found.startsWith("description-missing")).length, 1);
  });
});

describe("002: skills of a harness", () => {
  const files = (): Record<string, string> => ({
    "pdf/SKILL.md": skillFile(
      'name: pdf\ndescription: Fills in forms\nlicense: MIT\ncompatibility: Needs Python\nmetadata:\n  version: "1.2"\nallowed-tools: Read Bash(pdftk:*)',
      "Use scripts/fill.py",
    ),
    "pdf/scripts/fill.py": "print('filled')",
    "pdf/references/forms.md": "Forms",
    "pdf/assets/form.txt": "A form",
    "tea/SKILL.md": validSkill("tea", "Brews tea", "Warm the pot."),
  });
  test("the specification's rules", () => {
    const codes = (front: string, directory = "pdf"): string[] =>
      validateSkill({ "SKILL.md": skillFile(front) }, { directory })
        .filter(({ severity }) => severity === "error")
        .map(({ code }) => code);
    assert.deepEqual(codes("name: pdf\ndescription: d"), []);
    assert.deepEqual(codes("name: PDF\ndescription: d", "PDF"), ["name-invalid"]);
    assert.deepEqual(codes("name: pdf--x\ndescription: d", "pdf--x"), ["name-invalid"]);
    assert.deepEqual(codes(`name: ${"a".repeat(65)}\ndescription: d`, "a".repeat(65)), [
      "name-too-long",
    ]);
    assert.deepEqual(codes("name: pdf\ndescription: d", "docx"), ["name-directory-mismatch"]);
    assert.deepEqual(codes(`name: pdf\ndescription: ${"d".repeat(1025)}`), [
      "description-too-long",
    ]);
    assert.deepEqual(codes("name: pdf"), ["description-missing"]);
    assert.deepEqual(codes(`name: pdf\ndescription: d\ncompatibility: ${"c".repeat(501)}`), [
      "compatibility-length",
    ]);
  });
  test("optional fields, and allowed-tools separated by spaces", async () => {
    const { catalog } = await shelve(files());
    const { license, compatibility, allowedTools, version } = catalog.get("pdf") ?? {};
    assert.deepEqual(
      [license, compatibility, allowedTools, version],
      ["MIT", "Needs Python", ["Read", "Bash(pdftk:*)"], "1.2"],
    );
  });
  test("an invalid one is skipped with the reason recorded, the others are loaded", async () => {
    const { catalog, warnings } = await shelve({
      ...files(),
      "bad/SKILL.md": skillFile("name: bad"),
    });
    assert.deepEqual(catalog.names, ["pdf", "tea"]);
    const reason = catalog.diagnostics.find(({ severity }) => severity === "error");
    assert.match(reason?.message ?? "", /description is missing/);
    assert.match(reason?.path ?? "", /bad\/SKILL\.md$/);
    assert.equal(warnings.length > 0, true);
  });
  test("addressed by (id, version)", () => {
    const source = (path: string, version: string) => ({
      host: memoryHost({
        [`${path}/pdf/SKILL.md`]: skillFile(
          `name: pdf\ndescription: d\nversion: "${version}"`,
          version,
        ),
      }),
      path,
    });
    const catalog = loadSkillsSync([source("new", "2.0"), source("old", "1.10")], {
      onDiagnostic: () => {},
    });
    assert.equal(catalog.get("pdf")?.version, "2.0");
    assert.equal(catalog.get("pdf", "1.10")?.version, "1.10");
    assert.equal(catalog.body("pdf@1.10"), "1.10");
    assert.match(catalog.call("load_skill", { name: "pdf@1.10" }).content, /\n1\.10\n/);
  });
  test("the five tools", async () => {
    const { catalog } = await shelve(files());
    const five = [
      "list_skills",
      "load_skill",
      "unload_skill",
      "list_skill_resources",
      "load_skill_resource",
    ] as const;
    const tools = catalog.session().tools({ set: five });
    assert.deepEqual(tools.map(({ name }) => name).sort(), [...five].sort());
    const call = async (name: (typeof five)[number], args: object): Promise<string> => {
      const result = await tools.call(name, args);
      assert.equal(result.isError, false, result.content);
      return result.content;
    };
    assert.match(await call("list_skills", {}), /- pdf: Fills in forms\n- tea: Brews tea$/);
    assert.match(await call("load_skill", { name: "pdf" }), /Use scripts\/fill\.py/);
    assert.match(
      await call("list_skill_resources", { skill: "pdf" }),
      /- assets\/form\.txt\n- references\/forms\.md\n- scripts\/fill\.py$/,
    );
    assert.equal(
      await call("load_skill_resource", { skill: "pdf", path: "references/forms.md" }),
      "Forms",
    );
    assert.match(await call("unload_skill", { name: "pdf" }), /is unloaded/);
  });
  test("names and descriptions are in the context window, a body only through load_skill", async () => {
    const { catalog } = await shelve(files());
    const session = catalog.session();
    const tools = session.tools({ set: "full" });
    const shown = `${session.prompt()}${JSON.stringify(tools)}${
      (await tools.call("list_skills", {})).content
    }${(await tools.call("list_skill_resources", { skill: "pdf" })).content}`;
    assert.match(shown, /pdf: Fills in forms/);
    assert.doesNotMatch(shown, /Warm the pot|Use scripts\/fill/);
  });
  test("the loaded body and tool definitions are recorded by the command skill_loaded", async () => {
    const { catalog, root } = await shelve(files());
    const commands: SessionEvent[] = [];
    const session = catalog.session({ onEvent: (event) => void commands.push(event) });
    await session.call("load_skill", { name: "pdf" });
    const [command] = commands;
    assert.ok(command?.type === "skill_loaded");
    assert.deepEqual(
      { ...command, digest: "" },
      {
        type: "skill_loaded",
        name: "pdf",
        version: "1.2",
        digest: "",
        body: "Use scripts/fill.py",
        tools: [],
        allowedTools: ["Read", "Bash(pdftk:*)"],
      },
    );
    write(root, "pdf/SKILL.md", validSkill("pdf", "d", "Something else"));
    const replayed = catalog.session({ state: JSON.parse(JSON.stringify(commands)) });
    assert.deepEqual(replayed.loaded, session.loaded);
    assert.match(replayed.compact().keep[0]?.text ?? "", /Use scripts\/fill\.py/);
  });
  test("unload_skill reverses it", async () => {
    const { catalog } = await shelve(files());
    const commands: SessionEvent[] = [];
    const session = catalog.session({ onEvent: (event) => void commands.push(event) });
    const before = session.toJSON();
    await session.call("load_skill", { name: "pdf" });
    await session.call("unload_skill", { name: "pdf" });
    assert.deepEqual(session.toJSON(), before);
    assert.deepEqual(commands.at(-1), { type: "skill_unloaded", name: "pdf", version: "1.2" });
  });
  test("a loaded body is in the never-compact set", async () => {
    const { catalog } = await shelve(files());
    const session = catalog.session();
    await session.load("pdf");
    await session.load("tea");
    session.unload("pdf");
    assert.deepEqual(session.compact(), {
      keep: [{ name: "tea", text: '<skill_content name="tea">\nWarm the pot.\n</skill_content>' }],
      notes: [],
    });
  });
  test("resources under scripts, references and assets; deeper ones are readable, validate warns", async () => {
    const deep = { ...files(), "pdf/references/more/deep.md": "Deep" };
    const { catalog } = await shelve(deep);
    const args = { skill: "pdf", path: "references/more/deep.md" };
    assert.equal((await catalog.call("load_skill_resource", args)).content, "Deep");
    const own = Object.entries(deep).filter(([path]) => path.startsWith("pdf/"));
    const found = validateSkill(
      Object.fromEntries(own.map(([path, text]) => [path.slice(4), text])),
      { directory: "pdf" },
    ).filter(({ severity }) => severity !== "info");
    assert.deepEqual(
      found.map(({ code, path }) => [code, path]),
      [["resource-deep", "references/more/deep.md"]],
    );
  });
  test("mcp.json: servers are connected and their tools registered on load, undone on unload", async () => {
    const { session, asked } = await connected(skillWith({ helper: program("good") }));
    assert.deepEqual([served(session), asked], [[], []]);
    await session.call("load_skill", { name: "s" });
    assert.equal(asked.length, 1);
    assert.ok(served(session).includes("s__echo"));
    assert.equal(await said(session, "s__echo", { said: "tea" }), "tea");
    const pid = Number(await said(session, "s__pid"));
    assert.ok(isAlive(pid) && pid !== process.pid);
    await session.call("unload_skill", { name: "s" });
    assert.deepEqual(served(session), []);
    assert.equal((await session.call("s__echo", { said: "tea" })).code, "TOOL_UNKNOWN");
    await isGone(pid);
  });
});

describe("004: skills of an agent library", () => {
  const content = "# Changelog entries\n\nUse the imperative mood and link the PR.";
  const changelog = { name: "changelog", description: "How to write a changelog entry", content };

  test("defineSkill: its rules and messages", () => {
    assert.equal(defineSkill(changelog).name, "changelog");
    for (const name of ["a", "0", "a_b-c", "a".repeat(64)]) {
      assert.equal(defineSkill({ ...changelog, name }).name, name);
    }
    for (const name of ["", "A", "-a", "_a", "a b", "a.b", "a".repeat(65)]) {
      const error = thrown(() => defineSkill({ ...changelog, name }));
      assert.equal(error.code, "SKILL_INVALID");
      assert.match(error.message, /name .*/);
    }
    for (const part of ["description", "content"] as const) {
      for (const empty of ["", " \n"]) {
        const error = thrown(() => defineSkill({ ...changelog, [part]: empty }));
        assert.equal(error.code, "SKILL_INVALID");
        assert.match(error.message, new RegExp(`${part} is (empty|missing)`));
        assert.ok(error.diagnostics.every(({ hint }) => hint !== undefined));
      }
    }
  });
  test("the prompt block and load_skill", async () => {
    const catalog = await loadSkills(defineSkill(changelog));
    assert.match(
      catalog.prompt(),
      /`load_skill`.*\n\n- changelog: How to write a changelog entry$/s,
    );
    const [tool] = catalog.tools();
    assert.deepEqual([tool?.name, tool?.inputSchema.required], ["load_skill", ["name"]]);
    assert.match((await tool?.execute({ name: "changelog" }))?.content ?? "", /imperative mood/);
    const empty = await loadSkills([]);
    assert.deepEqual([empty.prompt(), empty.tools().length], ["", 0]);
  });
  test("an unknown name is a tool error that lists the valid ones", async () => {
    const catalog = await loadSkills([
      defineSkill(changelog),
      defineSkill({ ...changelog, name: "code-review" }),
    ]);
    const { content, isError } = await catalog.call("load_skill", { name: "chagelog" });
    assert.ok(isError);
    assert.match(content, /Available skills: changelog, code-review\.$/);
  });
  test("a name clash throws", async () => {
    const { catalog } = await shelve({ "a/SKILL.md": validSkill("a") });
    for (const name of ["load_skill", "read_skill_file"]) {
      const error = thrown(() => catalog.tools({ taken: ["search", name] }));
      assert.equal(error.code, "TOOL_NAME_TAKEN");
      assert.match(error.message, new RegExp(`"${name}".*[Rr]ename`));
    }
  });
  test("both layouts mixed; the name from the folder or the file", async () => {
    const { catalog } = await shelve({
      "changelog/SKILL.md": skillFile("description: How to write a changelog entry", content),
      "code-review.md": skillFile("description: Reviews code", "Read it twice."),
      "folder/notes.txt": "x",
    });
    assert.deepEqual(catalog.names, ["changelog", "code-review"]);
    assert.equal(await catalog.body("changelog"), content);
    assert.equal(await catalog.body("code-review"), "Read it twice.");
  });
  test("a loose file without front matter is skipped, with a note", async () => {
    const { catalog, warnings, root } = await shelve({
      "README.md": "# Skills\n",
      "a.md": validSkill("a"),
    });
    assert.deepEqual(catalog.names, ["a"]);
    assert.deepEqual(warnings, [`loose-file-passed-over ${root}/README.md`]);
  });
  test("directory: named, with up to 50 files, and read_skill_file to read them", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `pdf/references/${String(index).padStart(2, "0")}.md`,
        `File ${index}`,
      ]),
    );
    const { catalog, root } = await shelve({ "pdf/SKILL.md": validSkill("pdf"), ...many });
    assert.equal(catalog.get("pdf")?.source?.directory, `${root}/pdf`);
    const { content } = await catalog.call("load_skill", { name: "pdf" });
    assert.ok(content.includes(`${root}/pdf`));
    assert.equal(content.match(/<file>/g)?.length, 50);
    assert.match(content, /And 10 more files\./);
    assert.deepEqual(
      catalog.tools().map(({ name }) => name),
      ["load_skill", "read_skill_file"],
    );
    const args = { skill: "pdf", path: "references/07.md" };
    assert.equal((await catalog.call("read_skill_file", args)).content, "File 7");
  });
  test("defineSkill({ directory }) sets the same for a skill in code", async () => {
    const directory = folder({ "template.md": "Template" });
    const catalog = await loadSkills(defineSkill({ ...changelog, directory }));
    assert.match((await catalog.call("load_skill", { name: "changelog" })).content, /template\.md/);
    const args = { skill: "changelog", path: "template.md" };
    assert.equal((await catalog.call("read_skill_file", args)).content, "Template");
  });
  test("text files up to 256 KB", async () => {
    const text = "x".repeat(256 * 1024);
    const { catalog } = await shelve({
      "pdf/SKILL.md": validSkill("pdf"),
      "pdf/just.txt": text,
      "pdf/more.txt": `${text}y`,
    });
    const read = (path: string) => catalog.call("read_skill_file", { skill: "pdf", path });
    assert.equal((await read("just.txt")).content, text);
    const { truncated, nextOffset } = await read("more.txt");
    assert.deepEqual([truncated, nextOffset], [true, 256 * 1024]);
  });
  test("what leaves the folder is refused: .., absolute paths, links", async () => {
    const { catalog, root } = await shelve({
      "pdf/SKILL.md": validSkill("pdf"),
      "secret.txt": "secret",
      "pdf-other/secret.txt": "secret",
    });
    link(root, "pdf/link.txt", "../secret.txt");
    for (const path of [
      "../secret.txt",
      "../pdf-other/secret.txt",
      "references/../../secret.txt",
      `${root}/secret.txt`,
      "C:\\secret.txt",
      "link.txt",
    ]) {
      const result = await catalog.call("read_skill_file", { skill: "pdf", path });
      assert.deepEqual([result.isError, result.code], [true, "PATH_REFUSED"], path);
      assert.doesNotMatch(result.content, /^secret$/m);
    }
  });
  test("sorted by name, so that prompts are deterministic", async () => {
    const names = ["b", "a-2", "a", "c.md", "a-10"];
    const files = names.map((name) => {
      const bare = name.replace(".md", "");
      return [name.endsWith(".md") ? name : `${name}/SKILL.md`, validSkill(bare)];
    });
    const one = await shelve(Object.fromEntries(files));
    const other = await shelve(Object.fromEntries(files.reverse()));
    assert.deepEqual(one.catalog.names, ["a", "a-10", "a-2", "b", "c"]);
    assert.equal(one.catalog.prompt(), other.catalog.prompt());
  });
  test("one error code that names the file and the problem", async () => {
    const cases: [file: string, text: string, problem: RegExp][] = [
      ["a/SKILL.md", skillFile("name: a"), /description is missing/],
      ["a/SKILL.md", skillFile("name: [a\ndescription: d"), /a\/SKILL\.md:\d+:\d+: /],
      ["a.md", skillFile("name: a"), /description is missing/],
    ];
    for (const [file, text, problem] of cases) {
      const error = await rejection(() =>
        loadSkills(folder({ [file]: text }), { invalid: "throw", mode: "strict" }),
      );
      assert.ok(SkillError.isInstance(error));
      assert.equal(error.code, "SKILL_INVALID");
      assert.ok(error.message.includes(file), error.message);
      assert.match(error.message, problem);
    }
    const name = await rejection(() =>
      loadSkills(folder({ "a b/SKILL.md": skillFile("name: a/b\ndescription: d") }), {
        invalid: "throw",
        mode: "strict",
      }),
    );
    assert.match(name.message, /a b\/SKILL\.md:2:7: .*name/);
  });
  test("a duplicate lists both paths", async () => {
    const root = folder({
      "changelog/SKILL.md": validSkill("changelog"),
      "changelog.md": validSkill("changelog"),
    });
    const error = await rejection(() => loadSkills(root, { invalid: "throw" }));
    assert.equal(error.code, "SKILL_INVALID");
    assert.match(error.message, /changelog\/SKILL\.md/);
    assert.match(error.message, /changelog\.md/);
  });
  test("a mock model for tests: descriptions first, the body only after load_skill", async () => {
    const catalog = await loadSkills(defineSkill(changelog));
    const model = scriptedModel([
      { toolCalls: [{ name: "load_skill", arguments: { name: "changelog" } }] },
      { text: "Done." },
    ]);
    await runAgent({
      model,
      system: catalog.prompt(),
      tools: catalog.tools(),
      messages: [{ role: "user", content: "Write an entry." }],
    });
    const [first, second] = model.requests.map(requestText);
    assert.match(first ?? "", /How to write a changelog entry/);
    assert.doesNotMatch(first ?? "", /imperative mood/);
    assert.match(second ?? "", /imperative mood/);
  });
});
