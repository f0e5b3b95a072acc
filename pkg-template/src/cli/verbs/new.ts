/** `skillshelf new NAME` */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringifySkill, validateSkill } from "../../define.js";
import { DONE, Failure, UsageError } from "../exit.js";
import { argumentOf, shownPath } from "../paths.js";
import { visibleLine } from "../screen.js";
import { USUAL_ROOT } from "../shelf.js";
import { JSON_OPTION, type Verb, verb } from "../verb.js";

export const create: Verb = verb({
  name: "new",
  operands: "NAME",
  count: [1, 1],
  summary: "A new skill, ready to be written",
  details: `Makes NAME/SKILL.md in ./skills or another folder, and touches nothing that is there.
A name has lower-case letters, digits and single hyphens. Say in the description what the
skill does and when to use it: by that alone a model chooses.`,
  options: {
    description: { type: "string", value: "TEXT", help: "What it does, and when to use it" },
    root: { type: "string", value: "DIR", help: "The folder of skills to make it in; ./skills" },
    json: JSON_OPTION,
  },
  async run({ options: { description, root = USUAL_ROOT, json }, operands: [name = ""], screen }) {
    const text = skillText(name, description ?? `What ${titleOf(name)} does. Use it when …`);
    const directory = join(root, name);
    const file = join(directory, "SKILL.md");
    mkdirSync(directory, { recursive: true });
    try {
      writeFileSync(file, text, { flag: "wx" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      throw new Failure(`${shownPath(file)} is there already, and stays as it is.`);
    }
    if (json) screen.out.json({ name, path: shownPath(file) });
    else {
      const check = `skillshelf validate ${argumentOf(directory)}`;
      screen.out.line(visibleLine(`Made ${shownPath(file)}. Write it, then check it: ${check}`));
    }
    return DONE;
  },
});

/** The text of its file. Throws where the specification does not allow the name or description. */
function skillText(name: string, description: string): string {
  const content = `# ${titleOf(name)}

Write here what a model should know to do it, as you would tell a new colleague:

1. What to do first.
2. What to check before it is done.

Put what is not always needed into files beside this one, and name them here.`;
  const text = stringifySkill({ name, description, content });
  const found = validateSkill({ "SKILL.md": text }, { directory: name });
  const fault = found.find(({ severity }) => severity === "error");
  if (fault !== undefined) throw new UsageError(`${fault.message}; ${fault.hint}.`);
  return text;
}

function titleOf(name: string): string {
  const words = name.replace(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
