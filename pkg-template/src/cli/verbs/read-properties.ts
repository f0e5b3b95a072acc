/** `skillshelf read-properties PATH` */
import { DONE } from "../exit.js";
import { asciiJson, propertiesOf, referredSkill } from "../reference.js";
import { type Verb, verb } from "../verb.js";

export const readProperties: Verb = verb({
  name: "read-properties",
  operands: "PATH",
  count: [1, 1],
  summary: "The fields of one skill as JSON, as skills-ref prints them",
  details: "Takes the folder of a skill, or its SKILL.md.",
  options: {},
  async run({ operands: [path = ""], screen }) {
    screen.out.line(asciiJson(propertiesOf(referredSkill(path))));
    return DONE;
  },
});
