// An agent of the OpenAI Agents SDK, with skills: node openai-agents.mjs "Review my change." ./skills
// The SDK takes OPENAI_API_KEY from the environment, and OPENAI_BASE_URL where there is one.
import { Agent, run } from "@openai/agents";
import { loadSkills } from "skillshelf";
import { skillTools } from "skillshelf/openai-agents";

const [task = "Review my change.", directory = "./skills"] = process.argv.slice(2);
const catalog = await loadSkills(directory);

const agent = new Agent({
  name: "Reviewer",
  instructions: catalog.prompt(),
  tools: await skillTools(catalog),
  model: process.env.MODEL ?? "gpt-5.4-mini",
});
const { finalOutput } = await run(agent, task);
console.log(finalOutput);
