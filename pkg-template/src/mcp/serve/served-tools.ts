/** What the developer says of the tools, as the core takes it: once for the skills that there are. */
import { optionsText, workText } from "../../answers.js";
import type { CatalogHandle } from "../../core/skillshelf.js";
import type { CoreCatalog } from "../../core-catalog.js";
import { drive } from "../../driver.js";
import { withCore } from "../../engine.js";
import { counterOf, plainIndexOptions } from "../../index-options.js";
import { plainToolOptions } from "../../tools.js";
import type { ToolOptions } from "../../types.js";

/** What the core replaces of the developer's options. */
export interface Replaced {
  inConversation: Pick<ToolOptions, "set" | "directory">;
  stateless: Pick<ToolOptions, "set" | "directory">;
}

/** The same for all clients, until the skills are others. */
interface Judged {
  /** The catalog whose skills the developer's functions were asked of. */
  readonly of: CatalogHandle;
  readonly own: ToolOptions;
  readonly inConversation: string;
  readonly stateless: string;
  /** Written for the first client that is told them. */
  instructions?: string;
}

export class ServedTools {
  readonly #core: CoreCatalog;
  readonly #given: ToolOptions;
  readonly #stateless: Replaced["stateless"];
  #judged: Judged | undefined;

  constructor(
    core: CoreCatalog,
    given: ToolOptions | undefined,
    { inConversation, stateless }: Replaced,
  ) {
    this.#core = core;
    this.#given = { ...given, ...inConversation };
    this.#stateless = stateless;
  }

  /** What conversations begin with: an index is none of theirs. */
  get own(): ToolOptions {
    return this.#now().own;
  }

  /** What calls are made with, in a conversation or without. */
  text(hasSession: boolean): string {
    const { inConversation, stateless } = this.#now();
    return hasSession ? inConversation : stateless;
  }

  /** What clients are told when they connect. */
  instructions(): string {
    const judged = this.#now();
    judged.instructions ??= this.#written(judged);
    return judged.instructions;
  }

  /** The skills are others, so what was said of them is too. */
  forget(): void {
    this.#judged = undefined;
  }

  #now(): Judged {
    const { handle } = this.#core;
    if (this.#judged?.of !== handle) this.#judged = this.#judge(handle);
    return this.#judged;
  }

  #judge(of: CatalogHandle): Judged {
    const plain = plainToolOptions(this.#core, this.#given);
    const { index: _, ...own } = plain;
    return {
      of,
      own,
      inConversation: optionsText(plain),
      stateless: optionsText({ ...plain, ...this.#stateless }),
    };
  }

  #written({ own }: Judged): string {
    const { index } = this.#given;
    // The order of the skills is asked for here alone.
    const text = optionsText(
      index === undefined ? own : { ...own, index: plainIndexOptions(this.#core, index) },
    );
    const { handle, hosts } = this.#core;
    const work = withCore(() => handle.instructions(text));
    return drive(work, { hosts, count: counterOf(index?.budget) }, workText);
  }
}
