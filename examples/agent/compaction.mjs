// A compactor: a long conversation becomes a summary. No instructions of a skill are lost by that: they
// are put back word for word as far as the budget reaches, and of each other skill a line remains, by
// which the model can load it again. Files of skills that were read are named there, to be read again.
// What else was said is as good as the summary.

/** @typedef {import("./loop.mjs").Message} Message */

const SUMMARIZER =
  "You summarize a conversation between a user and an agent, so that the agent can go on with the " +
  "summary alone: what was asked, what was done and found, what is still open. The texts of skills " +
  "and of their files are left out of it; they are kept elsewhere, or can be read again.";

/**
 * Tools whose results need no summary, and what these are; what all others say is summarized.
 *
 * @type {Partial<Record<string, string>>}
 */
const LEFT_OUT = {
  load_skill: "the text of a skill, left out",
  read_skill_file: "a file of a skill, left out",
};

/**
 * What a compaction came to.
 *
 * @typedef {object} Compacted
 * @property {Message[]} messages  what the conversation goes on with
 * @property {string[]} kept       names of the skills whose texts are in them
 * @property {string[]} dropped    names of those of which only a line is
 */

/**
 * @param {object} conversation
 * @param {import("./loop.mjs").Model} conversation.model  writes the summary
 * @param {import("skillshelf").Session} conversation.session
 * @param {Message[]} conversation.messages
 * @param {import("skillshelf").Budget} conversation.budget  for the texts of skills
 * @returns {Promise<Compacted>}
 */
export async function compacted({ model, session, messages, budget }) {
  // The summary first: where the model fails, nothing has happened yet.
  const summary = await summarized(model, messages);
  // From here on the session knows which texts are gone: their next load gives them whole.
  const { keep, notes } = session.compact({ budget });
  const texts = [
    `<summary>\n${summary}\n</summary>`,
    ...[...keep, ...notes].map(({ text }) => text),
  ];
  return {
    messages: [{ role: "user", content: texts.join("\n\n") }],
    kept: keep.map(({ name }) => name),
    dropped: notes.map(({ name }) => name),
  };
}

/** @param {import("./loop.mjs").Model} model @param {Message[]} messages */
async function summarized(model, messages) {
  const { content } = await model.generate({
    system: SUMMARIZER,
    messages: [{ role: "user", content: messages.map(line).join("\n\n") }],
    tools: [],
  });
  return content;
}

/** A message as the summarizer reads it. @param {Message} message */
function line(message) {
  switch (message.role) {
    case "user":
      // What the user typed: where that stands for a skill, the content is the skill's text.
      return `User: ${message.line ?? message.content}`;
    case "assistant": {
      const calls = (message.toolCalls ?? []).map((call) => {
        return `(${call.name} ${JSON.stringify(call.arguments)})`;
      });
      return ["Agent:", message.content, ...calls].filter(Boolean).join(" ");
    }
    case "tool": {
      const leftOut = message.isError ? undefined : LEFT_OUT[message.name];
      return `Result of ${message.name}: ${leftOut ?? message.content}`;
    }
  }
}

/** How long a conversation is, in characters. @param {Message[]} messages */
export function lengthOf(messages) {
  return messages.reduce((sum, { content }) => sum + content.length, 0);
}
