import { budget } from "../budgets.mjs";
import { measureRounds } from "../measure.mjs";
import { ratioByRound, seriesOf, spread } from "../statistics.mjs";
import { failures, integer, microseconds, range, ratioWithRange } from "../table.mjs";

const SKILLS = 500;

const JOBS = [
  { name: "read and list, sync", job: "./jobs/read-and-list.mjs", asynchronous: false },
  {
    name: "load_skill, sync",
    job: "./jobs/load-skill.mjs",
    asynchronous: false,
    base: "read and list, sync",
  },
  { name: "read and list, async", job: "./jobs/read-and-list.mjs", asynchronous: true },
  {
    name: "load_skill, async",
    job: "./jobs/load-skill.mjs",
    asynchronous: true,
    base: "read and list, async",
  },
];

/** One `load_skill` call, against reading the file and listing its folders. */
export async function run({ corpus, rounds, progress }) {
  const directory = await corpus.skillsWithFiles(SKILLS);
  const subjects = JOBS.map(({ name, job, asynchronous }) => ({
    name,
    job,
    parameters: { directory, asynchronous },
  }));
  const outcomes = await measureRounds(subjects, rounds, progress);
  const series = seriesOf(outcomes);
  const of = (name, field) => series(name, (sample) => sample[field]);
  const ratio = (name, base, field) => ratioByRound(of(name, field), of(base, field));

  const rows = JOBS.map(({ name, base }) => {
    const { samples } = outcomes.get(name);
    if (samples.length === 0) return [name, "failed"];
    const first = spread(of(name, "microseconds"));
    return [
      name,
      integer(samples[0].skills),
      microseconds(first.median),
      range(first),
      microseconds(spread(of(name, "warmMicroseconds")).median),
      base ? ratioWithRange(ratio(name, base, "microseconds")) : "",
      base ? ratioWithRange(ratio(name, base, "warmMicroseconds")) : "",
    ];
  });
  return {
    tables: [
      {
        title: `load_skill over ${integer(SKILLS)} skills with files beside them, each call`,
        columns: [
          "",
          "skills",
          "first pass",
          "least–greatest",
          "second pass",
          "÷ read and list",
          "second ÷ second",
        ],
        rows,
        notes: failures(outcomes),
      },
    ],
    figures: [
      budget(
        "load_skill, sync ÷ read and list",
        ratio(JOBS[1].name, JOBS[1].base, "microseconds"),
        { most: 2 },
      ),
      budget(
        "load_skill, async ÷ read and list",
        ratio(JOBS[3].name, JOBS[3].base, "microseconds"),
        { most: 2 },
      ),
    ],
    outcomes: [outcomes],
  };
}
