// The conversation as it is seen: each text with what it costs.

import { counted, h, number } from "../dom.ts";
import type { Called, Size } from "../engine/shapes.ts";
import type { ToolCall } from "./agent.ts";

/** Longer texts are folded. */
const LINES_SHOWN = 14;
/** Of one text; the rest is counted. */
const MOST_SHOWN = 20_000;

export class Log {
  readonly element = h("div", {
    class: "log",
    role: "log",
    tabindex: 0,
    "aria-label": "Conversation",
  });

  clear(): void {
    this.element.replaceChildren();
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
        h("p", {}, h("code", {}, `${name} ${args}`), ...chips),
        result.content.split("\n").length > LINES_SHOWN
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
  const more = text.length - MOST_SHOWN;
  const shown = more > 0 ? `${text.slice(0, MOST_SHOWN)}\n… and ${number(more)} more` : text;
  return h(
    "details",
    {},
    h("summary", {}, `${words}: ${counted(text.split("\n").length, "line")}`),
    h("pre", { tabindex: 0, role: "region", "aria-label": words }, shown),
  );
}

function paragraph(text: string): HTMLElement {
  return h("p", { class: "said" }, text.slice(0, MOST_SHOWN));
}
