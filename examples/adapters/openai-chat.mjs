// An agent over the Chat Completions API, with skills: node openai-chat.mjs "Review my change."
// The SDK takes OPENAI_API_KEY from the environment, and OPENAI_BASE_URL where there is one.
import OpenAI from "openai";
import { loadSkills } from "skillshelf";
import { answerToolCalls, skillTools } from "skillshelf/openai";

const [task = "Review my change.", directory = "./skills"] = process.argv.slice(2);
const model = process.env.MODEL ?? "gpt-5.4-mini";
const client = new OpenAI();
const catalog = await loadSkills(directory);
const tools = skillTools(catalog, { api: "chat" });
const messages = [
  { role: "system", content: catalog.prompt() },
  { role: "user", content: task },
];

for (;;) {
  const completion = await client.chat.completions.create({ model, tools, messages });
  messages.push(completion.choices[0].message);
  const { append } = await answerToolCalls(tools, completion);
  if (append.length === 0) break;
  messages.push(...append);
}
console.log(messages.at(-1).content);
