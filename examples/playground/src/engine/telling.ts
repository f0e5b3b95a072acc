// What the page knows of the skills that are open, on both sides: the engine tells what is another than the
// page has, and the page makes of it what it shows.

import type { Diagnostic } from "skillshelf/slim";
import type { Indexed, Known, Measured, Overview, Row, Shown, Update } from "./shapes.ts";
import { difference, spliced } from "./splice.ts";

/** All that there is to tell. */
interface Whole {
  overview: Overview;
  indexed: Indexed;
  measured: Measured | undefined;
}

/** Numbers of all that is opened and told: none is given twice. */
export class Editions {
  #last = 0;

  next(): number {
    this.#last += 1;
    return this.#last;
  }
}

/** The engine's side. */
export class Telling {
  readonly #editions: Editions;
  readonly #opened: number;
  #told: (Whole & { edition: number }) | undefined;

  constructor(editions: Editions) {
    this.#editions = editions;
    this.#opened = editions.next();
  }

  /** Whether somebody who has this means other skills than these. */
  isOfOthers(known: Known | undefined): boolean {
    return known !== undefined && known.opened !== this.#opened;
  }

  /** Tells it all, or to a page that has what was told last, what is another by now. */
  tell(whole: Whole, known: Known | undefined): Update {
    const before = this.#told?.edition === known?.edition ? this.#told : undefined;
    const edition = this.#editions.next();
    this.#told = { ...whole, edition };
    const { label, near, changes, rows, problems } = whole.overview;
    const update: Update = {
      opened: this.#opened,
      edition,
      label,
      near,
      changes,
      rows: difference(before?.overview.rows ?? [], rows, isSame<Row>),
      problems: difference(before?.overview.problems ?? [], problems, isSame<Diagnostic>),
    };
    if (before) update.since = before.edition;
    if (before?.indexed !== whole.indexed) update.indexed = whole.indexed;
    if (whole.measured) update.measured = whole.measured;
    return update;
  }
}

/** The page's side: what it shows after an update, or what it showed where it knows better by now. */
export function heard(
  shown: Readonly<Shown> | undefined,
  update: Update,
): Readonly<Shown> | undefined {
  const { opened, edition, since, label, near, changes, measured } = update;
  // Answers may overtake each other; whoever asks next says what they have.
  if (shown && edition < shown.edition) return shown;
  const before = since === undefined ? undefined : shown;
  const indexed = update.indexed ?? before?.indexed;
  if (since !== before?.edition || indexed === undefined) return shown;
  const rows = spliced(before?.overview.rows ?? [], update.rows);
  const problems = spliced(before?.overview.problems ?? [], update.problems);
  const overview = { label, near, changes, rows, problems };
  return { opened, edition, overview, indexed, ...(measured && { measured }) };
}

/** Whether all members are the same. */
function isSame<Item extends object>(a: Item, b: Item): boolean {
  return a === b || (hasMembersOf(a, b) && hasMembersOf(b, a));
}

function hasMembersOf<Item extends object>(a: Item, b: Item): boolean {
  for (const name in a) if (a[name] !== b[name]) return false;
  return true;
}
