/** The skills of a catalog as resources: what is the same for all clients. */
import type { Resource } from "@modelcontextprotocol/server";
import type { Skill, SkillReadResult } from "@modelcontextprotocol/server/ext/skills";
import { answerValue, workValue } from "../../answers.js";
import type { Work } from "../../core/skillshelf.js";
import type { CoreCatalog } from "../../core-catalog.js";
import { driveAsync } from "../../driver.js";
import { withCore } from "../../engine.js";

/** A page of a list. */
type Page<Key extends string, Item> = { [key in Key]: Item[] } & { nextCursor?: string };

/** A file of a skill that was read. */
export type SkillFile = SkillReadResult & FileFacts;

/** What is said of a file, as the protocol has it. */
interface FileFacts {
  uri: string;
  mimeType: string;
  _meta: Record<string, string>;
}

export class PublishedSkills {
  readonly #core: CoreCatalog;
  readonly #onListed: (() => void) | undefined;
  /** Pages that are being made: all who ask for one at that moment get the same. */
  readonly #pages = new Map<string | undefined, Promise<Page<"skills", Skill>>>();

  constructor(core: CoreCatalog, onListed?: () => void) {
    this.#core = core;
    this.#onListed = onListed;
  }

  list({ cursor }: { cursor?: string }): Promise<Page<"skills", Skill>> {
    const known = this.#pages.get(cursor);
    if (known !== undefined) return known;
    const { handle } = this.#core;
    const page = this.#drive(() => handle.skillEntries(cursor), workValue<Page<"skills", Skill>>);
    this.#pages.set(cursor, page);
    const forget = (): void => void this.#pages.delete(cursor);
    page.then(forget, forget);
    if (this.#onListed) page.then(this.#onListed, () => {});
    return page;
  }

  async get(uri: string): Promise<Skill | undefined> {
    const { handle } = this.#core;
    const entry = await this.#drive(() => handle.skillEntry(uri), workValue<Skill | null>);
    return entry ?? undefined;
  }

  read(uri: string): Promise<SkillFile> {
    const { handle } = this.#core;
    return this.#drive(() => handle.skillResource(uri), skillFile);
  }

  async readDirectory(
    uri: string,
    { cursor }: { cursor?: string },
  ): Promise<Page<"resources", Resource> | undefined> {
    const { handle } = this.#core;
    const take = workValue<Page<"resources", Resource> | null>;
    return (await this.#drive(() => handle.skillDirectory(uri, cursor), take)) ?? undefined;
  }

  /** A page of the skill files, among all resources. */
  files(cursor: string | undefined): Page<"resources", Resource> {
    const { handle } = this.#core;
    return answerValue(withCore(() => handle.skillFiles(cursor)));
  }

  /** A page of what a user may invoke. */
  prompts(cursor: string | undefined): Page<"prompts", PromptLine> {
    const { handle } = this.#core;
    return answerValue(withCore(() => handle.skillPrompts(cursor)));
  }

  async #drive<T>(start: () => Work, take: (work: Work) => T): Promise<T> {
    return driveAsync(withCore(start), { hosts: this.#core.hosts }, take);
  }
}

export interface PromptLine {
  name: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
}

function skillFile(work: Work): SkillFile {
  const text = work.text() ?? "";
  const bytes = work.bytes();
  const facts = workValue<FileFacts>(work);
  return bytes === undefined ? { ...facts, text } : { ...facts, bytes };
}
