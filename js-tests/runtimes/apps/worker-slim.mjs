// workerd: the Worker brings the module.

import module from "skillshelf/skillshelf.wasm";
import { outputs } from "./slim.mjs";

export default {
  fetch: async (request) => new Response(await outputs(module, await request.text())),
};
