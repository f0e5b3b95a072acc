/** Why a server cannot be used. The core has the words for each kind, and a test compares them. */

export type FailureKind =
  | "refused"
  | "approval"
  | "spawn"
  | "unsupported"
  | "moved"
  | "ended"
  | "stopped"
  | "timeout"
  | "flood"
  | "network"
  | "redirect"
  | "status"
  | "protocol"
  | "gone"
  | "closed";

export class ServerFailure extends Error {
  readonly kind: FailureKind;
  /** A code of the system, a status, a number of seconds, or where a redirect leads. */
  readonly detail: string;

  constructor(kind: FailureKind, detail = "") {
    super(kind);
    this.kind = kind;
    this.detail = detail;
  }
}

/** What the client, or the system below it, threw. */
export function failureOf(error: unknown): ServerFailure {
  if (error instanceof ServerFailure) return error;
  const { code, syscall, status, cause } = partsOf(error);
  if (typeof syscall === "string" && syscall.startsWith("spawn")) {
    return new ServerFailure("spawn", String(code));
  }
  if (typeof status === "number") {
    return new ServerFailure("status", String(status));
  }
  if (code === "REQUEST_TIMEOUT") return new ServerFailure("timeout");
  if (code === "CONNECTION_CLOSED" || code === "NOT_CONNECTED") return new ServerFailure("ended");
  const reason = partsOf(cause).code ?? code;
  if (error instanceof TypeError) return new ServerFailure("network", systemCode(reason));
  return new ServerFailure("protocol");
}

function partsOf(error: unknown): Record<string, unknown> {
  return typeof error === "object" && error !== null ? (error as Record<string, unknown>) : {};
}

/** Such as `ECONNREFUSED`. */
function systemCode(code: unknown): string {
  return typeof code === "string" && /^[A-Z0-9_]{1,40}$/.test(code) ? code : "no connection";
}
