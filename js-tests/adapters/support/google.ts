// The wire format of the Gemini API.

import type { FunctionCall, Part } from "@google/genai";
import type { Reply } from "./provider.ts";

/** What `checkBodies` needs for the body of a request, whose parts have the types of the SDK. */
export const IMPORT = `
  import type { Content, FunctionResponse, GenerationConfig, Tool } from "@google/genai";
  interface Body {
    contents: Content[];
    tools?: Tool[];
    systemInstruction?: Content;
    generationConfig?: GenerationConfig;
  }`;

/** A response that is only text. */
export function says(text: string): Reply {
  return { json: response([{ text }]) };
}

/** A response with calls. */
export function calls(...made: FunctionCall[]): Reply {
  return { json: response(made.map((functionCall) => ({ functionCall }))) };
}

/** A prompt that was blocked. */
export const BLOCKED: Reply = { json: { promptFeedback: { blockReason: "SAFETY" } } };

/** A streamed response, each chunk with these parts. */
export function streamed(...chunks: Part[][]): Reply {
  return { events: chunks.map((parts) => `data: ${JSON.stringify(response(parts))}\n\n`) };
}

function response(parts: Part[]) {
  return {
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: "gemini-test",
    responseId: "response_1",
  };
}
