/** Images in the results of tools, for the providers that take them there. */
import { encoded } from "../base64.js";
import type { ToolResult } from "../types.js";

/** An image as providers take it. */
export interface Image {
  /** By its content, which providers compare with what they are told. */
  mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  base64: string;
}

/** How images begin, as Latin-1; a dot is any character. */
const BEGINNINGS: readonly [Image["mediaType"], RegExp][] = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF....WEBP/s],
];

const BEGINNING_LENGTH = 12;

/** 5 MiB of base64, which is what providers take of one image. */
const MAX_BYTES = (5 * 1024 * 1024 * 3) / 4;

/**
 * The image of a result, if it is one that providers take. One that they refuse would make every
 * later request of the conversation fail; its line of text says what it is.
 */
export function imageOf({ bytes, isError }: ToolResult): Image | undefined {
  if (isError || bytes === undefined || bytes.length > MAX_BYTES) return undefined;
  const beginning = String.fromCharCode(...bytes.subarray(0, BEGINNING_LENGTH));
  const mediaType = BEGINNINGS.find(([, pattern]) => pattern.test(beginning))?.[0];
  return mediaType && { mediaType, base64: encoded(bytes) };
}
