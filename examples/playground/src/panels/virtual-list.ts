// A list box of any length, of which only what is seen exists.

import { h } from "../dom.ts";

/** Rows beyond both edges, so that scrolling shows no gaps. */
const SPARE = 6;

export interface ListOptions<T> {
  label: string;
  /** The height of a row in CSS pixels: the style sheet gives it the same. */
  rowHeight: number;
  render(item: T): Node[];
  /** A row was chosen: by a click, or by Enter. */
  onChoose(item: T): void;
  /** Another row is the active one, by the keys. */
  onMove?(item: T): void;
}

let lists = 0;

export class VirtualList<T> {
  readonly element: HTMLElement;
  readonly #space = h("div", { class: "rows", role: "presentation" });
  readonly #options: ListOptions<T>;
  readonly #id: string;
  #items: readonly T[] = [];
  #active = -1;
  #drawing = 0;

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
    new ResizeObserver(() => this.#drawSoon()).observe(this.element);
  }

  /** Shows these, and leaves the scroll where it is as far as it can. */
  show(items: readonly T[], active = -1): void {
    this.#items = items;
    this.#active = active;
    this.element.hidden = items.length === 0;
    this.#space.style.height = `${items.length * this.#options.rowHeight}px`;
    this.#draw();
  }

  /** Draws anew what the items say now. */
  redraw(): void {
    this.#drawSoon();
  }

  /** Makes an item the active one and brings it into sight. */
  reveal(index: number): void {
    this.#active = index;
    const { rowHeight } = this.#options;
    const { scrollTop, clientHeight } = this.element;
    if (index * rowHeight < scrollTop) this.element.scrollTop = index * rowHeight;
    if ((index + 1) * rowHeight > scrollTop + clientHeight) {
      this.element.scrollTop = (index + 1) * rowHeight - clientHeight;
    }
    this.#draw();
  }

  #drawSoon(): void {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    const { rowHeight, render, onChoose } = this.#options;
    const first = Math.max(0, Math.floor(this.element.scrollTop / rowHeight) - SPARE);
    const seen = Math.ceil(this.element.clientHeight / rowHeight) + 2 * SPARE;
    const rows = this.#items.slice(first, first + seen).map((item, at) => {
      const index = first + at;
      const row = h(
        "div",
        {
          class: "row",
          role: "option",
          id: `${this.#id}-${index}`,
          "aria-selected": index === this.#active ? "true" : "false",
          "aria-posinset": index + 1,
          "aria-setsize": this.#items.length,
          onclick: () => {
            this.#active = index;
            onChoose(item);
            this.#draw();
          },
        },
        ...render(item),
      );
      row.style.transform = `translateY(${index * rowHeight}px)`;
      return row;
    });
    this.#space.replaceChildren(...rows);
    const shown = this.#active >= first && this.#active < first + seen;
    if (shown) this.element.setAttribute("aria-activedescendant", `${this.#id}-${this.#active}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  #onKey(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.#options.rowHeight) - 1);
    const last = this.#items.length - 1;
    const to: Record<string, number> = {
      ArrowDown: this.#active + 1,
      ArrowUp: Math.max(0, this.#active - 1),
      PageDown: this.#active + page,
      PageUp: this.#active - page,
      Home: 0,
      End: last,
    };
    const item = this.#items[this.#active];
    if (event.key === "Enter" && item !== undefined) {
      event.preventDefault();
      this.#options.onChoose(item);
      return;
    }
    const wanted = to[event.key];
    if (wanted === undefined || last < 0) return;
    event.preventDefault();
    const index = Math.min(last, Math.max(0, wanted));
    this.reveal(index);
    const moved = this.#items[index];
    if (moved !== undefined) this.#options.onMove?.(moved);
  }
}
