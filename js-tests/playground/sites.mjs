// Servers of other origins: a site that publishes skills, and a model.

import { createServer } from "node:http";
import { listening } from "./loopback.mjs";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*",
  "access-control-allow-methods": "*",
};

/** Answers with what `answer` gives for a request; gives the address, what was asked, and how to end it. */
export async function served(answer) {
  const asked = [];
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString("utf8");
    if (request.method === "OPTIONS") return response.writeHead(204, CORS).end();
    asked.push({ url: request.url, headers: request.headers, body });
    const given = { url: request.url, headers: request.headers, body };
    const { status = 200, content, headers = {} } = await answer(given);
    response
      .writeHead(status, { ...CORS, "content-type": "application/json", ...headers })
      .end(content);
  });
  const { address, close } = await listening(server);
  return { address, asked, close };
}

/** A site with these skills, as they are when it is asked, by the discovery format. */
export function discoverySite(skills) {
  const index = () => ({
    skills: Object.entries(skills).map(([name, { description }]) => ({
      name,
      description,
      files: ["SKILL.md"],
    })),
  });
  return served(({ url }) => {
    if (url === "/.well-known/skills/index.json") return { content: JSON.stringify(index()) };
    const name = /^\/\.well-known\/skills\/([^/]+)\/SKILL\.md$/.exec(url)?.[1];
    return skills[name] ? { content: skills[name].text } : { status: 404, content: "" };
  });
}

/** A model that calls these tools, one a turn, and then says something. The key is `secret`. */
export function modelSite(calls, last) {
  return served(({ url, headers, body }) => {
    if (url !== "/v1/chat/completions") return { status: 404, content: "{}" };
    if (headers.authorization !== "Bearer secret")
      return { status: 401, content: '{"error":"no such key"}' };
    const { messages } = JSON.parse(body);
    const call = calls[messages.filter(({ role }) => role === "tool").length];
    const message = call
      ? {
          content: null,
          tool_calls: [
            {
              id: `call_${call[0]}`,
              type: "function",
              function: { name: call[0], arguments: JSON.stringify(call[1]) },
            },
          ],
        }
      : { content: last };
    return {
      content: JSON.stringify({ choices: [{ message: { role: "assistant", ...message } }] }),
    };
  });
}
