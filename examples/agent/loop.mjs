// The agent loop: one prompt of the user, as many turns of the model as it takes.

/**
 * The conversation, in no provider's format.
 *
 * @typedef {{ id: string, name: string, arguments: unknown }} ToolCall
 *
 * @typedef {object} AssistantMessage
 * @property {"assistant"} role
 * @property {string} content
 * @property {ToolCall[]} [toolCalls]
 * @property {unknown} [raw]  the provider's own form, sent back to it unchanged
 *
 * @typedef {{ role: "tool", toolCallId: string, name: string, content: string, isError?: boolean }} ToolMessage
 *
 * @typedef {object} UserMessage
 * @property {"user"} role
 * @property {string} content
 * @property {string} [line]  what the user typed, where that stands for the content
 *
 * @typedef {UserMessage | AssistantMessage | ToolMessage} Message
 *
 * @typedef {{ system: string, messages: Message[], tools: readonly import("skillshelf").SkillTool[] }} Request
 *
 * @typedef {{ generate(request: Request): Promise<AssistantMessage> }} Model
 */

/**
 * @typedef {object} Observer
 * @property {(text: string) => void} text
 * @property {(call: ToolCall, result: import("skillshelf").ToolResult) => void} call
 */

/**
 * Runs one prompt to its end and returns what ended it. `messages` grows by all that was said.
 *
 * @param {object} run
 * @param {Model} run.model
 * @param {string} run.system
 * @param {import("skillshelf").SkillTools} run.tools
 * @param {Message[]} run.messages
 * @param {string} run.prompt
 * @param {string} [run.line]  what the user typed, where that stands for the prompt
 * @param {number} run.maxTurns
 * @param {Observer} run.observer
 * @returns {Promise<"done" | "turn limit">}
 */
export async function runPrompt(run) {
  const { model, system, tools, messages, prompt, line, maxTurns, observer } = run;
  messages.push({ role: "user", content: prompt, ...(line !== undefined && { line }) });
  for (let turn = 1; turn <= maxTurns; turn++) {
    const reply = await model.generate({ system, messages, tools });
    messages.push(reply);
    if (reply.content) observer.text(reply.content);
    const calls = reply.toolCalls ?? [];
    if (calls.length === 0) return "done";

    for (const call of calls) {
      // Whatever the model sent, this answers; an error is a result that helps it go on.
      const result = await tools.call(call.name, call.arguments);
      observer.call(call, result);
      const { content, isError } = result;
      messages.push({ role: "tool", toolCallId: call.id, name: call.name, content, isError });
    }
  }
  return "turn limit";
}
