/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The shapes that cross the public interface. No code, no rule: those are in the core.
 */

/** A value that JSON can hold. */
export type JSONValue =
  | null
  | boolean
  | number
  | string
  | JSONValue[]
  | { [key: string]: JSONValue };

/** The stable codes of {@link SkillError} and of tool results that are errors. */
export type ErrorCode =
  | "SKILL_INVALID"
  | "SKILL_NOT_FOUND"
  | "PATH_REFUSED"
  | "FILE_NOT_FOUND"
  | "FILE_TOO_LARGE"
  | "TOOL_UNKNOWN"
  | "TOOL_ARGUMENTS_INVALID"
  | "TOOL_NAME_TAKEN"
  | "DIGEST_MISMATCH"
  | "ARCHIVE_REFUSED"
  | "SOURCE_UNSUPPORTED"
  | "PEER_MISSING"
  | "SERVER_FAILED"
  | "NOT_INITIALIZED"
  | "ABORTED"
  | "HOST_FAILED"
  | "INTERNAL";

/** One finding: what is off, where, and how to mend it. */
export interface Diagnostic {
  /** Stable, kebab-case. */
  code: string;
  /** An error keeps a skill from loading, or in a refresh from changing. */
  severity: "error" | "warning" | "info";
  message: string;
  hint?: string;
  /** The file or directory, as the host names it. */
  path?: string;
  /** Line in the file, from 1. */
  line?: number;
  /** Column in code points, from 1. */
  column?: number;
  /** The name of the skill it is about. */
  skill?: string;
}

/** What {@link defineSkill} and {@link stringifySkill} are given. An unknown key is an error. */
export interface SkillSpec {
  /** `^[a-z0-9][a-z0-9-_]{0,63}$` */
  name: string;
  /** One line for the index; must not be empty. */
  description: string;
  /** The instructions: Markdown; must not be empty. */
  content: string;
  /** Text, so that `1.10` is not `1.1`. */
  version?: string;
  license?: string;
  compatibility?: string;
  allowedTools?: readonly string[];
  metadata?: Record<string, JSONValue>;
  /** Words of the user that call for it, as its description does. */
  trigger?: string;
  /** `false`: the model neither sees nor loads it. */
  modelInvocable?: boolean;
  /** `false`: it is not offered to the user as a slash command. */
  userInvocable?: boolean;
  /** Further front matter keys. */
  extra?: Record<string, JSONValue>;
  /**
   * Of a skill that was read, so that it can be spread: its further keys are kept as `extra` would
   * keep them, where `extra` does not set them; those of fields are passed over.
   */
  frontMatter?: Record<string, JSONValue>;
  /** Of a skill that was read; passed over. */
  source?: unknown;
  /** Files beside it, by their path relative to the skill; `SKILL.md` is not one of them. */
  files?: Record<string, string | Uint8Array>;
  /** A directory on `host` (on the disk, where there is one) that holds its files. */
  directory?: string;
  host?: Host | SyncHost;
}

/** A skill as the index knows it: plain, frozen data; never a body that was read. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  /** As it is written: `version`, or else `metadata.version`. */
  readonly version?: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly allowedTools?: readonly string[];
  readonly metadata: Record<string, JSONValue>;
  /** All keys, exactly as written, in their order. */
  readonly frontMatter: Record<string, JSONValue>;
  /** Words of the user that call for it, as its description does; the index does not show them. */
  readonly trigger?: string;
  readonly modelInvocable: boolean;
  readonly userInvocable: boolean;
  readonly source?: {
    /** The source's label, or its path. */
    readonly label: string;
    /** The file, as the host names it. */
    readonly path: string;
    /** The directory that holds the skill's files; absent for a loose `<name>.md`. */
    readonly directory?: string;
  };
  /** Only what {@link defineSkill} was given. */
  readonly content?: string;
}

/**
 * Which specification's extra rules apply: `agentskills` (the default) has none; `anthropic` refuses
 * reserved words in names, and XML tags.
 */
