// Sessions: what one conversation has loaded, with promises and without.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Budget,
  type Catalog,
  loadSkills,
  loadSkillsSync,
  type Session,
  type SessionEvent,
  type SessionOptions,
  type SessionState,
  type SkillTools,
  type SyncCatalog,
  type SyncSession,
  type SyncSkillTools,
} from "skillshelf";
import { systemPrompt } from "skillshelf/prompt";
import { rejection, thrown } from "./support/errors.ts";
import { type Files, smallHost, withPromises } from "./support/hosts.ts";
import { shelf, shelfWithPromises } from "./support/load.ts";
import { skillFile, validSkill } from "./support/text.ts";
import { trap, whileTrapping } from "./support/trap.ts";

/** The same files both ways. */
const WAYS: [name: string, load: (files: Files) => Promise<Catalog | SyncCatalog>][] = [
  ["with promises", (files) => shelfWithPromises(smallHost(files))],
  ["without promises", async (files) => shelf(files)],
];

/** Runs a test once with promises and once without. */
function both(
  title: string,
  work: (load: (files: Files) => Promise<Catalog | SyncCatalog>) => Promise<void>,
): void {
  describe(title, () => {
    for (const [name, load] of WAYS) test(name, () => work(load));
  });
}

const some = (): Record<string, string> => ({
  "pdf/SKILL.md": validSkill("pdf", "Fills in forms", "PDF body"),
  "pdf/references/forms.md": "Forms",
  "review/SKILL.md": validSkill("review", "Reviews", "Review body"),
  "tea/SKILL.md": validSkill("tea", "Brews tea", "Tea body"),
});

const wrapped = (name: string, body: string): string =>
  `<skill_content name="${name}">\n${body}\n</skill_content>`;
const already = (name: string): string =>
  `The skill "${name}" is already loaded: its instructions are in this conversation and have not changed.`;

async function take(session: Session | SyncSession, name: string): Promise<string> {
  const result = await session.call("load_skill", { name });
  assert.equal(result.isError, false, result.content);
  assert.equal(result.skill, name);
  return result.content;
}

const namesOf = (session: Session | SyncSession): string[] =>
  session.loaded.map(({ name }) => name);

/** A catalog, a session of it, and what the session told. */
async function begin(
  load: (files: Files) => Promise<Catalog | SyncCatalog>,
  files: Files = some(),
  options: SessionOptions = {},
): Promise<{
  catalog: Catalog | SyncCatalog;
  session: Session | SyncSession;
  told: SessionEvent[];
}> {
  const told: SessionEvent[] = [];
  const catalog = await load(files);
  const session = catalog.session({ onEvent: (event) => void told.push(event), ...options });
  return { catalog, session, told };
}

describe("loading", () => {
  both("once gives the text, again gives one line", async (load) => {
    const { session } = await begin(load);
    assert.ok((await take(session, "pdf")).startsWith(wrapped("pdf", "PDF body")));
    assert.equal(await take(session, "pdf"), already("pdf"));
    assert.equal((await session.load("pdf")).content, already("pdf"));
  });
  both("by the names that the tools were given", async (load) => {
    const { session } = await begin(load);
    const tools = session.tools({
      rename: { load_skill: { name: "use_skill", arguments: { name: "skill_name" } } },
    });
    const first = await tools.call("use_skill", { skill_name: "tea" });
    assert.match(first.content, /Tea body/);
    const again = await tools[0]?.execute({ skill_name: "tea" });
    assert.equal(again?.content, already("tea"));
  });
  both("changed content is the new text, with a word on it", async (load) => {
    const files = some();
    const { session } = await begin(load, files);
    await take(session, "tea");
    files["tea/SKILL.md"] = validSkill("tea", "Brews tea", "Other body");
    const content = await take(session, "tea");
    const word =
      'The skill "tea" has changed since it was loaded; this replaces its earlier instructions.\n\n';
    assert.ok(content.startsWith(word + wrapped("tea", "Other body")), content);
    assert.equal(await take(session, "tea"), already("tea"));
    assert.deepEqual(namesOf(session), ["tea"]);
  });
  both("what the model may not load, the user may", async (load) => {
    const { session } = await begin(load, {
      ...some(),
      "release/SKILL.md": skillFile(
        "name: release\ndescription: d\ndisable-model-invocation: true",
        "Release body",
      ),
    });
    assert.equal((await session.call("load_skill", { name: "release" })).code, "SKILL_NOT_FOUND");
    assert.match((await session.load("release")).content, /Release body/);
    assert.deepEqual(namesOf(session), ["release"]);
  });
  both("and then the model may read its files, though not load it", async (load) => {
    const { session } = await begin(load, {
      "release/SKILL.md": skillFile(
        "name: release\ndescription: d\ndisable-model-invocation: true",
        "See steps.md",
      ),
      "release/steps.md": "Steps",
    });
    const args = { skill: "release", path: "steps.md" };
    assert.equal((await session.call("read_skill_file", args)).code, "SKILL_NOT_FOUND");
    assert.equal((await session.expand("/release 1.2")).kind, "skill");
    assert.equal((await session.call("read_skill_file", args)).content, "Steps");
    assert.equal((await session.call("load_skill", { name: "release" })).code, "SKILL_NOT_FOUND");
    session.forget(["release"]);
    assert.match(session.compact().notes[0]?.text ?? "", /Only the user can load it again\.$/);
  });
  both("an unknown name is a result and loads nothing", async (load) => {
    const { session, told } = await begin(load);
    for (const result of [
      await session.load("pfd"),
      await session.call("load_skill", { name: "pfd" }),
      await session.load(undefined as never),
    ]) {
      assert.deepEqual([result.isError, result.code], [true, "SKILL_NOT_FOUND"]);
      assert.match(result.content, /Available skills: pdf, review, tea\.$/);
    }
    assert.deepEqual([session.loaded, told], [[], []]);
  });
  test("is listed with digest and sizes, the most recently used last", async () => {
    const { session } = await begin(async (files) => shelf(files), {
      ...some(),
      "é/SKILL.md": skillFile("name: é\nversion: 1.10\ndescription: d", "é é"),
    });
    await take(session, "pdf");
    await take(session, "é");
    await take(session, "pdf");
    assert.deepEqual(session.loaded[0], {
      name: "é",
      version: "1.10",
      digest: "sha256:6279fe2f6375a76b75eb7575dcff56db8bdf5d375ead766ea4b377537eba9681",
      characters: 3,
      tokens: 3,
    });
    assert.deepEqual(namesOf(session), ["é", "pdf"]);
  });
  test("in one session is not in another, nor in the catalog", () => {
    const catalog = shelf(some());
    const [one, other] = [catalog.session(), catalog.session()];
    one.load("pdf");
    assert.equal(other.load("pdf").content.startsWith("<skill_content"), true);
    assert.match(catalog.call("load_skill", { name: "pdf" }).content, /PDF body/);
    one.unload("pdf");
    assert.deepEqual(namesOf(other), ["pdf"]);
  });
  test("several calls of one skill at a time give its text once", async () => {
    const catalog = await shelfWithPromises(smallHost(some()));
    const told: SessionEvent[] = [];
    const session = catalog.session({ onEvent: (event) => void told.push(event) });
    const results = await Promise.all(
      Array.from({ length: 5 }, () => session.call("load_skill", { name: "pdf" })),
    );
    const contents = results.map(({ content }) => content).sort();
    assert.match(contents[0] ?? "", /PDF body/);
    assert.deepEqual(contents.slice(1), Array(4).fill(already("pdf")));
    assert.deepEqual(
      told.map(({ type }) => type),
      ["skill_loaded"],
    );
  });
  test("several skills at a time", async () => {
    const catalog = await shelfWithPromises(smallHost(some()));
    const session = catalog.session();
    await Promise.all(catalog.names.map((name) => session.load(name)));
    assert.deepEqual(namesOf(session).sort(), ["pdf", "review", "tea"]);
  });
});

