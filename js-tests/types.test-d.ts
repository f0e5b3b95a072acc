// Compiled, never run: what a user's project must be able to write without casts, and what it must
// not.

import type {
  Catalog,
  Changes,
  Diagnostic,
  ErrorCode,
  Host,
  JSONValue,
  ParsedSkill,
  Skill,
  SkillSpec,
  SkillTool,
  SkillTools,
  Source,
  SyncCatalog,
  SyncHost,
  SyncSkillTool,
  SyncSource,
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
import { nodeHost } from "skillshelf/node";
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
yes<Same<ReturnType<Catalog["call"]>, Promise<ToolResult>>>();
yes<Same<ReturnType<SyncCatalog["call"]>, ToolResult>>();
yes<Same<ReturnType<Catalog["refresh"]>, Promise<Changes>>>();
yes<Same<ReturnType<SyncCatalog["refresh"]>, Changes>>();
yes<Same<ReturnType<Catalog["only"]>, Catalog>>();
yes<Same<ReturnType<SyncCatalog["only"]>, SyncCatalog>>();
yes<Same<Catalog["prompt"], SyncCatalog["prompt"]>>();

// Nothing public is `any`.
no<IsAny<ParsedSkill["skill"]>>();
no<IsAny<Skill["frontMatter"][string]>>();
no<IsAny<SkillTool["inputSchema"]>>();
no<IsAny<Parameters<SkillTool["execute"]>[0]>>();
no<IsAny<ToolResult["bytes"]>>();
no<IsAny<Diagnostic["code"]>>();
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

// Catalogs are iterable and disposable.
for (const skill of catalog) void (skill.description satisfies string);
{
  using disposed = loadSkillsSync([]);
  void disposed.size;
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
for (const { inputSchema } of catalog.tools()) {
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
