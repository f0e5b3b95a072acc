// An agent of Mastra, with skills: node mastra.mjs "Review my change." ./skills
// Mastra takes ANTHROPIC_API_KEY from the environment, and ANTHROPIC_BASE_URL where there is one.
import { Agent } from "@mastra/core/agent";
import { loadSkills } from "skillshelf";
import { skillTools } from "skillshelf/mastra";

const [task = "Review my change.", directory = "./skills"] = process.argv.slice(2);
const catalog = await loadSkills(directory);

const agent = new Agent({
  id: "reviewer",
  name: "Reviewer",
  instructions: catalog.prompt(),
  model: process.env.MODEL ?? "anthropic/claude-sonnet-5-5",
  tools: await skillTools(catalog, { images: true }),
});
const { text } = await agent.generate(task, { maxSteps: 20 });
console.log(text);
