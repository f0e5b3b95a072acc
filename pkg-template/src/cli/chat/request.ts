/** Requests to a provider, and what is said of those that fail. */
import { messageOf } from "../../message-of.js";
import { onOneLine } from "../columns.js";
import { bytesOf, dataOf } from "./events.js";
import { type ChatModel, isTooDeep, ProviderError } from "./model.js";

/** Where a provider is asked, and with which key. */
export interface Endpoint {
  url: string;
  key: string | undefined;
  /** The variable that holds the key. */
  keyName: string;
}

export interface Post {
  /** Below the URL. */
  path: string;
  headers: Record<string, string>;
  body: unknown;
  signal: AbortSignal;
  /** Told that the provider wants to be asked later. */
  onNote(text: string): void;
}

/** How often a request is made, where the provider wants to be asked again. */
const ATTEMPTS = 4;
/** Seconds that are waited for that at most. */
const LONGEST_WAIT = 30;
/** Bytes of an answer that are read to see why it is none. */
const MOST_OF_A_REASON = 64 * 1024;
/** So many of the first characters of a key are not told. */
const TELLING = 8;
/** Characters of a provider's own words that are told. */
const MOST_WORDS = 300;
/** No answer of a model is longer, in bytes of its stream, comments too. */
const LONGEST_ANSWER = 64 * 1024 * 1024;

/** What some providers send after the last event. */
export const DONE = "[DONE]";

/** Posts JSON; gives the events of the stream that comes back, each of them JSON, or {@link DONE}. */
export async function* eventsOf(endpoint: Endpoint, post: Post): AsyncGenerator<unknown> {
  const response = await streaming(endpoint, post);
  try {
    for await (const data of dataOf(ending(bytesOf(response, post.signal)))) {
      yield data.trim() === DONE ? DONE : parsed(data, endpoint);
    }
  } catch (error) {
    if (post.signal.aborted || error instanceof ProviderError) throw error;
    throw brokenOff(endpoint, error);
  }
}

/** The same bytes, up to a bound. */
async function* ending(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const bytes of body) {
    length += bytes.length;
    if (length > LONGEST_ANSWER) throw new Error("the answer has no end");
    yield bytes;
  }
}

/**
 * A model whose failures all say whose they are: what a provider sends may be anything, and is read on the
 * way to a reply.
 */
export function ofProvider(endpoint: Endpoint, model: ChatModel): ChatModel {
  return {
    name: model.name,
    async answer(request) {
      try {
        const reply = await model.answer(request);
        // It is sent back with the next request: otherwise none could be made any more.
        if (isTooDeep(reply)) throw new Error("it is nested too deeply");
        return reply;
      } catch (error) {
        if (request.signal.aborted || error instanceof ProviderError) throw error;
        const reason = innermost(error);
        throw failure(endpoint, `${originOf(endpoint)} sent what cannot be read: ${reason}.`);
      }
    },
  };
}

/** An answer that ended before it was whole. */
export function brokenOff(endpoint: Endpoint, cause?: unknown): ProviderError {
  const reason = cause === undefined ? "" : `: ${innermost(cause)}`;
  return failure(endpoint, `The answer of ${originOf(endpoint)} broke off${reason}.`);
}

/** What a provider says went wrong, in an event. */
export function reported(endpoint: Endpoint, error: unknown): ProviderError {
  return failure(endpoint, `${originOf(endpoint)} reports: ${reasonOf(endpoint, error)}`);
}

async function streaming(endpoint: Endpoint, post: Post): Promise<ReadableStream<Uint8Array>> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await sent(endpoint, post);
    if (response.ok) return bodyOf(response, endpoint);
    const wait = waitOf(response, attempt);
    const again = response.status === 429 || response.status >= 500;
    if (!again || attempt === ATTEMPTS || wait > LONGEST_WAIT) {
      throw refused(endpoint, response, await beginningOf(response, post.signal));
    }
    await response.body?.cancel();
    const why = response.status === 429 ? "wants fewer requests" : "has a problem";
    post.onNote(`${originOf(endpoint)} ${why} (${response.status}); asking again in ${wait} s`);
    await pause(wait, post.signal);
  }
}

