// workerd: the package brings the module, which is compiled with the Worker.

import { checked } from "./archives.mjs";
import { outputs } from "./outputs.mjs";

export default {
  async fetch(request) {
    await checked();
    return new Response(await outputs(await request.text()));
  },
};