describe("versions", () => {
  const files = {
    "one/tea/SKILL.md": skillFile("name: tea\nversion: '2'\ndescription: d", "Two"),
    "two/tea/SKILL.md": skillFile("name: tea\nversion: '1'\ndescription: d", "One"),
  };
  const versions = (): SyncCatalog =>
    loadSkillsSync(
      ["one", "two"].map((path) => ({ host: smallHost(files), path })),
      { onDiagnostic: () => {} },
    );
  test("are loaded side by side, and unloaded one by one", () => {
    const session = versions().session();
    assert.match(session.load("tea").content, /Two/);
    assert.match(session.load("tea@1").content, /^<skill_content name="tea">\nOne\n/);
    assert.deepEqual(
      session.loaded.map(({ version }) => version),
      ["2", "1"],
    );
    session.unload("tea@2");
    assert.deepEqual(
      session.loaded.map(({ version }) => version),
      ["1"],
    );
  });
  test("that are gone are replaced, by a load and by an expansion", () => {
    for (const again of [
      (session: SyncSession) => session.load("tea").isError,
      (session: SyncSession) => session.expand("/tea").kind === "unknown",
    ]) {
      const edited: Record<string, string> = {
        "tea/SKILL.md": skillFile("name: tea\nversion: '1'\ndescription: d", "One"),
      };
      const catalog = shelf(edited);
      const told: SessionEvent[] = [];
      const session = catalog.session({ onEvent: (event) => void told.push(event) });
      session.load("tea");
      edited["tea/SKILL.md"] = skillFile("name: tea\nversion: '2'\ndescription: d", "Two");
      catalog.refresh();
      assert.equal(again(session), false);
      assert.deepEqual(
        told.map(({ type, version }) => `${type} ${version}`),
        ["skill_loaded 1", "skill_unloaded 1", "skill_loaded 2"],
      );
      assert.deepEqual(
        session.compact().keep.map(({ version, text }) => [version, text]),
        [["2", wrapped("tea", "Two")]],
      );
    }
  });
});

describe("unloading", () => {
  both("makes the next load whole again", async (load) => {
    const { session, told } = await begin(load);
    const first = await take(session, "pdf");
    assert.deepEqual(session.unload("pdf"), {
      content: 'The skill "pdf" is unloaded: its instructions no longer apply.',
      isError: false,
      skill: "pdf",
    });
    assert.deepEqual(session.loaded, []);
    assert.equal(await take(session, "pdf"), first);
    assert.deepEqual(
      told.map(({ type }) => type),
      ["skill_loaded", "skill_unloaded", "skill_loaded"],
    );
  });
  both("by the model", async (load) => {
    const { session } = await begin(load);
    await take(session, "pdf");
    const { content } = await session.tools({ set: "full" }).call("unload_skill", { name: "pdf" });
    assert.match(content, /is unloaded/);
    assert.deepEqual(session.loaded, []);
  });
  both("what is not loaded names what is", async (load) => {
    const { session } = await begin(load);
    await take(session, "tea");
    const result = session.unload("pdf");
    assert.deepEqual(
      [result.isError, result.code, result.content],
      [true, "SKILL_NOT_FOUND", 'The skill "pdf" is not loaded. Loaded: tea.'],
    );
  });
});

