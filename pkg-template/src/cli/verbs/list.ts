/** `skillshelf list` */
import type { Catalog, Skill, Source } from "../../types.js";
import { DONE } from "../exit.js";
import { tellFindings } from "../findings.js";
import { type NamedRow, namedRows } from "../named-rows.js";
import { shownPath } from "../paths.js";
import { type Screen, visibleLine } from "../screen.js";
import { loadShelf, type ShelfOptions, sourcesOf } from "../shelf.js";
import { JSON_OPTION, ROOT_OPTIONS, type Verb, verb } from "../verb.js";

export const list: Verb = verb({
  name: "list",
  operands: "[DIR…]",
  count: [0, Infinity],
  summary: "The skills that are found, and what was passed over",
  details: `Lists the skills below the folders, by source, each with its description, cut to the
terminal's width. What was passed over, and folders that are not trusted, is said on the
standard error output.`,
  options: { ...ROOT_OPTIONS, json: JSON_OPTION },
  async run({ options: { root, trust, json }, operands, screen }) {
    const wanted = { roots: [...root, ...operands], trust };
    const catalog = await loadShelf(wanted, screen);
    if (json) screen.out.json({ skills: [...catalog], diagnostics: catalog.diagnostics });
    else show(catalog, wanted, screen);
    return DONE;
  },
});

function show(catalog: Catalog, options: ShelfOptions, screen: Screen): void {
  const bySource = grouped(catalog, sourcesOf(options));
  const { out } = screen;
  // The names of all sources stand in one column.
  const lines = namedRows([...bySource.values()].flat().map(rowOf), out, "  ");
  for (const [label, skills] of bySource) {
    out.line(out.paint("bold", visibleLine(shownPath(label))));
    for (const line of lines.splice(0, skills.length)) out.line(line);
  }
  tellFindings(catalog, options, screen);
}

/** The skills by the folder that they are from, in the order of the folders. */
function grouped(skills: Iterable<Skill>, sources: readonly Source[]): Map<string, Skill[]> {
  const labels = sources.filter((source) => typeof source === "string");
  const groups = new Map<string, Skill[]>(labels.map((label) => [label, []]));
  for (const skill of skills) {
    const label = skill.source?.label ?? "";
    const group = groups.get(label);
    if (group === undefined) groups.set(label, [skill]);
    else group.push(skill);
  }
  for (const [label, { length }] of groups) if (length === 0) groups.delete(label);
  return groups;
}

function rowOf({ name, version, modelInvocable, description }: Skill): NamedRow {
  const marks = [
    ...(version === undefined ? [] : [`(${visibleLine(version)})`]),
    ...(modelInvocable ? [] : ["(only for the user)"]),
  ];
  const text = [...marks, visibleLine(description)].join(" ");
  return { name: visibleLine(name), text, color: "cyan" };
}
