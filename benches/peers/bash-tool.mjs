import { experimental_createSkillTool as createSkillTool } from "bash-tool";

/** The one documented way to load a folder. It also collects the text of every file for its sandbox. */
export async function load(directory) {
  const { skills } = await createSkillTool({ skillsDirectory: directory });
  return { accepted: skills.length };
}