export type Profile = "agentskills" | "anthropic";

/** What cannot be used, or is unknown, becomes the diagnostic `option-invalid`. */
export interface ParseOptions {
  /** The file's path: its directory is compared with the name. */
  path?: string;
  /** `lenient` (the default) keeps what can be understood; `strict` refuses every departure. */
  mode?: "lenient" | "strict";
  profile?: Profile;
}

/** What {@link parseSkill} read: the skill with its body, or why there is none. */
export type ParsedSkill =
  | {
      /** There exactly when no diagnostic is an error. */
      skill: Skill;
      /** The instructions, trimmed at both ends. */
      body: string;
      diagnostics: Diagnostic[];
    }
  | {
      skill?: never;
      /** The instructions, where the file could be read so far. */
      body?: string;
      diagnostics: Diagnostic[];
    };

/** What mending a skill file came to. */
export interface MendedSkill {
  /** The file as it should be. */
  text: string;
  /** What was mended, in words such as `the ends of lines`; empty where there was nothing. */
  mends: string[];
}

/** What cannot be used, or is unknown, becomes the diagnostic `option-invalid`. */
export interface ValidateOptions {
  /** The name of the skill's directory, compared with the skill's name. */
  directory?: string;
  profile?: Profile;
  /**
   * Whether it is also said what would make the skill better, as findings that are no errors; an
   * object turns single ones off. `false` by default: then only departures from the specification.
   */
  hints?: boolean | Partial<Record<HintCode, boolean>>;
}

/** The codes of findings that can be turned off. */
export type HintCode =
  | "description-without-when"
  | "template-left"
  | "body-long"
  | "line-ends"
  | "file-not-mentioned"
  | "description-similar"
  | "yaml-comment-after-text"
  | "link-target-outside"
  | "link-target-missing";

/** One entry of a directory. */
export interface HostEntry {
  name: string;
  /** `file`, `directory` or `link`; anything else is something that cannot be read. */
  kind: string;
  size?: number;
}

/** What `stat` tells. Follows links. */
export interface HostStat {
  kind: string;
  size: number;
  /** Changes when the content does. */
  version: string;
}

/** A part of a file. */
export interface ByteRange {
  offset: number;
  length: number;
}

/** An open file. */
export interface OpenedFile {
  /** Where it really is: absolute, links resolved. May be absent after `noFollow`. */
  realPath?: string;
  kind: string;
  size: number;
  /** As `stat` would tell it; saves a call. */
  version?: string;
  /** Its bytes in that part; fewer at the end of the file. */
  read(range: ByteRange): Promise<Uint8Array>;
  /** Called when it is read no more. */
  close(): Promise<void>;
}

/**
 * Where files are: a handful of methods over bytes. The root is `""`, the separator `/`.
 *
 * `list` and `read` are enough. What is not there is an error whose `code` is `ENOENT` or
 * `ENOTDIR`, or whose `name` is `NotFoundError`.
 */
export interface Host {
  /** What is in a directory, in any order. */
  list(directory: string): Promise<readonly HostEntry[]>;
  /** With `ranges: true` from `offset` on, otherwise the whole file. */
  read(file: string, range?: ByteRange): Promise<Uint8Array>;
  readonly ranges?: boolean;
  /** Nothing, or an error, for what is not there. */
  stat?(path: string): Promise<HostStat | undefined>;
  /** Absolute, one name space a host; only compared and shown, never read by. */
  realPath?(path: string): Promise<string>;
  /** With `noFollow` a link fails, and nothing waits on a pipe. */
  open?(file: string, options?: { noFollow?: boolean }): Promise<OpenedFile>;
  /** What the host itself found; merged after each operation. What is no diagnostic is left out. */
  readonly diagnostics?: readonly Diagnostic[];
}

/** {@link OpenedFile} without promises. */
export interface SyncOpenedFile extends Omit<OpenedFile, "read" | "close"> {
  /** Its bytes in that part; fewer at the end of the file. */
  read(range: ByteRange): Uint8Array;
  /** Called when it is read no more. */
  close(): void;
}

