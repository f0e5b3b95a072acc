// An agent over the Responses API, with skills: node openai.mjs "Review my change." ./skills
// The SDK takes OPENAI_API_KEY from the environment, and OPENAI_BASE_URL where there is one.
import OpenAI from "openai";
import { loadSkills } from "skillshelf";
import { answerToolCalls, skillTools } from "skillshelf/openai";

const [task = "Review my change.", directory = "./skills"] = process.argv.slice(2);
const model = process.env.MODEL ?? "gpt-5.4-mini";
const client = new OpenAI();
const catalog = await loadSkills(directory);
const instructions = catalog.prompt();
const tools = skillTools(catalog);
const input = [{ role: "user", content: task }];

for (;;) {
  const response = await client.responses.create({ model, instructions, tools, input });
  input.push(...response.output);
  const { append } = await answerToolCalls(tools, response);
  if (append.length === 0) {
    console.log(response.output_text);
    break;
  }
  input.push(...append);
}