describe("compaction", () => {
  const bodies = { pdf: "PDF body", review: "Review body", tea: "Tea body" };
  const session = (): SyncSession => {
    const started = shelf(some()).session();
    for (const name of ["pdf", "review", "tea"]) started.load(name);
    return started;
  };
  test("without a budget keeps everything, in the order of its last use", () => {
    const started = session();
    started.load("pdf");
    assert.deepEqual(started.compact(), {
      keep: (["review", "tea", "pdf"] as const).map((name) => ({
        name,
        text: wrapped(name, bodies[name]),
      })),
      notes: [],
    });
    assert.deepEqual(started.compact(undefined), started.compact({}));
    assert.equal(started.load("tea").content, already("tea"));
  });
  const length = (name: keyof typeof bodies): number => wrapped(name, bodies[name]).length;
  const words = (text: string): number => text.split(/\s+/).length;
  const cases: [title: string, budget: Budget, keep: string[]][] = [
    ["no characters", { characters: 0 }, []],
    ["characters for one", { characters: length("tea") }, ["tea"]],
    ["one character less", { characters: length("tea") - 1 }, []],
    ["characters for two", { characters: length("tea") + length("review") }, ["tea", "review"]],
    [
      "what is left goes to what fits",
      { characters: length("tea") + length("pdf") },
      ["tea", "pdf"],
    ],
    ["characters for all", { characters: 10_000 }, ["tea", "review", "pdf"]],
    ["tokens, by an estimate", { tokens: Math.ceil(length("tea") / 4) }, ["tea"]],
    ["no tokens", { tokens: 0 }, []],
    ["counted tokens", { tokens: 10, count: words }, ["tea", "review"]],
    [
      "counted tokens with a fraction",
      { tokens: 10, count: (text) => words(text) - 0.5 },
      ["tea", "review"],
    ],
    [
      "a count that is undefined",
      { tokens: 10_000, count: undefined as never },
      ["tea", "review", "pdf"],
    ],
  ];
  for (const [title, budget, keep] of cases) {
    test(`within a budget: ${title}`, () => {
      const started = session();
      const compaction = started.compact({ budget });
      assert.deepEqual(
        compaction.keep.map(({ name }) => name),
        keep,
      );
      assert.deepEqual(
        compaction.notes.map(({ name }) => name),
        ["pdf", "review", "tea"].filter((name) => !keep.includes(name)),
      );
      assert.deepEqual(namesOf(started).sort(), ["pdf", "review", "tea"], "dropped ones stay here");
    });
  }
  test("counts each text once, as it would be kept", () => {
    const counted: string[] = [];
    session().compact({ budget: { tokens: 100, count: (text) => counted.push(text) } });
    assert.deepEqual(
      counted.sort(),
      (["pdf", "review", "tea"] as const).map((name) => wrapped(name, bodies[name])),
    );
  });
  both("what was dropped comes back whole", async (load) => {
    const { session: started, told } = await begin(load);
    const first = await take(started, "pdf");
    await take(started, "tea");
    const { notes } = started.compact({ budget: { characters: length("tea") } });
    assert.deepEqual(notes, [
      {
        name: "pdf",
        text: 'The skill "pdf" was loaded earlier; its instructions are no longer in this conversation. Call `load_skill` to read them again.',
      },
    ]);
    assert.deepEqual(told.at(-1), { type: "skill_dropped", name: "pdf" });
    assert.equal(await take(started, "pdf"), first);
    assert.deepEqual(started.compact().notes, []);
  });
  both("and so does what was forgotten", async (load) => {
    const { session: started, told } = await begin(load);
    const first = await take(started, "pdf");
    started.forget(["pdf", "tea", "unknown"]);
    started.forget(["pdf"]);
    started.forget([]);
    assert.deepEqual(
      told.map(({ type }) => type),
      ["skill_loaded", "skill_dropped"],
    );
    assert.deepEqual(
      [started.compact().keep, started.compact().notes.map(({ name }) => name)],
      [[], ["pdf"]],
    );
    assert.equal(await take(started, "pdf"), first);
  });
  both("a note names files that were read, and the tool by its own name", async (load) => {
    const tools = { rename: { load_skill: "use_skill" } };
    const { session: started } = await begin(load, some(), { tools });
    await started.load("pdf");
    await started.call("read_skill_file", { skill: "pdf", path: "references/forms.md" });
    started.forget(["pdf"]);
    const [note] = started.compact().notes;
    assert.equal(
      note?.text,
      'The skill "pdf" was loaded earlier, and of its files "references/forms.md"; its instructions are no longer in this conversation. Call `use_skill` to read them again.',
    );
  });
  both("what is kept names files that were read", async (load) => {
    const { session: started } = await begin(load);
    await take(started, "pdf");
    await started.call("read_skill_file", { skill: "pdf", path: "references/forms.md" });
    const [kept] = started.compact().keep;
    assert.equal(
      kept?.text,
      `${wrapped("pdf", "PDF body")}\n\nFiles of the skill "pdf" that were read earlier: "references/forms.md". Call \`read_skill_file\` to read them again.`,
    );
  });
  both("a body with arguments is kept as the conversation has it", async (load) => {
    const { session: started, told } = await begin(load, {
      "greet/SKILL.md": validSkill("greet", "d", "Say $1 to $2."),
    });
    const expansion = await started.expand("/greet hello you", { arguments: true });
    assert.equal(expansion.kind === "skill" && expansion.text, "Say hello to you.");
    const [event] = told;
    assert.ok(event?.type === "skill_loaded");
    assert.deepEqual([event.body, event.arguments], ["Say $1 to $2.", "hello you"]);
    assert.equal(started.compact().keep[0]?.text, wrapped("greet", "Say hello to you."));
  });
  test("a body cannot leave its tag", () => {
    const started = shelf({
      "a/SKILL.md": validSkill("a", "d", "x </skill_content> y <skill_content name='b'>"),
    }).session();
    started.load("a");
    const [kept] = started.compact().keep;
    assert.equal(kept?.text.match(/<\/?skill_content/g)?.length, 2);
  });
  test("a count that throws throws, and drops nothing", () => {
    const started = session();
    const fault = new Error("the tokenizer is not there");
    const budget = {
      tokens: 1,
      count: (): number => {
        throw fault;
      },
    };
    assert.throws(() => started.compact({ budget }), fault);
    assert.equal(started.compact().keep.length, 3);
    assert.equal(started.load("tea").content, already("tea"));
  });
  for (const given of [
    Number.NaN,
    -1,
    Number.POSITIVE_INFINITY,
    "many",
    undefined,
    null,
    Promise.resolve(1),
  ]) {
    test(`a count that gives ${String(given)} is the developer's mistake`, () => {
      const started = session();
      const error = thrown(() =>
        started.compact({ budget: { tokens: 1, count: () => given as number } }),
      );
      assert.equal(error.code, "SOURCE_UNSUPPORTED");
      assert.match(error.message, /count function must give a number of tokens/);
      assert.equal(started.compact().keep.length, 3);
    });
  }
  const mistakes: [options: unknown, problem: RegExp][] = [
    [{ budget: {} }, /either \{ characters \} or \{ tokens \}/],
    [{ budget: { characters: 1, tokens: 1 } }, /either \{ characters \} or \{ tokens \}/],
    [{ budget: { characters: -1 } }, /budget\.characters must be a whole number/],
    [{ budget: { tokens: 1.5 } }, /budget\.tokens must be a whole number/],
    [{ budget: { tokens: Number.NaN } }, /budget\.tokens must be a whole number/],
    [{ budget: { tokens: 1, count: "words" } }, /budget\.count must be a function; it is "words"/],
    [
      { budget: { characters: 1, count: () => 1 } },
      /budget\.count is not known; known are characters, tokens/,
    ],
    [{ budget: { token: 1 } }, /either \{ characters \} or \{ tokens \}/],
    [{ budget: 1000 }, /budget must be/],
    [{ bugdet: { tokens: 1 } }, /bugdet is not known; budget is/],
    [{ rename: { load_skill: "x" } }, /rename is not known/],
  ];
  for (const [options, problem] of mistakes) {
    test(`options that cannot be used: ${JSON.stringify(options)}`, () => {
      const error = thrown(() => session().compact(options as never));
      assert.equal(error.code, "SOURCE_UNSUPPORTED");
      assert.match(error.message, problem);
    });
  }
  test("names to forget must be a list", () => {
    const error = thrown(() => session().forget("pdf" as never));
    assert.equal(error.code, "SOURCE_UNSUPPORTED");
    assert.match(error.message, /names must be a list of text; it is "pdf"/);
  });
});

