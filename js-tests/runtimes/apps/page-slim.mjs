// A page that fetches the module.

import { outputs } from "./slim.mjs";

const trees = await fetch("/trees.json");
const answer = await outputs(fetch("/skillshelf.wasm"), await trees.text());
await fetch("/answer", { method: "POST", body: answer });
