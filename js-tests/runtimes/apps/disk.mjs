// Node, Bun and Deno: the directory `skills` of the working directory. Argument: the file for the
// answer.

import { writeFileSync } from "node:fs";
import * as skillshelf from "skillshelf";
import { onDisk } from "../programs.mjs";

writeFileSync(process.argv[2], await onDisk({ skillshelf }, "skills"));
