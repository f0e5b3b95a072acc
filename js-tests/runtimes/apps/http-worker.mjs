// workerd: skills of real servers, whose addresses are what it is sent.

import { checked } from "./http.mjs";

export default {
  async fetch(request) {
    await checked(await request.text());
    return new Response("checked");
  },
};
