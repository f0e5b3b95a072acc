/** Answers to the calls in what a model said. */
import { SkillError } from "../errors.js";
import type { CallOptions, ToolResult } from "../types.js";
import { callableOf } from "./callable.js";

/** What becomes of the tool calls of a response. */
export interface AnsweredCalls<Answer, Call> {
  /** What to append to the conversation, after the response itself. */
  append: Answer[];
  /** The calls that are not of these tools: yours to answer. */
  others: Call[];
}

/** How an SDK has calls, and what answers them. */
export interface CallForm<Call, Answer> {
  /** The arguments may be a value, or JSON text. Nothing for what calls no function. */
  read(call: Call): { name: string; args: unknown } | undefined;
  write(call: Call, result: ToolResult): Answer;
}

/**
 * Carries out the calls that are of these tools, all at once, and answers each of them in their
 * order: a provider that gives two calls one id gets two answers with it.
 */
export async function answerCalls<Call extends Known, Known, Answer>(
  tools: Iterable<object>,
  found: Found<Call>,
  form: CallForm<Known, Answer>,
  options: CallOptions | undefined,
): Promise<AnsweredCalls<Answer, Call>> {
  const calls = readCalls(found, form);
  const callables = new Map(
    Array.from(tools, callableOf).flatMap((tool) => (tool ? [[tool.name, tool]] : [])),
  );
  const others: Call[] = [];
  const answers: Promise<Answer>[] = [];
  for (const { call, asked } of calls) {
    const tool = asked && callables.get(asked.name);
    if (tool === undefined) others.push(call);
    else answers.push(tool.call(asked?.args, options).then((result) => form.write(call, result)));
  }
  return { append: await Promise.all(answers), others };
}

/** The calls in a response, and what is said where it is none. */
interface Found<Call> {
  calls: () => Iterable<Call>;
  expected: string;
}

/** All calls with what they ask for, before any is carried out: a response may be anything. */
function readCalls<Call extends Known, Known>(
  { calls, expected }: Found<Call>,
  form: CallForm<Known, unknown>,
): { call: Call; asked: ReturnType<typeof form.read> }[] {
  try {
    return Array.from(calls(), (call) => ({ call, asked: form.read(call) }));
  } catch (error) {
    throw SkillError.isInstance(error) ? error : notAResponse(expected, error);
  }
}

/** The error for what is no response of a model. */
export function notAResponse(expected: string, cause?: unknown): SkillError {
  const message = `answerToolCalls takes its tools and ${expected}: pass what the request came to (await it).`;
  return new SkillError({ code: "SOURCE_UNSUPPORTED", message }, { cause });
}

/** A result for a provider that takes only text, and no word of whether it is an error. */
export function plainText({ content, isError }: ToolResult): string {
  return isError ? `Error: ${content}` : content;
}
