/** Sessions over HTTP: so many, and none that nobody uses. */
import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";

/** A session. */
interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly onEnd: () => void;
  /** Whether its client has come back after it began. */
  isUsed: boolean;
  /** Requests and streams that are open. */
  open: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** A session that is in use. */
export interface UsedSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Says that this use is over. */
  release(): void;
}

export class HttpSessions {
  readonly #most: number;
  readonly #idle: number;
  readonly #sessions = new Map<string, Session>();
  /** Places that are kept for those that are about to begin. */
  #reserved = 0;

  constructor({ maxSessions, idleTimeout }: { maxSessions: number; idleTimeout: number }) {
    this.#most = maxSessions;
    this.#idle = idleTimeout;
  }

  /**
   * Keeps a place, if there is one; gives what frees it. Where all are taken the oldest session gives way
   * whose client never came back.
   */
  reserve(): (() => void) | undefined {
    if (this.#isFull) this.#giveUpOne();
    if (this.#isFull) return undefined;
    this.#reserved += 1;
    return once(() => {
      this.#reserved -= 1;
    });
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  add(id: string, transport: Session["transport"], onEnd: () => void): void {
    const session: Session = { transport, onEnd, isUsed: false, open: 0, timer: undefined };
    this.#sessions.set(id, session);
    this.#rest(id, session);
  }

  /** A session for one request. */
  use(id: string): UsedSession | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    session.isUsed = true;
    session.open += 1;
    clearTimeout(session.timer);
    const release = once(() => {
      session.open -= 1;
      if (session.open === 0 && this.#sessions.get(id) === session) this.#rest(id, session);
    });
    return { transport: session.transport, release };
  }

  /** Ends a session. */
  end(id: string): void {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    clearTimeout(session.timer);
    session.onEnd();
  }

  async close(): Promise<void> {
    const all = [...this.#sessions];
    for (const [id] of all) this.end(id);
    await Promise.all(all.map(([, { transport }]) => transport.close()));
  }

  get #isFull(): boolean {
    return this.#sessions.size + this.#reserved >= this.#most;
  }

  #giveUpOne(): void {
    for (const [id, { isUsed, transport }] of this.#sessions) {
      if (isUsed) continue;
      this.end(id);
      void transport.close();
      return;
    }
  }

  /** Ends it after a while in which nobody uses it. */
  #rest(id: string, session: Session): void {
    const timer = setTimeout(() => {
      this.end(id);
      void session.transport.close();
    }, this.#idle);
    // In Node a timer keeps the process alive.
    if (typeof timer === "object") timer.unref();
    session.timer = timer;
  }
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
