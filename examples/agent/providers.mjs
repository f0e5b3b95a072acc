// Two model providers over plain `fetch`: the same loop runs against either.

/** A provider that cannot be reached or refuses; `message` is fit to be shown. */
export class ProviderError extends Error {}

const MAX_TOKENS = 4096;
const ATTEMPTS = 4;

/**
 * The Anthropic Messages API.
 *
 * @param {{ key: string, model: string, baseUrl?: string }} options
 * @returns {import("./loop.mjs").Model}
 */
export function anthropic({ key, model, baseUrl = "https://api.anthropic.com" }) {
  return {
    async generate({ system, messages, tools }) {
      const reply = await post(`${trimmed(baseUrl)}/v1/messages`, {
        headers: { "x-api-key": key, "anthropic-version": "2023-06-01" },
        body: {
          model,
          max_tokens: MAX_TOKENS,
          system,
          messages: anthropicMessages(messages),
          ...(tools.length > 0 && {
            tools: tools.map((tool) => ({
              name: tool.name,
              description: tool.description,
              input_schema: tool.inputSchema,
            })),
          }),
        },
      });
      const blocks = list(reply.content);
      return {
        role: "assistant",
        content: blocks
          .filter((block) => block.type === "text")
          .map((block) => block.text)
          .join("\n"),
        toolCalls: blocks
          .filter((block) => block.type === "tool_use")
          .map((block) => ({ id: block.id, name: block.name, arguments: block.input })),
        raw: blocks,
      };
    },
  };
}

/**
 * In this API results are blocks of one message of the user: those of a turn belong together.
 *
 * @param {import("./loop.mjs").Message[]} messages
 */
function anthropicMessages(messages) {
  /** @type {{ role: "user" | "assistant", content: unknown[] }[]} */
  const sent = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const blocks = anthropicBlocks(message);
    const last = sent.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    // A turn of the model may be empty, a message may not.
    else if (blocks.length > 0) sent.push({ role, content: blocks });
  }
  return sent;
}

/**
 * @param {import("./loop.mjs").Message} message
 * @returns {unknown[]}
 */
function anthropicBlocks(message) {
  switch (message.role) {
    case "user":
      return [{ type: "text", text: message.content }];
    case "assistant":
      return [...list(message.raw)];
    case "tool": {
      const { toolCallId, content, isError } = message;
      return [
        { type: "tool_result", tool_use_id: toolCallId, content, is_error: isError === true },
      ];
    }
  }
}

/**
 * The OpenAI Chat Completions API, which many other servers speak too.
 *
 * @param {{ key: string, model: string, baseUrl?: string }} options
 * @returns {import("./loop.mjs").Model}
 */
export function openai({ key, model, baseUrl = "https://api.openai.com/v1" }) {
  return {
    async generate({ system, messages, tools }) {
      const reply = await post(`${trimmed(baseUrl)}/chat/completions`, {
        headers: { authorization: `Bearer ${key}` },
        body: {
          model,
          messages: [{ role: "system", content: system }, ...messages.map(openaiMessage)],
          ...(tools.length > 0 && {
            tools: tools.map((tool) => ({
              type: "function",
              function: {
                name: tool.name,
                description: tool.description,
                parameters: tool.inputSchema,
              },
            })),
          }),
        },
      });
      const message = list(reply.choices)[0]?.message;
      if (!message) throw new ProviderError("The provider answered without a message.");
      return {
        role: "assistant",
        content: message.content ?? "",
        toolCalls: list(message.tool_calls).map((call) => ({
          id: call.id,
          name: call.function.name,
          arguments: call.function.arguments, // JSON text; the tools take it as it is
        })),
        raw: message,
      };
    },
  };
}

/** @param {import("./loop.mjs").Message} message */
function openaiMessage(message) {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.content };
    case "assistant":
      return message.raw;
    case "tool": {
      const { toolCallId, content, isError } = message;
      // There is no error flag here, so the text has to say it.
      const text = isError && !/^error\b/i.test(content) ? `Error: ${content}` : content;
      return { role: "tool", tool_call_id: toolCallId, content: text };
    }
  }
}

/**
 * Posts JSON and returns the JSON that comes back, trying again where the provider asks for it.
 *
 * @param {string} url
 * @param {{ headers: Record<string, string>, body: unknown }} request
 * @returns {Promise<any>}
 */
async function post(url, { headers, body }) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(120_000),
    }).catch((cause) => {
      const reason =
        cause instanceof Error
          ? cause.cause instanceof Error
            ? cause.cause.message
            : cause.message
          : cause;
      throw new ProviderError(`Cannot reach ${new URL(url).origin}: ${reason}`);
    });
    const text = await response.text();
    if (response.ok) return parsed(text);
    const again = response.status === 429 || response.status >= 500;
    if (!again || attempt === ATTEMPTS) {
      throw new ProviderError(
        `${new URL(url).origin} answered ${response.status}: ${reasonIn(text)}`,
      );
    }
    await pause(Number.parseFloat(response.headers.get("retry-after") ?? ""), 2 ** attempt);
  }
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderError(
      `The provider answered with something that is not JSON: ${text.slice(0, 100)}`,
    );
  }
}

/** The provider's own words for a failure. @param {string} text */
function reasonIn(text) {
  try {
    return JSON.parse(text).error?.message ?? text.slice(0, 200);
  } catch {
    return text.slice(0, 200);
  }
}

/** @param {unknown} value @returns {any[]} */
function list(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {string} url */
function trimmed(url) {
  return url.replace(/\/+$/, "");
}

/**
 * @param {number} asked  seconds, or NaN where the provider named none
 * @param {number} otherwise
 */
function pause(asked, otherwise) {
  const seconds = Number.isNaN(asked) ? otherwise : Math.min(asked, 30);
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
