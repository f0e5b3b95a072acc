// One conversation as the page has it: what was said, and whether something in it is under way.

import type { Message } from "./agent.ts";

export class Talk {
  messages: Message[] = [];
  #running: AbortController | undefined;

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Does something, unless something else is under way: then nothing is done, and this says `false`. */
  async alone(work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    if (this.#running !== undefined) return false;
    const running = new AbortController();
    this.#running = running;
    try {
      await work(running.signal);
    } finally {
      this.#running = undefined;
    }
    return true;
  }

  stop(): void {
    this.#running?.abort();
  }
}