async function sent(endpoint: Endpoint, { path, headers, body, signal }: Post): Promise<Response> {
  try {
    return await fetch(`${endpoint.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream", ...headers },
      body: JSON.stringify(body),
      // The key is for this server and for no other.
      redirect: "error",
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw failure(endpoint, `Cannot reach ${originOf(endpoint)}: ${innermost(error)}.`);
  }
}

async function bodyOf(response: Response, endpoint: Endpoint): Promise<ReadableStream<Uint8Array>> {
  const type = response.headers.get("content-type")?.split(";")[0]?.trim() ?? "nothing";
  if (response.body !== null && type === "text/event-stream") return response.body;
  await response.body?.cancel();
  throw failure(
    endpoint,
    `${originOf(endpoint)} answered with ${type}, not with a stream of events; is the URL right?`,
  );
}

/** Seconds until the next attempt: what the provider says, or a little more each time. */
function waitOf(response: Response, attempt: number): number {
  const header = response.headers.get("retry-after") ?? "";
  if (/^\d+(\.\d+)?$/.test(header)) return Math.ceil(Number(header));
  const date = Date.parse(header);
  if (!Number.isNaN(date)) return Math.max(0, Math.ceil((date - Date.now()) / 1000));
  return 2 ** (attempt - 1);
}

function refused(endpoint: Endpoint, response: Response, text: string): ProviderError {
  const { status } = response;
  const origin = originOf(endpoint);
  if (status === 401) {
    // Its own words may repeat a part of the key.
    const remedy =
      endpoint.key === undefined ? `set ${endpoint.keyName}` : `check ${endpoint.keyName}`;
    return failure(endpoint, `${origin} does not take the key (401): ${remedy}.`);
  }
  const wait = response.headers.get("retry-after");
  const later = status === 429 && wait !== null ? ` Try again after: ${wait}.` : "";
  const remedy = status === 404 ? " Are the model and the URL right?" : later;
  const reason = reasonOf(endpoint, inJson(text));
  return failure(endpoint, `${origin} answered ${status}: ${reason}${remedy}`);
}

/** An error on one line, without the key. */
function failure(endpoint: Endpoint, text: string): ProviderError {
  return new ProviderError(onOneLine(withoutKey(endpoint, text)));
}

/** A text without the key, or as much of its beginning as stands there. Before a text is cut, not after. */
function withoutKey({ key }: Endpoint, text: string): string {
  if (key === undefined || key === "") return text;
  const beginning = key.slice(0, TELLING);
  let told = "";
  let from = 0;
  for (;;) {
    const at = text.indexOf(beginning, from);
    if (at === -1) return told + text.slice(from);
    let length = beginning.length;
    while (length < key.length && text[at + length] === key[length]) length += 1;
    told += `${text.slice(from, at)}…`;
    from = at + length;
  }
}

function parsed(data: string, endpoint: Endpoint): unknown {
  try {
    return JSON.parse(data);
  } catch {
    const shown = withoutKey(endpoint, data).slice(0, 60);
    throw failure(endpoint, `${originOf(endpoint)} sent an event that is no JSON: ${shown}`);
  }
}

function originOf({ url }: Endpoint): string {
  return new URL(url).origin;
}

/** What is behind an error of `fetch`, which only says that it failed. */
function innermost(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : innermost(cause);
}

/** The beginning of a text that may have no end. */
async function beginningOf({ body }: Response, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  if (body === null) return text;
  try {
    for await (const bytes of bytesOf(body, signal)) {
      text += decoder.decode(bytes, { stream: true });
      if (text.length > MOST_OF_A_REASON) break;
    }
  } catch {
    // What has come is told.
  }
  return text;
}

function inJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The provider's own words for a failure, wherever it puts them, without the key. */
function reasonOf(endpoint: Endpoint, value: unknown): string {
  let told = value;
  for (;;) {
    const { error } = fieldsOf(told);
    if (error === undefined || error === null) break;
    told = error;
  }
  const words = typeof told === "string" ? told : textOf(fieldsOf(told).message);
  if (words.trim() === "") return "it gave no reason";
  return withoutKey(endpoint, words).slice(0, MOST_WORDS);
}

/** The fields of what should be an object. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** What should be a text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
