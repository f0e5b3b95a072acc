// Compiled, never run: what a user's project must be able to write without casts, and what it must
// not.

import type {
  Budget,
  Catalog,
  Changes,
  Command,
  Compaction,
  CompactOptions,
  CompleteOptions,
  Completion,
  Diagnostic,
  ErrorCode,
  ExpandOptions,
  Expansion,
  Host,
  JSONValue,
  Kept,
  Loaded,
  Note,
  ParsedSkill,
  RefreshOptions,
  Session,
  SessionEvent,
  SessionOptions,
  SessionState,
  Skill,
  SkillFiles,
  SkillSpec,
  SkillTool,
  SkillTools,
  Source,
  SyncCatalog,
  SyncHost,
  SyncSession,
  SyncSkillTool,
  SyncSkillTools,
  SyncSource,
  ToolName,
  ToolOptions,
  ToolResult,
} from "skillshelf";
import {
  defineSkill,
  loadSkills,
  loadSkillsSync,
  memoryHost,
  parseSkill,
  SkillError,
  stringifySkill,
  validateSkill,
} from "skillshelf";
import { nodeHost, type WatchEvent, type Watcher, watch } from "skillshelf/node";
import type { Agent, Participant, PromptPlugin, SystemPromptOptions } from "skillshelf/prompt";
import { systemPrompt } from "skillshelf/prompt";
import { init } from "skillshelf/slim";

/** Compiles only when both types are the same. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type IsAny<T> = 0 extends 1 & T ? true : false;
const yes = <T extends true>(..._: T[]): void => {};
const no = <T extends false>(..._: T[]): void => {};

// What has promises and what has not.
declare const catalog: Catalog;
declare const syncCatalog: SyncCatalog;
yes<Same<Awaited<ReturnType<typeof loadSkills>>, Catalog>>();
yes<Same<ReturnType<typeof loadSkillsSync>, SyncCatalog>>();
yes<Same<ReturnType<Catalog["body"]>, Promise<string>>>();
yes<Same<ReturnType<SyncCatalog["body"]>, string>>();
yes<Same<ReturnType<Catalog["files"]>, Promise<SkillFiles>>>();
yes<Same<ReturnType<SyncCatalog["files"]>, SkillFiles>>();
yes<Same<Parameters<Catalog["refresh"]>, [options?: RefreshOptions | undefined]>>();
yes<Same<ReturnType<Catalog["call"]>, Promise<ToolResult>>>();
yes<Same<ReturnType<SyncCatalog["call"]>, ToolResult>>();
yes<Same<ReturnType<Catalog["refresh"]>, Promise<Changes>>>();
yes<Same<ReturnType<SyncCatalog["refresh"]>, Changes>>();
yes<Same<ReturnType<Catalog["only"]>, Catalog>>();
yes<Same<ReturnType<SyncCatalog["only"]>, SyncCatalog>>();
yes<Same<Catalog["prompt"], SyncCatalog["prompt"]>>();
yes<Same<ReturnType<Catalog["expand"]>, Promise<Expansion>>>();
yes<Same<ReturnType<SyncCatalog["expand"]>, Expansion>>();
yes<Same<Catalog["complete"], SyncCatalog["complete"]>>();
yes<Same<ReturnType<Catalog["session"]>, Session>>();
yes<Same<ReturnType<SyncCatalog["session"]>, SyncSession>>();
yes<Same<ReturnType<Session["load"]>, Promise<ToolResult>>>();
yes<Same<ReturnType<SyncSession["load"]>, ToolResult>>();
yes<Same<Session["call"], Catalog["call"]>>();
yes<Same<SyncSession["call"], SyncCatalog["call"]>>();
yes<Same<ReturnType<Session["tools"]>, SkillTools>>();
yes<Same<ReturnType<SyncSession["tools"]>, SyncSkillTools>>();
yes<Same<ReturnType<Session["expand"]>, Promise<Expansion>>>();
yes<Same<ReturnType<SyncSession["expand"]>, Expansion>>();
yes<Same<ReturnType<Session["check"]>, Promise<Diagnostic[]>>>();
yes<Same<ReturnType<SyncSession["check"]>, Diagnostic[]>>();
// What waits for no file has no promise in either.
type AtOnce =
  | "prompt"
  | "index"
  | "complete"
  | "unload"
  | "loaded"
  | "compact"
  | "forget"
  | "toJSON";
yes<Same<Pick<Session, AtOnce>, Pick<SyncSession, AtOnce>>>();
yes<Same<ReturnType<Session["unload"]>, ToolResult>>();
yes<Same<ReturnType<Session["compact"]>, Compaction>>();
yes<Same<ReturnType<Session["toJSON"]>, SessionState>>();

// Nothing public is `any`.
no<IsAny<ParsedSkill["skill"]>>();
no<IsAny<Skill["frontMatter"][string]>>();
no<IsAny<SkillTool["inputSchema"]>>();
no<IsAny<Parameters<SkillTool["execute"]>[0]>>();
no<IsAny<ToolResult["bytes"]>>();
no<IsAny<Diagnostic["code"]>>();
no<IsAny<Extract<SessionEvent, { type: "skill_loaded" }>["tools"][number]>>();
no<IsAny<Loaded["digest"]>>();
no<IsAny<Kept["text"]>>();
no<IsAny<Note["text"]>>();
no<IsAny<Completion["insert"]>>();
yes<Same<Skill["metadata"], Record<string, JSONValue>>>();

/** What an agent framework takes: it knows nothing of this package. */
interface GenericTool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  execute(args: unknown): Promise<{ content: string }> | { content: string };
}
declare function register(tools: readonly GenericTool[]): void;
register(catalog.tools());
register([...catalog.tools()]);
register(syncCatalog.tools());

