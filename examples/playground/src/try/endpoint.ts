// A model behind an endpoint of the person's own, by the Chat Completions API that most providers and
// local servers have. The key is in memory and in the header of each request, and nowhere else.

import type { Message, Model, Request, ToolCall } from "./agent.ts";

export interface Endpoint {
  /** Such as `https://api.openai.com/v1`. */
  url: string;
  key: string;
  model: string;
}

interface Completion {
  choices?: {
    message?: {
      content?: string | null;
      tool_calls?: { id: string; function: { name: string; arguments: string } }[] | null;
    };
  }[];
}

/** What can be done about an answer that is none. */
const REMEDIES: Record<number, string> = {
  400: "Is the name of the model right, and can it call tools?",
  401: "Is the key right?",
  403: "May this key use that model?",
  404: "Is the address right? It usually ends in /v1. Is there a model of that name?",
  429: "It has had too many requests, or the account has nothing left. Wait, or look at the account.",
};

const LOOPBACK = ["localhost", "127.0.0.1"];

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
    const { choices } = await this.#ask(body, signal);
    const message = choices?.[0]?.message;
    if (message === undefined) {
      throw new Error(
        "The endpoint answered without a message. Does it have the Chat Completions API?",
      );
    }
    const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
      id,
      name,
      arguments: args,
    }));
    return { content: message.content ?? "", calls };
  }

  async #ask(body: object, signal: AbortSignal): Promise<Completion> {
    const { url, key } = this.#endpoint;
    const address = `${url.replace(/\/+$/, "")}/chat/completions`;
    if (!isAllowed(address)) {
      throw new Error(
        `${address} is not encrypted, and this page asks only this machine that way. Give an address with https, or run the server on localhost.`,
      );
    }
    let response: Response;
    try {
      response = await fetch(address, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(key && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(body),
        credentials: "omit",
        signal,
      });
    } catch (error) {
      if (signal.aborted) throw error;
      throw new Error(
        `${address} could not be reached. Is the address right, does the server run, and does it allow pages of other origins (CORS)?`,
      );
    }
    const text = await response.text();
    if (!response.ok) {
      const remedy = REMEDIES[response.status] ?? "Try again later, or look at the server.";
      throw new Error(
        `The endpoint answered ${response.status}. ${remedy} It said: ${text.slice(0, 300)}`,
      );
    }
    try {
      return JSON.parse(text) as Completion;
    } catch {
      throw new Error(
        `${address} answered something that is no JSON. Is it the address of an API?`,
      );
    }
  }
}

/** What the page's policy lets it ask. */
function isAllowed(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.includes(hostname));
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
