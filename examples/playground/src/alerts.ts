// What is told across the page, where it is seen and read out: what went wrong, and what is well to know.

import { h } from "./dom.ts";
import { messageOf } from "./words.ts";

export class Alerts {
  readonly #element: HTMLElement;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Says what went wrong. */
  tell(message: string): void {
    this.#say(message, "alert");
  }

  /** Says what is well to know. */
  note(message: string): void {
    this.#say(message, "alert calm");
  }

  /** Does something, and tells what goes wrong. */
  async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.tell(messageOf(error));
    }
  }

  quiet(): void {
    this.#element.replaceChildren();
  }

  #say(message: string, kind: string): void {
    const close = h(
      "button",
      { type: "button", class: "plain", onclick: () => this.quiet() },
      "Dismiss",
    );
    this.#element.replaceChildren(h("div", { class: kind }, h("p", {}, message), close));
  }
}
