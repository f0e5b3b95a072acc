// Two sites on loopback for `http.mjs`: one that lets pages of other origins read it, and one that
// does not.

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { noise, tarOf } from "./tar.mjs";

const SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
const BELOW = "/.well-known/agent-skills";

const skill = (name) =>
  `---\nname: ${name}\ndescription: What ${name} does.\n---\nBody of ${name}.`;
const digest = (content) => `sha256:${createHash("sha256").update(content).digest("hex")}`;

/** `use` gets the sites' addresses; gives what it gives, once the sites have seen what they should. */
export async function withSites(use) {
  const closed = await site(false);
  const open = await site(true, { "/far": `${closed.address}/secret` });
  try {
    const given = await use({ open: open.address, closed: closed.address });
    open.check();
    closed.check();
    return given;
  } finally {
    await Promise.all([open.close(), closed.close()]);
  }
}

async function site(isOpen, elsewhere = {}) {
  const files = contents();
  let unchanged = 0;
  const asked = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    asked.push(pathname);
    if (isOpen) {
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-allow-headers", "if-none-match");
      response.setHeader("access-control-expose-headers", "etag");
    }
    if (request.method === "OPTIONS") return response.writeHead(204).end();
    const to = MOVED[pathname] ?? elsewhere[pathname];
    if (to !== undefined) return response.writeHead(302, { location: to }).end();
    const content = files[pathname];
    if (content === undefined) return response.writeHead(404).end();
    const etag = JSON.stringify(digest(content));
    response.setHeader("etag", etag);
    if (request.headers["if-none-match"] !== etag) return response.end(content);
    unchanged += 1;
    response.writeHead(304).end();
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    check() {
      if (isOpen && unchanged === 0) throw new Error("Nobody asked whether anything is new.");
      if (asked.includes("/secret")) throw new Error("What nobody allowed was asked for.");
    },
    close: () =>
      new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      }),
  };
}

const MOVED = { [`${BELOW}/moved`]: `${BELOW}/there` };

function contents() {
  const packed = gzipSync(
    tarOf({ "SKILL.md": Buffer.from(skill("packed")), large: noise(200_000) }),
  );
  const entry = (name, content, more = {}) => ({
    name,
    type: "skill-md",
    description: "d",
    url: name,
    digest: digest(content),
    ...more,
  });
  const index = {
    $schema: SCHEMA,
    skills: [
      entry("plain", skill("plain")),
      entry("packed", packed, { type: "archive" }),
      entry("moved", skill("moved")),
      entry("far", skill("far"), { url: "/far" }),
      entry("other", "something else"),
    ],
  };
  return {
    [`${BELOW}/index.json`]: JSON.stringify(index),
    [`${BELOW}/plain`]: skill("plain"),
    [`${BELOW}/packed`]: packed,
    [`${BELOW}/there`]: skill("moved"),
    [`${BELOW}/other`]: skill("other"),
  };
}
