// An agent loop with a shelf of skills, from end to end: the index in the system prompt, the tools with
// each request, slash commands, and a summary where the conversation grows long. The model is a script
// here; put that of your provider in its place, or one of the adapters in docs/. Nothing that a skill
// says is executed. An agent to talk with, over two providers, is `skillshelf chat`.
//
//   npm install skillshelf; node agent.mjs [FOLDER OF SKILLS]

import { loadSkills } from "skillshelf";
import { scriptedModel } from "skillshelf/testing";

const MOST_REQUESTS = 20; // to the model, for one line of the user
const CONTEXT = 10_000; // characters after which the conversation is summarized
const FOR_SKILLS = 4_000; // characters of them that the texts of skills may keep

/** @typedef {import("skillshelf/testing").Message} Message */

/** @param {string} name @param {Record<string, unknown>} args */
const calls = (name, args) => ({ toolCalls: [{ name, arguments: args }] });
const model = scriptedModel([
  calls("load_skill", { name: "code-reviw" }), // a result says which names there are
  calls("load_skill", { name: "code-review" }),
  calls("read_skill_file", { skill: "code-review", path: "../../secret" }), // refused
  calls("read_skill_file", { skill: "code-review", path: "references/by-language.md" }),
  { text: "I have read how to review it." },
  { text: "Version 2.1.0 can be cut." },
  { text: "The user wants a review, then a release." }, // the summary
  { text: "It is to be reviewed, then released." },
]);

const catalog = await loadSkills(process.argv[2] ?? "skills");
const session = catalog.session();
const system = `You are a careful coding agent.\n\n${session.prompt()}`;

/** The conversation. @type {Message[]} */
let messages = [];

/** Takes a line of the user to its end. @param {string} line */
async function said(line) {
  console.log(`> ${line}`);
  // The host's own commands win over skills.
  const expansion = await session.expand(line, { commands: [{ name: "compact" }] });
  if (expansion.kind === "unknown") console.log(expansion.message);
  else if (expansion.kind === "command") await compact();
  else {
    messages.push({ role: "user", content: expansion.prompt });
    await answer();
    const length = messages.reduce((sum, { content }) => sum + content.length, 0);
    if (length > CONTEXT) await compact();
  }
}

/** The loop: the model is asked until it calls no tool. */
async function answer() {
  for (let request = 1; request <= MOST_REQUESTS; request++) {
    const tools = session.tools(); // anew each time: a skill that was loaded may bring some
    const reply = await model.generate({ system, messages, tools });
    messages.push(reply);
    if (reply.content) console.log(shown(reply.content));
    if (!reply.toolCalls?.length) return;
    for (const { id, name, arguments: args } of reply.toolCalls) {
      // Whatever the model sent, this answers: an error is a result that helps it go on.
      const { content, isError } = await tools.call(name, args);
      messages.push({ role: "tool", toolCallId: id, name, content, isError });
      const outcome = isError ? content : `${content.length} characters`;
      console.log(`  ${shown(`${name} ${JSON.stringify(args)}: ${outcome}`)}`);
    }
  }
  console.log(`Stopped after ${MOST_REQUESTS} requests.`);
}

/** A summary takes the place of the conversation; the texts of skills stay as far as they fit. */
async function compact() {
  const request = "Summarize this conversation: what was asked, done and found, what is open.";
  const ask = /** @type {Message} */ ({ role: "user", content: request });
  // The summary first: where the model fails, nothing has happened yet.
  const { content } = await model.generate({ system, messages: [...messages, ask], tools: [] });
  const { keep, notes } = session.compact({ budget: { characters: FOR_SKILLS } });
  const texts = [content, ...keep.map(({ text }) => text), ...notes.map(({ text }) => text)];
  messages = [{ role: "user", content: texts.join("\n\n") }];
  const named = [keep, notes].map((skills) => skills.map(({ name }) => name).join(", "));
  console.log(`  summarized; kept: ${named[0]}; to be loaded again: ${named[1]}`);
}

/** On one line, without what a terminal would obey. @param {string} text */
function shown(text) {
  return text.replace(/[\p{C}\s]+/gu, " ");
}

for (const line of [
  "Review my change, please.",
  "/cut-release 2.1.0",
  "/compact",
  "What is to be done?",
]) {
  await said(line);
}
