/** A transport whose end is told, and whose client has to read what it asked for. */
import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/server";

/** Answers that may wait to be taken, before nothing more is begun. */
const UNREAD = 16;
/** With so many the client is given up: it sends, and reads nothing. */
const MOST_UNREAD = 10_000;

export class WatchedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly #inner: Transport;
  readonly #onEnd: () => void;
  #unread = 0;
  #isOver = false;
  #waiting: (() => void)[] = [];

  constructor(inner: Transport, onEnd: () => void) {
    this.#inner = inner;
    this.#onEnd = onEnd;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  start(): Promise<void> {
    this.#inner.onclose = () => {
      this.#end();
      this.onclose?.();
    };
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message, extra) => this.onmessage?.(message, extra);
    return this.#inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#unread += 1;
    if (this.#unread > MOST_UNREAD) void this.close();
    try {
      await this.#inner.send(message, options);
    } finally {
      this.#unread -= 1;
      if (this.#unread < UNREAD) this.#wake();
    }
  }

  async close(): Promise<void> {
    try {
      await this.#inner.close();
    } finally {
      this.#end();
    }
  }

  /** Resolves when the client has taken most of what it was sent, or is gone. */
  async taken(): Promise<void> {
    while (this.#unread >= UNREAD && !this.#isOver) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#wake();
    this.#onEnd();
  }
}
