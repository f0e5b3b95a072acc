// An agent with the AI SDK, with skills: node ai-sdk.mjs "Review my change." ./skills
// The provider takes ANTHROPIC_API_KEY from the environment, and ANTHROPIC_BASE_URL where there is one.
import { anthropic } from "@ai-sdk/anthropic";
import { generateText, isStepCount } from "ai";
import { loadSkills } from "skillshelf";
import { skillTools } from "skillshelf/ai-sdk";

const [task = "Review my change.", directory = "./skills"] = process.argv.slice(2);
const catalog = await loadSkills(directory);

const { text } = await generateText({
  model: anthropic(process.env.MODEL ?? "claude-sonnet-5-5"),
  instructions: catalog.prompt(),
  tools: skillTools(catalog, { images: true }),
  stopWhen: isStepCount(20),
  prompt: task,
});
console.log(text);
