/** `skillshelf to-prompt PATH…` */
import { DONE } from "../exit.js";
import { htmlEscaped, nameOf, type Referred, referredSkill } from "../reference.js";
import { type Verb, verb } from "../verb.js";

export const toPrompt: Verb = verb({
  name: "to-prompt",
  operands: "PATH…",
  count: [1, Infinity],
  summary: "An <available_skills> block of some skills, as skills-ref prints it",
  details: "Takes folders of skills, or their SKILL.md, in the order in which they are to stand.",
  options: {},
  async run({ operands, screen: { out } }) {
    const entries = operands.map(referredSkill).flatMap(linesOf);
    const text = ["<available_skills>", ...entries, "</available_skills>"].join("\n");
    out.text(`${text}\n`);
    return DONE;
  },
});

function linesOf(referred: Referred): string[] {
  const { skill, path } = referred;
  return [
    "<skill>",
    "<name>",
    htmlEscaped(nameOf(referred)),
    "</name>",
    "<description>",
    htmlEscaped(skill.description),
    "</description>",
    "<location>",
    path,
    "</location>",
    "</skill>",
  ];
}
