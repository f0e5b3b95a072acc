// Node, Bun and Deno: `import`. Arguments: the file of trees, and the file for the answer.

import { readFileSync, writeFileSync } from "node:fs";
import { outputs } from "./outputs.mjs";

const [trees, answer] = process.argv.slice(2);
writeFileSync(answer, await outputs(readFileSync(trees, "utf8")));