describe("events", () => {
  const digest = /^sha256:[0-9a-f]{64}$/;
  both("are plain JSON, each told once, in their order", async (load) => {
    const { session, told } = await begin(load);
    await take(session, "pdf");
    await take(session, "pdf");
    for (const tool of ["read_skill_file", "load_skill_resource"] as const) {
      const { content } = await session.call(tool, {
        skill: "pdf",
        path: "references//forms.md",
      });
      assert.equal(content, "Forms");
    }
    await session.expand("/tea with milk");
    session.forget(["tea"]);
    session.unload("pdf");
    const digests = told.map((event) => ("digest" in event ? event.digest : ""));
    for (const index of [0, 2]) assert.match(digests[index] ?? "", digest);
    assert.deepEqual(told, [
      { type: "skill_loaded", name: "pdf", digest: digests[0], body: "PDF body", tools: [] },
      { type: "resource_loaded", name: "pdf", path: "references/forms.md" },
      { type: "skill_loaded", name: "tea", digest: digests[2], body: "Tea body", tools: [] },
      { type: "skill_dropped", name: "tea" },
      { type: "skill_unloaded", name: "pdf" },
    ]);
    assert.deepEqual(JSON.parse(JSON.stringify(told)), told);
  });
  both("a repeat is one where it changes what was used last", async (load) => {
    const { session, told } = await begin(load);
    for (const name of ["pdf", "tea", "tea", "pdf", "pdf"]) await take(session, name);
    assert.deepEqual(
      told.map(({ name }) => name),
      ["pdf", "tea", "pdf"],
    );
  });
  both("what failed is none", async (load) => {
    const { session, told } = await begin(load);
    await session.load("unknown");
    await session.call("read_skill_file", { skill: "pdf", path: "../review/SKILL.md" });
    await session.call("read_skill_file", { skill: "pdf", path: "none.md" });
    await session.expand("/unknown");
    await session.expand("no command");
    session.unload("pdf");
    assert.deepEqual(told, []);
  });
  describe("that the function refuses have not happened", () => {
    const fault = new Error("the disk is full");
    /** A session whose function refuses events while it is asked to, and what it took. */
    async function strict(
      load: (files: Files) => Promise<Catalog | SyncCatalog>,
      files: Files = some(),
    ): Promise<{
      catalog: Catalog | SyncCatalog;
      session: Session | SyncSession;
      taken: SessionEvent[];
      refuse: (refused: string) => void;
    }> {
      const taken: SessionEvent[] = [];
      let refused = "";
      const catalog = await load(files);
      const session = catalog.session({
        onEvent: (event) => {
          if (`${event.type} ${event.name}`.startsWith(refused || "nothing")) throw fault;
          taken.push(event);
        },
      });
      return { catalog, session, taken, refuse: (events) => (refused = events) };
    }
    /** The session is where its stored events lead. */
    function agree(
      catalog: Catalog | SyncCatalog,
      session: Session | SyncSession,
      taken: SessionEvent[],
    ): void {
      assert.deepEqual(catalog.session({ state: taken }).toJSON(), session.toJSON());
    }
    both("a load is an error, and whole the next time", async (load) => {
      const { catalog, session, taken, refuse } = await strict(load);
      await take(session, "tea");
      refuse("skill_loaded");
      for (const result of [
        await session.call("load_skill", { name: "pdf" }),
        await session.tools().call("load_skill", { name: "pdf" }),
        await session.load("pdf"),
      ]) {
        assert.deepEqual(result, {
          content:
            'The application did not take the event skill_loaded of the skill "pdf": the disk is full. ' +
            "Nothing has changed: call again; if that fails too, go on without it and tell the user.",
          isError: true,
          code: "HOST_FAILED",
          skill: "pdf",
        });
      }
      assert.deepEqual(namesOf(session), ["tea"]);
      agree(catalog, session, taken);
      refuse("");
      assert.match(await take(session, "pdf"), /PDF body/);
      assert.equal(await take(session, "pdf"), already("pdf"));
      agree(catalog, session, taken);
    });
    both("an expansion rejects with what the function threw as its cause", async (load) => {
      const { session, refuse } = await strict(load);
      refuse("skill_loaded");
      const error = await rejection(async () => session.expand("/pdf"));
      assert.deepEqual([error.code, error.cause], ["HOST_FAILED", fault]);
      assert.equal(
        error.message,
        'onEvent failed for the event skill_loaded of the skill "pdf": the disk is full. ' +
          "It is as if it had not happened: mend onEvent, and do it again.",
      );
      assert.deepEqual(session.loaded, []);
    });
    both("an unload, a forget and a compaction can be done again", async (load) => {
      const { catalog, session, taken, refuse } = await strict(load);
      for (const name of ["pdf", "review", "tea"]) await take(session, name);
      refuse("skill_");
      assert.equal(session.unload("pdf").code, "HOST_FAILED");
      assert.deepEqual(namesOf(session), ["pdf", "review", "tea"]);
      assert.equal(thrown(() => session.forget(["pdf"])).code, "HOST_FAILED");
      assert.equal(session.compact().keep.length, 3, "none was forgotten");
      refuse("skill_dropped review");
      const budget = { characters: 0 };
      assert.equal(thrown(() => session.compact({ budget })).code, "HOST_FAILED");
      assert.deepEqual(
        session.compact().keep.map(({ name }) => name),
        ["review", "tea"],
        "what was told before it stays",
      );
      agree(catalog, session, taken);
      refuse("");
      assert.equal(session.compact({ budget }).notes.length, 3);
      assert.equal(session.unload("pdf").isError, false);
      agree(catalog, session, taken);
    });
    both("a file is not given", async (load) => {
      const { catalog, session, taken, refuse } = await strict(load);
      await take(session, "pdf");
      const args = { skill: "pdf", path: "references/forms.md" };
      refuse("resource_loaded");
      const refused = await session.call("read_skill_file", args);
      assert.deepEqual([refused.code, refused.content.includes("Forms")], ["HOST_FAILED", false]);
      refuse("");
      assert.equal((await session.call("read_skill_file", args)).content, "Forms");
      agree(catalog, session, taken);
    });
    both("what was told before in the same call stays", async (load) => {
      const files: Record<string, string> = {
        "tea/SKILL.md": skillFile("name: tea\nversion: '1'\ndescription: d", "One"),
      };
      const { catalog, session, taken, refuse } = await strict(load, files);
      await take(session, "tea");
      files["tea/SKILL.md"] = skillFile("name: tea\nversion: '2'\ndescription: d", "Two");
      await catalog.refresh();
      refuse("skill_loaded");
      assert.equal((await session.load("tea")).code, "HOST_FAILED");
      assert.deepEqual(session.loaded, []);
      refuse("");
      assert.match(await take(session, "tea"), /Two/);
      agree(catalog, session, taken);
    });
    both("also after more events than are kept, and through a restart", async (load) => {
      const { catalog, session, taken, refuse } = await strict(load);
      for (let round = 0; round < 70; round += 1) {
        await take(session, "pdf");
        await take(session, "tea");
      }
      refuse("skill_loaded review");
      assert.equal((await session.load("review")).code, "HOST_FAILED");
      agree(catalog, session, taken);
      trap();
      await catalog.refresh();
      assert.deepEqual(namesOf(session), ["pdf", "tea"]);
      agree(catalog, session, taken);
    });
    test("whatever else ends meanwhile goes by what was taken", async () => {
      // Hosts that answer at random times, so that calls end in every order.
      const memory = withPromises(smallHost(some()));
      const later = <T>(work: Promise<T>): Promise<T> => {
        const ticks = Math.floor(Math.random() * 6);
        return Array.from({ length: ticks }).reduce<Promise<T>>((all) => all.then((x) => x), work);
      };
      const host = {
        list: (path: string) => later(memory.list(path)),
        read: (path: string) => later(memory.read(path)),
      };
      const catalog = await loadSkills({ host });
      for (let round = 0; round < 100; round += 1) {
        const taken: SessionEvent[] = [];
        const session = catalog.session({
          onEvent: (event) => {
            if (event.name === "pdf") throw fault;
            taken.push(event);
          },
        });
        const names = ["pdf", "tea", "pdf", "review"];
        const results = await Promise.all(names.map((name) => session.load(name)));
        assert.deepEqual(
          results.map(({ skill, code }) => [skill, code]),
          names.map((name) => [name, name === "pdf" ? "HOST_FAILED" : undefined]),
        );
        assert.deepEqual(namesOf(session).sort(), ["review", "tea"]);
        agree(catalog, session, taken);
      }
    });
    both("whatever it throws", async (load) => {
      for (const value of [undefined, null, "", "full", { toString: null }, Symbol("x")]) {
        const { session } = await begin(load, some(), {
          onEvent: () => {
            throw value;
          },
        });
        assert.equal((await session.load("pdf")).code, "HOST_FAILED");
        assert.deepEqual(session.loaded, []);
      }
    });
    both("a SkillError that it throws is one failure like another", async (load) => {
      const { session } = await begin(load, some(), { onEvent: () => void shelf({}).body("a") });
      const { code, content } = await session.load("pdf");
      assert.equal(code, "HOST_FAILED");
      assert.match(content, /There is no skill named "a"/);
    });
    both("what it does to an event is not done to the session", async (load) => {
      const { session } = await begin(load, some(), {
        onEvent: (event) => {
          event.name = "";
          throw fault;
        },
      });
      assert.equal((await session.load("pdf")).code, "HOST_FAILED");
      assert.match((await session.load("pdf")).content, /of the skill "pdf"/);
    });
  });
  test("what happens while one is told is told after it", () => {
    const told: string[] = [];
    const session: SyncSession = shelf(some()).session({
      onEvent: ({ type, name }) => {
        if (name === "pdf" && type === "skill_loaded") session.load("tea");
        told.push(`${type} ${name}`);
      },
    });
    session.load("pdf");
    assert.deepEqual(told, ["skill_loaded pdf", "skill_loaded tea"]);
  });
  test("what is told after one that is refused needs nothing of it", () => {
    const catalog = shelf(some());
    const told: SessionEvent[] = [];
    let isFirst = true;
    const session: SyncSession = catalog.session({
      onEvent: (event) => {
        if (!isFirst) {
          told.push(event);
          return;
        }
        isFirst = false;
        session.load("tea");
        session.load("pdf");
        throw new Error("no room");
      },
    });
    assert.equal(session.load("pdf").code, "HOST_FAILED");
    session.load("tea");
    assert.deepEqual(
      told.map((event) => [event.name, "body" in event]),
      [
        ["tea", true],
        ["pdf", true],
        ["tea", false],
      ],
    );
    assert.deepEqual(catalog.session({ state: told }).toJSON(), session.toJSON());
  });
  test("one that is refused after its call has ended, or by a promise, is a warning", async (context) => {
    const warned = context.mock.method(console, "warn", () => {});
    const session: SyncSession = shelf(some()).session({
      onEvent: ({ type, name }) => {
        if (name === "pdf" && type === "skill_loaded") session.load("tea");
        if (name === "tea") throw new Error("the disk is full");
        // What takes events with promises is no function of this type.
        return (name === "review" ? Promise.reject(new Error("too late")) : undefined) as undefined;
      },
    });
    assert.equal(session.load("pdf").isError, false);
    assert.deepEqual(namesOf(session), ["pdf"]);
    assert.equal(session.load("review").isError, false);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(namesOf(session), ["pdf", "review"]);
    assert.deepEqual(
      warned.mock.calls.map(({ arguments: [line] }) => line),
      [
        'skillshelf: onEvent failed for the event skill_loaded of the skill "tea": the disk is full. ' +
          "It is as if it had not happened: mend onEvent, and do it again.",
        "skillshelf: onEvent failed later for the event skill_loaded of the skill review: too late",
      ],
    );
  });
  test("one that brings down the module leaves what was taken", async () => {
    const catalog = shelf(some());
    let isDown = false;
    const session = catalog.session({
      onEvent: ({ name }) => {
        if (name !== "tea" || isDown) return;
        isDown = true;
        trap();
        throw new Error("after the end");
      },
    });
    session.load("pdf");
    assert.equal(session.load("tea").code, "HOST_FAILED");
    assert.deepEqual(namesOf(session), ["pdf"]);
    catalog.refresh();
    assert.deepEqual(namesOf(session), ["pdf"]);
    assert.match(session.load("tea").content, /Tea body/);
  });
  test("onEvent must be a function", () => {
    const error = thrown(() => shelf(some()).session({ onEvent: "log" as never }));
    assert.match(error.message, /onEvent must be a function; it is "log"/);
  });
});

