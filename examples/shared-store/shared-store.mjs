#!/usr/bin/env node
// Several processes over one store: a writer puts skills into Redis, three agents load the same
// catalog from it, one continues what another began, and all see an edit after a refresh.
//
//   node shared-store.mjs [REDIS_URL]        without it, a server of its own on loopback

import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startRedis } from "./redis-server.mjs";

const [given] = process.argv.slice(2);
const server = given === undefined ? await startRedis() : { url: given, close: async () => {} };

const RELEASE = `---
name: release-notes
description: Writes release notes. Use for every release.
---
Begin with what changed for users. The form is in \`form.md\`.
`;
const FILES = {
  "release-notes/SKILL.md": RELEASE,
  "release-notes/form.md": "A heading, then a list.",
  "code-review/SKILL.md":
    "---\nname: code-review\ndescription: Reviews a diff.\n---\nRead the whole diff twice.\n",
};

function write(files) {
  const writer = join(import.meta.dirname, "writer.mjs");
  execFileSync(process.execPath, [writer, server.url], { input: JSON.stringify(files) });
}

/** Starts a process; gives a function that has it do something. */
async function startAgent() {
  const child = fork(join(import.meta.dirname, "agent.mjs"), [server.url]);
  children.push(child);
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`a process ended with exit code ${code}`);
  });
  ended.catch(() => {}); // who waits for an answer is told
  const waiting = new Map();
  child.on("message", ({ id, result }) => waiting.get(id)?.(result));
  await Promise.race([once(child, "message"), ended]); // it is ready
  let count = 0;
  return (work, more = {}) => {
    count += 1;
    const id = count;
    const answered = new Promise((done) => waiting.set(id, done));
    child.send({ id, work, ...more });
    return Promise.race([answered, ended]);
  };
}

const children = [];
try {
  write(FILES);
  const agents = await Promise.all([startAgent(), startAgent(), startAgent()]);
  const [first, second, third] = agents;

  const indexes = await Promise.all(agents.map((ask) => ask("index")));
  console.log(`${agents.length} processes, ${new Set(indexes).size} index:\n${indexes[0]}\n`);

  const conversation = "1";
  const loaded = await first("load", { conversation, skill: "release-notes" });
  console.log(`The first process loads release-notes:\n${loaded}\n`);
  const again = await second("load", { conversation, skill: "release-notes" });
  console.log(`The second one goes on with the conversation: ${again}\n`);

  write({ "release-notes/SKILL.md": RELEASE.replace("what changed", "what broke") });
  const refreshed = await Promise.all(agents.map((ask) => ask("refresh")));
  console.log(`After an edit each sees: ${refreshed.map((one) => JSON.stringify(one)).join(" ")}`);
  console.log(
    `Changed in the conversation: ${JSON.stringify(await third("check", { conversation }))}`,
  );
  const renewed = await third("load", { conversation, skill: "release-notes" });
  console.log(`The third process loads it anew:\n${renewed}`);
} finally {
  // Each ends by itself when nobody can ask it any more; then the server can.
  await Promise.all(
    children.map(async (child) => {
      if (!child.connected) return;
      child.disconnect();
      await once(child, "exit");
    }),
  );
  await server.close();
}