/** {@link Host} without promises. */
export interface SyncHost {
  /** What is in a directory, in any order. */
  list(directory: string): readonly HostEntry[];
  /** With `ranges: true` from `offset` on, otherwise the whole file. */
  read(file: string, range?: ByteRange): Uint8Array;
  readonly ranges?: boolean;
  /** Nothing, or an error, for what is not there. */
  stat?(path: string): HostStat | undefined;
  /** Absolute, one name space a host; only compared and shown, never read by. */
  realPath?(path: string): string;
  /** With `noFollow` a link fails, and nothing waits on a pipe. */
  open?(file: string, options?: { noFollow?: boolean }): SyncOpenedFile;
  readonly diagnostics?: readonly Diagnostic[];
}

/** A source on a host. An unknown member is an error: it may be a misspelled `trusted`. */
export interface HostSource<H = Host | SyncHost> {
  host: H;
  /** The directory on the host; its root by default. */
  path?: string;
  /** Shown in messages and in `Skill.source.label`. */
  label?: string;
  /** `false`: nothing is loaded, and a diagnostic says so. */
  trusted?: boolean;
}

/** Where skills come from. Earlier sources win over later ones. */
export type Source = string | Skill | Catalog | SyncCatalog | HostSource;

/** A {@link Source} that can be read without promises. */
export type SyncSource = string | Skill | SyncCatalog | HostSource<SyncHost>;

/** Bounds; see the README for the defaults. Sizes are bytes. */
export interface Limits {
  /** The front matter block. */
  frontMatter: number;
  /** Nesting of collections in it. */
  yamlDepth: number;
  /** Levels of directories below a source. */
  depth: number;
  /** Directories visited in one source. */
  directories: number;
  /** The body of a skill. */
  body: number;
  /** Text in one result: of a file, of a list of skills, of a tool of a skill's server. */
  page: number;
  /** What is not text and is returned whole: a file, or such a part of a server's answer. */
  bytes: number;
  /** Files named in the result of `load_skill`. */
  listedFiles: number;
  /** Requests to one host at the same time. */
  concurrency: number;
  /**
   * Milliseconds in which a host that answers with promises has to answer something. One that does
   * not is given up for the operation: what it could not give is a diagnostic, or the error of a call.
   */
  timeout: number;
  /**
   * Milliseconds that a host which answers with promises may take for all that one operation asks
   * of it. What it has answered by then counts; the rest is told as with `timeout`.
   */
  deadline: number;
}

/** How far a load is. */
export interface Progress {
  /** Directories looked into. */
  directories: number;
  /** Skill files read. */
  files: number;
}

/** What cannot be used, or is unknown, throws `SOURCE_UNSUPPORTED`, which names it. */
export interface LoadOptions {
  /** `lenient` (the default) keeps what can be understood; `strict` skips every departure. */
  mode?: "lenient" | "strict";
  /** What a skill that cannot be used does: `skip` (default) or `throw` `SKILL_INVALID`. */
  invalid?: "skip" | "throw";
  /**
   * Receives every finding of a load or a refresh; without it a skipped skill is one `console.warn`.
   * Nobody waits for a promise of it; if promises of it reject, that is one unhandled rejection a
   * load or refresh.
   */
  onDiagnostic?(diagnostic: Diagnostic): void;
  /** Whether directories below a skill may hold further skills. */
  nested?: boolean;
  /** Which links are followed; `inside` by default. */
  links?: "inside" | "all" | "never";
  /** Names of directories that are not entered, besides `node_modules` and hidden ones. */
  ignore?: readonly string[];
  /**
   * Leave hidden characters out of bodies, of every field of a skill that is text, and of the text of
   * files that tools read. `frontMatter` and `metadata` stay as they were written, and so do bytes, and
   * what MCP clients read as resources, which a digest goes with.
   */
  strip?: boolean;
  limits?: Partial<Limits>;
  /** Called as directories are looked into and files read. */
  onProgress?(progress: Progress): void;
  signal?: AbortSignal | undefined;
}