/** Standard Schema, as other packages declare it. */
interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) =>
      | { readonly value: Output; readonly issues?: undefined }
      | {
          readonly issues: readonly {
            readonly message: string;
            readonly path?: readonly PropertyKey[];
          }[];
        }
      | Promise<never>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}
declare function takesSchema<T extends StandardSchemaV1>(schema: T): void;
for (const tool of catalog.tools()) takesSchema(tool.inputSchema);

// Arrays of tools are arrays.
const names: string[] = catalog.tools().map(({ name }) => name);
const [first]: readonly SkillTool[] = catalog.tools();
const tools: SkillTools = catalog.tools({
  rename: { load_skill: "use_skill" },
  taken: new Set(names),
});
const syncTools: readonly SyncSkillTool[] = syncCatalog.tools();
void [first?.execute({}), tools.call("use_skill", {}), syncTools[0]?.execute({}).content];

// Sets: a word, or names; those that were collected as `const` too.
const chosen = ["load_skill", "unload_skill"] as const;
const sets: ToolOptions["set"][] = ["auto", "basic", "full", ["list_skills"], chosen, undefined];
const byName: Record<ToolName, number> = {
  load_skill: 1,
  read_skill_file: 2,
  list_skills: 3,
  unload_skill: 4,
  list_skill_resources: 5,
  load_skill_resource: 6,
  search_skills: 7,
};
void [sets, byName, catalog.tools({ set: chosen }), catalog.tools({ index: { style: "xml" } })];

// Sessions.
declare const session: Session;
declare const syncSession: SyncSession;
register(session.tools({ set: "full" }));
register(syncSession.tools());
/** A host's own code may take either kind. */
async function either(conversation: Session | SyncSession): Promise<string> {
  const { content } = await conversation.call("load_skill", { name: "a" });
  const expansion = await conversation.expand("/a");
  return expansion.kind === "skill" ? expansion.text : content;
}
void [either(session), either(syncSession)];
const stored: SessionEvent[] = [];
const sessionOptions: SessionOptions = {
  onEvent: (event) => stored.push(event),
  only: ["a", "!b"],
};
void catalog.session(sessionOptions);
void catalog.session({ state: stored, onEvent: async (event) => void event });
void catalog.session({ state: session.toJSON() });
const state: SessionState = JSON.parse(JSON.stringify(session));
void syncCatalog.session({ state });
const [newest]: readonly Loaded[] = session.loaded;
void (newest?.version satisfies string | undefined);

// Events narrow by their type.
function what(event: SessionEvent): string {
  switch (event.type) {
    case "skill_loaded":
      return `${event.digest} ${event.body}`;
    case "resource_loaded":
      return event.path;
    case "skill_unloaded":
    case "skill_dropped":
      return event.version ?? event.name;
  }
}
void what;

