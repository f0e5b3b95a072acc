// workerd: skills that `skillshelf bundle` has made a module of.

import { files } from "skills-of-this-test";
import { loadSkills, memoryHost } from "skillshelf";
import { told } from "./told.mjs";

export default {
  async fetch() {
    return new Response(await told(await loadSkills({ host: memoryHost(files) })));
  },
};
