// Programs that send without end, in a host of their own whose memory is watched.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const SERVER = fileURLToPath(new URL("support/mcp-server.mjs", import.meta.url));
const MEGABYTE = 1024 * 1024;
/** Several times what one message may have, and far less than a program sends in a second. */
const MOST = 200;

/** Loads a skill whose server behaves so, waits, and prints how far memory has grown. */
const host = (behavior) => `
  import { defineSkill, loadSkills } from "skillshelf";
  import { connectSkillServers } from "skillshelf/mcp";
  const args = [${JSON.stringify(SERVER)}, ${JSON.stringify(behavior)}];
  const servers = { mcpServers: { a: { command: process.execPath, args } } };
  const skill = defineSkill({ name: "s", description: "S.", content: "S.",
    files: { "mcp.json": JSON.stringify(servers) } });
  const session = (await loadSkills(skill)).session();
  const connected = await connectSkillServers(session, { approve: () => true });
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => { most = Math.max(most, process.memoryUsage.rss()); }, 5);
  const { content } = await session.load("s");
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await connected.close();
  clearInterval(timer);
  console.log(JSON.stringify({ grown: (most - before) / ${MEGABYTE}, content }));
`;

describe("a program that floods", () => {
  for (const [what, behavior, expected] of [
    ["a line without end", "huge", /ended|sent more than is read/],
    ["lines without end", "lines", /sent more than is read/],
    ["its standard error", "noisy", /Tools that came with this skill/],
  ]) {
    test(`with ${what} takes no memory without bound`, async (context) => {
      const file = join(import.meta.dirname, `floods-${behavior}-${process.pid}.mjs`);
      await writeFile(file, host(behavior));
      const { stdout } = await promisify(execFile)(process.execPath, [file], {
        timeout: 60_000,
      }).finally(() => rm(file));
      const { grown, content } = JSON.parse(stdout);
      context.diagnostic(`${Math.round(grown)} MB`);
      assert.match(content, expected);
      assert.ok(grown < MOST, `${grown} MB`);
    });
  }
});
