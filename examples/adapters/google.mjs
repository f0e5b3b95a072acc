// An agent with a Gemini model, with skills: node google.mjs "Review my change." ./skills
// The SDK takes GEMINI_API_KEY from the environment, and GOOGLE_GEMINI_BASE_URL where there is one.
import { GoogleGenAI } from "@google/genai";
import { loadSkills } from "skillshelf";
import { answerToolCalls, skillTools } from "skillshelf/google";

const [task = "Review my change.", directory = "./skills"] = process.argv.slice(2);
const model = process.env.MODEL ?? "gemini-3.8-flash";
const client = new GoogleGenAI({});
const catalog = await loadSkills(directory);
const functions = skillTools(catalog);
const tools = [{ functionDeclarations: functions }];
const contents = [{ role: "user", parts: [{ text: task }] }];

for (;;) {
  const config = { systemInstruction: catalog.prompt(), tools };
  const response = await client.models.generateContent({ model, contents, config });
  const { append } = await answerToolCalls(functions, response);
  if (append.length === 0) {
    console.log(response.text);
    break;
  }
  contents.push(response.candidates[0].content, ...append);
}
