// Node, Bun and Deno: `import`. Arguments: the file of trees, and the file for the answer.

import { readFileSync, writeFileSync } from "node:fs";
import { checked } from "./archives.mjs";
import { outputs } from "./outputs.mjs";

await checked();
const [trees, answer] = process.argv.slice(2);
writeFileSync(answer, await outputs(readFileSync(trees, "utf8")));