/** What cannot be used, or is unknown, throws `SOURCE_UNSUPPORTED`, which names it. */
export interface PromptOptions {
  /**
   * `markdown` (the default): `- name: description`; `plain`: the same, indented; `xml`: as the
   * specification shows it; `json`: the whole text is one object.
   */
  style?: "markdown" | "plain" | "xml" | "json";
  /** The line above the list. */
  heading?: string;
  /** The sentence that tells the model what to do with the list. */
  instruction?: string;
  rename?: ToolOptions["rename"];
  /** Whether entries name their file; off by default. */
  location?: boolean;
  /**
   * How long the text may be. Where not all of it fits, descriptions are cut; then there are groups
   * with some of the names; then only how to search. `count` is asked at most 20 times.
   */
  budget?: Budget;
  /** Names of skills that come first, in this order: they are shown whole before the others are. */
  pinned?: readonly string[];
  /** Skills with a higher number come before the others, and are shown whole before they are. */
  priority?(skill: Skill): number;
  /**
   * The group of a skill, `""` for none. By default the directories between its source and its own
   * directory, or where there are none `metadata.category`.
   */
  group?(skill: Skill): string;
}

/** The index and what it left out. */
export interface IndexReport {
  text: string;
  /**
   * `full`: all of every skill. `shortened`: every name, and as much of the descriptions as fits.
   * `grouped`: groups, with as many names as fit. `search`: how to find skills. `none`: nothing,
   * since there are no skills, or the budget is too small for any of this.
   */
  form: "full" | "shortened" | "grouped" | "search" | "none";
  /** Skills that the model may load. */
  total: number;
  /** How many of them the text names. */
  listed: number;
  /** Names of those that it names without all of their description. */
  shortened: string[];
  /** Names of those that it does not name. */
  omitted: string[];
  /** Code points of `text`. */
  characters: number;
  /** What `count` says of `text`, or an estimate: four ASCII characters a token, others one each. */
  tokens: number;
  /** The tools that the text tells the model to call, by their original names. */
  tools: ToolName[];
}

/** The tools, by their original names. */
export type ToolName =
  | "load_skill"
  | "read_skill_file"
  | "list_skills"
  | "unload_skill"
  | "list_skill_resources"
  | "load_skill_resource"
  | "search_skills";

/** What a tool is called instead. */
export interface ToolRename {
  name?: string;
  description?: string;
  /** Own names of arguments, by the original ones. */
  arguments?: Record<string, string>;
}

/** What cannot be used, or is unknown, throws `SOURCE_UNSUPPORTED`, which names it. */
export interface ToolOptions {
  /**
   * Which tools: `basic` is `load_skill`, and `read_skill_file` where a skill has files; `auto`
   * (the default) is basic and what the index tells the model to call; `full` is all of them,
   * `unload_skill` only in a session; or a list.
   */
  set?: "auto" | "basic" | "full" | readonly ToolName[];
  /** What the index in the system prompt looks like: it may name tools. */
  index?: PromptOptions;
  rename?: Partial<Record<ToolName, string | ToolRename>>;
  /** Names of the caller's own tools; a clash throws `TOOL_NAME_TAKEN`. */
  taken?: Iterable<string>;
  /** The tag around a body: `<skill_content name="…">` (the default), `<skill name="…">` or none. */
  wrapper?: "skill_content" | "skill" | "none";
  /** Whether results name the skill's directory; on by default. */
  directory?: boolean;
}

/** What a tool call came to. An error is a result too: the model can act on it. */
export interface ToolResult {
  content: string;
  isError: boolean;
  code?: ErrorCode;
  skill?: string;
  truncated?: boolean;
  nextOffset?: number;
  /** A file that is not text, or such a part of what a skill's server answered. */
  bytes?: Uint8Array;
  mediaType?: string;
}

/** A JSON Schema object. */
export type JSONSchema = { [key: string]: JSONValue };

