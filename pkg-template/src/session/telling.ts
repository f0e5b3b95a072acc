/** Telling the developer what happens in a session, and taking back what is refused. */
import { answerValue } from "../answers.js";
import type { ChangeHandle, Work } from "../core/skillshelf.js";
import { generation, withCore } from "../engine.js";
import { type ErrorFacts, SkillError } from "../errors.js";
import { messageOf } from "../message-of.js";
import type { SessionEvent, SessionOptions, ToolResult } from "../types.js";
import { unwaited } from "../unwaited.js";
import { warn } from "../warn.js";
import type { Journal } from "./journal.js";
import type { ServersOfCall, Settlement } from "./servers.js";

/** What a call comes to whose event the listener refused. */
export interface Refusal {
  error: SkillError;
  result: ToolResult;
}

/** What one call did, until all of it is told. */
interface Happening {
  readonly change: ChangeHandle;
  /** The instance of the module that has it. */
  readonly generation: number;
  /** Each twice: what the journal has is nothing that a listener could change. */
  readonly events: { told: SessionEvent; kept: SessionEvent }[];
  readonly servers: ServersOfCall | undefined;
  refusal?: Refusal;
  /** Whether its call has ended before it was told. */
  isLate?: boolean;
}

/** What the core says of a refused event. */
interface RefusedFacts {
  error: ErrorFacts;
  content: string;
  result: Omit<ToolResult, "content">;
}

export class Telling {
  readonly #journal: Journal;
  readonly #onEvent: SessionOptions["onEvent"];
  readonly #onLost: () => void;
  readonly #untold: Happening[] = [];
  #isTelling = false;

  /** `onLost` is called where the module's session was lost while something was told. */
  constructor(journal: Journal, onEvent: SessionOptions["onEvent"], onLost: () => void) {
    this.#journal = journal;
    this.#onEvent = onEvent;
    this.#onLost = onLost;
  }

  /**
   * Tells the developer what a call did, in the moment in which it ends, so that no other call goes
   * by what may still be refused. Gives what the call comes to whose event was.
   */
  tell(work: Work, servers: ServersOfCall | undefined): Refusal | undefined {
    const change = work.change();
    if (change === undefined) return undefined;
    const text = change.events();
    const told = JSON.parse(text) as SessionEvent[];
    const kept = JSON.parse(text) as SessionEvent[];
    const events = told.map((event, index) => ({ told: event, kept: kept[index] as SessionEvent }));
    const happening: Happening = { change, generation: generation(), events, servers };
    this.#journal.add(kept);
    this.#untold.push(happening);
    // What happens while an event is told is told after it, in the order of the journal.
    if (this.#isTelling) {
      happening.isLate = true;
      return undefined;
    }
    this.#isTelling = true;
    try {
      for (let next = this.#untold.shift(); next !== undefined; next = this.#untold.shift()) {
        this.#tellOne(next);
      }
    } finally {
      this.#isTelling = false;
    }
    this.#journal.fold();
    return happening.refusal;
  }

  /** Tells what one call did, until an event of it is refused. */
  #tellOne(happening: Happening): void {
    for (const [taken, { told, kept }] of happening.events.entries()) {
      try {
        this.#onEventOf(told, kept);
      } catch (error) {
        happening.refusal = this.#takeBack(happening, taken, error);
        // Its call has its result already.
        if (happening.isLate) warn(happening.refusal.error.message);
        return;
      }
    }
    this.#conclude(happening, (change) => change.accept());
  }

  #onEventOf(told: SessionEvent, { type, name }: SessionEvent): void {
    const promised: unknown = this.#onEvent?.(told);
    // It was taken: what is promised comes too late to be refused.
    unwaited(promised, `onEvent failed later for the event ${type} of the skill ${name}`);
  }

  /** Makes it as if an event, and what the same call did after it, had not happened. */
  #takeBack(happening: Happening, taken: number, cause: unknown): Refusal {
    const back = new Set(happening.events.slice(taken).map(({ kept }) => kept));
    const [{ type, name }] = [...back] as [SessionEvent];
    this.#journal.takeBack(back);
    const happened = JSON.stringify({ state: this.#journal.events });
    this.#conclude(happening, (change) => change.refuse(taken, happened));
    const text = withCore((core) => core.refusedEvent(type, name, messageOf(cause)));
    const facts = JSON.parse(text) as RefusedFacts;
    return {
      error: new SkillError(facts.error, { cause }),
      result: { content: facts.content, ...facts.result },
    };
  }

  /** Tells the module, and whoever connects servers, what became of a change. */
  #conclude(
    { change, generation: of, servers }: Happening,
    how: (change: ChangeHandle) => string,
  ): void {
    if (of !== generation()) {
      // Lost while it was told. The journal has what counts, and the session begins with that.
      this.#onLost();
      return;
    }
    const settlements = answerValue<Settlement[]>(withCore(() => how(change)));
    servers?.settle(settlements);
  }
}
