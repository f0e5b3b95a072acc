// workerd: the package brings the module, which is compiled with the Worker.

import { outputs } from "./outputs.mjs";

export default {
  fetch: async (request) => new Response(await outputs(await request.text())),
};
