// Node, Bun and Deno: `import`. Arguments: the file of trees, and the file for the answer.

import { readFileSync, writeFileSync } from "node:fs";
import * as archives from "./archives.mjs";
import { outputs } from "./outputs.mjs";
import * as stores from "./stores.mjs";

await archives.checked();
await stores.checked();
const [trees, answer] = process.argv.slice(2);
writeFileSync(answer, await outputs(readFileSync(trees, "utf8")));