// Compaction.
const budgets: Budget[] = [
  { characters: 1 },
  { tokens: 1 },
  { tokens: 1, count: (text) => text.length },
];
const { keep, notes }: Compaction = session.compact();
const found: readonly Diagnostic[] = session.diagnostics;
void [
  found,
  catalog.session({ tools: { wrapper: "skill" } }),
  catalog.session({ tools: undefined }),
  session.load("a", { signal: undefined }),
  session.expand("/a", { signal: AbortSignal.abort(), arguments: true }),
  // @ts-expect-error: names of tools belong to the session
  session.compact({ rename: { load_skill: "use_skill" } }),
];
const texts: string[] = [...keep, ...notes].map(({ text }) => text);
const compactOptions: CompactOptions[] = budgets.map((budget) => ({ budget }));
void [texts, compactOptions, session.forget(keep.map(({ name }) => name)), session.forget(["a"])];

// Slash commands.
const commands: readonly Command[] = [{ name: "help" }, { name: "quit", description: "Ends it" }];
const expandOptions: ExpandOptions = { commands, arguments: true };
const completeOptions: CompleteOptions = { commands, limit: 5 };
const completions: Completion[] = session.complete("/", completeOptions);
const expansion: Expansion = syncCatalog.expand("/a", expandOptions);
const shown: string = (() => {
  switch (expansion.kind) {
    case "skill":
      return expansion.text;
    case "command":
      return expansion.name + expansion.extra;
    case "text":
      return expansion.text;
    case "unknown":
      return expansion.message + expansion.near.join();
  }
})();
void [completions, shown];

// @ts-expect-error: there is no such set
catalog.tools({ set: "all" });
// @ts-expect-error: nor such a tool
catalog.tools({ set: ["lod_skill"] });
// @ts-expect-error: characters or tokens, not neither
session.compact({ budget: {} });
// @ts-expect-error: a count is a number at once
session.compact({ budget: { tokens: 1, count: async () => 1 } });
// @ts-expect-error: names are a list
session.forget("a");
// @ts-expect-error: what is loaded is not changed from outside
session.loaded.push();
// @ts-expect-error: a result has to be waited for
void session.load("a").content;
// @ts-expect-error: an expansion may be no skill
void expansion.text;
// @ts-expect-error: there is no such event
catalog.session({ state: [{ type: "skill_lost", name: "a" }] });
// @ts-expect-error: commands are objects
catalog.complete("/", { commands: ["help"] });

// Catalogs are iterable and disposable.
for (const skill of catalog) void (skill.description satisfies string);
{
  using disposed = loadSkillsSync([]);
  void disposed.size;
}

// Both kinds of catalogs are watched, and a watcher ends with its block.
{
  const onChange = ({ added, summary }: WatchEvent): void => console.log(added.length, summary);
  await using watcher = await watch(catalog.only(["a"]), { onChange, poll: 1000 });
  using another: Watcher = await watch(syncCatalog, { onChange: async () => {} });
  void [watcher.directories satisfies readonly string[], another.close()];
}

// Hosts: the smallest, and those of this package, fit where a host is taken.
const smallest: Host = { list: async () => [], read: async () => new Uint8Array() };
const smallestSync: SyncHost = {
  list: () => [{ name: "a", kind: "file" }],
  read: () => new Uint8Array(),
};
const sources: Source[] = [
  "skills",
  catalog,
  syncCatalog,
  { host: smallest },
  { host: smallestSync, path: "a", label: "b", trusted: false },
  { host: nodeHost(".") },
  { host: memoryHost({}) },
];
const syncSources: SyncSource[] = [
  "skills",
  syncCatalog,
  { host: smallestSync },
  { host: nodeHost.sync(".") },
];
void [loadSkills(sources), loadSkills("skills"), loadSkillsSync(syncSources)];

// @ts-expect-error: a catalog with promises is no source without them
loadSkillsSync(catalog);
// @ts-expect-error: nor is a host with promises
loadSkillsSync({ host: smallest });
// @ts-expect-error: a host by itself is no source
void loadSkills(smallest);
// @ts-expect-error: a skill needs its instructions
defineSkill({ name: "a", description: "b" });
// @ts-expect-error: there is no such mode
parseSkill("", { mode: "loose" });
// @ts-expect-error: there is no such style
catalog.prompt({ style: "html" });
// @ts-expect-error: there is no such tool
catalog.tools({ rename: { lod_skill: "x" } });
// @ts-expect-error: a skill is data that nobody changes
defineSkill({ name: "a", description: "b", content: "c" }).name = "d";
// @ts-expect-error: a body has to be waited for
catalog.body("a").length;

