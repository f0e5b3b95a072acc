// One process of many that serve the same conversations. It keeps nothing: the skills are in the
// store, and so is what a conversation has loaded. A process of its own, told what to do by messages.

import { loadSkills } from "skillshelf";
import { unstorageHost } from "skillshelf/unstorage";
import { openStorage, SKILLS, stateKey } from "./storage.mjs";

const storage = openStorage(process.argv[2]);
const host = unstorageHost(storage, { base: SKILLS });
const catalog = await loadSkills({ host, label: "team" });

/** One step of a conversation, whoever did the step before; a conversation has one at a time. */
async function inConversation(name, step) {
  const state = await storage.getItem(stateKey(name));
  const session = catalog.session(state === null ? {} : { state });
  const result = await step(session);
  await storage.setItem(stateKey(name), JSON.stringify(session));
  return result;
}

const WORK = {
  index: () => catalog.prompt(),
  refresh: async () => {
    const { added, changed, removed } = await catalog.refresh();
    return { added, changed, removed };
  },
  load: ({ conversation, skill }) =>
    inConversation(conversation, async (session) => (await session.load(skill)).content),
  check: ({ conversation }) => inConversation(conversation, (session) => session.check()),
};

process.on("message", async ({ id, work, ...arguments_ }) => {
  process.send({ id, result: await WORK[work](arguments_) });
});
process.once("disconnect", () => storage.dispose());
process.send({ id: "ready" });
