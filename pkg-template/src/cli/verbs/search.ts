/** `skillshelf search WORDS…` */
import type { SearchHit } from "../../types.js";
import { DONE, FAILED } from "../exit.js";
import { namedRows } from "../named-rows.js";
import { type Screen, visibleLine } from "../screen.js";
import { loadShelf } from "../shelf.js";
import { JSON_OPTION, numberOf, ROOT_OPTIONS, type Verb, verb } from "../verb.js";

export const search: Verb = verb({
  name: "search",
  operands: "WORDS…",
  count: [1, Infinity],
  summary: "The skills that fit a task, the best first",
  details: `Looks for the words of a task in the names, descriptions and instructions of all skills,
also of those that are disabled for the model. Nothing found is an exit code of 1.`,
  options: {
    ...ROOT_OPTIONS,
    limit: { type: "string", value: "N", help: "How many at most; 10 by default" },
    "no-bodies": { type: "boolean", help: "Look at names and descriptions only" },
    json: JSON_OPTION,
  },
  async run({ options, operands, screen }) {
    const { root, trust, limit, json } = options;
    const most = numberOf("limit", limit);
    const catalog = await loadShelf({ roots: root, trust }, screen);
    const hits = await catalog.search(operands.join(" "), {
      bodies: !options["no-bodies"],
      ...(most !== undefined && { limit: most }),
    });
    if (json) screen.out.json({ hits });
    else display(hits, screen);
    return hits.length === 0 ? FAILED : DONE;
  },
});

function display(hits: readonly SearchHit[], { out, err }: Screen): void {
  if (hits.length === 0) err.line("No skill fits.");
  const rows = hits.map(({ skill: { name, description } }) => ({
    name: visibleLine(name),
    text: visibleLine(description),
    color: "cyan" as const,
  }));
  for (const line of namedRows(rows, out)) out.line(line);
}