/**
 * The schema of a tool's arguments: closed, every property required, optional ones nullable. That of
 * a tool of a skill's server is as the server gave it.
 */
export type ArgumentsSchema = JSONSchema & {
  type: "object";
  properties: { [name: string]: JSONSchema };
  required: string[];
  additionalProperties?: boolean | JSONSchema;
};

/** The Standard Schema interface, version 1 (https://standardschema.dev), and its JSON Schema part. */
export interface StandardSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "skillshelf";
    /** The arguments as the tool would take them, or what is wrong with them. */
    validate(
      value: unknown,
    ): { value: Record<string, JSONValue> } | { issues: { message: string; path?: string[] }[] };
    readonly jsonSchema: {
      /** The schema itself. */
      input(): JSONSchema;
      /** The same. */
      output(): JSONSchema;
    };
    readonly types?: { input: Record<string, JSONValue>; output: Record<string, JSONValue> };
  };
}

interface ToolDefinition {
  name: string;
  description: string;
  /** Serialized, it is pure JSON Schema; `~standard` is not enumerable. */
  inputSchema: ArgumentsSchema & StandardSchema;
}

/** A tool as providers take it, which can be run. */
export interface SkillTool extends ToolDefinition {
  /** Runs it; never rejects for what a model sent. */
  execute(args: unknown): Promise<ToolResult>;
}

/** {@link SkillTool} without promises. */
export interface SyncSkillTool extends ToolDefinition {
  /** Runs it; never throws for what a model sent. */
  execute(args: unknown): ToolResult;
}

/** What cannot be used, or is unknown, throws `SOURCE_UNSUPPORTED`, which names it. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** The tools of a catalog; `call` knows them by the names they were given. */
export interface SkillTools extends ReadonlyArray<SkillTool> {
  /** Runs the tool of that name; an unknown one is a result that is an error. */
  call(tool: string, args: unknown, options?: CallOptions): Promise<ToolResult>;
}

/** {@link SkillTools} without promises. */
export interface SyncSkillTools extends ReadonlyArray<SyncSkillTool> {
  /** Runs the tool of that name; an unknown one is a result that is an error. */
  call(tool: string, args: unknown, options?: CallOptions): ToolResult;
}

/** What a refresh found, by skill name, sorted. */
export interface Changes {
  added: string[];
  changed: string[];
  removed: string[];
  diagnostics: Diagnostic[];
}

/** A command of the host, such as `help`. */
export interface Command {
  /** Without the slash. */
  name: string;
  description?: string;
}

/** What cannot be used, or is unknown, throws `SOURCE_UNSUPPORTED`, which names it. */
export interface ExpandOptions extends CallOptions {
  /** Commands of the host: they win over skills. */
  commands?: readonly Command[];
  /**
   * Whether `$ARGUMENTS` and `$1` to `$9` in a body stand for what follows the name; a backslash
   * before them keeps them as they are. Off by default.
   */
  arguments?: boolean;
}

/** What a line of a user stands for. `prompt` is what the model is to be given. */
export type Expansion =
  /**
   * `text` is the body, a blank line, and the extra text. `resources`, where the skill has files: where
   * they are and how they are read, in the lines that `load_skill` adds. The prompt is both.
   */
  | {
      kind: "skill";
      skill: string;
      prompt: string;
      text: string;
      extra: string;
      resources?: string;
    }
  | { kind: "command"; name: string; extra: string }
  /** Not a slash command: the line as it is. */
  | { kind: "text"; prompt: string; text: string }
  | { kind: "unknown"; name: string; near: string[]; message: string };

/** What cannot be used, or is unknown, throws `SOURCE_UNSUPPORTED`, which names it. */
export interface CompleteOptions {
  commands?: readonly Command[];
  /** How many at most. */
  limit?: number;
}

/** What a line that was begun may become. */
export interface Completion {
  kind: "skill" | "command";
  name: string;
  /** What takes the place of what was typed: a slash and the name. */
  insert: string;
  /** On one line. */
  description?: string;
}

