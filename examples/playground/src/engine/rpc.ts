// Calls over a port: one side serves an object, the other calls its methods as promises.

/** What a port needs for it: a worker, its own side of one, or a port of a channel. */
export interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  start?(): void;
}

interface Call {
  call: number;
  method: string;
  given: unknown[];
}

/** What is told of an error: more than a clone of one keeps. */
interface Failure {
  name: string;
  message: string;
  code?: unknown;
}

type Answer = { answer: number } & ({ value: unknown } | { failure: Failure });

/** The methods of an object as the other side calls them. */
export type Remote<T> = {
  [Name in keyof T]: T[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : never;
};

/** Answers calls of these methods of an object. */
export function serve<T extends object>(
  port: Port,
  served: T,
  methods: readonly (keyof T)[],
): void {
  const allowed = new Set<unknown>(methods);
  port.addEventListener("message", async ({ data }: MessageEvent<Call>) => {
    if (typeof data?.call !== "number") return;
    let answer: Answer;
    try {
      if (!allowed.has(data.method)) throw new Error(`There is no method ${data.method}.`);
      const method = served[data.method as keyof T] as (...given: unknown[]) => unknown;
      answer = { answer: data.call, value: await method.apply(served, data.given) };
    } catch (error) {
      answer = { answer: data.call, failure: failureOf(error) };
    }
    port.postMessage(answer, []);
  });
  port.start?.();
}

/** These methods of an object, to be served together with those of others. */
export function methodsOf<T extends object, Name extends keyof T>(
  object: T,
  names: readonly Name[],
): Pick<T, Name> {
  const methods = {} as Pick<T, Name>;
  for (const name of names) {
    const method = object[name];
    if (typeof method === "function") methods[name] = method.bind(object);
  }
  return methods;
}

/** The methods of what the other side serves. */
export function connect<T>(port: Port): Remote<T> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let calls = 0;
  port.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
    if (typeof data?.answer !== "number") return;
    const caller = waiting.get(data.answer);
    waiting.delete(data.answer);
    if ("failure" in data) caller?.reject(errorOf(data.failure));
    else caller?.resolve(data.value);
  });
  port.start?.();
  return new Proxy({} as Remote<T>, {
    get(_, method) {
      // Not a promise, though it is returned by functions that are awaited.
      if (typeof method !== "string" || method === "then") return undefined;
      return (...given: unknown[]) =>
        new Promise((resolve, reject) => {
          calls += 1;
          waiting.set(calls, { resolve, reject });
          const ports = given.flatMap(portsIn);
          port.postMessage({ call: calls, method, given }, ports);
        });
    },
  });
}

/** A port that is handed over goes with the call. */
function portsIn(value: unknown): MessagePort[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).filter((member) => member instanceof MessagePort);
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message } = error;
  return "code" in error ? { name, message, code: error.code } : { name, message };
}

function errorOf({ name, message, code }: Failure): Error {
  const error = Object.assign(new Error(message), code === undefined ? {} : { code });
  // A DOMException's code is a number, and its name is what says what it is.
  Object.defineProperty(error, "name", { value: name });
  return error;
}
