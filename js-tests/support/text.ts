// Texts of skill files, and what was found in them in a form that a table can hold.

import type { Diagnostic } from "skillshelf";

/** A skill file: `front` is what stands between the fences, without its last line end. */
export function skillFile(front: string, body = "Body"): string {
  return `---\n${front}\n---\n${body}\n`;
}

/** A skill file that breaks no rule where its directory has the name. */
export function validSkill(
  name: string,
  description = `What ${name} does.`,
  body = "Body",
): string {
  return skillFile(`name: ${name}\ndescription: ${description}`, body);
}

/** `severity code line:column`, or without the place where there is none. */
export function told({ severity, code, line, column }: Diagnostic): string {
  const place = line === undefined ? "" : ` ${line}:${column}`;
  return `${severity} ${code}${place}`;
}

/** `severity code path` */
export function toldWithPath({ severity, code, path }: Diagnostic): string {
  return [severity, code, path].filter((part) => part !== undefined).join(" ");
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Bytes of text with raw bytes between. */
export function joined(...parts: (string | readonly number[])[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => [...(typeof part === "string" ? bytes(part) : part)]),
  );
}
