// A list box of any length, of which only what is seen exists.

import { h } from "../dom.ts";

/** Rows beyond both edges, so that scrolling shows no gaps. */
const SPARE = 6;

export interface ListOptions<T> {
  label: string;
  /** What tells an item from all others. */
  idOf(item: T): string;
  /** The height of its row in CSS pixels, in a list of this width. */
  heightOf(item: T, width: number): number;
  render(item: T): Node[];
  /** A row was chosen: by a click, or by Enter. */
  onChoose(item: T): void;
  /** Another row is the active one, by the keys. */
  onMove?(item: T): void;
}

let lists = 0;

/** What a row shows, and where. */
interface Shown<T> {
  item: T;
  index: number;
  /** How many items there are. */
  count: number;
  active: boolean;
  top: number;
  bottom: number;
}

interface Drawn<T> extends Shown<T> {
  element: HTMLElement;
}

export class VirtualList<T> {
  readonly element: HTMLElement;
  readonly #space = h("div", { class: "rows", role: "presentation" });
  readonly #options: ListOptions<T>;
  readonly #id: string;
  #items: readonly T[] = [];
  /** Where each row begins, and where the last one ends. */
  #tops: readonly number[] = [0];
  #width = 0;
  #active: string | undefined;
  #drawing = 0;
  /** The rows that are there, by the ids of their items. */
  #rows = new Map<string, Drawn<T>>();

  constructor(options: ListOptions<T>) {
    lists += 1;
    this.#id = `list-${lists}`;
    this.#options = options;
    this.element = h(
      "div",
      {
        class: "virtual-list",
        role: "listbox",
        tabindex: 0,
        "aria-label": options.label,
        onscroll: () => this.#drawSoon(),
        onkeydown: (event: KeyboardEvent) => this.#onKey(event),
      },
      this.#space,
    );
    new ResizeObserver(() => {
      if (this.element.clientWidth !== this.#width) this.#measure();
      this.#drawSoon();
    }).observe(this.element);
  }

  /** Shows these, and leaves the scroll where it is as far as it can; the same item stays the active one. */
  show(items: readonly T[]): void {
    this.#items = items;
    this.element.hidden = items.length === 0;
    this.#measure();
    this.#draw();
  }

  /** Draws anew what the items say now. */
  redraw(): void {
    this.#rows.clear();
    this.#drawSoon();
  }

  /** Makes an item the active one and brings it into sight, if it is here. */
  activate(id: string | undefined): void {
    if (id === this.#active) return;
    this.#active = id;
    this.#reveal(this.#activeIndex);
    this.#draw();
  }

  /** Takes the focus, with an active row: the first where there was none. */
  enter(): void {
    this.element.focus();
    if (this.#activeIndex < 0) this.#move(0);
  }

  get #activeIndex(): number {
    const { idOf } = this.#options;
    return this.#items.findIndex((item) => idOf(item) === this.#active);
  }

  #measure(): void {
    this.#width = this.element.clientWidth;
    const tops = [0];
    let top = 0;
    for (const item of this.#items) {
      top += this.#options.heightOf(item, this.#width);
      tops.push(top);
    }
    this.#tops = tops;
    this.#space.style.height = `${top}px`;
  }

  #reveal(index: number): void {
    if (index < 0) return;
    const { scrollTop, clientHeight } = this.element;
    const [top, bottom] = [this.#topOf(index), this.#topOf(index + 1)];
    if (bottom > scrollTop + clientHeight) this.element.scrollTop = bottom - clientHeight;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
  }

  #topOf(index: number): number {
    return this.#tops[Math.min(index, this.#items.length)] ?? 0;
  }

  /** The row that is at a place. */
  #indexAt(place: number): number {
    let [low, high] = [0, this.#items.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#topOf(middle) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #drawSoon(): void {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, this.#indexAt(scrollTop) - SPARE);
    const end = this.#indexAt(scrollTop + clientHeight) + 1 + SPARE;
    const active = this.#activeIndex;
    const drawn = this.#items
      .slice(first, end)
      .map((item, at) => this.#drawn(item, first + at, first + at === active));
    this.#rows = new Map(drawn.map((row) => [this.#options.idOf(row.item), row]));
    const rows = drawn.map(({ element }) => element);
    const { children } = this.#space;
    const isSame = rows.length === children.length && rows.every((row, at) => row === children[at]);
    if (!isSame) this.#space.replaceChildren(...rows);
    const shown = active >= first && active < end;
    if (shown) this.element.setAttribute("aria-activedescendant", `${this.#id}-${active}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  /** The row of an item: the one that is there, if it shows the same. */
  #drawn(item: T, index: number, active: boolean): Drawn<T> {
    const top = this.#topOf(index);
    const bottom = this.#topOf(index + 1);
    const row = { item, index, count: this.#items.length, active, top, bottom };
    const there = this.#rows.get(this.#options.idOf(item));
    if (there && isSame(row, there)) return there;
    return { ...row, element: this.#rowOf(item, index, active) };
  }

  #rowOf(item: T, index: number, active: boolean): HTMLElement {
    const { idOf, render, onChoose } = this.#options;
    const row = h(
      "div",
      {
        class: "row",
        role: "option",
        id: `${this.#id}-${index}`,
        "aria-selected": String(active),
        "aria-posinset": index + 1,
        "aria-setsize": this.#items.length,
        onclick: () => {
          this.#active = idOf(item);
          onChoose(item);
          this.#draw();
        },
      },
      ...render(item),
    );
    row.style.transform = `translateY(${this.#topOf(index)}px)`;
    row.style.height = `${this.#topOf(index + 1) - this.#topOf(index)}px`;
    return row;
  }

  #onKey(event: KeyboardEvent): void {
    const at = this.#activeIndex;
    const last = this.#items.length - 1;
    const here = this.#topOf(Math.max(0, at));
    const { clientHeight } = this.element;
    const to: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: Math.max(at + 1, this.#indexAt(here + clientHeight) - 1),
      PageUp: Math.min(at - 1, this.#indexAt(here - clientHeight) + 1),
      Home: 0,
      End: last,
    };
    const item = this.#items[at];
    if (event.key === "Enter" && item !== undefined) {
      event.preventDefault();
      this.#options.onChoose(item);
      return;
    }
    const wanted = to[event.key];
    if (wanted === undefined || last < 0) return;
    event.preventDefault();
    this.#move(wanted);
  }

  #move(wanted: number): void {
    const { idOf, onMove } = this.#options;
    const index = Math.min(this.#items.length - 1, Math.max(0, wanted));
    const item = this.#items[index];
    if (item === undefined) return;
    this.activate(idOf(item));
    onMove?.(item);
  }
}

function isSame<T>(a: Shown<T>, b: Shown<T>): boolean {
  return (
    a.item === b.item &&
    a.index === b.index &&
    a.count === b.count &&
    a.active === b.active &&
    a.top === b.top &&
    a.bottom === b.bottom
  );
}