// Errors narrow.
try {
  stringifySkill({ name: "a", description: "b", content: "c" });
} catch (error) {
  if (SkillError.isInstance(error)) {
    const code: ErrorCode = error.code;
    const line: number | undefined = error.line;
    const found: Diagnostic[] = error.diagnostics;
    void [code, line, found];
    if (error.code === "SKILL_INVALID") void (error.code satisfies "SKILL_INVALID");
  }
}

// A specification may be written apart from its use.
const spec = {
  name: "a",
  description: "b",
  content: "c",
  metadata: { n: 1, list: ["x"], deep: { a: null } },
  files: { "a.md": "x", "b.bin": new Uint8Array() },
} satisfies SkillSpec;
void [defineSkill(spec), validateSkill(spec.files, { directory: "a", profile: "anthropic" })];

// slim: bytes, buffers, responses, and promises of them.
void [
  init(new Uint8Array()),
  init(new ArrayBuffer(0)),
  init(fetch("x")),
  init(Promise.resolve(new Uint8Array())),
];
// @ts-expect-error: text is no module
void init("skillshelf.wasm");

// System prompts: catalogs and tools go in as they are, and cards of other packages too.
/** An agent's card, as A2A declares it. */
interface ProtocolAgentCard {
  name: string;
  description: string;
  url: string;
  version: string;
  skills: { id: string; name: string; description: string; tags: string[] }[];
}
declare const card: ProtocolAgentCard;
yes<Same<ReturnType<typeof systemPrompt>, string>>();
void [
  systemPrompt(),
  systemPrompt({
    catalog,
    tools: catalog.tools(),
    agents: [
      { id: "a", card },
      { id: "b", card: "B" },
    ],
  }),
  systemPrompt({
    catalog: syncCatalog,
    index: { style: "xml" },
    tools: new Set(syncCatalog.tools()),
  }),
];
const promptOptions = {
  participants: [{ name: "a", role: "b" }] as const satisfies readonly Participant[],
  agents: [] as const satisfies readonly Agent[],
  plugins: [
    { namespace: "n", files: { "a.md": "x", "b.md": new Uint8Array() } },
  ] as const satisfies readonly PromptPlugin[],
  onDiagnostic: ({ code }: Diagnostic) => void code,
} satisfies SystemPromptOptions;
void systemPrompt(promptOptions);
// @ts-expect-error: a participant has a role
systemPrompt({ participants: [{ name: "a" }] });
// @ts-expect-error: a promise is no catalog
systemPrompt({ catalog: loadSkills([]) });
// @ts-expect-error: a plugin has a namespace
systemPrompt({ plugins: [{ files: {} }] });

// Providers' own types: the schema of a tool goes in without a cast.
/** `Anthropic.Tool.InputSchema`, as its SDK declares it. */
interface MessagesInputSchema {
  type: "object";
  properties?: unknown;
  required?: string[] | null;
  [key: string]: unknown;
}
/** `Tool.inputSchema` of the MCP SDK. */
interface ProtocolInputSchema {
  [key: string]: unknown;
  type: "object";
  properties?: { [key: string]: object };
  required?: string[];
}
for (const { inputSchema } of [
  ...catalog.tools({ set: "full" }),
  ...session.tools({ set: "full" }),
]) {
  void (inputSchema satisfies MessagesInputSchema satisfies ProtocolInputSchema);
}

// A skill that was read: skill and body come together, and go back in.
const read = parseSkill("");
if (read.skill) void stringifySkill({ ...read.skill, content: read.body });
void (read satisfies { skill?: Skill; body?: string; diagnostics: Diagnostic[] });

// Lists may be read-only, and a signal may be missing.
const patterns: readonly string[] = ["*-review"];
void catalog.only(patterns);
const maybe: AbortSignal | undefined = undefined;
void loadSkills([], { ignore: patterns, signal: maybe });
void catalog.call("load_skill", {}, { signal: maybe });
