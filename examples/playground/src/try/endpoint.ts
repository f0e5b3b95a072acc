// A model behind an endpoint of the person's own, by the Chat Completions API that most providers and
// local servers have. The key is in memory and in the header of each request, and nowhere else.

import { allowedAddress } from "../allowed-address.ts";
import type { Message, Model, Request, ToolCall } from "./agent.ts";

export interface Endpoint {
  /** Such as `https://api.openai.com/v1`. */
  url: string;
  key: string;
  model: string;
}

/** What can be done about an answer that is none. */
const REMEDIES: Record<number, string> = {
  400: "Is the name of the model right, and can it call tools?",
  401: "Is the key right?",
  403: "May this key use that model?",
  404: "Is the address right? It usually ends in /v1. Is there a model of that name?",
  429: "It has had too many requests, or the account has nothing left. Wait, or look at the account.",
};

/** Characters of an answer; what is longer is none that anybody wants. */
const MOST_ANSWERED = 8_000_000;

export class EndpointModel implements Model {
  readonly #endpoint: Endpoint;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  async reply({
    system,
    messages,
    tools,
    signal,
  }: Request): Promise<{ content: string; calls: ToolCall[] }> {
    const body = {
      model: this.#endpoint.model,
      messages: [{ role: "system", content: system }, ...messages.map(sent)],
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, inputSchema }) => ({
          type: "function",
          function: { name, description, parameters: inputSchema },
        })),
      }),
    };
    return replyOf(await this.#ask(body, signal));
  }

  async #ask(body: object, signal: AbortSignal): Promise<unknown> {
    const { url, key } = this.#endpoint;
    const address = addressOf(url);
    if (!/^[\x21-\x7e]*$/.test(key)) {
      throw new Error(
        "The key has a character that no key has, such as a space or one that is not seen. Copy it again.",
      );
    }
    let response: Response;
    let text: string;
    try {
      response = await fetch(address, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(key && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(body),
        credentials: "omit",
        // To wherever it leads, the whole conversation would go.
        redirect: "manual",
        signal,
      });
      text = await textOf(response);
    } catch (error) {
      if (signal.aborted || error instanceof TooLong) throw error;
      throw new Error(
        `${address} could not be reached. Is the address right, does the server run, and does it allow pages of other origins (CORS)?`,
      );
    }
    if (response.type === "opaqueredirect") {
      throw new Error(
        `${address} sends on to another address, where the conversation would go without your having entered it. Enter that address itself.`,
      );
    }
    if (!response.ok) {
      const remedy = REMEDIES[response.status] ?? "Try again later, or look at the server.";
      throw new Error(
        `The endpoint answered ${response.status}. ${remedy} It said: ${wordsOf(text).slice(0, 300)}`,
      );
    }
    try {
      return JSON.parse(text);
    } catch {
      throw new Error(
        `${address} answered something that is no JSON. Is it the address of an API?`,
      );
    }
  }
}

class TooLong extends Error {}

/** Where completions are asked for; a query of the address stays its query. */
function addressOf(url: string): string {
  const address = allowedAddress(url);
  address.pathname = `${address.pathname.replace(/\/+$/, "")}/chat/completions`;
  address.hash = "";
  return address.href;
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (const reader = response.body?.getReader(); reader !== undefined; ) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    if (text.length > MOST_ANSWERED) {
      await reader.cancel();
      throw new TooLong("The endpoint's answer does not end. Is it the address of an API?");
    }
  }
  return text;
}

/** What is said of an error, without the JSON around it. */
function wordsOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    const { message } = error as { message?: unknown };
    return typeof error === "string" ? error : typeof message === "string" ? message : text;
  } catch {
    return text;
  }
}

/** What the model says and calls; servers differ, and what they answer may be anything. */
function replyOf(answer: unknown): { content: string; calls: ToolCall[] } {
  const choices = fieldOf(answer, "choices");
  const message = Array.isArray(choices) ? fieldOf(choices[0], "message") : undefined;
  if (typeof message !== "object" || message === null) {
    throw new Error(
      "The endpoint answered without a message. Does it have the Chat Completions API?",
    );
  }
  const calls = fieldOf(message, "tool_calls");
  return {
    content: contentOf(fieldOf(message, "content")),
    calls: Array.isArray(calls) ? calls.map(callOf) : [],
  };
}

/** A text, or the texts of its parts. */
function contentOf(content: unknown): string {
  if (Array.isArray(content))
    return content.map((part) => contentOf(fieldOf(part, "text"))).join("");
  return typeof content === "string" ? content : "";
}

function callOf(call: unknown, at: number): ToolCall {
  const made = fieldOf(call, "function");
  const name = fieldOf(made, "name");
  const args = fieldOf(made, "arguments") ?? "{}";
  const id = fieldOf(call, "id");
  if (typeof name !== "string") {
    throw new Error(
      "The endpoint answered with a tool call that names no tool. Try another model.",
    );
  }
  return {
    // Some servers give none; results are told apart by it.
    id: typeof id === "string" && id !== "" ? id : `call_${at}`,
    name,
    arguments: typeof args === "string" ? args : JSON.stringify(args),
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** A message as the API has it. */
function sent(message: Message): object {
  switch (message.role) {
    case "user":
      return message;
    case "tool":
      return { role: "tool", tool_call_id: message.id, content: message.content };
    case "assistant":
      return {
        role: "assistant",
        content: message.content,
        ...(message.calls.length > 0 && {
          tool_calls: message.calls.map(({ id, name, arguments: args }) => ({
            id,
            type: "function",
            function: { name, arguments: args },
          })),
        }),
      };
  }
}
