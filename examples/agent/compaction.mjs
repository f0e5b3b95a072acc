// A compactor: a long conversation becomes a summary, and nothing is lost that a skill says. What
// must survive is put back word for word; of the rest a line remains, and the model can load it
// again as it was.

/** @typedef {import("./loop.mjs").Message} Message */

const SUMMARIZER =
  "You summarize a conversation between a user and an agent, so that the agent can go on with the " +
  "summary alone: what was asked, what was done and found, what is still open. The texts of skills " +
  "are left out of it; they are kept elsewhere.";

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
      return `User: ${message.content}`;
    case "assistant":
      return [
        "Agent:",
        message.content,
        ...(message.toolCalls ?? []).map(({ name }) => `(${name})`),
      ]
        .filter(Boolean)
        .join(" ");
    case "tool":
      return message.isError
        ? `Result of ${message.name}: ${message.content}`
        : `Result of ${message.name}: the text of a skill, left out`;
  }
}

/** How long a conversation is, in characters. @param {Message[]} messages */
export function lengthOf(messages) {
  return messages.reduce((sum, { content }) => sum + content.length, 0);
}
