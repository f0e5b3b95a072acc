/** `skillshelf validate PATH…` */
import { existsSync } from "node:fs";
import type { Profile } from "../../types.js";
import { UsageError } from "../exit.js";
import type { Screen } from "../screen.js";
import { USUAL_ROOT } from "../shelf.js";
import { fixAll } from "../validate/fix.js";
import { hintsOf } from "../validate/hints.js";
import { exitCode, FORMATS, report } from "../validate/report.js";
import { type Targets, targetsOf } from "../validate/targets.js";
import { type Judgement, validateAll } from "../validate/validation.js";
import { watched } from "../validate/watched.js";
import { JSON_OPTION, type Verb, verb } from "../verb.js";

export const validate: Verb = verb({
  name: "validate",
  operands: "[PATH…]",
  count: [0, Infinity],
  summary: "What departs from the specification, and what would make skills better",
  details: `Validates skills (folders with a SKILL.md, such files, loose NAME.md) and all skills below
other folders; without a path those of ./skills, or the current folder where it is a skill.
Hints are no errors; each has a code, by which --off turns it off.
Exit codes: 0 no skill has an error, 1 one has, 2 there is nothing to validate.`,
  options: {
    format: {
      type: "string",
      choices: Object.keys(FORMATS),
      help: "human (the default), json, github (annotations of a workflow) or sarif",
    },
    json: { ...JSON_OPTION, help: "The same as --format json" },
    profile: {
      type: "string",
      choices: ["agentskills", "anthropic"],
      help: "Whose rules apply beside the specification's; agentskills by default",
    },
    "no-hints": { type: "boolean", help: "Only what the specification asks for" },
    off: {
      type: "string",
      multiple: true,
      value: "CODE",
      help: "Leave out a hint; repeatable",
    },
    fix: {
      type: "boolean",
      help: "Mend what is safe (quotes, fences, ends of lines), and show the difference",
    },
    watch: { type: "boolean", help: "Validate again when files change, until Ctrl+C" },
  },
  async run({ options, operands, screen }) {
    const format = options.json ? "json" : (options.format ?? "human");
    const paths = operands.length > 0 ? operands : [usualPath()];
    const judgement: Judgement = {
      hints: hintsOf(options.off),
      withInfo: !options["no-hints"],
      profile: (options.profile as Profile | undefined) ?? "agentskills",
    };
    const once = async (): Promise<number> => {
      if (options.fix) {
        // Machines read what is on the standard output.
        fixAll(await targetsOf(paths, screen), format === "human" ? screen.out : screen.err);
      }
      const targets = await targetsOf(paths, screen);
      const result = await validated(targets, judgement, screen);
      report(result, format, screen.out);
      return exitCode(result);
    };
    return options.watch ? watched(once, screen) : once();
  },
});

function validated(targets: Targets, judgement: Judgement, screen: Screen) {
  return screen.withProgress((show) => validateAll(targets, judgement, show));
}

function usualPath(): string {
  if (existsSync("SKILL.md")) return ".";
  if (existsSync(USUAL_ROOT)) return USUAL_ROOT;
  throw new UsageError(
    "There is nothing to validate: say which folder or SKILL.md, or make ./skills.",
  );
}
