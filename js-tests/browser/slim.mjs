// Runs in the browser, on a page of its own: the package without the module, which is fetched.

import { init, parseSkill } from "skillshelf/slim";

export async function results() {
  await init(fetch("/skillshelf/dist/skillshelf.wasm"));
  return parseSkill("---\nname: a\ndescription: d\n---\nBody").body;
}
