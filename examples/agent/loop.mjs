// The agent loop: one prompt of the user, as many turns of the model as it takes.

/**
 * @typedef {{ id?: string, name: string, arguments: unknown }} ToolCall
 * @typedef {{ id: string, name: string, content: string, isError: boolean }} Answer
 * @typedef {{ role: "user", content: string }} UserMessage
 * @typedef {{ role: "assistant", content: string, toolCalls: (ToolCall & { id: string })[], raw?: unknown }} AssistantMessage
 * @typedef {{ role: "tool", results: Answer[] }} ToolMessage
 * @typedef {UserMessage | AssistantMessage | ToolMessage} Message
 * @typedef {{ system: string, messages: Message[], tools: import("skillshelf").SkillTools }} Request
 * @typedef {{ text?: string, toolCalls?: ToolCall[], raw?: unknown }} Turn  `raw`: the provider's own form, sent back unchanged
 * @typedef {{ generate(request: Request): Promise<Turn> }} Model
 * @typedef {{ text(text: string): void, call(call: ToolCall, result: import("skillshelf").ToolResult): void }} Observer
 */

/**
 * Runs one prompt to its end and returns what ended it. `messages` grows by everything that was said.
 *
 * @param {{ model: Model, system: string, tools: import("skillshelf").SkillTools, messages: Message[], prompt: string, maxTurns: number, observer: Observer }} run
 * @returns {Promise<"done" | "turn limit">}
 */
export async function runPrompt({ model, system, tools, messages, prompt, maxTurns, observer }) {
  messages.push({ role: "user", content: prompt });
  for (let turn = 1; turn <= maxTurns; turn++) {
    const { text = "", toolCalls = [], raw } = await model.generate({ system, messages, tools });
    const calls = toolCalls.map((call, index) => ({
      ...call,
      id: call.id ?? `call-${messages.length}-${index}`,
    }));
    messages.push({ role: "assistant", content: text, toolCalls: calls, raw });
    if (text) observer.text(text);
    if (calls.length === 0) return "done";

    const results = [];
    for (const call of calls) {
      // Whatever the model sent, this answers; an error is a result that helps it go on.
      const result = await tools.call(call.name, call.arguments);
      observer.call(call, result);
      results.push({
        id: call.id,
        name: call.name,
        content: result.content,
        isError: result.isError,
      });
    }
    messages.push({ role: "tool", results });
  }
  return "turn limit";
}