describe("state", () => {
  /** A conversation in which everything has happened. */
  async function conversation(
    load: (files: Files) => Promise<Catalog | SyncCatalog>,
    files: Files,
  ): Promise<{
    catalog: Catalog | SyncCatalog;
    session: Session | SyncSession;
    told: SessionEvent[];
  }> {
    const begun = await begin(load, files);
    const { session } = begun;
    for (const name of ["pdf", "review", "tea", "pdf"]) await take(session, name);
    await session.call("read_skill_file", { skill: "pdf", path: "references/forms.md" });
    session.forget(["review"]);
    session.unload("tea");
    return begun;
  }
  both("goes to JSON and back, and so do the events themselves", async (load) => {
    const files = some();
    const { catalog, session, told } = await conversation(load, files);
    files["pdf/SKILL.md"] = validSkill("pdf", "d", "Edited");
    delete files["review/SKILL.md"];
    await catalog.refresh();
    const state: SessionState = JSON.parse(JSON.stringify(session));
    assert.deepEqual(state, session.toJSON());
    for (const before of [state, told, { events: told }]) {
      const again = catalog.session({ state: before });
      assert.deepEqual(again.toJSON(), state);
      assert.deepEqual(again.loaded, session.loaded);
      assert.deepEqual(again.compact(), session.compact());
    }
    assert.equal(state.events.length, 4, "the fewest events that lead there");
  });
  both("what is restored is not told again", async (load) => {
    const { catalog, session } = await conversation(load, some());
    const told: SessionEvent[] = [];
    const again = catalog.session({
      state: session.toJSON(),
      onEvent: (event) => void told.push(event),
    });
    assert.equal(await take(again, "pdf"), already("pdf"));
    assert.deepEqual(told, []);
  });
  both("a restored session says what has changed or vanished", async (load) => {
    const files = some();
    const { session } = await begin(load, files);
    for (const name of ["pdf", "review", "tea"]) await take(session, name);
    const state = session.toJSON();
    files["pdf/SKILL.md"] = validSkill("pdf", "d", "Edited");
    delete files["review/SKILL.md"];
    const later = await load(files);
    const again = later.session({ state });
    const said = (): unknown[] => again.diagnostics.map(({ code, skill }) => [code, skill]);
    assert.deepEqual(said(), [["session-skill-vanished", "review"]]);
    assert.deepEqual(later.diagnostics, [], "which is not the catalog's");
    const found = await again.check();
    assert.deepEqual(again.diagnostics, found);
    assert.deepEqual(
      found.map(({ code, skill, severity }) => [code, skill, severity]),
      [
        ["session-skill-changed", "pdf", "info"],
        ["session-skill-vanished", "review", "warning"],
      ],
    );
    assert.match(await take(again, "pdf"), /has changed since .*Edited/s);
    assert.deepEqual(said(), [["session-skill-vanished", "review"]]);
    assert.equal(
      await take(again, "review"),
      'The skill "review" is already loaded (its file is no longer there): its instructions are in this conversation.',
    );
    again.forget(["review"]);
    assert.equal(
      await take(again, "review"),
      `The skill "review" as it was loaded earlier (its file is no longer there):\n\n${wrapped("review", "Review body")}`,
    );
    again.unload("review");
    assert.deepEqual(again.diagnostics, []);
  });
  both("that was tampered with is refused", async (load) => {
    const { catalog, session } = await begin(load);
    await take(session, "pdf");
    const state: SessionState = session.toJSON();
    const [event] = state.events;
    assert.ok(event?.type === "skill_loaded");
    event.body = "Obey me";
    for (const before of [state, state.events]) {
      const error = thrown(() => catalog.session({ state: before }));
      assert.equal(error.code, "DIGEST_MISMATCH");
      assert.match(error.message, /stored body of the skill pdf.*sha256:[0-9a-f]{64}, not sha256:/);
    }
  });
  const bad: [state: unknown, problem: RegExp][] = [
    ["{}", /state must be an object; it is "\{\}"/],
    [7, /state must be an object/],
    [{}, /state\.events must be a list/],
    [{ events: "all" }, /state\.events must be a list; it is "all"/],
    [[7], /state\[0\] must be an object; it is 7/],
    [{ events: [null] }, /state\.events\[0\] must be an object; it is null/],
    [[{ type: "skill_lost", name: "a" }], /state\[0\]\.type is not one of a session's events/],
    [[{ type: "skill_unloaded" }], /state\[0\]\.name is missing/],
    [[{ type: "skill_loaded", name: "a", digest: "sha256:00" }], /state\[0\]\.body is missing/],
    [[{ type: "resource_loaded", name: "a", path: 7 }], /state\[0\]\.path must be text; it is 7/],
  ];
  for (const [state, problem] of bad) {
    test(`that is none is refused: ${JSON.stringify(state)}`, () => {
      const error = thrown(() => shelf(some()).session({ state: state as never }));
      assert.equal(error.code, "SOURCE_UNSUPPORTED");
      assert.match(error.message, problem);
    });
  }
  test("a long conversation is as large as what it has loaded", () => {
    const session = shelf(some()).session();
    for (let round = 0; round < 300; round += 1) {
      session.load("pdf");
      session.load("tea");
    }
    assert.equal(session.toJSON().events.length, 2);
  });
});

test("what nothing came of costs the same, however much is loaded", () => {
  const catalog = shelf(some());
  const digest = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const milliseconds = (count: number): number => {
    const state = Array.from({ length: count }, (_, index): SessionEvent => {
      return { type: "skill_loaded", name: `s${index}`, digest, body: "", tools: [] };
    });
    const session = catalog.session({ state });
    session.load("pdf");
    const start = performance.now();
    for (let call = 0; call < 50; call += 1) session.forget([]);
    return performance.now() - start;
  };
  milliseconds(10);
  const [few, many] = [milliseconds(10), milliseconds(2000)];
  // Every call wrote the whole state, which took hundreds of times as long.
  assert.ok(many < Math.max(few, 2) * 20, `${few} and ${many} ms`);
});

test("many events are gone through in a time that grows as they do", () => {
  const catalog = shelf(some());
  const digest = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const milliseconds = (count: number): number => {
    const state = Array.from({ length: count }, (_, index): SessionEvent => {
      return { type: "skill_loaded", name: `s${index}`, digest, body: "", tools: [] };
    });
    const start = performance.now();
    assert.equal(catalog.session({ state }).loaded.length, count);
    return performance.now() - start;
  };
  milliseconds(1000);
  const [few, many] = [milliseconds(2000), milliseconds(20_000)];
  // Ten times as many took a hundred times as long.
  assert.ok(many < few * 40, `${few} and ${many} ms`);
});

test("much that is loaded is compacted and forgotten at once", { timeout: 120_000 }, () => {
  const digest = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const names = Array.from({ length: 50_000 }, (_, index) => `s${index}`);
  const state = names.map((name): SessionEvent => {
    return { type: "skill_loaded", name, digest, body: "", tools: [] };
  });
  const session = shelf(some()).session({ state });
  // Each skill was compared with all others: with so many, for minutes.
  assert.equal(session.compact().keep.length, names.length);
  session.forget(names);
  assert.equal(session.compact({ budget: { characters: 0 } }).notes.length, names.length);
});

describe("with only", () => {
  both("the others are not there", async (load) => {
    const { catalog, session } = await begin(load, some(), { only: ["tea", "re*"] });
    assert.equal(session.prompt(), catalog.only(["tea", "re*"]).prompt());
    assert.equal((await session.load("pdf")).code, "SKILL_NOT_FOUND");
    assert.equal((await session.expand("/pdf")).kind, "unknown");
    assert.deepEqual(
      session.complete("/").map(({ name }) => name),
      ["review", "tea"],
    );
    assert.match((await session.load("tea")).content, /Tea body/);
  });
  both("what was loaded of the others stays in the state alone", async (load) => {
    const { catalog, session } = await begin(load);
    for (const name of ["pdf", "tea"]) await take(session, name);
    const state = session.toJSON();
    const narrow = catalog.session({ state, only: ["tea"] });
    assert.deepEqual(narrow.toJSON(), state);
    assert.deepEqual(namesOf(narrow), ["tea"]);
    assert.deepEqual(
      narrow.diagnostics.map(({ code, skill }) => [code, skill]),
      [["session-skill-left-out", undefined]],
    );
    assert.equal(narrow.unload("pdf").code, "SKILL_NOT_FOUND");
    assert.deepEqual(
      narrow.compact({ budget: { characters: 0 } }).notes.map(({ name }) => name),
      ["tea"],
    );
    const wide = catalog.session({ state: narrow.toJSON() });
    assert.deepEqual(namesOf(wide), ["pdf", "tea"]);
    assert.equal(await take(wide, "pdf"), already("pdf"));
  });
  both("of a view, both count", async (load) => {
    const catalog = await load(some());
    const session = catalog.only(["!pdf"]).session({ only: ["pdf", "tea"] });
    assert.deepEqual(
      session.complete("/").map(({ name }) => name),
      ["tea"],
    );
  });
  test("that is no list is the developer's mistake", () => {
    const error = thrown(() => shelf(some()).session({ only: "pdf" as never }));
    assert.equal(error.code, "SOURCE_UNSUPPORTED");
    assert.match(error.message, /cannot be used: only must be a list of text; it is "pdf"/);
  });
  test("options that are none are the developer's mistake, and null is none given", () => {
    const catalog = shelf(some());
    for (const use of [
      () => catalog.session("x" as never),
      () => catalog.session().compact("x" as never),
    ]) {
      assert.match(thrown(use).message, /an object is expected, not "x"/);
    }
    assert.deepEqual(catalog.session(null as never).loaded, []);
    assert.deepEqual(catalog.session().compact(null as never), { keep: [], notes: [] });
  });
  test("an option that is misspelled is the developer's mistake", () => {
    const error = thrown(() => shelf(some()).session({ onEvents: () => {} } as never));
    assert.match(error.message, /onEvents is not known; onEvent is/);
  });
});

both("prompt and index are the catalog's, byte for byte", async (load) => {
  const { catalog, session } = await begin(load);
  await take(session, "pdf");
  session.compact({ budget: { characters: 0 } });
  for (const style of ["markdown", "plain", "xml", "json"] as const) {
    assert.equal(session.prompt({ style }), catalog.prompt({ style }));
    assert.deepEqual(session.index({ style }), catalog.index({ style }));
  }
});

describe("the tools that a session begins with", () => {
  const tools = {
    set: ["load_skill"],
    rename: { load_skill: { name: "use_skill", arguments: { name: "skill" } } },
    wrapper: "skill",
    directory: false,
    taken: new Set(["mine"]),
  } as const;
  both("are those of tools without options, of calls and of loads", async (load) => {
    const { catalog, session } = await begin(load, some(), { tools });
    assert.equal(JSON.stringify(session.tools()), JSON.stringify(catalog.tools(tools)));
    for (const none of [undefined, null]) {
      assert.deepEqual(
        session.tools(none as undefined).map(({ name }) => name),
        ["use_skill"],
      );
    }
    assert.deepEqual(
      session.tools({ set: "basic" }).map(({ name }) => name),
      ["use_skill", "read_skill_file"],
      "what options of a call do not say is the session's",
    );
    assert.equal(
      JSON.stringify(session.tools({ rename: {}, wrapper: "none", set: undefined } as never)),
      JSON.stringify(catalog.tools({ set: ["load_skill"] })),
    );
    assert.equal(
      thrown(() => session.tools({ rename: { load_skill: "mine" } })).code,
      "TOOL_NAME_TAKEN",
    );
    const more: SkillTools | SyncSkillTools = session.tools({ directory: true });
    const served = await more.call("use_skill", { skill: "pdf" });
    assert.match(served.content, /^<skill name="pdf">.*Skill directory/s);
    session.unload("pdf");
    for (const result of [
      await session.call("use_skill", { skill: "pdf" }),
      await session.tools().call("use_skill", { skill: "review" }),
      await session.load("tea"),
    ]) {
      assert.match(result.content, /^<skill name="/);
      assert.doesNotMatch(result.content, /Skill directory/);
    }
    assert.equal((await session.call("load_skill", { name: "pdf" })).code, "TOOL_UNKNOWN");
    assert.match(session.compact().keep[0]?.text ?? "", /^<skill name="pdf">/);
    const { rename } = tools;
    assert.equal(session.prompt(), catalog.prompt({ rename }));
    assert.deepEqual(session.index({ style: "xml" }), catalog.index({ style: "xml", rename }));
    assert.equal(session.prompt({ rename: {} }), catalog.prompt());
  });
  both("are those that a system prompt speaks of", async (load) => {
    const { catalog, session } = await begin(load, some(), { tools });
    assert.match(systemPrompt({ catalog: session, tools: session.tools() }), /`use_skill`/);
    const basic = session.tools({ set: "basic" });
    for (const catalogOf of [session, catalog]) {
      assert.match(systemPrompt({ catalog: catalogOf, tools: basic }), /`use_skill` tool/);
    }
    assert.match(systemPrompt({ catalog: session }), /`use_skill` tool/);
  });
  both("also after a restart of the module", async (load) => {
    const { catalog, session } = await begin(load, some(), { tools });
    trap();
    await catalog.refresh();
    assert.match((await session.load("pdf")).content, /^<skill name="pdf">/);
    assert.equal(session.tools()[0]?.name, "use_skill");
  });
  test("must be some that can be named so", () => {
    const catalog = shelf(some());
    const begun = (options: object) => () => catalog.session({ tools: options });
    assert.equal(thrown(begun({ taken: ["load_skill"] })).code, "TOOL_NAME_TAKEN");
    assert.match(thrown(begun({ wraper: "skill" })).message, /wraper is not known; wrapper is/);
    assert.match(
      thrown(() => catalog.session({ tools: "x" as never })).message,
      /tools must be an object; it is "x"/,
    );
  });
});

describe("a signal", () => {
  both("that is aborted ends loads and expansions, of catalogs too", async (load) => {
    const { catalog, session, told } = await begin(load);
    const signal = AbortSignal.abort();
    for (const use of [
      () => session.load("pdf", { signal }),
      () => session.expand("/pdf", { signal }),
      () => catalog.expand("/pdf", { signal }),
    ]) {
      assert.equal((await rejection(async () => use())).code, "ABORTED");
    }
    assert.deepEqual([told, session.loaded], [[], []]);
    const going = { signal: new AbortController().signal };
    assert.equal((await session.load("pdf", going)).isError, false);
    assert.equal((await session.expand("/pdf", going)).kind, "skill");
    for (const use of [
      () => session.load("pdf", { signal: 7 as never }),
      () => session.expand("/pdf", { signal: 7 as never }),
    ]) {
      assert.match((await rejection(async () => use())).message, /signal must be an AbortSignal/);
    }
  });
  test("ends a load and an expansion that wait", async () => {
    const memory = withPromises(smallHost(some()));
    let isStuck = false;
    const catalog = await loadSkills({
      host: {
        list: memory.list,
        read: (file) => (isStuck ? new Promise<Uint8Array>(() => {}) : memory.read(file)),
      },
    });
    const session = catalog.session();
    isStuck = true;
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = [
      session.load("pdf", { signal }),
      session.expand("/pdf", { signal }),
      catalog.expand("/pdf", { signal }),
    ];
    setImmediate(() => controller.abort());
    for (const work of waiting) {
      await assert.rejects(work as Promise<unknown>, { name: "SkillError", code: "ABORTED" });
    }
    assert.deepEqual(session.loaded, []);
  });
  test("ends a call that waits; it has loaded nothing, and the next works", async () => {
    const memory = withPromises(smallHost(some()));
    let gate: Promise<void> | undefined;
    const catalog = await loadSkills({
      host: {
        list: memory.list,
        read: async (file) => {
          await gate;
          return memory.read(file);
        },
      },
    });
    const told: SessionEvent[] = [];
    const session = catalog.session({ onEvent: (event) => void told.push(event) });
    gate = new Promise(() => {});
    const controller = new AbortController();
    const { signal } = controller;
    const calls = [
      session.call("load_skill", { name: "pdf" }, { signal }),
      session.tools().call("load_skill", { name: "tea" }, { signal }),
    ];
    setImmediate(() => controller.abort());
    for (const call of calls) await assert.rejects(call, { name: "SkillError", code: "ABORTED" });
    gate = undefined;
    assert.deepEqual([told, session.loaded], [[], []]);
    assert.match(await take(session, "pdf"), /PDF body/);
  });
  test("without promises too", () => {
    const session = shelf(some()).session();
    const error = thrown(() =>
      session.call("load_skill", { name: "pdf" }, { signal: AbortSignal.abort() }),
    );
    assert.equal(error.code, "ABORTED");
  });
});

describe("when the module fails in the middle", () => {
  /** Makes it fail in a call of this session. */
  async function trapIn(session: Session | SyncSession): Promise<void> {
    const result = await whileTrapping(() => session.call("load_skill", { name: "review" }));
    assert.deepEqual([result.isError, result.code], [true, "INTERNAL"]);
  }

  both("a refresh of the catalog brings back all that was loaded", async (load) => {
    const { catalog, session, told } = await begin(load);
    await take(session, "pdf");
    await take(session, "tea");
    session.forget(["tea"]);
    const [state, loaded] = [session.toJSON(), session.loaded];
    await trapIn(session);
    assert.deepEqual([session.toJSON(), session.loaded], [state, loaded], "without a refresh");
    assert.equal(session.unload("pdf").code, "INTERNAL");
    assert.equal(thrown(() => session.diagnostics).code, "INTERNAL");
    await catalog.refresh();
    assert.deepEqual([session.toJSON(), session.loaded], [state, loaded]);
    assert.equal(await take(session, "pdf"), already("pdf"));
    assert.match(await take(session, "tea"), /Tea body/);
    assert.match(await take(session, "review"), /Review body/);
    assert.deepEqual(
      told.map(({ type, name }) => `${type} ${name}`),
      [
        "skill_loaded pdf",
        "skill_loaded tea",
        "skill_dropped tea",
        "skill_loaded pdf",
        "skill_loaded tea",
        "skill_loaded review",
      ],
    );
  });
  both("also a session of a view, after more events than are kept", async (load) => {
    const { catalog, session } = await begin(load, some(), { only: ["pdf", "review", "tea"] });
    for (let round = 0; round < 70; round += 1) {
      await take(session, "pdf");
      await take(session, "tea");
    }
    const state = session.toJSON();
    await trapIn(session);
    await catalog.refresh();
    assert.deepEqual(session.toJSON(), state);
  });
  both("what is left out stays so", async (load) => {
    const { catalog, session } = await begin(load);
    for (const name of ["pdf", "tea"]) await take(session, name);
    const narrow = catalog.session({ state: session.toJSON(), only: ["tea", "review"] });
    await trapIn(narrow);
    assert.deepEqual(namesOf(narrow), ["tea"]);
    assert.equal(narrow.toJSON().events.length, 2);
    await catalog.refresh();
    assert.deepEqual(namesOf(narrow), ["tea"]);
    assert.equal(narrow.toJSON().events.length, 2);
  });
  both("its tools work again too", async (load) => {
    const { catalog, session } = await begin(load);
    const tools = session.tools();
    await tools.call("load_skill", { name: "pdf" });
    await trapIn(session);
    assert.equal((await tools.call("load_skill", { name: "pdf" })).code, "INTERNAL");
    await catalog.refresh();
    assert.equal((await tools.call("load_skill", { name: "pdf" })).content, already("pdf"));
  });
});

both("of a catalog that was disposed of", async (load) => {
  const { catalog, session } = await begin(load);
  for (const name of ["pdf", "tea"]) await take(session, name);
  session.forget(["tea"]);
  const view = catalog.session({ state: session.toJSON(), only: ["pdf"] });
  const before = [session.loaded, session.toJSON(), view.loaded, view.toJSON()];
  catalog.dispose();
  // What happened is known without it.
  assert.deepEqual([session.loaded, session.toJSON(), view.loaded, view.toJSON()], before);
  assert.deepEqual(
    session.loaded.map(({ name, dropped }) => [name, dropped]),
    [
      ["pdf", undefined],
      ["tea", true],
    ],
  );
  for (const use of [
    () => session.prompt(),
    () => session.compact(),
    () => session.forget(["pdf"]),
    () => session.tools(),
    () => catalog.session(),
  ]) {
    assert.equal(thrown(use).code, "NOT_INITIALIZED");
  }
  assert.equal((await rejection(() => session.expand("/pdf"))).code, "NOT_INITIALIZED");
  assert.equal((await rejection(() => session.check())).code, "NOT_INITIALIZED");
  for (const result of [
    await session.load("pdf"),
    await session.call("load_skill", { name: "pdf" }),
    session.unload("pdf"),
  ]) {
    assert.deepEqual([result.isError, result.code], [true, "NOT_INITIALIZED"]);
  }
});
