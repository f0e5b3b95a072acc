/** `skillshelf bundle ROOT` */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { counted } from "../columns.js";
import { DONE } from "../exit.js";
import { type HandedOn, handedOn } from "../handed-on.js";
import { shownPath } from "../paths.js";
import { visibleLine } from "../screen.js";
import { type Verb, verb } from "../verb.js";

export const bundle: Verb = verb({
  name: "bundle",
  operands: "ROOT",
  count: [1, 1],
  summary: "Skills as a module, to ship them inside a Worker or a web page",
  details: `Writes an ES module, in JavaScript that is TypeScript too, whose export "files" has all files
of the skills below ROOT: loadSkills({ host: memoryHost(files) }).`,
  options: {
    out: {
      type: "string",
      value: "FILE",
      help: "Where to write it; the standard output otherwise",
    },
  },
  async run({ options: { out }, operands: [root = ""], screen }) {
    const skills = await handedOn(root, screen);
    const text = moduleOf(skills);
    if (out === undefined) {
      screen.out.text(text);
    } else {
      mkdirSync(dirname(out), { recursive: true });
      writeFileSync(out, text);
      screen.out.line(
        `${counted(skills.length, "skill")} bundled in ${visibleLine(shownPath(out))}`,
      );
    }
    return DONE;
  },
});

function moduleOf(skills: readonly HandedOn[]): string {
  const entries = skills.flatMap(({ skill, place, files }) => {
    const isOneFile = skill.source?.directory === undefined;
    return files.map(([path, bytes]): [string, Uint8Array] => [
      isOneFile ? place : `${place}/${path}`,
      bytes,
    ]);
  });
  const lines = entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, bytes]) => `  ${literal(path)}: ${contentOf(bytes)},\n`);
  return `// Made by \`skillshelf bundle\`: loadSkills({ host: memoryHost(files) })
export const files = {
${lines.join("")}};
`;
}

/** Text where the bytes are text, so that it can be read and compresses well. */
function contentOf(bytes: Uint8Array): string {
  try {
    return literal(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    const base64 = Buffer.from(bytes).toString("base64");
    return `Uint8Array.from(atob("${base64}"), (byte) => byte.charCodeAt(0))`;
  }
}

/** A string that stands in a script of a page too: nothing in it ends the script's element. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll("<", "\\u003c");
}
