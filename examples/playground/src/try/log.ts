// The conversation as it is seen: each text with what it costs.

import { h } from "../dom.ts";
import type { Called, Size } from "../engine/shapes.ts";
import { counted } from "../words.ts";
import type { ToolCall } from "./agent.ts";

/** Longer texts are folded. */
const LINES_SHOWN = 14;
/** Characters that are shown without being unfolded. */
const CHARACTERS_SHOWN = 4_000;
/** Of one text; the rest is counted. */
const MOST_SHOWN = 20_000;
/** Of the arguments of a call. */
const ARGUMENTS_SHOWN = 1_000;

export class Log {
  readonly element = h("div", {
    class: "log",
    role: "log",
    tabindex: 0,
    "aria-label": "Conversation",
    onscroll: () => {
      // What is hidden has no place.
      if (this.element.clientHeight > 0) this.#place = this.element.scrollTop;
    },
  });
  readonly #waiting = h("p", { class: "entry waiting note" });
  #place = 0;

  constructor() {
    // Shown again after another view, it is where the person left it.
    new ResizeObserver(() => {
      this.element.scrollTop = this.#place;
    }).observe(this.element);
  }

  clear(): void {
    this.element.replaceChildren();
    this.#place = 0;
  }

  /** Says what is waited for, below everything. */
  wait(words: string): void {
    this.#waiting.textContent = words;
    this.#add(this.#waiting);
  }

  /** Nothing is waited for any more. */
  waited(): void {
    this.#waiting.remove();
  }

  system(text: string, size: Size): void {
    const entry = entryOf("system", "System prompt", size, folded(text, "Show it"));
    const [first] = this.element.children;
    if (first?.classList.contains("system")) first.replaceWith(entry);
    else this.element.prepend(entry);
  }

  user(text: string, size?: Size, note?: string): void {
    this.#add(
      entryOf("user", "You", size, paragraph(text), note && h("p", { class: "note" }, note)),
    );
  }

  assistant(who: string, text: string): void {
    this.#add(entryOf("assistant", who, undefined, paragraph(text)));
  }

  call({ name, arguments: args }: ToolCall, { result, size, repeated }: Called): void {
    const chips = [
      result.isError && h("span", { class: "badge bad" }, result.code ?? "error"),
      repeated && h("span", { class: "badge" }, "loaded already: one line, not the text again"),
    ];
    this.#add(
      entryOf(
        "tool",
        "Tool call",
        size,
        h("p", {}, h("code", {}, cut(`${name} ${args}`, ARGUMENTS_SHOWN)), ...chips),
        isLong(result.content)
          ? folded(result.content, "Show the result")
          : h("pre", {}, result.content),
      ),
    );
  }

  note(title: string, text: string, detail?: string): void {
    this.#add(
      entryOf("notice", title, undefined, paragraph(text), detail && folded(detail, "Show it")),
    );
  }

  /** Something failed: it is said where it happened. */
  failure(text: string): void {
    this.#add(entryOf("failure", "It did not work", undefined, paragraph(text)));
  }

  #add(entry: HTMLElement): void {
    this.element.append(entry);
    this.element.scrollTop = this.element.scrollHeight;
    // What comes while another view is shown is seen first afterwards.
    this.#place = this.element.clientHeight > 0 ? this.element.scrollTop : Number.MAX_SAFE_INTEGER;
  }
}

function entryOf(
  kind: string,
  who: string,
  size: Size | undefined,
  ...content: (Node | string | false | undefined | "")[]
): HTMLElement {
  const cost = size && h("span", { class: "note" }, counted(size.tokens, "token"));
  return h(
    "article",
    { class: `entry ${kind}`, "aria-label": who },
    h("header", {}, h("strong", {}, who), cost),
    ...content.filter((child) => child !== ""),
  );
}

function folded(text: string, words: string): HTMLElement {
  return h(
    "details",
    {},
    h("summary", {}, `${words}: ${counted(text.split("\n").length, "line")}`),
    h("pre", { tabindex: 0, role: "region", "aria-label": words }, cut(text, MOST_SHOWN)),
  );
}

function paragraph(text: string): HTMLElement {
  return h("p", { class: "said" }, cut(text, MOST_SHOWN));
}

function isLong(text: string): boolean {
  return text.length > CHARACTERS_SHOWN || text.split("\n", LINES_SHOWN + 1).length > LINES_SHOWN;
}

/** The beginning of a text, and how much more there is of it. */
function cut(text: string, most: number): string {
  const more = text.length - most;
  return more > 0 ? `${text.slice(0, most)}\n… and ${counted(more, "character")} more` : text;
}
