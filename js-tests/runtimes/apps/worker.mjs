// workerd: the package brings the module, which is compiled with the Worker.

import * as archives from "./archives.mjs";
import { outputs } from "./outputs.mjs";
import * as stores from "./stores.mjs";

export default {
  async fetch(request) {
    await archives.checked();
    await stores.checked();
    return new Response(await outputs(await request.text()));
  },
};
