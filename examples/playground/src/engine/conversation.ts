// One conversation: what it has loaded, and what the tools answer in it.

import type {
  Catalog,
  Command,
  Completion,
  Expansion,
  Loaded,
  Session,
  SessionEvent,
  ToolName,
} from "skillshelf/slim";
import type { Called, IndexOptions, Size, ToolDefinition } from "./shapes.ts";
import type { Shelf } from "./shelf.ts";
import { sizeOf } from "./size.ts";

/** What the system prompt says before the index. */
const ROLE = "You help a person with their work. Be brief.";

export class Conversation {
  readonly #shelf: Shelf;
  #session: Session | undefined;
  #catalog: Catalog | undefined;
  #options: IndexOptions = {};
  /** What has happened since the last call began. */
  #events: SessionEvent[] = [];

  constructor(shelf: Shelf) {
    this.#shelf = shelf;
  }

  /** Begins anew, with the index as it looks now. */
  begin(options: IndexOptions): { system: string; size: Size } {
    this.#session = undefined;
    this.#options = options;
    return this.system(options);
  }

  system(options: IndexOptions): { system: string; size: Size } {
    this.#options = options;
    const system = `${ROLE}\n\n${this.#current.prompt(options)}`.trimEnd();
    return { system, size: sizeOf(system) };
  }

  /** What goes with each request. */
  tools(): ToolDefinition[] {
    return [...this.#tools()].map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
  }

  async call(tool: string, args: unknown): Promise<Called> {
    this.#events = [];
    const { bytes: _, ...result } = await this.#tools().call(tool, args);
    // A text that is in the conversation already is not told again, so nothing has happened.
    const isLoad = tool === "load_skill" && !result.isError;
    const repeated = isLoad && !this.#events.some(({ type }) => type === "skill_loaded");
    return { result, size: sizeOf(result.content), repeated };
  }

  expand(line: string, commands: readonly Command[]): Promise<Expansion> {
    return this.#current.expand(line, { commands });
  }

  complete(prefix: string, commands: readonly Command[]): Completion[] {
    return this.#current.complete(prefix, { commands, limit: 8 });
  }

  unload(name: string): Called {
    const result = this.#current.unload(name);
    return { result, size: sizeOf(result.content), repeated: false };
  }

  compact(tokens: number): { texts: string[]; kept: string[]; dropped: string[] } {
    const { keep, notes } = this.#current.compact({ budget: { tokens } });
    return {
      texts: [...keep, ...notes].map(({ text }) => text),
      kept: keep.map(({ name }) => name),
      dropped: notes.map(({ name }) => name),
    };
  }

  /** What it has, in the order of loading. */
  loaded(): readonly Loaded[] {
    return this.#current.loaded;
  }

  /** The session: it sees each edit, and ends with the skills that it is about. */
  get #current(): Session {
    const { catalog } = this.#shelf;
    if (this.#session === undefined || this.#catalog !== catalog) {
      this.#session = catalog.session({ onEvent: (event) => this.#events.push(event) });
      this.#catalog = catalog;
    }
    return this.#session;
  }

  /** Those that the index calls for, and the one that takes a skill away. */
  #tools() {
    const index = this.#options;
    const names = this.#current.tools({ index }).map(({ name }) => name as ToolName);
    if (names.length === 0) return this.#current.tools({ index });
    return this.#current.tools({ index, set: [...new Set([...names, "unload_skill" as const])] });
  }
}
