// A provider of models on loopback, in the wire formats of Anthropic and OpenAI.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** Answers one request. */
export type Answer = (response: ServerResponse) => void;

export interface Asked {
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at what it is about.
  body: any;
  /** Resolves when the one who asked has gone. */
  gone: Promise<unknown>;
}

export interface ModelServer extends AsyncDisposable {
  url: string;
  requests: Asked[];
  /** Resolves once so many requests have come. */
  asked(count: number): Promise<void>;
}

/** A server that gives these answers, one a request. */
export async function modelServer(...answers: Answer[]): Promise<ModelServer> {
  const requests: Asked[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const gone = once(response, "close");
    const { url: path = "", headers } = request;
    requests.push({ path, headers, body: await json(request), gone });
    for (const look of waiting) look();
    (answers[requests.length - 1] ?? status(500, "no more answers", { "retry-after": "999" }))(
      response,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    asked(count) {
      return new Promise((resolve) => {
        const look = (): void => {
          if (requests.length >= count) resolve();
        };
        waiting.add(look);
        look();
      });
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** A call as it is to be sent; the text of its arguments may be anything. */
export interface SentCall {
  id?: string;
  name: string;
  arguments: string;
}

/** A turn of a model: texts in pieces, then calls. */
export interface SentTurn {
  texts?: readonly string[];
  calls?: readonly SentCall[];
}

type Format = (turn: SentTurn) => string[];

/** The events of a turn, as the Messages API sends them. */
export const anthropicEvents: Format = ({ texts = [], calls = [] }) => {
  const event = (type: string, fields: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const block = (index: number, content_block: object, deltas: readonly object[]): string[] => [
    event("content_block_start", { index, content_block }),
    ...deltas.map((delta) => event("content_block_delta", { index, delta })),
    event("content_block_stop", { index }),
  ];
  const blocks = [
    ...(texts.length > 0
      ? [
          {
            block: { type: "text", text: "" },
            deltas: texts.map((text) => ({ type: "text_delta", text })),
          },
        ]
      : []),
    ...calls.map(({ id = "toolu_1", name, arguments: args }) => ({
      block: { type: "tool_use", id, name, input: {} },
      deltas: pieces(args).map((partial_json) => ({ type: "input_json_delta", partial_json })),
    })),
  ];
  const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
  return [
    event("message_start", { message: { id: "msg_1", role: "assistant", content: [] } }),
    'event: ping\ndata: {"type": "ping"}\n\n',
    ...blocks.flatMap(({ block: start, deltas }, index) => block(index, start, deltas)),
    event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: {} }),
    event("message_stop", {}),
  ];
};

/** The events of a turn, as the Chat Completions API sends them. */
export const openaiEvents: Format = ({ texts = [], calls = [] }) => {
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  return [
    chunk({ role: "assistant", content: "" }),
    ...texts.map((content) => chunk({ content })),
    ...calls.map(({ id = "call_1", name }, index) =>
      chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
    ),
    // Pieces of parallel calls may come in turns.
    ...calls
      .flatMap(({ arguments: args }, index) =>
        pieces(args).map((piece, at) => ({
          at,
          text: chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        })),
      )
      .sort((one, other) => one.at - other.at)
      .map(({ text }) => text),
    chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
    `data: ${JSON.stringify({ choices: [], usage: {} })}\n\n`,
    "data: [DONE]\n\n",
  ];
};

function pieces(text: string): string[] {
  const third = Math.ceil(text.length / 3);
  return [text.slice(0, third), text.slice(third, 2 * third), text.slice(2 * third)];
}

/** Answers with all of these events. */
export function events(sent: readonly string[]): Answer {
  return (response) => response.writeHead(200, STREAM).end(sent.join(""));
}

/** Begins to answer, and goes on no more. */
export function held(sent: readonly string[]): Answer {
  return (response) => response.writeHead(200, STREAM).write(sent.join(""));
}

/** Begins to answer, and drops the connection. */
export function dropped(sent: readonly string[]): Answer {
  return (response) => {
    response.writeHead(200, STREAM).write(sent.join(""), () => response.socket?.end());
  };
}

/** Refuses. */
export function status(code: number, message: string, headers: object = {}): Answer {
  return (response) => {
    response
      .writeHead(code, { "content-type": "application/json", ...headers })
      .end(JSON.stringify({ error: { type: "some_error", message } }));
  };
}

const STREAM = { "content-type": "text/event-stream; charset=utf-8" };

interface AnthropicMessage {
  role: string;
  content: { type: string; id?: string; tool_use_id?: string; text?: string }[];
}

/** Checks what the Messages API refuses: turns that do not alternate, calls without a result. */
export function checkAnthropic({ body, path }: Asked): void {
  assert.equal(path, "/v1/messages");
  const messages = body.messages as AnthropicMessage[];
  assert.equal(messages[0]?.role, "user");
  assert.equal(messages.at(-1)?.role, "user");
  for (const [index, { role, content }] of messages.entries()) {
    assert.notEqual(role, messages[index - 1]?.role);
    assert.ok(content.length > 0);
    for (const { type, text } of content) if (type === "text") assert.notEqual(text?.trim(), "");
    const calls = content.filter(({ type }) => type === "tool_use").map(({ id }) => id);
    assert.equal(new Set(calls).size, calls.length);
    const next = messages[index + 1]?.content ?? [];
    const results = next.filter(({ type }) => type === "tool_result");
    if (role === "assistant") {
      assert.deepEqual(
        results.map(({ tool_use_id }) => tool_use_id),
        calls,
      );
    }
  }
}

/** Checks what the Chat Completions API refuses: calls without a result, results without a call. */
export function checkOpenai({ body, path }: Asked): void {
  assert.equal(path, "/chat/completions");
  let open: unknown[] = [];
  for (const { role, tool_calls: calls = [], tool_call_id: id } of body.messages) {
    if (role === "tool") {
      assert.equal(open.shift(), id);
      continue;
    }
    assert.deepEqual(open, []);
    for (const call of calls) JSON.parse(call.function.arguments);
    open = calls.map((call: { id: unknown }) => call.id);
    assert.equal(new Set(open).size, open.length);
  }
  assert.deepEqual(open, []);
}
