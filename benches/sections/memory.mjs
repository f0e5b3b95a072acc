import { budget } from "../budgets.mjs";
import { measureRounds } from "../measure.mjs";
import { ratioByRound, seriesOf, spread } from "../statistics.mjs";
import { failures, integer, microseconds, ratioWithRange } from "../table.mjs";

/** How much slower a skill may get in the largest folder than in the smallest. */
const LINEAR = 1.25;

/** What a catalog keeps of each skill, and whether time and memory grow with their number only. */
export async function run({ corpus, sizes, rounds, progress }) {
  const subjects = [];
  for (const size of sizes) {
    progress(`writing ${integer(size)} skills`);
    const directory = await corpus.skills(size);
    subjects.push(
      {
        name: ours(size),
        job: "./jobs/memory.mjs",
        parameters: { directory },
        flags: ["--expose-gc"],
      },
      {
        name: bare(size),
        job: "./jobs/load.mjs",
        parameters: { subject: "../subjects/bare-loop-sync.mjs", directory },
      },
    );
  }
  const outcomes = await measureRounds(subjects, rounds, progress);
  const series = seriesOf(outcomes);
  const each = (size, field) => series(ours(size), (sample) => sample[field] / sample.skills);
  const eachBare = (size) => series(bare(size), ({ ms }) => ms / size);

  const rows = sizes.map((size) => {
    const { samples } = outcomes.get(ours(size));
    if (samples.length === 0) return [integer(size), "failed"];
    const perSkill = (field) => `${integer(spread(each(size, field)).median)} B`;
    return [
      integer(size),
      perSkill("kept"),
      perSkill("wasm"),
      perSkill("resident"),
      perSkill("keptWithObjects"),
      microseconds(spread(each(size, "ms")).median * 1000),
      ratioWithRange(ratioByRound(each(size, "ms"), eachBare(size))),
    ];
  });

  const smallest = sizes[0];
  const largest = sizes[sizes.length - 1];
  return {
    tables: [
      {
        title: "Memory and time for each skill, by the number of skills",
        columns: [
          "skills",
          "kept",
          "of it wasm",
          "resident",
          "kept, with objects",
          "load",
          "load ÷ bare loop",
        ],
        rows,
        notes: [
          "kept: heap and external memory after collection; with objects: every skill also held as an object.",
          ...failures(outcomes),
        ],
      },
    ],
    figures: [
      budget(`memory a skill, of ${integer(largest)}`, spread(each(largest, "kept")), {
        most: 2000,
        unit: "B",
      }),
      budget(
        `time a skill, ${integer(largest)} ÷ ${integer(smallest)}`,
        ratioByRound(each(largest, "ms"), each(smallest, "ms")),
        { most: LINEAR },
      ),
    ],
    outcomes: [outcomes],
  };
}

function ours(size) {
  return `skillshelf, ${size} skills`;
}

function bare(size) {
  return `bare loop, ${size} files`;
}
