// Puts skills into the store.
//
//   node writer.mjs REDIS_URL < FILES        FILES is JSON: { "pdf/SKILL.md": "text", … }

import { text } from "node:stream/consumers";
import { openStorage, SKILLS } from "./storage.mjs";

const storage = openStorage(process.argv[2]);
const files = Object.entries(JSON.parse(await text(process.stdin)));
// A skill is there as soon as its SKILL.md is, so that comes last.
const isLast = ([path]) => path.endsWith("/SKILL.md");
for (const [path, content] of files.sort((a, b) => isLast(a) - isLast(b))) {
  // As bytes, which every driver gives back as they are.
  await storage.setItemRaw(`${SKILLS}/${path}`, Buffer.from(content));
}
await storage.dispose();