/** How much text may be used: in code points, or in tokens, which are estimated or counted. */
export type Budget =
  | { characters: number }
  | {
      tokens: number;
      /** The tokens of a text, as the model's provider counts them. */
      count?(text: string): number;
    };

/** What cannot be used, or is unknown, throws `SOURCE_UNSUPPORTED`, which names it. */
export interface SessionOptions {
  /** What a session was as JSON, or the events that it told: it goes on from there. */
  state?: SessionState | readonly SessionEvent[] | undefined;
  /**
   * Receives each event after it has taken effect. Where it throws, the event and what the same call
   * led to after it are taken back, and the call fails with `HOST_FAILED`: a result of a tool, of
   * `load` and `unload`; an error of `expand`, `compact` and `forget`. What it promises is not waited
   * for.
   */
  onEvent?: ((event: SessionEvent) => void) | undefined;
  /** Only these skills, as `only` of a catalog. What `state` has of others stays in it, unseen. */
  only?: readonly string[] | undefined;
  /**
   * What `tools()` has where its own options say nothing else; `call`, `load`, `compact` and their
   * texts go by them too, `prompt` and `index` by their `rename`, and by their `index`: say here which
   * index the prompt has, and the tools are those that it names.
   */
  tools?: ToolOptions | undefined;
}

/** What happened in a session: plain JSON, which can be stored and played again. */
export type SessionEvent =
  /** A text came into the conversation. */
  | {
      type: "skill_loaded";
      name: string;
      version?: string;
      /** `sha256:` and hexadecimal digits, of the body. */
      digest: string;
      /** Absent where an event before it has it: the same text of the same skill is loaded again. */
      body?: string;
      /** What followed the name in an expansion; there where it was filled into the body. */
      arguments?: string;
      /** What its `allowed-tools` names; absent where it names none. See `allowedTools`. */
      allowedTools?: string[];
      /** There where only the user may load it. */
      modelInvocable?: false;
      /** The tools that came with it, from its servers. */
      tools: ServerTool[];
      /** The servers that were connected, as its `mcp.json` wrote them; absent where there are none. */
      servers?: ServerConfig[];
    }
  /** A skill no longer applies. */
  | { type: "skill_unloaded"; name: string; version?: string }
  /** A text left the conversation: by `compact` or `forget`. */
  | { type: "skill_dropped"; name: string; version?: string }
  /** A file came into the conversation. */
  | { type: "resource_loaded"; name: string; version?: string; path: string };

/** A tool that a skill's server brings. */
export interface ServerTool {
  /** For the model: the skill's name, `__`, and the tool's own name. */
  name: string;
  description: string;
  inputSchema: ArgumentsSchema;
  /** The name of its server. */
  server: string;
  /** Its own name. */
  tool: string;
}

/** A server of a skill's `mcp.json`, with references such as `${TOKEN}` as they were written. */
export type ServerConfig = { name: string } & (
  | {
      type: "stdio";
      command: string;
      args: string[];
      env: Record<string, string>;
      /** Where it runs, relative to the skill's directory. */
      cwd?: string;
    }
  | { type: "http"; url: string; headers: Record<string, string> }
);

/** The fewest events that lead to where a session is. */
export interface SessionState {
  events: SessionEvent[];
}

/** A skill that a session has loaded, whether the conversation still has its text or not. */
export interface Loaded {
  name: string;
  version?: string;
  /** `sha256:` and hexadecimal digits, of the trimmed body. */
  digest: string;
  /** Code points of the body. */
  characters: number;
  /** An estimate. */
  tokens: number;
  /** Its text has left the conversation: its next load gives all of it again. */
  dropped?: true;
}

/** What cannot be used, or is unknown, throws `SOURCE_UNSUPPORTED`, which names it. */
export interface CompactOptions {
  /** Without one all is kept. */
  budget?: Budget;
}

