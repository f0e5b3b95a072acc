// The code that loads the same skills in an agent.

import type { State } from "../store.ts";

type Part = Pick<State, "origin" | "style" | "budget" | "skills">;

export function codeFor({ origin, style, budget, skills }: Readonly<Part>): string {
  const { imports, source } = loading(origin);
  const options = [
    style !== "markdown" && `style: "${style}"`,
    budget !== undefined && `budget: { tokens: ${budget} }`,
  ].filter(Boolean);
  const index = options.length > 0 ? `{ ${options.join(", ")} }` : "";
  const name = skills?.overview.rows.find((row) => row.modelInvocable)?.name ?? "some-skill";
  return [
    ...imports,
    'import { loadSkills } from "skillshelf";',
    "",
    `const catalog = await loadSkills(${source});`,
    "",
    "// Into the system prompt, and with the request:",
    `const system = catalog.prompt(${index});`,
    `const tools = catalog.tools(${index && `{ index: ${index} }`});`,
    "",
    "// A tool call as a model makes it, and what to answer:",
    `const call = { name: "load_skill", arguments: { name: ${quoted(name)} } };`,
    "const { content } = await tools.call(call.name, call.arguments);",
    "",
  ].join("\n");
}

function loading(origin: Part["origin"]): { imports: string[]; source: string } {
  switch (origin.kind) {
    case "site":
      return {
        imports: ['import { httpHost } from "skillshelf/http";'],
        source: `{ host: httpHost(${quoted(origin.url)}) }`,
      };
    case "archive":
      return {
        imports: [
          'import { createReadStream } from "node:fs";',
          'import { archiveHost } from "skillshelf/archive"; // for a zip: npm install @zip.js/zip.js',
        ],
        source: `{ host: archiveHost(createReadStream(${quoted(origin.name)})) }`,
      };
    case "directory":
      return { imports: [], source: quoted(`./${origin.name}`) };
    default:
      return { imports: [], source: '"./skills"' };
  }
}

/** A name as code: what turns the direction of text around in it does not do so there. */
function quoted(name: string): string {
  return JSON.stringify(name).replace(
    /\p{Bidi_Control}/gu,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
