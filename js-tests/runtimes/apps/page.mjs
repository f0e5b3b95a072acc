// A page: what the programs come to goes back to the server that it came from.

import * as archives from "./archives.mjs";
import { outputs } from "./outputs.mjs";
import * as stores from "./stores.mjs";

await archives.checked();
await stores.checked();
const trees = await fetch("/trees.json");
await fetch("/answer", { method: "POST", body: await outputs(await trees.text()) });
