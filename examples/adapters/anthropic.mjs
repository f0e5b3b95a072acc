// An agent over the Messages API, with skills: node anthropic.mjs "Review my change." ./skills
// The SDK takes ANTHROPIC_API_KEY from the environment, and ANTHROPIC_BASE_URL where there is one.
import Anthropic from "@anthropic-ai/sdk";
import { loadSkills } from "skillshelf";
import { answerToolCalls, skillTools } from "skillshelf/anthropic";

const [task = "Review my change.", directory = "./skills"] = process.argv.slice(2);
const model = process.env.MODEL ?? "claude-sonnet-5-5";
const client = new Anthropic();
const catalog = await loadSkills(directory);
const system = catalog.prompt();
const tools = skillTools(catalog);
const messages = [{ role: "user", content: task }];

for (;;) {
  const request = { model, max_tokens: 4096, system, tools, messages };
  const message = await client.messages.create(request);
  messages.push({ role: "assistant", content: message.content });
  const { append } = await answerToolCalls(tools, message);
  if (append.length === 0) break;
  messages.push(...append);
}
const last = messages.at(-1).content.filter(({ type }) => type === "text");
console.log(last.map(({ text }) => text).join(""));
