/** `skillshelf show NAME` */
import type { Skill } from "../../types.js";
import { padded, wrapped } from "../columns.js";
import { DONE } from "../exit.js";
import { shownPath } from "../paths.js";
import { type Screen, visible, visibleLine } from "../screen.js";
import { loadShelf, skillNamed } from "../shelf.js";
import { JSON_OPTION, ROOT_OPTIONS, type Verb, verb } from "../verb.js";

export const show: Verb = verb({
  name: "show",
  operands: "NAME",
  count: [1, 1],
  summary: "One skill: its fields, its files and its instructions",
  details: "Prints what is known of a skill, and the text that a model gets when it loads it.",
  options: { ...ROOT_OPTIONS, json: JSON_OPTION },
  async run({ options: { root, trust, json }, operands: [name = ""], screen }) {
    const catalog = await loadShelf({ roots: root, trust }, screen);
    // First: it has the words for a name that is not there.
    const body = await catalog.body(name);
    const skill = skillNamed(catalog, name);
    const { files } = await catalog.files(name);
    if (json) screen.out.json({ ...skill, body, files });
    else display(skill, files, body, screen);
    return DONE;
  },
});

/** Fields in a column of their own. */
const LABEL_WIDTH = 15;

function display(
  skill: Skill | undefined,
  files: readonly string[],
  body: string,
  { out }: Screen,
): void {
  if (skill !== undefined) {
    const { name, version, description, source } = skill;
    const title = version === undefined ? name : `${name} ${version}`;
    out.line(out.paint("bold", visibleLine(title)));
    for (const line of wrapped(visibleLine(description), out.width)) out.line(line);
    out.line();
    for (const [label, text] of facts(skill)) {
      out.line(`${out.paint("dim", padded(label, LABEL_WIDTH))} ${visibleLine(text)}`);
    }
    if (source !== undefined) {
      const path = visibleLine(shownPath(source.path));
      out.line(`${out.paint("dim", padded("file", LABEL_WIDTH))} ${path}`);
    }
  }
  for (const [index, file] of files.entries()) {
    const label = index === 0 ? "beside it" : "";
    out.line(`${out.paint("dim", padded(label, LABEL_WIDTH))} ${visibleLine(file)}`);
  }
  out.line();
  out.line(visible(body));
}

function facts(skill: Skill): [label: string, text: string][] {
  const { license, compatibility, allowedTools, trigger, modelInvocable, userInvocable } = skill;
  const rows: [string, string | undefined][] = [
    ["license", license],
    ["compatibility", compatibility],
    ["allowed tools", allowedTools?.join(" ")],
    ["when", trigger],
    ["model", modelInvocable ? undefined : "may not load it"],
    ["slash command", userInvocable ? undefined : "no"],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== undefined);
}