/** A skill that a compactor must keep. */
export interface Kept {
  name: string;
  version?: string;
  /**
   * What the conversation has of its body, in its tag, `<skill_content name="…">` unless the session's
   * tools have another; and a line that names its files that were read, which are not kept.
   */
  text: string;
}

/** A line that stands for a skill that is no longer in the conversation. */
export interface Note {
  name: string;
  text: string;
}

/** What becomes of the skills of a conversation when it is shortened. */
export interface Compaction {
  /** By last use; with a budget the most recently used first, as far as it reaches. */
  keep: Kept[];
  notes: Note[];
}

interface SessionBase {
  /**
   * Byte for byte the catalog's; what the options leave open is as the session's `tools` have it, in
   * their `index` and `rename`.
   */
  prompt(options?: PromptOptions): string;
  /** In the same way. */
  index(options?: PromptOptions): IndexReport;
  /** What a line that was begun may become: skills and commands of the host, the likeliest first. */
  complete(prefix: string, options?: CompleteOptions): Completion[];
  /** A load of a skill that is unloaded gives its text again. */
  unload(name: string): ToolResult;
  /** The most recently used last. */
  readonly loaded: readonly Loaded[];
  /**
   * What is to be said of the skills of this conversation: which have vanished since the catalog was
   * loaded or refreshed; what `check`, a load or an expansion found of their files, and loads and
   * calls of their servers. Gone once a skill is unloaded or loaded anew.
   */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * What a compactor must keep, and a line for each skill that it drops. What is not kept counts as
   * gone from the conversation: its next load gives all of it again.
   */
  compact(options?: CompactOptions): Compaction;
  /** The texts of these skills have left the conversation. */
  forget(names: readonly string[]): void;
  /** Also to be had where the module has failed or the catalog was disposed of; so is `loaded`. */
  toJSON(): SessionState;
}

/** What one conversation has loaded. */
export interface Session extends SessionBase {
  /** What the options do not say, those say that the session began with. */
  tools(options?: ToolOptions): SkillTools;
  /**
   * By the names that the session's tools have; never rejects for what a model sent, but for options
   * that cannot be used, and where its signal ends it.
   */
  call(tool: string, args: unknown, options?: CallOptions): Promise<ToolResult>;
  /** A skill in it is loaded. */
  expand(input: string, options?: ExpandOptions): Promise<Expansion>;
  /** For the user, who may load what is disabled for the model. */
  load(name: string, options?: CallOptions): Promise<ToolResult>;
  /** Which of the loaded skills have changed since, or are no longer there. */
  check(): Promise<Diagnostic[]>;
}

/** {@link Session} without promises. */
export interface SyncSession extends SessionBase {
  /** Without options those that the session began with. */
  tools(options?: ToolOptions): SyncSkillTools;
  /** By the names that the session's tools have; never throws for what a model sent. */
  call(tool: string, args: unknown, options?: CallOptions): ToolResult;
  /** A skill in it is loaded. */
  expand(input: string, options?: ExpandOptions): Expansion;
  /** For the user, who may load what is disabled for the model. */
  load(name: string, options?: CallOptions): ToolResult;
  /** Which of the loaded skills have changed since, or are no longer there. */
  check(): Diagnostic[];
}

/** What cannot be used, or is unknown, throws `SOURCE_UNSUPPORTED`, which names it. */
export interface SearchOptions {
  /** How many at most; 10 by default. */
  limit?: number;
  /**
   * Whether headings and beginnings of bodies are looked at too; off by default. They are read once,
   * and again when a refresh finds that a file has changed. A skill whose file cannot be read is
   * found by the rest.
   */
  bodies?: boolean;
}

/** A skill that was found. */
export interface SearchHit {
  /** As the catalog has it. */
  skill: Skill;
  /** How well it fits. Only to be compared with others of the same search. */
  score: number;
  /** The words of the query that were found, as they are written there. Never a text of a skill. */
  matched: string[];
}

