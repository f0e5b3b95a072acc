// Node, Bun and Deno: skills of real servers. Arguments: their addresses, and the file for the answer.

import { writeFileSync } from "node:fs";
import { checked } from "./http.mjs";

const [sites, answer] = process.argv.slice(2);
await checked(sites);
writeFileSync(answer, "checked");
