import { parseArgs } from "node:util";

export const SECTIONS = [
  "scan",
  "refresh",
  "load-skill",
  "prompt",
  "search",
  "import",
  "memory",
  "growth",
  "size",
  "playground",
];

/** Run only when it is named: it writes more than a million files. */
const NAMED_ONLY = ["growth-of-catalog"];

export const USAGE = `Usage: node run.mjs [SECTION…] [options]

  SECTION         what to run, all without one: ${SECTIONS.join(", ")};
                  and, only where it is named, ${NAMED_ONLY.join(", ")}
  --only LIST     the same, with commas between
  --quick         2,000 skills and 3 rounds instead of 10,000 and 5
  --large         measure memory and linearity up to 100,000 skills
  --count N       number of skills
  --rounds N      number of rounds
  --corpus PATH   skills.tar.gz, or the folder that holds it (or set SKILLSHELF_CORPUS)
  --json FILE     write every sample and figure as JSON
  --plot FILE     draw growth-of-catalog as SVG
  --help          this text`;

/** What a run was asked for; throws an error whose message is for the user. */
export function readArguments(words) {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      only: { type: "string" },
      quick: { type: "boolean", default: false },
      large: { type: "boolean", default: false },
      count: { type: "string" },
      rounds: { type: "string" },
      corpus: { type: "string" },
      json: { type: "string" },
      plot: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const count = positive("--count", values.count) ?? (values.quick ? 2000 : 10_000);
  return {
    help: values.help,
    sections: sectionsOf(values.only, positionals),
    count,
    sizes: sizesOf(count, values.large),
    rounds: positive("--rounds", values.rounds) ?? (values.quick ? 3 : 5),
    corpus: values.corpus ?? (process.env.SKILLSHELF_CORPUS || undefined),
    json: values.json,
    plot: values.plot,
  };
}

function sectionsOf(list, words) {
  if (list === undefined && words.length === 0) return SECTIONS;
  const asked = [...words, ...(list?.split(",") ?? [])].map((name) => name.trim());
  const all = [...SECTIONS, ...NAMED_ONLY];
  const unknown = asked.find((name) => !all.includes(name));
  if (unknown !== undefined)
    throw new Error(`no section "${unknown}"; there are ${all.join(", ")}`);
  return all.filter((name) => asked.includes(name));
}

/** A tenth, the whole and, when asked for, a hundred thousand. */
function sizesOf(count, large) {
  const sizes = new Set([Math.max(1, Math.round(count / 10)), count]);
  if (large) sizes.add(100_000);
  return [...sizes].sort((a, b) => a - b);
}

function positive(option, text) {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Error(`${option} takes a number from 1 on`);
  return value;
}
