// What crosses between the page and its engine: plain data, and what a structured clone takes.

import type { Diagnostic, Host, IndexReport, PromptOptions, ToolResult } from "skillshelf/slim";
import type { Splice } from "./splice.ts";

/** What a person brings. */
export type Given =
  | { kind: "examples" }
  | { kind: "pasted"; text: string }
  | { kind: "host"; label: string; port: MessagePort }
  | { kind: "archive"; label: string; archive: Blob }
  | { kind: "directory"; label: string; handle: FileSystemDirectoryHandle }
  | { kind: "site"; url: string };

/** How much a text is. */
export interface Size {
  /** Code points. */
  characters: number;
  /** An estimate. */
  tokens: number;
}

/** One line of the list of skills. */
export interface Row {
  name: string;
  description: string;
  /** Its file, on its host. */
  path: string;
  modelInvocable: boolean;
  /** It does not load: a finding says why. */
  skipped: boolean;
  /** Its file is broken now: it is listed as it last was, and cannot be read. */
  kept: boolean;
  /** It was edited here. */
  edited: boolean;
  errors: number;
  warnings: number;
  /** Of its body; absent until that has been read. */
  size?: Size;
}

/** All that was found. */
export interface Overview {
  label: string;
  /** Whether reading every file costs little. */
  near: boolean;
  /** How often a file was edited or taken back. */
  changes: number;
  rows: Row[];
  problems: Diagnostic[];
}

/** How far the engine is with something long. */
export interface Progress {
  what: "loading" | "measuring";
  done: number;
  /** Absent where nobody knows yet. */
  total?: number;
}

/** What the index costs, and what it shows. */
export interface Indexed {
  report: IndexReport;
  /** The same without a budget. */
  full: Size;
  /** The definitions of the tools that go with it. */
  tools: Size;
}

/** What the bodies of all skills come to. */
export interface Measured {
  all: Size;
  /** Of a skill of middling length; absent where there is none. */
  typical?: Size;
}

/** What the page has: which of all that were opened, and which of all updates. */
export interface Known {
  opened: number;
  edition: number;
}

/** What the page shows of the skills that are open. */
export interface Shown extends Known {
  overview: Overview;
  indexed: Indexed;
  /** Absent until the bodies have been read. */
  measured?: Measured;
}

/** What is told of the skills that are open: all, or what is another than in the edition `since`. */
export interface Update extends Known, Omit<Overview, "rows" | "problems"> {
  since?: number;
  rows: Splice<Row>;
  problems: Splice<Diagnostic>;
  /** Absent where it is the same. */
  indexed?: Indexed;
  /** Absent until the bodies have been read. */
  measured?: Measured;
}

/** What a file is as it is written now. */
export interface Checked {
  diagnostics: Diagnostic[];
  /** What could be mended safely, in words. */
  mends: string[];
  /** Of the file's body; absent where there is none. */
  size?: Size;
}

/** What was read again. */
export interface Reloaded extends Update {
  /** Edited files that are others by now where they come from. */
  changedBelow: string[];
}

/** All that follows a key in the editor. */
export interface Edited extends Update {
  checked: Checked;
  /** Whether the file is another than it was brought. */
  isEdited: boolean;
}

/** How the index looks: options of the library that are plain data. */
export type IndexOptions = Pick<PromptOptions, "style"> & { budget?: { tokens: number } };

/** A tool as the provider of a model takes it. */
export interface ToolDefinition {
  name: string;
  description: string;
  inputSchema: object;
}

/** What a call of a tool came to, and what that costs. */
export interface Called {
  result: ToolResult;
  size: Size;
  /** The conversation had this skill already. */
  repeated: boolean;
}

/** The files of a skill, by their paths on its host. */
export interface Files {
  paths: string[];
  /** Whether there are more than the library counts, or in a directory that cannot be read. */
  more: boolean;
}

/** All skills as a file. */
export interface Zipped {
  zip: Blob;
  /** Skill files beside which there are more than were counted. */
  incomplete: string[];
}

/** What a page can serve of a host that only the page has. */
export const HOST_METHODS = ["list", "read", "stat"] as const;

/** Such a host. */
export type PageHost = Required<Pick<Host, (typeof HOST_METHODS)[number]>>;
