import { createSkillsMiddleware, FilesystemBackend } from "deepagents";

/** What `createDeepAgent({ skills })` does before the first model call of a conversation. */
export async function load(directory) {
  const middleware = createSkillsMiddleware({
    backend: new FilesystemBackend({ rootDir: directory }),
    sources: [directory],
  });
  const update = await middleware.beforeModel({});
  return { accepted: update.skillsMetadata.length };
}