/** The files of a skill, but for its skill file. */
export interface SkillFiles {
  /**
   * Paths relative to the skill, sorted: what a model is told of and may read. Hidden files, `node_modules`
   * and what is another skill's are none of them.
   */
  files: readonly string[];
  /** Whether there are more than the 1,000 that are counted. */
  more: boolean;
  /** Whether a directory could not be read, so that its files are not among them. */
  unread: boolean;
}

/** What `refresh` reads again. */
export interface RefreshOptions {
  /**
   * Skill files, as `source.path` and findings name them: of directories these alone are read again, and
   * nothing else is looked at. For who knows what has changed, such as an editor, where looking through all
   * would take long. A skill that was not there before is found by a whole refresh alone.
   */
  files?: readonly string[];
}

interface CatalogBase extends Iterable<Skill>, Disposable {
  /** All skills, those hidden from the model too. */
  readonly size: number;
  readonly isEmpty: boolean;
  readonly names: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** A skill by its name; with a version also one that another of its name has shadowed. */
  get(name: string, version?: string): Skill | undefined;
  /** The index for a system prompt; `""` when there is nothing to list. */
  prompt(options?: PromptOptions): string;
  /** The index with what it left out. */
  index(options?: PromptOptions): IndexReport;
  /** What a line that was begun may become: skills and commands of the host, the likeliest first. */
  complete(prefix: string, options?: CompleteOptions): Completion[];
  /** The same as `[Symbol.dispose]`. */
  dispose(): void;
}

/** Skills that were found, and what can be done with them. */
export interface Catalog extends CatalogBase {
  /** The instructions as they are now; rejects with `SkillError`. */
  body(name: string): Promise<string>;
  /**
   * A view: `"name"`; `"pdf-*"`, `"*-review"`, with any number of `*`; `"!name"` holds back, whatever
   * the others let through, in all versions. Names are compared in NFKC; case counts. A pattern that
   * no skill fits lets none through, and is a finding. To every function of the view, what it leaves out
   * has never been.
   */
  only(patterns: readonly string[]): Catalog;
  /** Empty when there is nothing to load. */
  tools(options?: ToolOptions): SkillTools;
  /**
   * By original tool names; never rejects for what a model sent, but for options that cannot be used,
   * and where its signal ends it.
   */
  call(tool: string, args: unknown, options?: CallOptions): Promise<ToolResult>;
  /** What a line of a user stands for; rejects where the skill's file cannot be used. */
  expand(input: string, options?: ExpandOptions): Promise<Expansion>;
  /** The skills that fit a task best, in the words of whoever has it; those hidden from the model too. */
  search(query: string, options?: SearchOptions): Promise<SearchHit[]>;
  /** The files beside the skill file; rejects with `SkillError`. */
  files(name: string): Promise<SkillFiles>;
  /** Begins a conversation, or goes on with one. */
  session(options?: SessionOptions): Session;
  /** Reads again what has changed. */
  refresh(options?: RefreshOptions): Promise<Changes>;
}

/** {@link Catalog} without promises. */
export interface SyncCatalog extends CatalogBase {
  /** The instructions as they are now; throws `SkillError`. */
  body(name: string): string;
  /** A view, as that of {@link Catalog}. */
  only(patterns: readonly string[]): SyncCatalog;
  /** Empty when there is nothing to load. */
  tools(options?: ToolOptions): SyncSkillTools;
  /** By original tool names; never throws for what a model sent. */
  call(tool: string, args: unknown, options?: CallOptions): ToolResult;
  /** What a line of a user stands for; throws where the skill's file cannot be used. */
  expand(input: string, options?: ExpandOptions): Expansion;
  /** The skills that fit a task best, as those of {@link Catalog}. */
  search(query: string, options?: SearchOptions): SearchHit[];
  /** The files beside the skill file; throws `SkillError`. */
  files(name: string): SkillFiles;
  /** Begins a conversation, or goes on with one. */
  session(options?: SessionOptions): SyncSession;
  /** Reads again what has changed. */
  refresh(options?: RefreshOptions): Changes;
}
