// An agent of LangChain, with skills: node langchain.mjs "Review my change." ./skills
// The provider takes ANTHROPIC_API_KEY from the environment, and ANTHROPIC_BASE_URL where there is one.
import { ChatAnthropic } from "@langchain/anthropic";
import { createAgent } from "langchain";
import { loadSkills } from "skillshelf";
import { skillTools } from "skillshelf/langchain";

const [task = "Review my change.", directory = "./skills"] = process.argv.slice(2);
const catalog = await loadSkills(directory);

const agent = createAgent({
  model: new ChatAnthropic({ model: process.env.MODEL ?? "claude-sonnet-5-5" }),
  systemPrompt: catalog.prompt(),
  tools: await skillTools(catalog, { images: true }),
});
const { messages } = await agent.invoke({ messages: [{ role: "user", content: task }] });
console.log(messages.at(-1).text);
